// An account: a currency, a balance, what holds reserve of it, and whether it may go below zero.

import type { OnlyIf } from '../../contracts/precondition.ts';
import { digitsOf } from './currency.ts';
import { moneyText } from './money.ts';

/** Amounts are minor units; times are ms since 1970. */
export interface Account {
  /** The key of the account in other tables; never shown. */
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

/** A new account. */
export interface NewAccount {
  readonly id: string;
  readonly currency: string;
  readonly allowNegative?: boolean | undefined;
}

/** A change of an account; what is not given stays. */
export interface AccountChange {
  readonly id: string;
  readonly closed?: boolean | undefined;
  readonly allowNegative?: boolean | undefined;
  readonly onlyIf?: OnlyIf<Account> | undefined;
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

/** A row of the table `account`. Its `held` also counts holds that have expired and are not marked yet. */
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

/** The account of a row, with `held` as given. */
export function accountOfRow(row: AccountRow, held: bigint): Account {
  return {
    number: row.number,
    id: row.id,
    currency: row.currency,
    allowNegative: row.allow_negative !== 0n,
    closed: row.closed !== 0n,
    balance: row.balance,
    held,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}
