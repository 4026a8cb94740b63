// The rules of a transfer, as pure functions of a request and the accounts it names. Where several things are wrong, the
// refusal is the first of this list:
//
//   1  invalid-money        its form; where `currency` is given, its decimals and size as well
//   2  unknown-currency     `currency`, where given
//   3  same-account
//   4  account-not-found    `from`, then `to`
//   5  invalid-money        decimals and size, where the currency is that of `from`
//   6  account-closed       `from`, then `to`
//   7  currency-mismatch    `currency` against `from`, then `from` against `to`
//   8  external-id-taken
//   9  insufficient-funds
//  10  balance-overflow

import { RecordsError } from '../../contracts/errors.ts';
import type { Account } from '../model/account.ts';
import { digitsOf } from '../model/currency.ts';
import { MOST_MINOR, minorUnits, moneyText, readMoneyForm } from '../model/money.ts';
import type { TransferRequest } from '../model/transfer.ts';

/** The accounts of a request as they are now, and whether its external id is taken. */
interface TransferGround {
  readonly from: Account | undefined;
  readonly to: Account | undefined;
  readonly externalIdTaken: boolean;
}

/** A move of money that the rules allow; the accounts are as they are before it. */
export interface Decision {
  readonly from: Account;
  readonly to: Account;
  /** Minor units, above zero. */
  readonly amount: bigint;
}

/** Decides on a transfer or a hold. `at` is the prefix of field names, such as `transfers[3].`. Throws the first refusal. */
export function decide(request: TransferRequest, ground: TransferGround, at = ''): Decision {
  const form = readMoneyForm(request.money, `${at}money`);
  const amountIn = (currency: string, field: string): bigint =>
    minorUnits(form, digitsOf(currency, field), currency, `${at}money`);
  const given = request.currency === undefined ? undefined : amountIn(request.currency, `${at}currency`);
  if (request.from === request.to)
    throw new RecordsError('same-account', `${at}from and ${at}to are both ${request.from}.`, {
      field: `${at}to`,
    });
  const from = ground.from ?? accountMissing(request.from, `${at}from`);
  const to = ground.to ?? accountMissing(request.to, `${at}to`);
  const amount = given ?? amountIn(from.currency, `${at}currency`);
  checkOpen(from, `${at}from`);
  checkOpen(to, `${at}to`);
  checkCurrencies(request, from, to, at);
  if (ground.externalIdTaken)
    throw new RecordsError(
      'external-id-taken',
      `Another transaction has the external id ${request.externalId}.`,
      { field: `${at}external_id` },
    );
  checkFunds(from, amount, `${at}money`);
  checkOverflow(from, to, amount, `${at}money`);
  return { from, to, amount };
}

/** Throws `account-not-found`. */
export function accountMissing(id: string, field: string): never {
  throw new RecordsError('account-not-found', `There is no account ${id}.`, { field });
}

/** Throws `account-closed`. */
export function checkOpen(account: Account, field: string): void {
  if (account.closed)
    throw new RecordsError('account-closed', `The account ${account.id} is closed.`, { field });
}

function checkCurrencies(request: TransferRequest, from: Account, to: Account, at: string): void {
  if (request.currency !== undefined && request.currency !== from.currency)
    throw new RecordsError(
      'currency-mismatch',
      `The currency is ${request.currency}, and the account ${from.id} has ${from.currency}.`,
      { field: `${at}currency` },
    );
  if (from.currency !== to.currency)
    throw new RecordsError(
      'currency-mismatch',
      `The account ${from.id} has ${from.currency}, and the account ${to.id} has ${to.currency}.`,
      { field: `${at}to` },
    );
}

/** Throws `insufficient-funds` where an account that may not go negative has less than `amount` available. */
export function checkFunds(from: Account, amount: bigint, field: string): void {
  const available = from.balance - from.held;
  if (from.allowNegative || available >= amount) return;
  const digits = digitsOf(from.currency);
  throw new RecordsError(
    'insufficient-funds',
    `The account ${from.id} has ${moneyText(available, digits)} ${from.currency} available; the request needs ${moneyText(amount, digits)}.`,
    { field, extra: { available: moneyText(available, digits), available_minor: String(available) } },
  );
}

/** Throws `balance-overflow` where a balance would leave the range of 64 bits. */
export function checkOverflow(from: Account, to: Account, amount: bigint, field: string): void {
  const over = from.balance - amount < -MOST_MINOR ? from : to.balance + amount > MOST_MINOR ? to : undefined;
  if (over !== undefined)
    throw new RecordsError('balance-overflow', `The balance of ${over.id} would exceed 2^63 minor units.`, {
      field,
    });
}

/** The accounts after a move. */
export function applyMove({ from, to, amount }: Decision): { from: Account; to: Account } {
  return {
    from: { ...from, balance: from.balance - amount },
    to: { ...to, balance: to.balance + amount },
  };
}
