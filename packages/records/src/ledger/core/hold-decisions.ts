// How is money reserved in a book, and what becomes of it? Reserve, post in part or whole, void, expire; a refusal comes
// before any change.

import { RecordsError } from '../../contracts/errors.ts';
import { digitsOf } from '../model/currency.ts';
import { type Hold, type HoldStatus, holdView } from '../model/hold.ts';
import { MOST_MINOR, minorUnits, moneyText, readMoneyForm } from '../model/money.ts';
import type { Transfer } from '../model/transfer.ts';
import type { HoldRequest } from '../operations/hold-operations.ts';
import type { Book } from '../postgres/postgres-book.ts';
import { EXPIRE_AT_ONCE } from '../postgres/references.ts';
import { checkOpen, checkOverflow, decide } from './rules.ts';
import { move } from './transfer-decisions.ts';

/** Throws as `ledger.hold`. */
export function reserve(book: Book, request: HoldRequest): Hold {
  const ground = {
    from: book.account(request.from),
    to: book.account(request.to),
    externalIdTaken: false,
  };
  const { from, to, amount } = decide(request, ground);
  if (book.heldOf(from) + amount > MOST_MINOR)
    throw new RecordsError('balance-overflow', `What is held of ${from.id} would be beyond 2^63.`, {
      field: 'money',
    });
  if (request.expiresAt !== undefined && request.expiresAt <= book.now)
    throw new RecordsError('invalid-parameter', 'expires_at must lie in the future.', {
      field: 'expires_at',
    });
  const hold: Hold = {
    id: book.nextId(),
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
  book.reserve(from, amount, amount);
  book.addHold(hold);
  tell(book, 'hold.created', hold);
  return hold;
}

/** Throws as `ledger.postHold`. */
export function post(
  book: Book,
  { id, money, reference }: { readonly id: string; readonly money?: string; readonly reference?: string },
): { readonly hold: Hold; readonly transfer: Transfer } {
  const hold = pending(book, id);
  const amount = money === undefined ? hold.amount : partOf(hold, money);
  const from = book.numbered(hold.fromNumber);
  const to = book.numbered(hold.toNumber);
  checkOpen(from, 'id');
  checkOpen(to, 'id');
  checkOverflow(from, to, amount, 'money');
  book.reserve(from, -hold.amount, -hold.amount);
  const transfer = move(
    book,
    { from: book.numbered(hold.fromNumber), to, amount },
    { kind: 'post', reference: reference ?? hold.reference, hold: id },
  );
  return { hold: end(book, hold, 'posted', transfer.id), transfer };
}

/** Throws as `ledger.voidHold`. */
export function giveUp(book: Book, id: string): Hold {
  const hold = pending(book, id);
  book.reserve(book.numbered(hold.fromNumber), -hold.amount, -hold.amount);
  return end(book, hold, 'voided', null);
}

/** Marks what has expired; true where there may be more. */
export function expire(book: Book): boolean {
  const due = book.dueHolds.filter((id) => !book.isHoldChanged(id)).map((id) => book.hold(id)!);
  for (const hold of due) {
    // What has expired does not count as held any more; it is still in the row.
    book.reserve(book.numbered(hold.fromNumber), -hold.amount, 0n);
    end(book, hold, 'expired', null);
  }
  return due.length === EXPIRE_AT_ONCE;
}

function pending(book: Book, id: string): Hold {
  const hold = book.hold(id);
  if (hold === undefined)
    throw new RecordsError('hold-not-found', `There is no hold ${id}.`, { field: 'id' });
  if (hold.status === 'pending') return hold;
  throw new RecordsError('hold-not-pending', `The hold ${id} is ${hold.status}.`, {
    field: 'id',
    extra: { hold_status: hold.status },
  });
}

function end(book: Book, hold: Hold, status: Exclude<HoldStatus, 'pending'>, transfer: string | null): Hold {
  const ended = { ...hold, status, transfer, updatedAt: book.now };
  book.changeHold(ended);
  tell(book, `hold.${status}`, ended);
  return ended;
}

function tell(
  book: Book,
  type: 'hold.created' | 'hold.posted' | 'hold.voided' | 'hold.expired',
  hold: Hold,
): void {
  book.emit({ type, subject: `holds/${hold.id}`, data: { ...holdView(hold) } });
}

function partOf(hold: Hold, money: string): bigint {
  const digits = digitsOf(hold.currency);
  const amount = minorUnits(readMoneyForm(money), digits, hold.currency);
  if (amount <= hold.amount) return amount;
  throw new RecordsError(
    'invalid-money',
    `money is more than was reserved, ${moneyText(hold.amount, digits)} ${hold.currency}.`,
    { field: 'money' },
  );
}
