// Connects the operations of the ledger with the store that they run on. An operation is written once, over a LedgerBook or
// LedgerReads: embedded it runs in the threads of SQLite, on PostgreSQL a group of writes shares one book (ledger-group.ts).

import type { ReadContext, WriteOperation } from '../../contracts/operation.ts';
import type { LedgerBook } from '../core/ledger-book.ts';
import type { LedgerReads } from '../core/ledger-reads.ts';
import { PostgresReads } from '../postgres/postgres-reads.ts';
import { SqliteBook } from '../sqlite/sqlite-book.ts';
import { SqliteReads } from '../sqlite/sqlite-reads.ts';

/** A write of the ledger. */
export interface LedgerWrite<Args, Result> extends WriteOperation<Args, Result> {
  /** Throws RecordsError before its first change. */
  readonly decide: (book: LedgerBook, args: Args) => Result;
}

/** `buffered` as in WriteOperation: for operations that look up nothing but accounts and external ids. */
export function ledgerWrite<Args, Result>(
  name: string,
  decide: (book: LedgerBook, args: Args) => Result,
  buffered = false,
): LedgerWrite<Args, Result> {
  return {
    ...{ kind: 'write', name, checksFirst: true, buffered, decide },
    run: (context, args) => decide(new SqliteBook(context), args),
  };
}

/** True for the writes of the ledger. */
export function isLedgerWrite<Args, Result>(
  operation: WriteOperation<Args, Result>,
): operation is LedgerWrite<Args, Result> {
  return 'decide' in operation;
}

/** The reads of the store that an operation runs on. */
export function ledgerReads(context: ReadContext): LedgerReads {
  const { sql, now } = context;
  return sql === undefined ? new PostgresReads(context) : new SqliteReads(sql, now);
}
