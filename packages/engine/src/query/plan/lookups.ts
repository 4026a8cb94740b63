// What a plan looks up in the dictionaries of all leaves before it can be made: near terms, and terms by
// prefix. Planning never waits. It asks, goes on as if the answer were empty, and is repeated once the
// answers are there.

import type { Steps } from '../steps.ts';

/** The lookups of one plan. */
export class Lookups {
  readonly #answers: Map<string, unknown>;
  readonly #open: Map<string, () => Steps<unknown>>;
  readonly #prefix: string;

  constructor(shared?: Lookups, prefix: string = '') {
    this.#answers = shared === undefined ? new Map() : shared.#answers;
    this.#open = shared === undefined ? new Map() : shared.#open;
    this.#prefix = prefix;
  }

  /** The same lookups in the leaves of nested objects, where the same key means something else. */
  within(path: string): Lookups {
    return new Lookups(this, `${path}\0`);
  }

  /** The answer to a lookup; undefined while it is open. Equal keys mean equal lookups. */
  ask<T>(key: string, steps: () => Steps<T>): T | undefined {
    const own = this.#prefix + key;
    if (this.#answers.has(own)) return this.#answers.get(own) as T;
    this.#open.set(own, steps);
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
