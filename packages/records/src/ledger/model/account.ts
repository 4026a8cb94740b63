// What is an account? A currency, a balance, what is reserved of it, and whether it may go below zero.

import type { ReadContext, Statements } from '../../contracts/operation.ts';
import { digitsOf } from './currency.ts';
import { moneyText } from './money.ts';

/** Amounts are minor units; times are ms since 1970. */
export interface Account {
  /** What the tables know it by; never shown. */
  readonly number: bigint;
  readonly id: string;
  readonly currency: string;
  readonly allowNegative: boolean;
  readonly closed: boolean;
  readonly balance: bigint;
  /** Reserved by holds that are pending and have not expired. */
  readonly held: bigint;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The body of a GET, and the data of events. Times are RFC 3339. */
export interface AccountView {
  readonly id: string;
  readonly currency: string;
  readonly balance: string;
  readonly balance_minor: string;
  readonly held: string;
  readonly held_minor: string;
  readonly available: string;
  readonly available_minor: string;
  readonly allow_negative: boolean;
  readonly closed: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export function accountView(account: Account): AccountView {
  const digits = digitsOf(account.currency);
  const available = account.balance - account.held;
  return {
    id: account.id,
    currency: account.currency,
    balance: moneyText(account.balance, digits),
    balance_minor: String(account.balance),
    held: moneyText(account.held, digits),
    held_minor: String(account.held),
    available: moneyText(available, digits),
    available_minor: String(available),
    allow_negative: account.allowNegative,
    closed: account.closed,
    created_at: new Date(account.createdAt).toISOString(),
    updated_at: new Date(account.updatedAt).toISOString(),
  };
}

/** A row as SQLite gives it. */
export interface AccountRow {
  readonly number: bigint;
  readonly id: string;
  readonly currency: string;
  readonly allow_negative: bigint;
  readonly closed: bigint;
  readonly balance: bigint;
  readonly held: bigint;
  readonly created_at: bigint;
  readonly updated_at: bigint;
}

const BY_ID = 'SELECT * FROM account WHERE id = ?';
const BY_NUMBER = 'SELECT * FROM account WHERE number = ?';
const EXPIRED =
  "SELECT coalesce(sum(amount), 0) AS amount FROM hold WHERE from_account = ? AND status = 'pending' AND expires_at <= ?";

/**
 * The account, as it is at `now`; undefined where there is none. Without `now`, `held` counts holds that have expired
 * and are not marked yet as well.
 */
export function findAccount(sql: Statements, id: string, now: number | undefined): Account | undefined {
  const row = sql.get<AccountRow>(BY_ID, id);
  return row === undefined ? undefined : accountOf(sql, row, now);
}

/** REQUIRES: the number is one of an account; rows of the other tables name no others. */
export function accountNumbered(sql: Statements, number: bigint, now: number): Account {
  return accountOf(sql, sql.get<AccountRow>(BY_NUMBER, number)!, now);
}

/** An account of its row. Holds that have expired count no more, marked or not. */
export function accountOf(sql: Statements, row: AccountRow, now: number | undefined): Account {
  return {
    number: row.number,
    id: row.id,
    currency: row.currency,
    allowNegative: row.allow_negative !== 0n,
    closed: row.closed !== 0n,
    balance: row.balance,
    held: now === undefined ? row.held : heldNow(sql, row, now),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}

/** What is held of what was held at first: less what has expired. */
export function heldNow(
  sql: Statements,
  { number, held }: { readonly number: bigint; readonly held: bigint },
  now: number,
): bigint {
  return held === 0n ? 0n : held - sql.get<{ amount: bigint }>(EXPIRED, number, BigInt(now))!.amount;
}

/** The prepared statements of a context. On PostgreSQL there are none: the ledger does not run there yet. */
export function statementsOf(context: Pick<ReadContext, 'sql'>): Statements {
  if (context.sql === undefined) throw new Error('the ledger runs on the embedded store only');
  return context.sql;
}
