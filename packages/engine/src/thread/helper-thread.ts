// A worker thread that does jobs for the serving thread, one at a time, in order. It starts with its first
// job and ends after an idle time; the idle time is longer if jobs came back soon after the last end, because
// its code has to be compiled again. Jobs it does not answer (it died, or was closed) come back undefined:
// the caller does them. A helper that died three times in a row is not started again. Packing, reading ahead,
// building segments and checking the log use it.

import { Worker } from 'node:worker_threads';
import { lastSearchClock } from '../turn.ts';

/** Default of `warmIdleMs`. */
const WARM_IDLE_MS = 60_000;
/** A helper that died so often without an answer in between is not started again. */
const MAX_DEATHS = 3;

/** Options of a helper. */
interface HelperOptions {
  /** Name shown by the system and by profilers. */
  readonly name: string;
  /** Its code: answers every message with one message. Its `workerData` is `lastSearchClock`. */
  readonly code: URL;
  /** Size of the young generation of its heap, in MiB. */
  readonly youngMb: number;
  /** It ends after so long without a job. */
  readonly idleMs: number;
  /** If it is started again within this time after its last job, this is its idle time. @default 60,000 */
  readonly warmIdleMs?: number;
  /** Called when it has ended or died, before its jobs come back: the next thread has no state. */
  readonly onExit?: () => void;
}

/** A helper. It keeps the process alive while it has a job. */
export class HelperThread<Job, Answer> {
  readonly #options: HelperOptions;
  #thread: Worker | undefined;
  #isReady = false;
  #idle: NodeJS.Timeout | undefined;
  #idleMs: number;
  /** Time of its last answer. */
  #last = Number.NEGATIVE_INFINITY;
  #closed = false;
  #deaths = 0;
  #waiting: ((answer: Answer | undefined) => void)[] = [];

  constructor(options: HelperOptions) {
    this.#options = options;
    this.#idleMs = options.idleMs;
  }

  /** Whether it has sent 'ready', if its code does so. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /**
   * Has a job done; `transfer` is handed over without a copy. Undefined if it is closed or dies before it
   * answers.
   */
  ask(job: Job, transfer: ArrayBuffer[] = []): Promise<Answer | undefined> {
    this.start();
    const thread = this.#thread;
    if (thread === undefined) return Promise.resolve(undefined);
    return new Promise((done) => {
      thread.postMessage(job, transfer);
      clearTimeout(this.#idle);
      this.#waiting.push(done);
      thread.ref();
    });
  }

  /** Starts it before its next job; false if it cannot be started. */
  start(): boolean {
    if (this.#thread === undefined && !this.#closed && this.#deaths < MAX_DEATHS)
      this.#thread = this.#spawn();
    if (this.#waiting.length === 0) this.#startIdleTimer();
    return this.#thread !== undefined;
  }

  /** Shortens its idle time again: its last job has left it too much memory to keep for long. */
  shortenIdle(): void {
    this.#idleMs = this.#options.idleMs;
    if (this.#waiting.length === 0) this.#startIdleTimer();
  }

  /** Ends it for good; open jobs come back undefined. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  #spawn(): Worker | undefined {
    const { name, code, youngMb, idleMs, warmIdleMs = WARM_IDLE_MS } = this.#options;
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
      this.#startIdleTimer();
    });
    // The caller does the job itself and finds the cause.
    thread.on('error', () => {});
    thread.once('exit', () => {
      if (this.#thread !== thread) return;
      this.#deaths++;
      this.#forget();
    });
    return thread;
  }

  #startIdleTimer(): void {
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
