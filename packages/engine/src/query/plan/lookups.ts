// What does a plan have to look up before it can be made? Near terms and terms by their beginnings, of all leaves. Planning
// itself never waits: it asks, goes on as if the answer were nothing, and is done again when the answers are there.

import type { Steps } from '../steps.ts';

/** Questions and answers of one plan. */
export class Lookups {
  readonly #answers = new Map<string, unknown>();
  readonly #open = new Map<string, () => Steps<unknown>>();

  /** The answer to a question; undefined where it is open. Equal keys mean equal questions. */
  ask<T>(key: string, steps: () => Steps<T>): T | undefined {
    if (this.#answers.has(key)) return this.#answers.get(key) as T;
    this.#open.set(key, steps);
    return undefined;
  }

  /** True when something was asked that has no answer yet. */
  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  /** Finds all answers. */
  *findAll(): Steps<void> {
    for (const [key, steps] of this.#open) {
      this.#answers.set(key, yield* steps());
      this.#open.delete(key);
      yield;
    }
  }
}
