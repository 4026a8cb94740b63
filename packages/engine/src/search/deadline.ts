// The clock of one search: its time slices, its deadline, and cancellation when the caller goes away.
//
// A search is a generator that yields every few tens of microseconds. `runInSlices` runs it within the call that
// starts it for one slice of 2 ms. If it is not done by then, the same generator goes on in later turns of
// the event loop. After the deadline the generator still runs: it reads `late` and stops collecting.

import { EngineError } from '../errors.ts';
import type { Steps } from '../query/steps.ts';
import { SLICE_MS } from '../turn.ts';

/** The steps of a search. A promise that it yields is awaited before the next step. */
export type SearchSteps<T> = Generator<unknown, T, undefined>;

/** What can end a search early. */
interface SearchBounds {
  /** Milliseconds from now on; negative or undefined for no limit. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Cheaper than a signal: looked at after each slice. */
  readonly caller?: { readonly hasHungUp: boolean } | undefined;
}

/** The clock of one search. */
export class Deadline {
  readonly #now: () => number;
  readonly #end: number;
  readonly #signal: AbortSignal | undefined;
  readonly #caller: { readonly hasHungUp: boolean } | undefined;
  #sliceEnd: number;
  #late: boolean;

  /** `now` in milliseconds, from any moment on. */
  constructor({ timeoutMs, signal, caller }: SearchBounds = {}, now: () => number = () => performance.now()) {
    this.#now = now;
    const start = now();
    this.#end = timeoutMs === undefined || timeoutMs < 0 ? Number.POSITIVE_INFINITY : start + timeoutMs;
    this.#late = timeoutMs === 0;
    this.#signal = signal;
    this.#caller = caller;
    this.#sliceEnd = start + SLICE_MS;
  }

  /** True once the deadline has been seen to pass. */
  get late(): boolean {
    return this.#late;
  }

  /** Throws if the search was cancelled before it began. */
  begin(): void {
    if (this.#signal?.aborted) throw cancelled();
  }

  /**
   * Called between two steps. Returns undefined if the next step may begin now, else a promise to wait for.
   * Throws if the search was cancelled.
   */
  pause(): Promise<void> | undefined {
    const now = this.#now();
    if (now >= this.#end) this.#late = true;
    if (this.#signal?.aborted) throw cancelled();
    if (now < this.#sliceEnd) return undefined;
    if (this.#caller?.hasHungUp) throw cancelled();
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#sliceEnd = this.#now() + SLICE_MS;
        resolve();
      });
    });
  }
}

/** Runs a search. Returns its result if the first slice is enough, else a promise. */
export function runInSlices<T>(steps: SearchSteps<T | Promise<T>>, deadline: Deadline): T | Promise<T> {
  deadline.begin();
  const step = slice(steps, deadline);
  return step.done === true ? step.value : later(steps, step.value, deadline);
}

async function later<T>(
  steps: SearchSteps<T | Promise<T>>,
  first: Promise<unknown>,
  deadline: Deadline,
): Promise<T> {
  for (let wait = first; ; ) {
    try {
      await wait;
    } catch (error) {
      endWith(steps, error);
    }
    const step = slice(steps, deadline);
    if (step.done === true) return step.value;
    wait = step.value;
  }
}

/** Runs steps until they are done, or something has to be waited for. */
function slice<T>(
  steps: SearchSteps<T>,
  deadline: Deadline,
): IteratorYieldResult<Promise<unknown>> | IteratorReturnResult<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step;
    let wait: Promise<unknown> | undefined;
    try {
      wait = step.value instanceof Promise ? step.value : deadline.pause();
    } catch (error) {
      endWith(steps, error);
    }
    if (wait !== undefined) return { done: false, value: wait };
  }
}

/** Throws an error inside the steps, so that their `finally` blocks run. */
function endWith(steps: SearchSteps<unknown>, error: unknown): never {
  steps.throw(error);
  throw error;
}

/** Runs steps to their end or to the deadline. Undefined if the deadline came first. */
export function* untilLate<T>(steps: Steps<T>, deadline: Deadline): SearchSteps<T | undefined> {
  for (;;) {
    const next = steps.next();
    if (next.done) return next.value;
    yield;
    if (deadline.late) return undefined;
  }
}

function cancelled(): EngineError {
  return new EngineError('timeout_exception', 'The search was cancelled');
}
