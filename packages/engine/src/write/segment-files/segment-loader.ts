// Who reads segments when an engine starts? Threads of their own, one a core: the thread that will answer requests still
// has a thousand modules to link meanwhile. Small segments, and what a thread cannot read, are left to that one: it finds
// out what is wrong.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** A file of a segment, and where it is to be unpacked: all of the segment's bytes. */
export interface LoadJob {
  readonly path: string;
  readonly into: Uint8Array;
}

/** A segment in its place but for its words: the file, and which of its pieces are left. */
export interface LoadResult {
  readonly file: Uint8Array;
  readonly left: readonly number[];
}

/** Options of the loader. */
export interface LoaderOptions {
  /** Bytes of a segment from which on a thread loads it; Infinity for never. @default 4 MiB */
  readonly threadFrom?: number;
  /** What runs in a thread. @default load-thread.ts */
  readonly thread?: URL;
  /** Called when the first one has begun. */
  readonly onReading?: (() => void) | undefined;
}

/** More threads would wait for memory. */
const MOST_THREADS = 4;
/** Jobs that a thread has at most: with the next one at hand it need not wait for a turn of the thread that asks. */
const JOBS_AHEAD = 2;
/** Jobs to ask for at a time, so that no thread runs out of them. */
export const LOADS_AT_ONCE: number = MOST_THREADS * JOBS_AHEAD;

/** A job with who waits for it. */
interface Waiting {
  readonly job: LoadJob;
  readonly done: (loaded: LoadResult | undefined) => void;
}

/** Loads segments, several at a time, until it is closed. */
export class SegmentLoader {
  readonly #threadFrom: number;
  readonly #code: URL;
  readonly #onReading: () => void;
  readonly #most: number = Math.min(MOST_THREADS, availableParallelism());
  /** With their jobs, in the order of their answers. */
  readonly #threads = new Map<Worker, Waiting[]>();
  #queue: Waiting[] = [];
  #closed = false;

  constructor(options: LoaderOptions = {}) {
    this.#threadFrom = options.threadFrom ?? 4 << 20;
    this.#code = options.thread ?? new URL('./load-thread.ts', import.meta.url);
    this.#onReading = options.onReading ?? (() => {});
  }

  /** True for a segment of so many bytes that a thread may have. */
  takes(bytes: number): boolean {
    return !this.#closed && bytes >= this.#threadFrom;
  }

  /** Has a segment loaded; undefined where it is not what was written, or its thread has died: what is in its place then says nothing. */
  load(job: LoadJob): Promise<LoadResult | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    return new Promise((done) => {
      this.#queue.push({ job, done });
      this.#next();
    });
  }

  /** Ends the threads; what they have not loaded is left to others. */
  async close(): Promise<void> {
    this.#closed = true;
    const threads = [...this.#threads.keys()];
    await Promise.all(threads.map((thread) => thread.terminate()));
    for (const { done } of this.#queue.splice(0)) done(undefined);
  }

  #next(): void {
    while (this.#queue.length > 0) {
      const isFirst = this.#threads.size === 0;
      const thread = this.#taker();
      if (thread === undefined) {
        // Nobody will ever take them: they are loaded by who asked.
        if (isFirst) for (const { done } of this.#queue.splice(0)) done(undefined);
        return;
      }
      const waiting = this.#queue.shift()!;
      this.#threads.get(thread)!.push(waiting);
      thread.postMessage(waiting.job);
      if (isFirst) this.#onReading();
    }
  }

  /** Who takes the next job: a thread without one, or else a new one, or else one that has a single job. */
  #taker(): Worker | undefined {
    let least = JOBS_AHEAD;
    let taker: Worker | undefined;
    for (const [thread, { length }] of this.#threads) if (length < least) [taker, least] = [thread, length];
    if (least === 0 || this.#threads.size >= this.#most) return taker;
    try {
      return this.#start();
    } catch {
      // The system has no more threads.
      return taker;
    }
  }

  #start(): Worker {
    // What is new there is large and lies outside of its heap.
    const thread = new Worker(this.#code, {
      name: 'octavo load',
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    });
    const jobs: Waiting[] = [];
    this.#threads.set(thread, jobs);
    thread.on('message', (loaded: LoadResult | undefined) => {
      jobs.shift()?.done(loaded);
      this.#next();
    });
    thread.on('error', () => {});
    thread.once('exit', () => {
      this.#threads.delete(thread);
      for (const { done } of jobs.splice(0)) done(undefined);
      if (!this.#closed) this.#next();
    });
    return thread;
  }
}
