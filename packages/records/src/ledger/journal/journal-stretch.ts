// What lies between two places of the journal? Its transfers, in order, on both stores.

import type { ReadContext } from '../../contracts/operation.ts';
import { sql } from '../../schema/kysely.ts';
import {
  TRANSFER_COLUMNS,
  TRANSFER_JOIN,
  type Transfer,
  type TransferRow,
  transferOf,
} from '../model/transfer.ts';
import { JournalReader } from '../sqlite/journal-reader.ts';

/** Transfers from one position to another, both with them. */
export async function transfersBetween(
  { db, sql: statements }: Pick<ReadContext, 'db' | 'sql'>,
  first: bigint,
  last: bigint,
): Promise<Transfer[]> {
  if (statements !== undefined) return new JournalReader(statements).between(first, last);
  const query = sql<TransferRow>`
    SELECT ${sql.raw(TRANSFER_COLUMNS)} FROM transfer t ${sql.raw(TRANSFER_JOIN)}
    WHERE t.position >= ${first} AND t.position <= ${last} ORDER BY t.position`;
  return (await query.execute(db)).rows.map(transferOf);
}
