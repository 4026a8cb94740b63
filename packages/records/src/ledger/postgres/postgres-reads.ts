// Answers the questions of the ledger on PostgreSQL. Transfers that have no position yet count in balances and are found by
// their id; lists begin with the transfers that have one.

import type { Kysely, RawBuilder, SqlBool } from 'kysely';
import type { ReadContext } from '../../contracts/operation.ts';
import type { Database } from '../../schema/database.ts';
import { sql } from '../../schema/kysely.ts';
import type { JournalReport } from '../core/journal-audit.ts';
import type { LedgerView } from '../core/ledger-book.ts';
import type { LedgerReads, TransferConditions, Walk } from '../core/ledger-reads.ts';
import type { Account } from '../model/account.ts';
import { type Hold, holdOfRow } from '../model/hold.ts';
import {
  TRANSFER_COLUMNS,
  TRANSFER_JOIN,
  type Transfer,
  type TransferRequest,
  type TransferRow,
  transferOfRow,
} from '../model/transfer.ts';
import { accountRows, currentAccount } from './account-rows.ts';
import { readRows } from './locked-rows.ts';
import { auditPostgres } from './postgres-audit.ts';
import { PostgresBook } from './postgres-book.ts';
import { findHolds } from './references.ts';

/** See above. */
export class PostgresReads implements LedgerReads {
  readonly #db: Kysely<Database>;
  readonly #now: number;

  constructor({ db, now }: Pick<ReadContext, 'db' | 'now'>) {
    this.#db = db;
    this.#now = now;
  }

  async account(id: string): Promise<Account | undefined> {
    const [row] = await accountRows(this.#db, sql`a.id = ${id}`, this.#now);
    return row && currentAccount(row);
  }

  async accounts(currency: string | undefined, { from, up, most }: Walk<string>): Promise<Account[]> {
    const conditions = [
      ...(currency === undefined ? [] : [sql<SqlBool>`a.currency = ${currency}`]),
      ...(from === undefined ? [] : [up ? sql<SqlBool>`a.id > ${from}` : sql<SqlBool>`a.id < ${from}`]),
    ];
    const order = sql.raw(up ? 'asc' : 'desc');
    const condition = sql`${every(conditions)} order by a.id ${order} limit ${most}`;
    return (await accountRows(this.#db, condition, this.#now)).map(currentAccount);
  }

  async hold(id: string): Promise<Hold | undefined> {
    const [row] = await findHolds(this.#db, [id], undefined);
    return row && holdOfRow(row, this.#now);
  }

  /** A transfer that has no position yet has the position 0, and balances of 0. */
  async transfer(id: string): Promise<Transfer | undefined> {
    const { rows } = await sql<TransferRow | WaitingRow>`
      select ${sql.raw(TRANSFER_COLUMNS)} from transfer t ${sql.raw(TRANSFER_JOIN)} where t.id = ${id}`.execute(
      this.#db,
    );
    const row = rows[0];
    if (row === undefined) return undefined;
    if (row.position !== null) return transferOfRow(row);
    return transferOfRow({ ...row, position: 0n, from_balance: 0n, to_balance: 0n });
  }

  async transfers(conditions: TransferConditions, { from, up, most }: Walk<bigint>): Promise<Transfer[]> {
    const { account, reference, externalId, currency, above, below } = conditions;
    const position = sql.ref(account === undefined ? 't.position' : 's.position');
    const table =
      account === undefined ? sql`transfer t` : sql`entry_side s join transfer t on t.position = s.position`;
    const all: RawBuilder<SqlBool>[] = [sql`t.position is not null`];
    if (account !== undefined) all.push(sql`s.account = ${account.number}`);
    if (reference !== undefined) all.push(sql`t.reference = ${reference}`);
    if (externalId !== undefined) all.push(sql`t.external_id = ${externalId}`);
    if (currency !== undefined) all.push(sql`t.currency = ${currency}`);
    if (above !== undefined) all.push(sql`${position} > ${above}`);
    if (below !== undefined) all.push(sql`${position} < ${below}`);
    if (from !== undefined) all.push(up ? sql`${position} > ${from}` : sql`${position} < ${from}`);
    return await this.#select(
      sql`${table} ${sql.raw(TRANSFER_JOIN)} where ${every(all)}
        order by ${position} ${sql.raw(up ? 'asc' : 'desc')} limit ${most}`,
    );
  }

  async transfersBetween(first: bigint, last: bigint): Promise<Transfer[]> {
    return await this.#select(
      sql`transfer t ${sql.raw(TRANSFER_JOIN)}
        where t.position >= ${first} and t.position <= ${last} order by t.position`,
    );
  }

  async #select(from: RawBuilder<unknown>): Promise<Transfer[]> {
    const { rows } = await sql<TransferRow>`select ${sql.raw(TRANSFER_COLUMNS)} from ${from}`.execute(
      this.#db,
    );
    return rows.map(transferOfRow);
  }

  /** Times of the journal rise with positions. */
  async positionAt(time: number): Promise<bigint> {
    if (time < 0) return 0n;
    const { rows } = await sql<{ position: bigint }>`
      select position from transfer where journal_time <= ${BigInt(time)}
      order by journal_time desc, position desc limit 1`.execute(this.#db);
    return rows[0]?.position ?? 0n;
  }

  async balanceAfter({ number }: Account, position: bigint): Promise<bigint> {
    const { rows } = await sql<{ balance: bigint }>`
      select balance from entry_side where account = ${number} and position <= ${position}
      order by position desc limit 1`.execute(this.#db);
    return rows[0]?.balance ?? 0n;
  }

  async view(requests: readonly TransferRequest[]): Promise<LedgerView> {
    const call = { name: 'ledger.batch', args: { transfers: requests } };
    const rows = await readRows(this.#db, [call], this.#now, false);
    return new PostgresBook(rows, () => {});
  }

  async audit(): Promise<JournalReport> {
    return await auditPostgres(this.#db);
  }
}

/** A row without its place in the journal. */
type WaitingRow = Omit<TransferRow, 'position' | 'from_balance' | 'to_balance'> & {
  readonly [Column in 'position' | 'from_balance' | 'to_balance']: null;
};

function every(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}
