// Who makes segments? A thread of its own, so that reads never wait for a seal or a merge; small ones are made here, in
// slices, because a thread would take longer to start than they take. What comes out is the same, byte by byte.

import { createMemory } from '../../memory/arenas.ts';
import { type Block, type Memory, withoutBudget } from '../../memory/memory.ts';
import { mergeSegments } from '../../merge/merge-segments.ts';
import type { MergeInput } from '../../merge/remap.ts';
import { copySegment, type SegmentBytes } from '../../segment/section-writer.ts';
import { newScratch } from '../../tail/inversion/inversion-scratch.ts';
import { sealLent } from '../../tail/inversion/seal-lent.ts';
import type { Tail } from '../../tail/tail.ts';
import { HelperThread } from '../../thread/helper-thread.ts';
import { runSliced } from '../../turn.ts';
import type { SegmentFiles } from '../segment-files/segment-store.ts';
import type { BuildJob, FromBuilder, ToBuilder } from './build-messages.ts';
import { type MovedSources, relocationOf } from './compaction.ts';

/** A segment in its place. */
export interface BuiltSegment {
  readonly block: Block;
  readonly byteLength: number;
  readonly docCount: number;
  /** New number of each document, by input and old number, -1 for those left out; none after a seal. */
  readonly newDoc: readonly Int32Array[] | undefined;
  /** Its files, where they are made already. */
  readonly files: SegmentFiles | undefined;
}

/** What a merge is told besides its inputs. */
export interface MergeSpec {
  /** No reader asks for a snapshot below this commit. */
  readonly oldest: number;
  /** By input: sources that lie elsewhere now. */
  readonly moved: readonly (MovedSources | undefined)[];
}

/** Options of the builder. */
export interface BuilderOptions {
  /** Documents from which on a job goes to the thread; Infinity for never. @default 8192 */
  readonly threadFrom?: number;
  /** What runs in the thread. @default build-thread.ts */
  readonly thread?: URL;
}

/**
 * How long the thread stays that is needed again within as long: at a thousand writes a second a tail is full after a minute, and
 * to compile the code anew takes half as much as the seal.
 */
const STAYS_MS = 120_000;

/** Behind a merge of so many bytes it does not: what it keeps of one is a third of them. */
const LARGE_BYTES = 2 ** 27;

/** Makes segments, one at a time. */
export class SegmentBuilder {
  readonly #memory: Memory;
  readonly #threadFrom: number;
  readonly #thread: HelperThread<ToBuilder, FromBuilder>;
  #heads: Memory | undefined;

  constructor(memory: Memory, options: BuilderOptions = {}) {
    this.#memory = memory;
    this.#threadFrom = options.threadFrom ?? 8_192;
    const code = options.thread ?? new URL('./build-thread.ts', import.meta.url);
    // What is new there is either large arrays or little.
    const times = { idleMs: 10_000, warmIdleMs: STAYS_MS };
    this.#thread = new HelperThread({ name: 'octavo segment', code, youngMb: 16, ...times });
  }

  /**
   * The segment of a tail, without the documents whose new number is -1; beyond the budget if need be: the tail that it replaces
   * is larger. REQUIRES: it does not change; a reading of the memory is open.
   */
  async seal(tail: Tail, newDoc?: Int32Array): Promise<BuiltSegment> {
    if (tail.docCount >= this.#threadFrom) {
      const built = await this.#ask({ kind: 'seal', tail: tail.lend(), newDoc });
      if (built !== undefined) return built;
    }
    const steps =
      newDoc === undefined ? tail.seal() : sealLent(tail.lend(), this.#own(), newScratch(), newDoc);
    const segment = (await runSliced(steps))!;
    return this.#place(segment, this.#beyond(segment.byteLength), undefined);
  }

  /** The segment of adjacent ones (`mergeSegments`). REQUIRES: a reading of the memory is open. */
  async merge(inputs: readonly MergeInput[], { oldest, moved }: MergeSpec): Promise<BuiltSegment> {
    const docs = inputs.reduce((sum, { leaf }) => sum + leaf.docCount, 0);
    if (docs >= this.#threadFrom) {
      const lent = inputs.map(({ leaf, drop }, i) => ({ bytes: leaf.bytes, drop, moved: moved[i] }));
      const built = await this.#ask({ kind: 'merge', inputs: lent, oldest });
      if (built !== undefined) return built;
    }
    const relocate = relocationOf(moved);
    const options = { oldest, ...(relocate !== undefined && { relocate }) };
    const { segment, newDoc } = (await runSliced(mergeSegments(inputs, options)))!;
    return this.#place(segment, this.#memory.alloc(segment.byteLength), newDoc);
  }

  /** Ends the thread. REQUIRES: no job is under way. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  /** For the little that a seal allocates here: it must not be refused. */
  #own(): Memory {
    this.#heads ??= createMemory({ stepBytes: 1 << 20, arenaBytes: 64 << 20 });
    return this.#heads;
  }

  #beyond(bytes: number): Block {
    return withoutBudget(this.#memory, () => this.#memory.alloc(bytes));
  }

  #place(segment: SegmentBytes, block: Block, newDoc: readonly Int32Array[] | undefined): BuiltSegment {
    const { byteLength, docCount } = segment;
    copySegment(segment, new Uint8Array(block.buffer, block.ptr, byteLength));
    return { block, byteLength, docCount, newDoc, files: undefined };
  }

  /** Has the job done by the thread; undefined when that died of it, or cannot be had: then it is done here. */
  async #ask(job: BuildJob): Promise<BuiltSegment | undefined> {
    const made = await this.#thread.ask(job);
    if (made === undefined) return undefined;
    if (made.kind !== 'made') throw new Error(`making a segment: ${textOf(made)}`);
    const { docCount, byteLength, newDoc } = made;
    let block: Block;
    try {
      block = job.kind === 'seal' ? this.#beyond(byteLength) : this.#memory.alloc(byteLength);
    } catch (error) {
      void this.#thread.ask({ kind: 'place', into: undefined });
      throw error;
    }
    const into = new Uint8Array(block.buffer, block.ptr, byteLength);
    const placed = await this.#thread.ask({ kind: 'place', into });
    if (placed?.kind !== 'placed') {
      this.#memory.free(block);
      if (placed !== undefined) throw new Error(`placing a segment: ${textOf(placed)}`);
      return undefined;
    }
    if (job.kind === 'merge' && byteLength >= LARGE_BYTES) this.#thread.shortenIdle();
    return { block, byteLength, docCount, newDoc, files: placed.files };
  }
}

function textOf(answered: FromBuilder): string {
  return answered.kind === 'failed' ? answered.message : `unexpected answer [${answered.kind}]`;
}
