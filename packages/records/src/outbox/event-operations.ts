// The operations on the outbox: events after a position, how far back it reaches, forgetting old events.

import type { Selectable } from 'kysely';
import type { DocumentChange, QueryChange, StoredEvent } from '../contracts/events.ts';
import type { AnyOperation, ReadContext, ReadOperation, WriteOperation } from '../contracts/operation.ts';
import { transferView } from '../ledger/model/transfer.ts';
import { ledgerReads } from '../ledger/operations/ledger-store.ts';
import type { OutboxTable } from '../schema/outbox-tables.ts';
import { DOCUMENTS, documentEventsOfRow } from './event-rows.ts';
import { followerOperations } from './followers.ts';
import { endIntents, intentOperations } from './write-intents.ts';

/** Changes of documents in one row at most: about as many as a page of events. */
const MOST_IN_ROW = 200;
/** Rows of the first read: each may contain a whole page. */
const FIRST_ROWS = 16;

/** Events after a position, in order, at most `limit`. */
export const eventsAfter: ReadOperation<
  { readonly after: bigint; readonly limit: number },
  readonly StoredEvent[]
> = {
  kind: 'read',
  name: 'outbox.after',
  async run(context, { after, limit }) {
    const events: StoredEvent[] = [];
    let last = after;
    for (let size = FIRST_ROWS; events.length < limit; size *= 2) {
      const asked = Math.min(size, limit - events.length);
      const rows = await rowsAfter(context, last, asked);
      for (const row of rows) {
        events.push(...(await eventsOf(context, row, after, limit - events.length)));
        last = row.position;
        if (events.length === limit) break;
      }
      if (rows.length < asked) break;
      if (rows.some(({ type }) => type === DOCUMENTS)) size = FIRST_ROWS;
    }
    return events;
  },
};

async function rowsAfter(
  { db }: ReadContext,
  after: bigint,
  most: number,
): Promise<Selectable<OutboxTable>[]> {
  return await db
    .selectFrom('outbox')
    .selectAll()
    .where('position', '>', after)
    .orderBy('position')
    .limit(most)
    .execute();
}

/** At most `most` events of a row that come after a position. */
async function eventsOf(
  context: ReadContext,
  row: Selectable<OutboxTable>,
  after: bigint,
  most: number,
): Promise<StoredEvent[]> {
  const { position, type, subject, data, journal } = row;
  const time = Number(row.time);
  if (type === DOCUMENTS) return documentEventsOfRow({ last: position, time, data }, after, most);
  if (journal !== null) return await transfersOf(context, row, journal, after, most);
  return [
    {
      position,
      time,
      type: type as StoredEvent['type'],
      subject,
      data: JSON.parse(data) as StoredEvent['data'],
    },
  ];
}

/** The transfers of a row after a position. */
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
  const transfers = await ledgerReads(context).transfersBetween(from, until);
  return transfers.map((transfer) => ({
    position: first + transfer.position - journal,
    time: Number(time),
    type: 'transfer.created',
    subject: `transactions/${transfer.id}`,
    data: { ...transferView(transfer) },
  }));
}

/** The highest forgotten position, 0 without one: a reader below it has missed events. */
export const forgottenEvents: ReadOperation<Readonly<Record<string, never>>, bigint> = {
  kind: 'read',
  name: 'outbox.forgotten',
  async run({ db }) {
    const row = await db.selectFrom('outbox_floor').select('position').executeTakeFirst();
    return row?.position ?? 0n;
  },
};

/** The position of the newest stored event, 0 without one. Includes events of other processes. */
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

/** The events of document writes in a cluster. */
export interface DocumentEventsRequest {
  /** In their order: an event each. */
  readonly changes: readonly DocumentChange[];
  /** Changes by query: one event each, after the others. */
  readonly queries?: readonly QueryChange[];
  /** Ids of intents that end with it; unknown ones are no error. */
  readonly ended?: readonly string[];
}

/** Emits the events of document writes in a cluster, and ends their intents. */
export const emitDocumentEvents: WriteOperation<DocumentEventsRequest, void> = {
  kind: 'write',
  name: 'outbox.documents',
  // It only appends, and removes its own intents.
  locks: () => [],
  checksFirst: true,
  async run(context, { changes, queries = [], ended = [] }) {
    for (let at = 0; at < changes.length; at += MOST_IN_ROW)
      context.emit({ documents: changes.slice(at, at + MOST_IN_ROW) });
    for (const { index, by } of queries)
      context.emit({ type: 'document.changed', subject: index, data: { index, by } });
    await endIntents(context, ended);
  },
};

export const outboxOperations: readonly AnyOperation[] = [
  eventsAfter,
  forgottenEvents,
  forgetEvents,
  newestEvent,
  emitDocumentEvents,
  ...intentOperations,
  ...followerOperations,
];
