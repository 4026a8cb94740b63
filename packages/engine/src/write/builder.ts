// Who makes segments? A thread of its own, so that reads never wait for a seal or a merge; small ones are made here, in
// slices, because a thread would take longer to start than they take. What comes out is the same, byte by byte.

import { Worker } from 'node:worker_threads';
import type { Block, Memory } from '../memory/memory.ts';
import { mergeLeaves } from '../merge/merge.ts';
import type { MergeInput } from '../merge/remap.ts';
import { copySegment, type SegmentBytes } from '../segment/sections.ts';
import { sealTail } from '../tail/seal.ts';
import type { Tail } from '../tail/tail.ts';
import { lastRead, runSliced } from '../turn.ts';
import type { BuildJob, FromBuilder, ToBuilder } from './build-messages.ts';
import { type Moved, relocation } from './compaction.ts';
import type { SegmentFiles } from './segment-store.ts';

/** A segment in its place. */
export interface Built {
  readonly block: Block;
  readonly byteLength: number;
  readonly docCount: number;
  /** New number of each document, by input and old number, -1 for those left out; none after a seal. */
  readonly newDoc: readonly Int32Array[] | undefined;
  /** Its files, where they are made already. */
  readonly files: SegmentFiles | undefined;
}

/** What a merge is told besides its inputs. */
export interface MergeOrder {
  /** No reader asks for a snapshot below this commit. */
  readonly oldest: number;
  /** By input: sources that lie elsewhere now. */
  readonly moved: readonly (Moved | undefined)[];
}

/** Options of the builder. */
export interface BuilderOptions {
  /** Documents from which on a job goes to the thread; Infinity for never. @default 8192 */
  readonly threadFrom?: number;
  /** What runs in the thread. @default build-thread.ts */
  readonly thread?: URL;
}

/** Without a job for so long the thread ends, and gives its memory back. */
const IDLE_MS = 2_000;

/** Makes segments, one at a time. */
export class SegmentBuilder {
  readonly #memory: Memory;
  readonly #threadFrom: number;
  readonly #code: URL;
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(memory: Memory, options: BuilderOptions = {}) {
    this.#memory = memory;
    this.#threadFrom = options.threadFrom ?? 8_192;
    this.#code = options.thread ?? new URL('./build-thread.ts', import.meta.url);
  }

  /** The segment of a tail, beyond the budget if need be: the tail that it replaces is larger. REQUIRES: it does not change; a reading of the memory is open. */
  async seal(tail: Tail): Promise<Built> {
    if (tail.docCount >= this.#threadFrom) {
      const built = await this.#ask({ kind: 'seal', tail: tail.lend() });
      if (built !== undefined) return built;
    }
    const segment = (await runSliced(sealTail(tail)))!;
    return this.#place(segment, this.#beyond(segment.byteLength), undefined);
  }

  /** The segment of adjacent ones (`mergeLeaves`). REQUIRES: a reading of the memory is open. */
  async merge(inputs: readonly MergeInput[], { oldest, moved }: MergeOrder): Promise<Built> {
    const docs = inputs.reduce((sum, { leaf }) => sum + leaf.docCount, 0);
    if (docs >= this.#threadFrom) {
      const lent = inputs.map(({ leaf, drop }, i) => ({ bytes: leaf.bytes, drop, moved: moved[i] }));
      const built = await this.#ask({ kind: 'merge', inputs: lent, oldest });
      if (built !== undefined) return built;
    }
    const relocate = relocation(moved);
    const options = { oldest, ...(relocate !== undefined && { relocate }) };
    const { segment, newDoc } = (await runSliced(mergeLeaves(inputs, options)))!;
    return this.#place(segment, this.#memory.alloc(segment.byteLength), newDoc);
  }

  /** Ends the thread. REQUIRES: no job is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  #beyond(bytes: number): Block {
    const keep = this.#memory.lift();
    try {
      return this.#memory.alloc(bytes);
    } finally {
      keep();
    }
  }

  #place(segment: SegmentBytes, block: Block, newDoc: readonly Int32Array[] | undefined): Built {
    const { byteLength, docCount } = segment;
    copySegment(segment, new Uint8Array(block.buffer, block.ptr, byteLength));
    return { block, byteLength, docCount, newDoc, files: undefined };
  }

  /** Has the job done by the thread; undefined when that died of it, or cannot be had: then it is done here. */
  async #ask(job: BuildJob): Promise<Built | undefined> {
    if (this.#closed) return undefined;
    clearTimeout(this.#idle);
    const thread = (this.#thread ??= this.#start());
    const made = await answer(thread, job);
    if (made === undefined) {
      await this.#end();
      return undefined;
    }
    if (made.kind !== 'made') throw new Error(`making a segment: ${textOf(made)}`);
    const { docCount, byteLength, newDoc } = made;
    let block: Block;
    try {
      block = job.kind === 'seal' ? this.#beyond(byteLength) : this.#memory.alloc(byteLength);
    } catch (error) {
      thread.postMessage({ kind: 'place', into: undefined } satisfies ToBuilder);
      throw error;
    }
    const into = new Uint8Array(block.buffer, block.ptr, byteLength);
    const placed = await answer(thread, { kind: 'place', into });
    if (placed?.kind !== 'placed') {
      this.#memory.free(block);
      if (placed !== undefined) throw new Error(`placing a segment: ${textOf(placed)}`);
      await this.#end();
      return undefined;
    }
    this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
    return { block, byteLength, docCount, newDoc, files: placed.files };
  }

  #start(): Worker {
    const thread = new Worker(this.#code, {
      workerData: lastRead,
      // What is new there is either large arrays or little.
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    });
    // One that dies without a job is started anew with the next one.
    thread.on('error', () => {});
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined;
    });
    thread.unref();
    return thread;
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }
}

/** The answer to a message; undefined when the thread ends before. A waiting engine is kept alive by it. */
function answer(thread: Worker, message: ToBuilder): Promise<FromBuilder | undefined> {
  const { promise, resolve } = Promise.withResolvers<FromBuilder | undefined>();
  const gone = (): void => resolve(undefined);
  thread.ref();
  thread.once('message', resolve);
  thread.once('error', gone);
  thread.once('exit', gone);
  thread.postMessage(message);
  return promise.finally(() => {
    thread.unref();
    thread.off('message', resolve);
    thread.off('error', gone);
    thread.off('exit', gone);
  });
}

function textOf(answered: FromBuilder): string {
  return answered.kind === 'failed' ? answered.message : `unexpected answer [${answered.kind}]`;
}
