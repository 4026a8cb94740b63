// What is asked of the outbox? What came after a position.

import type { StoredEvent } from '../events.ts';
import type { ReadOperation } from '../operation.ts';
import type { AnyOperation } from '../operations.ts';

/** Events after a position, in order, at most `limit`. */
export const eventsAfter: ReadOperation<
  { readonly after: bigint; readonly limit: number },
  readonly StoredEvent[]
> = {
  kind: 'read',
  name: 'outbox.after',
  async run({ db }, { after, limit }) {
    const rows = await db
      .selectFrom('outbox')
      .selectAll()
      .where('position', '>', after)
      .orderBy('position')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      position: row.position,
      time: Number(row.time),
      type: row.type as StoredEvent['type'],
      subject: row.subject,
      data: JSON.parse(row.data) as StoredEvent['data'],
    }));
  },
};

export const outboxOperations: readonly AnyOperation[] = [eventsAfter];
