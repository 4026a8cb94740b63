// Decides on opening, closing and changing accounts, and carries it out in a book. A refusal comes before the first change.

import { RecordsError } from '../../contracts/errors.ts';
import { requireUnchanged } from '../../contracts/precondition.ts';
import { type Account, type AccountChange, accountView, type NewAccount } from '../model/account.ts';
import { checkMoney } from '../model/currency.ts';
import type { LedgerBook } from './ledger-book.ts';
import { accountMissing } from './transfer-rules.ts';

/** Opens an account. Throws `unknown-currency`, `already-exists`. */
export function openAccount(book: LedgerBook, { id, currency, allowNegative = false }: NewAccount): Account {
  checkMoney(currency);
  if (book.account(id) !== undefined)
    throw new RecordsError('already-exists', `The account ${id} already exists.`, { field: 'id' });
  const account = book.openAccount({
    id,
    currency,
    allowNegative,
    closed: false,
    balance: 0n,
    held: 0n,
    createdAt: book.now,
    updatedAt: book.now,
  });
  book.emit({ type: 'account.created', subject: `accounts/${id}`, data: { ...accountView(account) } });
  return account;
}

/**
 * Closes an account, opens it again, allows or forbids it to go negative. Throws `account-not-found`,
 * `precondition-failed`, `account-not-empty` (closing), `insufficient-funds` (forbidding while it is negative).
 */
export function updateAccount(book: LedgerBook, change: AccountChange): Account {
  const account = book.account(change.id) ?? accountMissing(change.id, 'id');
  requireUnchanged(account, change.onlyIf);
  const { closed = account.closed, allowNegative = account.allowNegative } = change;
  if (closed && !account.closed && (account.balance !== 0n || account.held !== 0n))
    throw new RecordsError(
      'account-not-empty',
      `The account ${account.id} has a balance or pending holds. Bring both to zero, then close it.`,
      { field: 'closed' },
    );
  if (account.allowNegative && !allowNegative && account.balance - account.held < 0n)
    throw new RecordsError(
      'insufficient-funds',
      `The account ${account.id} is below zero. Bring it to zero first.`,
      { field: 'allow_negative' },
    );
  if (closed === account.closed && allowNegative === account.allowNegative) return account;
  const changed = { ...account, closed, allowNegative, updatedAt: book.now };
  book.changeAccount(changed);
  const data = { ...accountView(changed) };
  book.emit({ type: 'account.updated', subject: `accounts/${account.id}`, data });
  return changed;
}
