// Have the records moved, or are they on their way here? Asked once a second at most, for those who must know before they
// do something: then writes are refused, and the operator reads in the log where the records are.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Records, type RecordsFence, recordsFence } from '@octavo/records';
import type { FastifyBaseLogger } from 'fastify';

/** Callers that are refused come again after so long: a move is no matter of seconds, and may be for good. */
export const MOVED_SECONDS = '60';

const FRESH_MS = 1_000;
/** Records that do not answer hold nobody up for longer. */
const PATIENCE_MS = 500;

/** What is known of the fence of some records. */
export class FenceWatch {
  readonly #records: Pick<Records, 'read'>;
  readonly #changed: (fence: RecordsFence | undefined) => void;
  #known: RecordsFence | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;

  /** `changed` hears of every change, the first time only of records that refuse writes. */
  constructor(records: Pick<Records, 'read'>, changed: (fence: RecordsFence | undefined) => void) {
    this.#records = records;
    this.#changed = changed;
  }

  /** Why nothing is written there; undefined where writes are taken. As it was a second ago at the earliest, `now` without that. */
  async look(now = false): Promise<RecordsFence | undefined> {
    const isFresh = !now && performance.now() - this.#lookedAt < FRESH_MS;
    if (!isFresh) {
      this.#looking ??= this.#read().finally(() => {
        this.#looking = undefined;
      });
      const given = new AbortController();
      const { signal } = given;
      await Promise.race([
        this.#looking,
        sleep(PATIENCE_MS, undefined, { signal, ref: false }).catch(() => {}),
      ]);
      given.abort();
      // Who comes next does not wait again for records that are away.
      this.#lookedAt = performance.now();
    }
    return this.#known;
  }

  /** Records that cannot be read have not moved for that: then what was known stands. */
  async #read(): Promise<void> {
    let found: RecordsFence | undefined;
    try {
      found = await this.#records.read(recordsFence, undefined);
    } catch {
      return;
    }
    const before = this.#known;
    this.#known = found;
    if (before?.state !== found?.state || before?.since !== found?.since) this.#changed(found);
  }
}

/** A watch that writes down what it finds, with the place: that is for who runs the server. */
export function watchFence(
  records: Pick<Records, 'read'>,
  log: () => Pick<FastifyBaseLogger, 'error' | 'warn'>,
): FenceWatch {
  return new FenceWatch(records, (found) => {
    if (found === undefined) log().warn('the records take writes again');
    else log().error(found, 'the records refuse writes: they have moved there, or come from there');
  });
}
