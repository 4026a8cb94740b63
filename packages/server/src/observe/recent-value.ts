// What was so a moment ago? Asked of the records once a second at most, for those who must know before they do something.

import { setTimeout as sleep } from 'node:timers/promises';

const FRESH_MS = 1_000;
/** Records that do not answer hold nobody up for longer. */
const PATIENCE_MS = 500;

/** Something that changes seldom. */
export class RecentValue<T> {
  readonly #read: () => Promise<T>;
  #value: T | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  /**
   * As it was a second ago at the earliest, `now` without that; what was known before stands where it cannot be read in
   * `patienceMs`.
   */
  async get(now = false, patienceMs: number = PATIENCE_MS): Promise<T | undefined> {
    const isFresh = !now && performance.now() - this.#readAt < FRESH_MS;
    if (!isFresh) {
      this.#reading ??= this.#readOnce().finally(() => {
        this.#reading = undefined;
      });
      const given = new AbortController();
      const { signal } = given;
      await Promise.race([
        this.#reading,
        sleep(patienceMs, undefined, { signal, ref: false }).catch(() => {}),
      ]);
      given.abort();
      // Who comes in the next second does not wait again for records that are away.
      this.#readAt = performance.now();
    }
    return this.#value;
  }

  async #readOnce(): Promise<void> {
    try {
      this.#value = await this.#read();
    } catch {
      // It is as it was.
    }
  }
}
