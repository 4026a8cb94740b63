// What a plan looks up in the dictionaries of all leaves before it can be made: near terms, and terms by
// prefix. Planning never waits. It asks, goes on as if the answer were empty, and is repeated once the
// answers are there.

import type { Steps } from '../steps.ts';

/** The lookups of one plan. */
export class Lookups {
  readonly #answers = new Map<string, unknown>();
  readonly #open = new Map<string, () => Steps<unknown>>();

  /** The answer to a lookup; undefined while it is open. Equal keys mean equal lookups. */
  ask<T>(key: string, steps: () => Steps<T>): T | undefined {
    if (this.#answers.has(key)) return this.#answers.get(key) as T;
    this.#open.set(key, steps);
    return undefined;
  }

  /** Whether a lookup has no answer yet. */
  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  /** Runs all open lookups. */
  *findAll(): Steps<void> {
    for (const [key, steps] of this.#open) {
      this.#answers.set(key, yield* steps());
      this.#open.delete(key);
      yield;
    }
  }
}
