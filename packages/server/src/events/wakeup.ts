// Wakes readers of events after a commit of either source, or after a timeout.

import type { EventSources } from './read-events.ts';

export class Wakeup {
  readonly #stops: readonly (() => void)[];
  #waiting = new Set<() => void>();

  constructor({ engine, records }: EventSources) {
    const wake = (): void => this.wake();
    this.#stops = [records.onEvents(wake), engine.onCommit(wake)];
  }

  /** Wakes all listeners. */
  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const wake of waiting) wake();
  }

  /**
   * Starts listening. `woken` resolves to true at the next wake-up and to false after the timeout. Start to listen,
   * then read, then wait: no commit is missed.
   */
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
