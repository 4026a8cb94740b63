// Runs a group of ledger calls in one transaction: the rows that they refer to are locked and read at once, changed in a book,
// and written at once.

import type { Kysely } from 'kysely';
import type { NewEvent } from '../../contracts/events.ts';
import type { Database } from '../../schema/database.ts';
import { sql } from '../../schema/kysely.ts';
import type { LedgerBook } from '../core/ledger-book.ts';
import {
  TRANSFER_COLUMNS,
  TRANSFER_JOIN,
  type Transfer,
  type TransferRow,
  transferOfRow,
} from '../model/transfer.ts';
import { readRows } from './locked-rows.ts';
import { PostgresBook } from './postgres-book.ts';
import type { NamedCall } from './references.ts';
import { writeChanges } from './write-changes.ts';

/** A group of calls, while it runs. */
interface LedgerGroup {
  readonly book: LedgerBook;
  /** Writes the changes of all calls. */
  write(): Promise<void>;
}

/** Locks and reads the rows that the calls refer to. */
export async function openGroup(
  db: Kysely<Database>,
  calls: readonly NamedCall[],
  now: number,
  emit: (event: NewEvent) => void,
): Promise<LedgerGroup> {
  const book = new PostgresBook(await readRows(db, calls, now, true), emit);
  return { book, write: () => writeChanges(db, book.changes()) };
}

/** Results with the positions that their transfers have by now, and the balances after them. */
export async function withPositions(db: Kysely<Database>, results: readonly unknown[]): Promise<unknown[]> {
  const ids = results.flatMap(transfersIn).map(({ id }) => id);
  const { rows } = await sql<TransferRow>`
    select ${sql.raw(TRANSFER_COLUMNS)} from transfer t ${sql.raw(TRANSFER_JOIN)}
    where t.id = any(${ids}) and t.position is not null`.execute(db);
  const found = new Map(rows.map((row) => [row.id, transferOfRow(row)]));
  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replaced);
    if (isTransfer(value)) return found.get(value.id) ?? value;
    if (isPosted(value)) return { ...value, transfer: replaced(value.transfer) };
    return value;
  };
  return results.map(replaced);
}

/** True where a result contains transfers. */
export function hasTransfers(result: unknown): boolean {
  return transfersIn(result).length > 0;
}

function transfersIn(value: unknown): Transfer[] {
  if (Array.isArray(value)) return value.filter(isTransfer);
  if (isTransfer(value)) return [value];
  return isPosted(value) ? [value.transfer] : [];
}

function isTransfer(value: unknown): value is Transfer {
  return typeof value === 'object' && value !== null && 'fromBalance' in value;
}

function isPosted(value: unknown): value is { readonly transfer: Transfer } {
  return typeof value === 'object' && value !== null && 'transfer' in value && isTransfer(value.transfer);
}
