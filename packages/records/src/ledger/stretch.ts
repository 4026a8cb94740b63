// What lies between two places of the journal? Its transfers, in order.

import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema/database.ts';
import { TRANSFER_COLUMNS, TRANSFER_JOIN, type Transfer, type TransferRow, transferOf } from './transfer.ts';

/** Transfers from one position to another, both with them. */
export async function transfersBetween(
  db: Kysely<Database>,
  first: bigint,
  last: bigint,
): Promise<Transfer[]> {
  const query = sql<TransferRow>`
    SELECT ${sql.raw(TRANSFER_COLUMNS)} FROM transfer t ${sql.raw(TRANSFER_JOIN)}
    WHERE t.position >= ${first} AND t.position <= ${last} ORDER BY t.position`;
  return (await query.execute(db)).rows.map(transferOf);
}
