// The operations on accounts: open, change, read, balance at a time, list.

import { type KeysetPage, type KeysetRequest, keysetPage } from '../../contracts/keyset-page.ts';
import type { AnyOperation, ReadOperation } from '../../contracts/operation.ts';
import { openAccount, updateAccount } from '../core/account-decisions.ts';
import { accountMissing } from '../core/transfer-rules.ts';
import type { Account, AccountChange, NewAccount } from '../model/account.ts';
import { digitsOf } from '../model/currency.ts';

import { type LedgerWrite, ledgerReads, ledgerWrite } from './ledger-store.ts';

/** Opens an account. Throws `unknown-currency`, `already-exists`. */
export const createAccount: LedgerWrite<NewAccount, Account> = ledgerWrite(
  'ledger.createAccount',
  openAccount,
);

/**
 * Closes an account, opens it again, allows or forbids it to go negative. Throws `account-not-found`,
 * `precondition-failed`, `account-not-empty` (closing), `insufficient-funds` (forbidding while it is negative).
 */
export const changeAccount: LedgerWrite<AccountChange, Account> = ledgerWrite(
  'ledger.changeAccount',
  updateAccount,
);

/** An account as it is now. Throws `account-not-found`. */
export const getAccount: ReadOperation<{ readonly id: string }, Account> = {
  kind: 'read',
  name: 'ledger.getAccount',
  run: async (context, { id }) => (await ledgerReads(context).account(id)) ?? accountMissing(id, 'id'),
};

/** An account, and its balance after all that happened up to `at` (ms since 1970). Throws `account-not-found`. */
export const balanceAt: ReadOperation<
  { readonly id: string; readonly at: number },
  { readonly account: Account; readonly balance: bigint }
> = {
  kind: 'read',
  name: 'ledger.balanceAt',
  async run(context, { id, at }) {
    const reads = ledgerReads(context);
    const account = (await reads.account(id)) ?? accountMissing(id, 'id');
    return { account, balance: await reads.balanceAfter(account, await reads.positionAt(at)) };
  },
};

/** A page of the accounts, in the order of their ids. */
export interface AccountsRequest extends KeysetRequest<string> {
  readonly currency?: string | undefined;
}

/** Accounts by id. Throws `unknown-currency`. */
export const listAccounts: ReadOperation<AccountsRequest, KeysetPage<Account>> = {
  kind: 'read',
  name: 'ledger.listAccounts',
  async run(context, request) {
    const { currency } = request;
    if (currency !== undefined) digitsOf(currency);
    const reads = ledgerReads(context);
    return await keysetPage(
      request,
      (from, backwards, most) => reads.accounts(currency, { from, up: !backwards, most }),
      ({ id }) => id,
    );
  },
};

export const accountOperations: readonly AnyOperation[] = [
  createAccount,
  changeAccount,
  getAccount,
  balanceAt,
  listAccounts,
];
