// Decides on holds, and carries them out in a book: reserve, post in part or in full, void, expire. A refusal comes before
// the first change.

import { RecordsError } from '../../contracts/errors.ts';
import { digitsOf } from '../model/currency.ts';
import { type Hold, type HoldRequest, type HoldStatus, holdView } from '../model/hold.ts';
import { MOST_MINOR, minorUnits, moneyText, readMoneyForm } from '../model/money.ts';
import type { Transfer } from '../model/transfer.ts';
import { EXPIRE_AT_ONCE, type LedgerBook } from './ledger-book.ts';
import { addMove } from './transfer-decisions.ts';
import { checkOpen, checkOverflow, decide } from './transfer-rules.ts';

/** A request to post a hold. */
export interface HoldPosting {
  readonly id: string;
  /** An exact decimal, at most the amount of the hold. @default all of it */
  readonly money?: string | undefined;
  readonly reference?: string | undefined;
}

/** Reserves money: it stays in `from` and is not available there. Refusals as for a transfer. */
export function reserveMoney(book: LedgerBook, request: HoldRequest): Hold {
  const ground = {
    from: book.account(request.from),
    to: book.account(request.to),
    externalIdTaken: false,
  };
  const { from, to, amount } = decide(request, ground);
  if (book.reservedOf(from) + amount > MOST_MINOR)
    throw new RecordsError('balance-overflow', `The holds of ${from.id} would exceed 2^63 minor units.`, {
      field: 'money',
    });
  if (request.expiresAt !== undefined && request.expiresAt <= book.now)
    throw new RecordsError('invalid-parameter', 'expires_at must be in the future.', {
      field: 'expires_at',
    });
  const hold: Hold = {
    id: book.nextHoldId(),
    from: from.id,
    to: to.id,
    fromNumber: from.number,
    toNumber: to.number,
    currency: from.currency,
    amount,
    status: 'pending',
    expiresAt: request.expiresAt ?? null,
    reference: request.reference ?? null,
    transfer: null,
    createdAt: book.now,
    updatedAt: book.now,
  };
  book.addHold(hold);
  emitHold(book, 'hold.created', hold);
  return hold;
}

/**
 * Moves the reserved amount, or less: the rest is available again. Throws `hold-not-found`, `hold-not-pending`,
 * `invalid-money` (more than the hold), `account-closed`, `balance-overflow`.
 */
export function postReserved(
  book: LedgerBook,
  { id, money, reference }: HoldPosting,
): { readonly hold: Hold; readonly transfer: Transfer } {
  const hold = pendingHold(book, id);
  const amount = money === undefined ? hold.amount : partOf(hold, money);
  const from = book.account(hold.from)!;
  const to = book.account(hold.to)!;
  checkOpen(from, 'id');
  checkOpen(to, 'id');
  checkOverflow(from, to, amount, 'money');
  const annotation = { kind: 'post', reference: reference ?? hold.reference, hold: id } as const;
  const transfer = addMove(book, { from, to, amount }, annotation);
  return { hold: endHold(book, hold, 'posted', transfer.id), transfer };
}

/** Ends a hold without a transfer. Throws `hold-not-found`, `hold-not-pending`. */
export function releaseHold(book: LedgerBook, { id }: { readonly id: string }): Hold {
  return endHold(book, pendingHold(book, id), 'voided', null);
}

/** Ends holds that have expired; true where there may be more. */
export function expireDueHolds(book: LedgerBook): boolean {
  const due = book.expiredHolds();
  for (const hold of due) endHold(book, hold, 'expired', null);
  return due.length >= EXPIRE_AT_ONCE;
}

/** The refusal of an id that no hold has. */
export function holdNotFound(id: string): RecordsError {
  return new RecordsError('hold-not-found', `There is no hold ${id}.`, { field: 'id' });
}

function pendingHold(book: LedgerBook, id: string): Hold {
  const hold = book.hold(id);
  if (hold === undefined) throw holdNotFound(id);
  if (hold.status === 'pending') return hold;
  throw new RecordsError('hold-not-pending', `The hold ${id} is ${hold.status}.`, {
    field: 'id',
    extra: { hold_status: hold.status },
  });
}

function partOf(hold: Hold, money: string): bigint {
  const digits = digitsOf(hold.currency);
  const amount = minorUnits(readMoneyForm(money), digits, hold.currency);
  if (amount <= hold.amount) return amount;
  throw new RecordsError(
    'invalid-money',
    `money is more than the hold reserves, ${moneyText(hold.amount, digits)} ${hold.currency}.`,
    { field: 'money' },
  );
}

function endHold(
  book: LedgerBook,
  hold: Hold,
  status: Exclude<HoldStatus, 'pending'>,
  transfer: string | null,
): Hold {
  const ended = { ...hold, status, transfer, updatedAt: book.now };
  book.endHold(ended);
  emitHold(book, `hold.${status}`, ended);
  return ended;
}

function emitHold(
  book: LedgerBook,
  type: 'hold.created' | 'hold.posted' | 'hold.voided' | 'hold.expired',
  hold: Hold,
): void {
  book.emit({ type, subject: `holds/${hold.id}`, data: { ...holdView(hold) } });
}
