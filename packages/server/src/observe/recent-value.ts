// A value read from the records once a second at most, for code that must know it before it acts.

import { setTimeout as sleep } from 'node:timers/promises';

const FRESH_MS = 1_000;
/** The longest that unresponsive records delay a caller. */
const PATIENCE_MS = 500;

/** A value that rarely changes. */
export class RecentValue<T> {
  readonly #read: () => Promise<T>;
  #value: T | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  /**
   * The value, at most a second old, fresh with `now`. If it cannot be read within `patienceMs`, the previous
   * one.
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
      // Callers in the next second do not wait again for unresponsive records.
      this.#readAt = performance.now();
    }
    return this.#value;
  }

  async #readOnce(): Promise<void> {
    try {
      this.#value = await this.#read();
    } catch {
      // Keep the previous value.
    }
  }
}
