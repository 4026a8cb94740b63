// How does a long search stay polite? It looks at the clock between steps of its work: lets others run after 2 ms,
// stops at its deadline, and ends when the caller has gone away.

import { EngineError } from '../errors.ts';

const SLICE_MS = 2;

/** The clock of one search. */
export class Pace {
  readonly #now: () => number;
  readonly #deadline: number;
  readonly #signal: AbortSignal | undefined;
  readonly #caller: { readonly isGone: boolean } | undefined;
  #sliceEnd: number;
  #late = false;

  /** `now` in milliseconds, from any moment on. */
  constructor(
    timeoutMs: number | undefined,
    signal: AbortSignal | undefined,
    caller?: { readonly isGone: boolean } | undefined,
    now: () => number = () => performance.now(),
  ) {
    this.#now = now;
    const start = now();
    this.#deadline = timeoutMs === undefined || timeoutMs < 0 ? Number.POSITIVE_INFINITY : start + timeoutMs;
    this.#signal = signal;
    this.#caller = caller;
    this.#sliceEnd = start + SLICE_MS;
  }

  /** True once the deadline has been seen to pass. */
  get late(): boolean {
    return this.#late;
  }

  /** Called between steps of a few ten microseconds. Undefined: go on at once; else wait for it first. */
  step(): Promise<void> | undefined {
    const now = this.#now();
    if (now >= this.#deadline) this.#late = true;
    if (this.#signal?.aborted) throw cancelled();
    if (now < this.#sliceEnd) return undefined;
    if (this.#caller?.isGone) throw cancelled();
    return this.#pause();
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#sliceEnd = this.#now() + SLICE_MS;
        resolve();
      });
    });
  }

  /** Runs steps to their end, whether late or not. */
  async run<T>(steps: Generator<void, T, undefined>): Promise<T> {
    for (;;) {
      const next = steps.next();
      if (next.done) return next.value;
      const wait = this.step();
      if (wait !== undefined) await wait;
    }
  }

  /** Runs steps to their end or to the deadline; undefined when that came first. */
  async inTime<T>(steps: Generator<void, T, undefined>): Promise<T | undefined> {
    for (;;) {
      const next = steps.next();
      if (next.done) return next.value;
      const wait = this.step();
      if (wait !== undefined) await wait;
      if (this.#late) return undefined;
    }
  }
}

function cancelled(): EngineError {
  return new EngineError('timeout_exception', 'The search was cancelled');
}
