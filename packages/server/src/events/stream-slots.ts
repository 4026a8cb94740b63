// Limits open streams, in total and per caller.

import { Problem } from '../errors/problem.ts';
import type { Limits } from '../limits.ts';

/** `Retry-After` in seconds. */
const RETRY_SECONDS = '10';

/** The open streams of a server. */
export class StreamSlots {
  readonly #limits: Pick<Limits, 'eventStreams' | 'eventStreamsPerKey'>;
  readonly #openByCaller = new Map<string, number>();
  #open = 0;

  constructor(limits: Pick<Limits, 'eventStreams' | 'eventStreamsPerKey'>) {
    this.#limits = limits;
  }

  /**
   * Takes a slot for a caller and returns a function that releases it. Throws Problem `rate-limited` or
   * `unavailable`.
   */
  take(caller: string): () => void {
    const { eventStreams, eventStreamsPerKey } = this.#limits;
    const open = this.#openByCaller.get(caller) ?? 0;
    const headers = { 'retry-after': RETRY_SECONDS };
    if (open >= eventStreamsPerKey) {
      throw new Problem(
        'rate-limited',
        `This caller has ${open} open streams, which is the limit (eventStreamsPerKey). Close some, or poll.`,
        { headers },
      );
    }
    if (this.#open >= eventStreams) {
      throw new Problem(
        'unavailable',
        `${this.#open} streams are open, which is the limit. Try again later, or poll.`,
        { headers },
      );
    }
    this.#openByCaller.set(caller, open + 1);
    this.#open++;
    return () => {
      this.#open--;
      const left = this.#openByCaller.get(caller)! - 1;
      if (left === 0) this.#openByCaller.delete(caller);
      else this.#openByCaller.set(caller, left);
    };
  }
}
