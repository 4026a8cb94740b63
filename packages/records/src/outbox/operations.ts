// What is asked of the outbox? What came after a position, how far back it reaches, and to forget what is old.

import type { Selectable } from 'kysely';
import type { StoredEvent } from '../events.ts';
import { transfersBetween } from '../ledger/stretch.ts';
import { transferView } from '../ledger/transfer.ts';
import type { ReadContext, ReadOperation, WriteOperation } from '../operation.ts';
import type { AnyOperation } from '../operations.ts';
import type { OutboxTable } from './tables.ts';

/** Events after a position, in order, at most `limit`. */
export const eventsAfter: ReadOperation<
  { readonly after: bigint; readonly limit: number },
  readonly StoredEvent[]
> = {
  kind: 'read',
  name: 'outbox.after',
  async run(context, { after, limit }) {
    const rows = await context.db
      .selectFrom('outbox')
      .selectAll()
      .where('position', '>', after)
      .orderBy('position')
      .limit(limit)
      .execute();
    const events: StoredEvent[] = [];
    for (const row of rows) {
      const room = limit - events.length;
      if (room === 0) break;
      if (row.journal === null) events.push(eventOf(row));
      else events.push(...(await transfersOf(context, row, row.journal, after, room)));
    }
    return events;
  },
};

function eventOf({ position, time, type, subject, data }: Selectable<OutboxTable>): StoredEvent {
  return {
    position,
    time: Number(time),
    type: type as StoredEvent['type'],
    subject,
    data: JSON.parse(data) as StoredEvent['data'],
  };
}

/** Those of a row that come after a position. */
async function transfersOf(
  context: ReadContext,
  { position, time, count }: Selectable<OutboxTable>,
  journal: bigint,
  after: bigint,
  most: number,
): Promise<StoredEvent[]> {
  const first = position - count + 1n;
  const skipped = after >= first ? after - first + 1n : 0n;
  const left = count - skipped;
  const from = journal + skipped;
  const until = from + (left < BigInt(most) ? left : BigInt(most)) - 1n;
  const transfers = await transfersBetween(context, from, until);
  return transfers.map((transfer) => ({
    position: first + transfer.position - journal,
    time: Number(time),
    type: 'transfer.created',
    subject: `transactions/${transfer.id}`,
    data: { ...transferView(transfer) },
  }));
}

/** The highest position that was forgotten: who was behind it has missed something. 0 where nothing was. */
export const eventsForgotten: ReadOperation<Readonly<Record<string, never>>, bigint> = {
  kind: 'read',
  name: 'outbox.forgotten',
  async run({ db }) {
    const row = await db.selectFrom('outbox_floor').select('position').executeTakeFirst();
    return row?.position ?? 0n;
  },
};

/** The position of the newest event that is kept, 0 without one: what another process has emitted just now is in it. */
export const newestEvent: ReadOperation<Readonly<Record<string, never>>, bigint> = {
  kind: 'read',
  name: 'outbox.newest',
  async run({ db }) {
    const row = await db
      .selectFrom('outbox')
      .select('position')
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirst();
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

export const outboxOperations: readonly AnyOperation[] = [
  eventsAfter,
  eventsForgotten,
  forgetEvents,
  newestEvent,
];
