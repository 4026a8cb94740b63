// Watches whether the records have moved or are being moved here, checked once a second at most. Writes are
// then refused, and the log says where the records are.

import { type Records, type RecordsFence, recordsFence } from '@octavo/records';
import type { FastifyBaseLogger } from 'fastify';
import { RecentValue } from './recent-value.ts';

/** How long a starting server waits for the answer. A write sent without it would never be published. */
const FIRST_MS = 10_000;

/** The fence of some records. */
export class FenceWatch {
  readonly #recent: RecentValue<RecordsFence | undefined>;
  #last: RecordsFence | undefined;

  /** `changed` is called for every change; at first only if the records refuse writes. */
  constructor(records: Pick<Records, 'read'>, changed: (fence: RecordsFence | undefined) => void) {
    this.#recent = new RecentValue(async () => {
      const found = await records.read(recordsFence, undefined);
      const before = this.#last;
      this.#last = found;
      if (before?.state !== found?.state || before?.since !== found?.since) changed(found);
      return found;
    });
  }

  /** The first check, before the server accepts requests; it may take longer than later ones. */
  async begin(): Promise<void> {
    await this.#recent.get(true, FIRST_MS);
  }

  /** The fence; undefined while writes are accepted. At most a second old, fresh with `now`. */
  async current(now = false): Promise<RecordsFence | undefined> {
    return await this.#recent.get(now);
  }
}

/** Creates a watch that logs every change with the place, for the operator. */
export function watchFence(
  records: Pick<Records, 'read'>,
  log: () => Pick<FastifyBaseLogger, 'error' | 'warn'>,
): FenceWatch {
  return new FenceWatch(records, (found) => {
    if (found === undefined) log().warn('the records accept writes again');
    else
      log().error(found, 'the records refuse writes: they were moved there, or are being moved from there');
  });
}
