// Numbers committed events, in one order for all processes. Events wait in a queue; whoever locks the row of
// the newest position moves them to the outbox with the next positions and notifies all processes. Any
// process may do it, so that one that dies leaves the queue to the others.

import type { ClientBase, QueryResult } from 'pg';
import { extendJournal } from '../../ledger/postgres/journal-sequencer.ts';
import { databaseOf } from './dialect.ts';

/** Rows of events that one pass numbers at most. */
const MOST = 5_000;

/** One round trip; it looks for waiting transfers with the row locked. */
const BEGIN =
  'BEGIN; SELECT position FROM outbox_head FOR UPDATE; ' +
  'SELECT EXISTS (SELECT 1 FROM transfer WHERE position IS NULL) AS moves';
const MOVE =
  'WITH next AS (SELECT number FROM outbox_queue ORDER BY number LIMIT $2), ' +
  'moved AS (DELETE FROM outbox_queue WHERE number IN (SELECT number FROM next) ' +
  'RETURNING number, time, type, subject, data, count), ' +
  'added AS (INSERT INTO outbox (position, time, type, subject, data, count) ' +
  'SELECT $1::bigint + (sum(count) OVER (ORDER BY number))::bigint, time, type, subject, data, count ' +
  'FROM moved RETURNING count) ' +
  'SELECT count(*) AS rows, coalesce(sum(count), 0)::bigint AS count FROM added';

/** Gives places in the journal and positions to all that was committed before this began. Resolves with the newest position. */
export async function numberEvents(client: ClientBase, channel: string): Promise<bigint> {
  for (;;) {
    const { position, more } = await pass(client, channel);
    if (!more) return position;
  }
}

type Begun = readonly [QueryResult, QueryResult<{ position: bigint }>, QueryResult<{ moves: boolean }>];

async function pass(client: ClientBase, channel: string): Promise<{ position: bigint; more: boolean }> {
  const [, head, transfers] = (await client.query(BEGIN)) as unknown as Begun;
  const before = head.rows[0]!.position;
  // The journal first: whoever receives the event of a transfer finds it there.
  const moreTransfers = transfers.rows[0]!.moves && (await extendJournal(databaseOf(client).db));
  const moved = await client.query<{ rows: bigint; count: bigint }>({
    name: 'move',
    text: MOVE,
    values: [before, MOST],
  });
  const { rows, count } = moved.rows[0]!;
  const position = before + count;
  if (count === 0n) await client.query('COMMIT');
  else
    await client.query(
      `UPDATE outbox_head SET position = ${position}; NOTIFY ${channel}, '${position}'; COMMIT`,
    );
  return { position, more: moreTransfers || rows === BigInt(MOST) };
}
