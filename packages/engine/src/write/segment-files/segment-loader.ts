// Loads segments of 4 MiB and more at a start in threads, one per core, while the serving thread links the
// rest of the server. The largest come first, and each thread has its next job at hand. Small segments, and
// those a thread cannot load, are loaded by the serving thread, which also finds out what is wrong.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** A segment file, and the block that it is unpacked to. */
export interface LoadJob {
  readonly path: string;
  readonly into: Uint8Array;
}

/** A segment that is unpacked except for its words: the file, and the pieces of it that are left. */
export interface LoadResult {
  readonly file: Uint8Array;
  readonly left: readonly number[];
}

/** Options of the loader. */
interface LoaderOptions {
  /** Segments of at least so many bytes are loaded by a thread; Infinity for never. @default 4 MiB */
  readonly threadFrom?: number;
  /** What runs in a thread. @default load-thread.ts */
  readonly thread?: URL;
  /** Called when the first thread has begun to read. */
  readonly onReading?: (() => void) | undefined;
}

/** More threads would only wait for memory bandwidth. */
const MAX_THREADS = 4;
/** Jobs of a thread at most: with the next one at hand it need not wait for a turn of the serving thread. */
const JOBS_AHEAD = 2;
/** Jobs to queue at a time, so that no thread runs out of them. */
export const LOADS_AT_ONCE: number = MAX_THREADS * JOBS_AHEAD;

/** A job and the callback that waits for it. */
interface PendingJob {
  readonly job: LoadJob;
  readonly done: (loaded: LoadResult | undefined) => void;
}

/** Loads segments, several at a time, until it is closed. */
export class SegmentLoader {
  readonly #threadFrom: number;
  readonly #code: URL;
  readonly #onReading: () => void;
  readonly #maxThreads: number = Math.min(MAX_THREADS, availableParallelism());
  /** Threads with their jobs, in the order of their answers. */
  readonly #threads = new Map<Worker, PendingJob[]>();
  #queue: PendingJob[] = [];
  #closed = false;

  constructor(options: LoaderOptions = {}) {
    this.#threadFrom = options.threadFrom ?? 4 << 20;
    this.#code = options.thread ?? new URL('./load-thread.ts', import.meta.url);
    this.#onReading = options.onReading ?? (() => {});
  }

  /** Whether a thread loads a segment of so many bytes. */
  takes(bytes: number): boolean {
    return !this.#closed && bytes >= this.#threadFrom;
  }

  /**
   * Loads a segment in a thread; undefined if the file is damaged or the thread died: then the block has
   * undefined contents.
   */
  load(job: LoadJob): Promise<LoadResult | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    return new Promise((done) => {
      this.#queue.push({ job, done });
      this.#next();
    });
  }

  /** Ends the threads; jobs they have not done resolve undefined. */
  async close(): Promise<void> {
    this.#closed = true;
    const threads = [...this.#threads.keys()];
    await Promise.all(threads.map((thread) => thread.terminate()));
    for (const { done } of this.#queue.splice(0)) done(undefined);
  }

  #next(): void {
    while (this.#queue.length > 0) {
      const isFirst = this.#threads.size === 0;
      const thread = this.#threadForJob();
      if (thread === undefined) {
        // No thread can be started: the caller loads them.
        if (isFirst) for (const { done } of this.#queue.splice(0)) done(undefined);
        return;
      }
      const waiting = this.#queue.shift()!;
      this.#threads.get(thread)!.push(waiting);
      thread.postMessage(waiting.job);
      if (isFirst) this.#onReading();
    }
  }

  /** The thread for the next job: an idle one, else a new one, else one with a single job. */
  #threadForJob(): Worker | undefined {
    let least = JOBS_AHEAD;
    let choice: Worker | undefined;
    for (const [thread, { length }] of this.#threads) if (length < least) [choice, least] = [thread, length];
    if (least === 0 || this.#threads.size >= this.#maxThreads) return choice;
    try {
      return this.#start();
    } catch {
      // The system has no more threads.
      return choice;
    }
  }

  #start(): Worker {
    // Large allocations of the thread lie outside its heap.
    const thread = new Worker(this.#code, {
      name: 'octavo load',
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    });
    const jobs: PendingJob[] = [];
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
