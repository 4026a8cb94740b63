// What is asked of a ledger that several processes write? The same questions; transfers that have no place in the journal
// yet count in balances, and are found by their id.

import type { Kysely, RawBuilder, SqlBool } from 'kysely';
import { RecordsError } from '../../contracts/errors.ts';
import type { ReadContext, ReadOperation } from '../../contracts/operation.ts';
import type { Database } from '../../schema/database.ts';
import { sql } from '../../schema/kysely.ts';
import { missing } from '../core/rules.ts';
import { transferAll } from '../core/transfer-decisions.ts';
import type { Account } from '../model/account.ts';
import { digitsOf } from '../model/currency.ts';
import { type Hold, holdOf } from '../model/hold.ts';
import {
  TRANSFER_COLUMNS,
  TRANSFER_JOIN,
  type Transfer,
  type TransferRequest,
  type TransferRow,
  transferOf,
} from '../model/transfer.ts';
import type { AccountsPage, AccountsRequest } from '../operations/account-operations.ts';
import type { TransferFilter, TransfersPage, TransfersRequest } from '../operations/journal-operations.ts';
import { pageBeside } from '../operations/keyset-page.ts';
import { transferNotFound } from '../operations/transfer-operations.ts';
import { accountNow, accountOfRow, accountRows } from './account-rows.ts';
import { groundOf } from './locked-rows.ts';
import { verifySeveral } from './postgres-audit.ts';
import { Book } from './postgres-book.ts';
import { holdsWith } from './references.ts';

type Run = ReadOperation<never, unknown>['run'];

/** Reading operations by name. */
export const SEVERAL_READS: ReadonlyMap<string, Run> = new Map<string, Run>([
  ['ledger.getAccount', ({ db, now }, { id }: { id: string }) => account(db, id, now)],
  ['ledger.balanceAt', balanceAt],
  ['ledger.listAccounts', listAccounts],
  ['ledger.getTransfer', getTransfer],
  ['ledger.listTransfers', listTransfers],
  ['ledger.preview', preview],
  ['ledger.getHold', getHold],
  ['ledger.verify', verifySeveral],
]);

async function account(db: Kysely<Database>, id: string, now: number, field = 'id'): Promise<Account> {
  return (await accountNow(db, id, now)) ?? missing(id, field);
}

/** The position in the journal of the last transfer up to `time`, 0 before the first: one seek. */
async function positionAt(db: Kysely<Database>, time: number): Promise<bigint> {
  if (time < 0) return 0n;
  const { rows } = await sql<{ position: bigint }>`
    select position from transfer where journal_time <= ${BigInt(time)}
    order by journal_time desc, position desc limit 1`.execute(db);
  return rows[0]?.position ?? 0n;
}

async function balanceAt(
  { db, now }: ReadContext,
  { id, at }: { readonly id: string; readonly at: number },
): Promise<{ account: Account; balance: bigint }> {
  const found = await account(db, id, now);
  const position = await positionAt(db, at);
  const { rows } = await sql<{ balance: bigint }>`
    select balance from entry_side where account = ${found.number} and position <= ${position}
    order by position desc limit 1`.execute(db);
  return { account: found, balance: rows[0]?.balance ?? 0n };
}

async function listAccounts({ db, now }: ReadContext, request: AccountsRequest): Promise<AccountsPage> {
  const { currency } = request;
  if (currency !== undefined) digitsOf(currency);
  const side = (from: string | undefined, down: boolean, most: number) => {
    const conditions = [
      ...(currency === undefined ? [] : [sql<SqlBool>`a.currency = ${currency}`]),
      ...(from === undefined ? [] : [down ? sql<SqlBool>`a.id < ${from}` : sql<SqlBool>`a.id > ${from}`]),
    ];
    const order = sql.raw(down ? 'desc' : 'asc');
    return accountRows(db, sql`${every(conditions)} order by a.id ${order} limit ${most}`, now);
  };
  const { page, ...sides } = await pageBeside(request, side, ({ id }) => id);
  return { accounts: page.map(accountOfRow), ...sides };
}

