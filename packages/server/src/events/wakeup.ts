// When is it worth asking again? After a commit of either source, or when a time is over.

import type { EventSources } from './read-events.ts';

/** Rings for everybody who waits. */
export class Wakeup {
  readonly #stops: readonly (() => void)[];
  #waiting = new Set<() => void>();

  constructor({ engine, records }: EventSources) {
    const wake = (): void => this.wake();
    this.#stops = [records.onEvents(wake), engine.onCommit(wake)];
  }

  /** Wakes all who wait. */
  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const wake of waiting) wake();
  }

  /** Begins to listen; `woken` resolves to true at the next ring, to false when the time is over. Listen first, look, then wait. */
  listen(milliseconds: number): { readonly woken: Promise<boolean>; stop(): void } {
    let finish = (_woken: boolean): void => {};
    const woken = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => finish(false), milliseconds);
      const wake = (): void => finish(true);
      finish = (value) => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve(value);
      };
      this.#waiting.add(wake);
    });
    return { woken, stop: () => finish(false) };
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.wake();
  }
}
