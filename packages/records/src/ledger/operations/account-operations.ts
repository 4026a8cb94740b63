// Which accounts are there, and how do they come and change?

import { RecordsError } from '../../contracts/errors.ts';
import type { AnyOperation, ReadOperation, WriteOperation } from '../../contracts/operation.ts';
import { type OnlyIf, requireSeen } from '../../contracts/precondition.ts';
import { lowestUuid7 } from '../../ids/uuid.ts';
import { missing } from '../core/rules.ts';
import {
  type Account,
  type AccountRow,
  accountOf,
  accountView,
  findAccount,
  statementsOf,
} from '../model/account.ts';
import { checkMoney, digitsOf } from '../model/currency.ts';
import type { Transfer } from '../model/transfer.ts';
import { JournalReader } from '../sqlite/journal-reader.ts';
import { journalOf } from '../sqlite/ledger-buffer.ts';
import { EVERYTHING, transfersBeside } from '../sqlite/transfer-walk.ts';
import { pageBeside } from './keyset-page.ts';

/** What a new account is. */
export interface NewAccount {
  readonly id: string;
  readonly currency: string;
  readonly allowNegative?: boolean | undefined;
}

/** What may change; the rest of an account stays. */
export interface AccountChange {
  readonly id: string;
  readonly closed?: boolean | undefined;
  readonly allowNegative?: boolean | undefined;
  readonly onlyIf?: OnlyIf<Account> | undefined;
}

const ADD =
  'INSERT INTO account (id, currency, allow_negative, closed, balance, held, created_at, updated_at) ' +
  'VALUES (?, ?, ?, 0, 0, 0, ?, ?)';
const CHANGE = 'UPDATE account SET closed = ?, allow_negative = ?, updated_at = ? WHERE number = ?';

/** Opens an account. Throws `unknown-currency`, `already-exists`. */
export const createAccount: WriteOperation<NewAccount, Account> = {
  kind: 'write',
  name: 'ledger.createAccount',
  checksFirst: true,
  run(context, { id, currency, allowNegative = false }) {
    const sql = statementsOf(context);
    checkMoney(currency);
    if (findAccount(sql, id, context.now) !== undefined)
      throw new RecordsError('already-exists', `There is an account ${id} already.`, { field: 'id' });
    const now = BigInt(context.now);
    sql.run(ADD, id, currency, allowNegative ? 1n : 0n, now, now);
    const account = findAccount(sql, id, context.now)!;
    context.emit({ type: 'account.created', subject: `accounts/${id}`, data: { ...accountView(account) } });
    return account;
  },
};

/**
 * Closes, opens again, allows or forbids to go negative. Throws `account-not-found`, `precondition-failed`,
 * `account-not-empty` (closing), `insufficient-funds` (forbidding what is the case).
 */
export const changeAccount: WriteOperation<AccountChange, Account> = {
  kind: 'write',
  name: 'ledger.changeAccount',
  checksFirst: true,
  run(context, change) {
    const sql = statementsOf(context);
    const account = findAccount(sql, change.id, context.now) ?? missing(change.id, 'id');
    requireSeen(account, change.onlyIf);
    const { closed = account.closed, allowNegative = account.allowNegative } = change;
    if (closed && !account.closed && (account.balance !== 0n || account.held !== 0n))
      throw new RecordsError(
        'account-not-empty',
        `The account ${account.id} has a balance or pending holds: bring both to zero, then close it.`,
        { field: 'closed' },
      );
    if (account.allowNegative && !allowNegative && account.balance - account.held < 0n)
      throw new RecordsError(
        'insufficient-funds',
        `The account ${account.id} is below zero now: it must be brought to zero first.`,
        { field: 'allow_negative' },
      );
    if (closed === account.closed && allowNegative === account.allowNegative) return account;
    const now = BigInt(context.now);
    journalOf(context).forgetAccounts();
    sql.run(CHANGE, closed ? 1n : 0n, allowNegative ? 1n : 0n, now, account.number);
    const changed = { ...account, closed, allowNegative, updatedAt: context.now };
    context.emit({
      type: 'account.updated',
      subject: `accounts/${account.id}`,
      data: { ...accountView(changed) },
    });
    return changed;
  },
};

/** An account as it is now. Throws `account-not-found`. */
export const getAccount: ReadOperation<{ readonly id: string }, Account> = {
  kind: 'read',
  name: 'ledger.getAccount',
  run(context, { id }) {
    return findAccount(statementsOf(context), id, context.now) ?? missing(id, 'id');
  },
};

/** The position in the journal of the last transfer up to `time` (ms since 1970), 0 before the first: one seek. */
export function positionAt(context: Parameters<typeof statementsOf>[0], time: number): bigint {
  if (time < 0) return 0n;
  return new JournalReader(statementsOf(context)).below(lowestUuid7(time + 1));
}

/** An account, and its balance after all that happened up to `at` (ms since 1970). Throws `account-not-found`. */
export const balanceAt: ReadOperation<
  { readonly id: string; readonly at: number },
  { readonly account: Account; readonly balance: bigint }
> = {
  kind: 'read',
  name: 'ledger.balanceAt',
  run(context, { id, at }) {
    const sql = statementsOf(context);
    const account = findAccount(sql, id, context.now) ?? missing(id, 'id');
    const filter = { ...EVERYTHING, account: account.number, below: positionAt(context, at) + 1n };
    const [last] = transfersBeside(sql, filter, { from: undefined, up: false, most: 1 });
    return { account, balance: balanceAfter(last, id) };
  },
};

function balanceAfter(last: Transfer | undefined, id: string): bigint {
  if (last === undefined) return 0n;
  return last.from === id ? last.fromBalance : last.toBalance;
}

/** Which accounts of the list, which is in the order of their ids. */
export interface AccountsRequest {
  readonly currency?: string | undefined;
  /** Ids beyond this one; from the start where it is not given. */
  readonly after?: string | undefined;
  /** True goes towards lower ids; the page is in the order of ids all the same. */
  readonly backwards?: boolean | undefined;
  readonly limit: number;
}

/** A page, and whether there are accounts on either side of it. */
export interface AccountsPage {
  readonly accounts: readonly Account[];
  readonly hasNext: boolean;
  readonly hasPrev: boolean;
}

/** Accounts by id. Throws `unknown-currency`. */
export const listAccounts: ReadOperation<AccountsRequest, AccountsPage> = {
  kind: 'read',
  name: 'ledger.listAccounts',
  async run(context, request) {
    const { currency } = request;
    if (currency !== undefined) digitsOf(currency);
    const sql = statementsOf(context);
    const side = (from: string | undefined, down: boolean, most: number): Promise<AccountRow[]> => {
      let query = context.db.selectFrom('account').selectAll();
      if (currency !== undefined) query = query.where('currency', '=', currency);
      if (from !== undefined) query = query.where('id', down ? '<' : '>', from);
      return query
        .orderBy('id', down ? 'desc' : 'asc')
        .limit(most)
        .execute();
    };
    const { page, ...sides } = await pageBeside(request, side, ({ id }) => id);
    return { accounts: page.map((row) => accountOf(sql, row, context.now)), ...sides };
  },
};

export const accountOperations: readonly AnyOperation[] = [
  createAccount,
  changeAccount,
  getAccount,
  balanceAt,
  listAccounts,
];
