// Slows a change by query down to `requests_per_second`: after each page it waits until the documents of the page have
// taken their time.

import type { PaceFigures } from './query-outcome.ts';

export class Pace {
  #perSecond: number;
  #waitedMs = 0;
  #waitingUntil: number | undefined;
  #wake: (() => void) | undefined;

  /** -1 for no limit. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  get figures(): PaceFigures {
    const until = this.#waitingUntil;
    const leftMs = until === undefined ? 0 : Math.max(0, until - performance.now());
    return { perSecond: this.#perSecond, waitedMs: this.#waitedMs, leftMs };
  }

  /** Changes the limit, also for the wait that goes on. */
  change(perSecond: number): void {
    this.#perSecond = perSecond;
    this.#wake?.();
  }

  /** How long so many documents take at least. */
  millisFor(documents: number): number {
    return this.#perSecond === -1 ? 0 : (documents / this.#perSecond) * 1_000;
  }

  /** Waits for the rest of the time of a page that was begun at `startedAt`. Ends early when `signal` is aborted. */
  async wait(documents: number, startedAt: number, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    for (;;) {
      const until = startedAt + this.millisFor(documents);
      const leftMs = until - performance.now();
      if (leftMs <= 0 || signal.aborted) break;
      this.#waitingUntil = until;
      await this.#sleep(Math.min(leftMs, LONGEST_TIMER_MS), signal);
    }
    if (this.#waitingUntil === undefined) return;
    this.#waitingUntil = undefined;
    this.#waitedMs += performance.now() - began;
  }

  #sleep(millis: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(end, millis);
      signal.addEventListener('abort', end, { once: true });
      this.#wake = end;
    });
  }
}

/** Node's timers take no more than 2^31 ms. */
const LONGEST_TIMER_MS = 2 ** 30;
