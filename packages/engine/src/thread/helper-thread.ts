// Who works beside the thread that answers requests? One that is begun with its first job, and ended when there was none
// for a while: for a longer one where jobs use to come back soon after its end, because its code has to be compiled again
// then. It answers job by job, in their order. What it does not answer, because it died of it, is for others to do.

import { Worker } from 'node:worker_threads';
import { lastSearchClock } from '../turn.ts';

/** How long a helper stays that is needed again and again. */
const SOON_MS = 60_000;
/** One that has died so often, without an answer between, is not begun again. */
const MOST_DEATHS = 3;

/** What a helper is. */
export interface HelperOptions {
  /** As systems and profilers show it. */
  readonly name: string;
  /** What runs in it: answers every message with one; its `workerData` is `lastSearchClock`. */
  readonly code: URL;
  /** Room for what is new in its heap, in MiB. */
  readonly youngMb: number;
  /** Without a job for so long it ends, and gives its memory back. */
  readonly idleMs: number;
  /** One that is begun again so soon behind its last job stays as long behind the next ones. @default 60,000 */
  readonly warmIdleMs?: number;
  /** Called when it has ended or died, before its jobs come back: the next one knows nothing. */
  readonly onExit?: () => void;
}

/** A thread that does jobs for this one. It keeps the process alive while it has one. */
export class HelperThread<Job, Answer> {
  readonly #options: HelperOptions;
  #thread: Worker | undefined;
  #isReady = false;
  #idle: NodeJS.Timeout | undefined;
  #idleMs: number;
  /** When it had its last job done. */
  #last = Number.NEGATIVE_INFINITY;
  #closed = false;
  #deaths = 0;
  #waiting: ((answer: Answer | undefined) => void)[] = [];

  constructor(options: HelperOptions) {
    this.#options = options;
    this.#idleMs = options.idleMs;
  }

  /** True once it has said that it is `ready`, where its code does so. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Has a job done, `given` to it without a copy; undefined where it is closed or dies before it answers. */
  ask(job: Job, given: ArrayBuffer[] = []): Promise<Answer | undefined> {
    this.start();
    const thread = this.#thread;
    if (thread === undefined) return Promise.resolve(undefined);
    return new Promise((done) => {
      thread.postMessage(job, given);
      clearTimeout(this.#idle);
      this.#waiting.push(done);
      thread.ref();
    });
  }

  /** Begins it ahead of its next job; false where there will be none. */
  start(): boolean {
    if (this.#thread === undefined && !this.#closed && this.#deaths < MOST_DEATHS)
      this.#thread = this.#start();
    if (this.#waiting.length === 0) this.#rest();
    return this.#thread !== undefined;
  }

  /** What it did last has left it so much memory that it is not worth to stay as long as one that is needed again. */
  shortenIdle(): void {
    this.#idleMs = this.#options.idleMs;
    if (this.#waiting.length === 0) this.#rest();
  }

  /** Ends it for good; jobs that it has not done come back unanswered. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  #start(): Worker | undefined {
    const { name, code, youngMb, idleMs, warmIdleMs = SOON_MS } = this.#options;
    this.#idleMs = performance.now() - this.#last < warmIdleMs ? warmIdleMs : idleMs;
    let thread: Worker;
    try {
      thread = new Worker(code, {
        name,
        workerData: lastSearchClock,
        resourceLimits: { maxYoungGenerationSizeMb: youngMb },
      });
    } catch {
      // The system has no more threads.
      this.#deaths++;
      return undefined;
    }
    thread.unref();
    thread.on('message', (answer: Answer | 'ready') => {
      if (this.#thread !== thread) return;
      if (answer === 'ready') {
        this.#isReady = true;
        return;
      }
      this.#deaths = 0;
      this.#last = performance.now();
      this.#waiting.shift()?.(answer);
      if (this.#waiting.length > 0) return;
      thread.unref();
      this.#rest();
    });
    // What it died of is found, and told, by who does its job.
    thread.on('error', () => {});
    thread.once('exit', () => {
      if (this.#thread !== thread) return;
      this.#deaths++;
      this.#forget();
    });
    return thread;
  }

  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#thread !== undefined) this.#idle = setTimeout(() => void this.#end(), this.#idleMs).unref();
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#forget();
    await thread?.terminate();
  }

  #forget(): void {
    if (this.#thread === undefined) return;
    clearTimeout(this.#idle);
    this.#thread = undefined;
    this.#isReady = false;
    this.#options.onExit?.();
    for (const done of this.#waiting.splice(0)) done(undefined);
  }
}
