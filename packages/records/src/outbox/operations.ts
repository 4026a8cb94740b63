// What is asked of the outbox? What came after a position, how far back it reaches, and to forget what is old.

import type { StoredEvent } from '../events.ts';
import type { ReadOperation, WriteOperation } from '../operation.ts';
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

/** The highest position that was forgotten: who was behind it has missed something. 0 where nothing was. */
export const eventsForgotten: ReadOperation<Readonly<Record<string, never>>, bigint> = {
  kind: 'read',
  name: 'outbox.forgotten',
  async run({ db }) {
    const row = await db.selectFrom('outbox_floor').select('position').executeTakeFirst();
    return row?.position ?? 0n;
  },
};

/**
 * Forgets events older than a time (ms since 1970) and all but the newest `keep`, `limit` at a time. The result says how
 * many went: as many as `limit` means that there may be more.
 */
export const forgetEvents: WriteOperation<
  { readonly olderThan: number; readonly keep: number; readonly limit: number },
  number
> = {
  kind: 'write',
  name: 'outbox.forget',
  locks: () => ['outbox'],
  checksFirst: true,
  async run({ db }, { olderThan, keep, limit }) {
    const rows = await db
      .selectFrom('outbox')
      .select(['position', 'time'])
      .orderBy('position')
      .limit(limit)
      .execute();
    const newest = await db
      .selectFrom('outbox')
      .select('position')
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirst();
    const floor = (newest?.position ?? 0n) - BigInt(keep);
    let last: bigint | undefined;
    let count = 0;
    for (const row of rows) {
      if (Number(row.time) >= olderThan && row.position > floor) break;
      last = row.position;
      count++;
    }
    if (last === undefined) return 0;
    await db.deleteFrom('outbox').where('position', '<=', last).execute();
    await db.deleteFrom('outbox_floor').execute();
    await db.insertInto('outbox_floor').values({ position: last }).execute();
    return count;
  },
};

export const outboxOperations: readonly AnyOperation[] = [eventsAfter, eventsForgotten, forgetEvents];
