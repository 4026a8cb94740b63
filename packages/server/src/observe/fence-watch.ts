// Have the records moved, or are they on their way here? Asked once a second at most, for those who must know before they
// do something: then writes are refused, and the operator reads in the log where the records are.

import { type Records, type RecordsFence, recordsFence } from '@octavo/records';
import type { FastifyBaseLogger } from 'fastify';
import { RecentValue } from './recent-value.ts';

/** So long a server that starts waits until it knows. A write that is sent because nobody knew is one that nobody is told of. */
const FIRST_MS = 10_000;

/** What is known of the fence of some records. */
export class FenceWatch {
  readonly #recent: RecentValue<RecordsFence | undefined>;
  #last: RecordsFence | undefined;

  /** `changed` hears of every change, the first time only of records that refuse writes. */
  constructor(records: Pick<Records, 'read'>, changed: (fence: RecordsFence | undefined) => void) {
    this.#recent = new RecentValue(async () => {
      const found = await records.read(recordsFence, undefined);
      const before = this.#last;
      this.#last = found;
      if (before?.state !== found?.state || before?.since !== found?.since) changed(found);
      return found;
    });
  }

  /** Looks for the first time, before anything is asked of the server: that may take longer than later looks. */
  async begin(): Promise<void> {
    await this.#recent.get(true, FIRST_MS);
  }

  /** Why nothing is written there; undefined where writes are taken. As it was a second ago at the earliest, `now` without that. */
  async current(now = false): Promise<RecordsFence | undefined> {
    return await this.#recent.get(now);
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
