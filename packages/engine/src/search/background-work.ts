// Runs jobs after the search that started them: building an order, merging orders. One
// job at a time, in slices that wait in the line of turn.ts. Jobs never keep the process alive.

import { enqueueTurn, sliceMs } from '../turn.ts';

/** The jobs of an engine. Equal keys mean equal work: a key that waits or runs is not added again. */
export class BackgroundWork {
  readonly #jobs = new Map<string, { steps: Generator<void, unknown, undefined>; leave: () => void }>();
  readonly #enter: () => () => void;
  #running = false;

  /** `enter` keeps the memory of leaves from being reused while a job reads them (Memory.beginReading). */
  constructor(enter: () => () => void = () => () => {}) {
    this.#enter = enter;
  }

  add(key: string, steps: () => Generator<void, unknown, undefined>): void {
    if (this.#jobs.has(key)) return;
    this.#jobs.set(key, { steps: steps(), leave: this.#enter() });
    if (!this.#running) this.#schedule();
  }

  /** Jobs that wait or run. */
  get pending(): number {
    return this.#jobs.size;
  }

  #schedule(): void {
    this.#running = true;
    enqueueTurn(() => this.#slice(), false);
  }

  #slice(): void {
    const end = performance.now() + sliceMs();
    for (const [key, { steps, leave }] of this.#jobs) {
      let done = false;
      try {
        while (!done && performance.now() < end) done = steps.next().done === true;
      } catch {
        // The search that needs an order which cannot be built now builds it itself, and reports the error.
        done = true;
      }
      if (done) {
        this.#jobs.delete(key);
        leave();
      }
      if (performance.now() >= end) break;
    }
    this.#running = this.#jobs.size > 0;
    if (this.#running) this.#schedule();
  }
}