/** Transfers by id, those that have their places. */
export async function transfersWith(db: Kysely<Database>, ids: readonly string[]): Promise<Transfer[]> {
  const { rows } = await sql<TransferRow>`
    select ${sql.raw(TRANSFER_COLUMNS)} from transfer t ${sql.raw(TRANSFER_JOIN)}
    where t.id = any(${ids}) and t.position is not null`.execute(db);
  return rows.map(transferOf);
}

/** One that has no place yet has the position 0, and balances of 0. */
async function getTransfer({ db }: ReadContext, { id }: { readonly id: string }): Promise<Transfer> {
  const { rows } = await sql<Partial<TransferRow>>`
    select ${sql.raw(TRANSFER_COLUMNS)} from transfer t ${sql.raw(TRANSFER_JOIN)} where t.id = ${id}`.execute(
    db,
  );
  const row = rows[0];
  if (row === undefined) throw transferNotFound(id);
  if (row.position !== null) return transferOf(row as TransferRow);
  return transferOf({ ...(row as TransferRow), position: 0n, from_balance: 0n, to_balance: 0n });
}

async function listTransfers({ db, now }: ReadContext, request: TransfersRequest): Promise<TransfersPage> {
  const list = await listOf(db, request, now);
  const { page, ...sides } = await pageBeside<TransferRow, bigint>(
    request,
    (from, up, most) => rowsBeside(db, list, from, up, most),
    ({ position }) => position,
  );
  return { transfers: page.map(transferOf), ...sides };
}

interface List {
  readonly table: RawBuilder<unknown>;
  readonly position: RawBuilder<unknown>;
  readonly conditions: readonly RawBuilder<SqlBool>[];
}

async function listOf(db: Kysely<Database>, filter: TransferFilter, now: number): Promise<List> {
  const { reference, externalId, currency, since, until } = filter;
  if (currency !== undefined) digitsOf(currency);
  const position = sql.ref(filter.account === undefined ? 't.position' : 's.position');
  const conditions: RawBuilder<SqlBool>[] = [sql`t.position is not null`];
  if (reference !== undefined) conditions.push(sql`t.reference = ${reference}`);
  if (externalId !== undefined) conditions.push(sql`t.external_id = ${externalId}`);
  if (currency !== undefined) conditions.push(sql`t.currency = ${currency}`);
  // Times of the journal rise with positions: a stretch of time is a stretch of the journal.
  if (since !== undefined) conditions.push(sql`${position} > ${await positionAt(db, since - 1)}`);
  if (until !== undefined) conditions.push(sql`${position} <= ${await positionAt(db, until - 1)}`);
  if (filter.account === undefined) return { table: sql`transfer t`, position, conditions };
  const { number } = await account(db, filter.account, now, 'account');
  return {
    table: sql`entry_side s join transfer t on t.position = s.position`,
    position,
    conditions: [sql`s.account = ${number}`, ...conditions],
  };
}

async function rowsBeside(
  db: Kysely<Database>,
  { table, position, conditions }: List,
  from: bigint | undefined,
  up: boolean,
  most: number,
): Promise<TransferRow[]> {
  const beside =
    from === undefined
      ? []
      : [up ? sql<SqlBool>`${position} > ${from}` : sql<SqlBool>`${position} < ${from}`];
  const { rows } = await sql<TransferRow>`
    select ${sql.raw(TRANSFER_COLUMNS)} from ${table} ${sql.raw(TRANSFER_JOIN)}
    where ${every([...conditions, ...beside])}
    order by ${position} ${sql.raw(up ? 'asc' : 'desc')} limit ${most}`.execute(db);
  return rows;
}

async function preview(
  { db, now }: ReadContext,
  { transfers, batch }: { readonly transfers: readonly TransferRequest[]; readonly batch: boolean },
): Promise<Transfer[]> {
  const ground = await groundOf(db, [{ name: 'ledger.batch', args: { transfers } }], now, false);
  const book = new Book({ ...ground, now }, () => {});
  const made = transferAll(book, transfers, batch ? (at) => `transfers[${at}].` : () => '');
  return made.map((transfer) => ({ ...transfer, id: '' }));
}

async function getHold({ db, now }: ReadContext, { id }: { readonly id: string }): Promise<Hold> {
  const [row] = await holdsWith(db, [id], undefined);
  if (row === undefined) throw new RecordsError('hold-not-found', `There is no hold ${id}.`, { field: 'id' });
  return holdOf(row, now);
}

function every(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}
