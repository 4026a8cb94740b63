// What was so a moment ago? Asked of the records once a second at most, for those who must know before they do something.

import { setTimeout as sleep } from 'node:timers/promises';

const FRESH_MS = 1_000;
/** Records that do not answer hold nobody up for longer. */
const PATIENCE_MS = 500;

/** Something that changes seldom. */
export class Glance<T> {
  readonly #read: () => Promise<T>;
  #known: T | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  /**
   * As it was a second ago at the earliest, `now` without that; what was known before stands where it cannot be read in
   * `patienceMs`.
   */
  async look(now = false, patienceMs: number = PATIENCE_MS): Promise<T | undefined> {
    const isFresh = !now && performance.now() - this.#lookedAt < FRESH_MS;
    if (!isFresh) {
      this.#looking ??= this.#readOnce().finally(() => {
        this.#looking = undefined;
      });
      const given = new AbortController();
      const { signal } = given;
      await Promise.race([
        this.#looking,
        sleep(patienceMs, undefined, { signal, ref: false }).catch(() => {}),
      ]);
      given.abort();
      // Who comes in the next second does not wait again for records that are away.
      this.#lookedAt = performance.now();
    }
    return this.#known;
  }

  async #readOnce(): Promise<void> {
    try {
      this.#known = await this.#read();
    } catch {
      // It is as it was.
    }
  }
}
