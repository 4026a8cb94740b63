// Removes chunks of the log that nothing needs: not needed for replay, and without the source of any document
// in a leaf. A search that began on older leaves may still read from them, so they are removed when it is
// over.

import type { DocumentLog } from '../../log/log.ts';
import { ReaderGenerations } from '../../memory/reader-generations.ts';
import { Turn } from '../../turn.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';
import { isSaved, replayFrom } from '../../write/index-state/unflushed.ts';

/** Documents between two looks at the clock, less one. */
const SLICE = 8191;

/** Finds and removes unused chunks. */
export class ChunkSweeper {
  readonly #log: DocumentLog;
  readonly #states: () => Iterable<IndexState>;
  readonly #published: () => number;
  readonly #allowRemoval: (commit: number) => Promise<boolean>;
  readonly #failed: (error: unknown) => void;
  readonly #searches = new ReaderGenerations();
  /** Chunks that no leaf needs, with the reader mark at which that was found. */
  readonly #unused = new Map<number, number>();
  #removing: Promise<void> = Promise.resolve();
  #closed = false;

  /**
   * `allowRemoval` is asked before chunks with commits up to a given one are removed; on false they stay for
   * now.
   */
  constructor(
    log: DocumentLog,
    states: () => Iterable<IndexState>,
    published: () => number,
    allowRemoval: (commit: number) => Promise<boolean>,
    failed: (error: unknown) => void,
  ) {
    this.#log = log;
    this.#states = states;
    this.#published = published;
    this.#allowRemoval = allowRemoval;
    this.#failed = failed;
  }

  /** A search begins; the returned function ends it. */
  enter(): () => void {
    const generation = this.#searches.enter();
    return () => {
      if (this.#searches.leave(generation) && this.#unused.size > 0) this.#remove();
    };
  }

  /**
   * Looks for chunks that nothing needs since leaves have changed. O(documents) in slices, if there is a
   * candidate. REQUIRES: no merge is running: no leaf names the sources it has moved yet.
   */
  async sweep(): Promise<void> {
    for (const chunk of await this.#candidates()) {
      if (!this.#unused.has(chunk)) this.#unused.set(chunk, this.#searches.mark());
    }
    this.#remove();
    await this.#removing;
  }

  /** Waits for running removals and begins no other. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#removing;
  }

  async #candidates(): Promise<Set<number>> {
    const states = [...this.#states()];
    // The catalog still names segments whose sources no leaf needs any more.
    if (!states.every((state) => isSaved(state, state.saved))) return new Set();
    const from = replayFrom(states, this.#published());
    const chunks = this.#log.chunks();
    const newest = chunks.findLast((chunk) => chunk.kind === 'fresh')?.number;
    const old = chunks.filter((chunk) => chunk.number !== newest && chunk.lastCommit <= from);
    const candidates = new Set(old.map((chunk) => chunk.number));
    if (candidates.size === 0) return candidates;
    const turn = new Turn();
    for (const state of states) {
      for (const { docs, docCount } of state.ranges()) {
        let last = -1;
        for (let doc = 0; doc < docCount; doc++) {
          if ((doc & SLICE) === SLICE && turn.isOver()) await turn.next();
          const chunk = docs.sourceChunk(doc);
          // Neighbours mostly lie in one chunk.
          if (chunk !== last && candidates.delete((last = chunk)) && candidates.size === 0) return candidates;
        }
      }
    }
    return candidates;
  }

  #remove(): void {
    const oldest = this.#searches.oldest();
    const chunks: number[] = [];
    for (const [chunk, mark] of this.#unused) {
      if (mark >= oldest || this.#closed) continue;
      this.#unused.delete(chunk);
      chunks.push(chunk);
    }
    if (chunks.length === 0) return;
    this.#removing = this.#removing.then(() => this.#removeAll(chunks)).catch(this.#failed);
  }

  async #removeAll(chunks: readonly number[]): Promise<void> {
    const last = this.#log
      .chunks()
      .findLast(({ number, kind }) => kind === 'fresh' && chunks.includes(number))?.lastCommit;
    if (last !== undefined && !(await this.#allowRemoval(last))) return;
    for (const chunk of chunks) await this.#log.removeChunk(chunk);
  }
}
