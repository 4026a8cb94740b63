// Work that a start leaves for later, because it takes time in proportion to the documents and a first page
// needs none of it: unpacking the words of segments, and reading the whole log for damage. Until then words are
// unpacked when a search or merge needs them, and bytes of the log are checked when they are read.
//
// What removes files waits for the first write, too: files that a crash has left, merges that were due, and
// unused chunks. So whoever starts on a directory that is not what it should be still has all of its files.

import type { DocumentLog } from '../../log/log.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';
import type { SegmentStore } from '../../write/segment-files/segment-store.ts';

/** Delay after the start, in milliseconds. */
const SOON_MS = 5_000;

/** What it needs of the engine. */
interface DeferredStartEnvironment {
  readonly log: DocumentLog;
  readonly store: SegmentStore;
  readonly states: readonly IndexState[];
  /** Removes what a crash has left, schedules merges and looks for unused chunks. */
  readonly upkeep: () => Promise<void>;
  /** Called when all of the log has been checked. */
  readonly onLogChecked: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Runs the deferred work of one start. */
export class DeferredStart {
  readonly #env: DeferredStartEnvironment;
  readonly #timer: NodeJS.Timeout;
  #hasWritten = false;
  #upkeep: Promise<void> | undefined;
  #closed = false;

  constructor(env: DeferredStartEnvironment) {
    this.#env = env;
    this.#timer = setTimeout(() => void this.#run(), SOON_MS).unref();
  }

  /** Notes a write of a client. REQUIRES: not closed. */
  noteWrite(): void {
    if (this.#hasWritten) return;
    this.#hasWritten = true;
    this.#upkeep = this.#env.upkeep().catch(this.#env.onFailure);
  }

  /** Stops the work; resolves when no file is removed any more. No search may follow. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const state of this.#env.states) for (const { leaf } of state.segments) leaf.packedTerms?.stop();
    await this.#upkeep;
  }

  async #run(): Promise<void> {
    await this.#unpack();
    // Bytes that cannot be read now are refused when they are asked for.
    if (!this.#closed) await this.#env.log.check().then(this.#env.onLogChecked, () => {});
  }

  /** Unpacks one segment after the other: each has pieces for all threads of the pool. */
  async #unpack(): Promise<void> {
    for (const state of this.#env.states) {
      for (const { meta, leaf } of [...state.segments]) {
        if (this.#closed) return;
        try {
          await leaf.packedTerms?.unpack();
        } catch (error) {
          // The checksums are right but the contents are not: the segment has to be rebuilt.
          await this.#env.store.invalidate(state.number, meta).catch(() => {});
          this.#env.onFailure(error);
        }
      }
    }
  }
}
