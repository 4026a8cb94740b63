// How is money reserved, and what becomes of it? Reserve, post in part or whole, void, expire.

import { RecordsError } from '../../contracts/errors.ts';
import type { AnyOperation, ReadOperation, WriteContext, WriteOperation } from '../../contracts/operation.ts';
import { checkOpen, checkOverflow, decide } from '../core/rules.ts';
import { accountNumbered, statementsOf } from '../model/account.ts';
import { digitsOf } from '../model/currency.ts';
import { findHold, type Hold, type HoldRow, holdOf, holdView, SELECT_HOLDS } from '../model/hold.ts';
import { MOST_MINOR, minorUnits, moneyText, readMoneyForm } from '../model/money.ts';
import type { Transfer, TransferRequest } from '../model/transfer.ts';
import { journalOf } from '../sqlite/ledger-buffer.ts';
import { AccountsInUse, appendNow } from '../sqlite/sqlite-book.ts';

/** What is to be reserved. */
export interface HoldRequest extends Omit<TransferRequest, 'externalId'> {
  /** Ms since 1970; a hold without it stays until it is posted or voided. */
  readonly expiresAt?: number | undefined;
}

/** Holds that one call of `expireHolds` marks at most. */
const EXPIRE_AT_ONCE = 500;

const ADD =
  'INSERT INTO hold (id, from_account, to_account, currency, amount, status, expires_at, reference, transfer, created_at, updated_at) ' +
  "VALUES (?, ?, ?, ?, ?, 'pending', ?, ?, NULL, ?, ?)";
const RESERVE = 'UPDATE account SET held = held + ?, updated_at = ? WHERE number = ?';
const END = 'UPDATE hold SET status = ?, transfer = ?, updated_at = ? WHERE id = ?';
const DUE = `${SELECT_HOLDS} WHERE h.status = 'pending' AND h.expires_at <= ? ORDER BY h.expires_at LIMIT ${EXPIRE_AT_ONCE}`;

/** Reserves money: it stays in `from` and is not available there. Refusals as for a transfer. */
export const createHold: WriteOperation<HoldRequest, Hold> = {
  kind: 'write',
  name: 'ledger.hold',
  checksFirst: true,
  async run(context, request) {
    const sql = statementsOf(context);
    const accounts = new AccountsInUse(context);
    const ground = {
      from: accounts.find(request.from),
      to: accounts.find(request.to),
      externalIdTaken: false,
    };
    const { from, to, amount } = decide(request, ground);
    const { held } = sql.get<{ held: bigint }>('SELECT held FROM account WHERE number = ?', from.number)!;
    if (held + amount > MOST_MINOR)
      throw new RecordsError('balance-overflow', `What is held of ${from.id} would be beyond 2^63.`, {
        field: 'money',
      });
    if (request.expiresAt !== undefined && request.expiresAt <= context.now)
      throw new RecordsError('invalid-parameter', 'expires_at must lie in the future.', {
        field: 'expires_at',
      });
    const id = await context.nextId('@holds');
    const now = BigInt(context.now);
    const expiresAt = request.expiresAt === undefined ? null : BigInt(request.expiresAt);
    const reference = request.reference ?? null;
    sql.run(ADD, id, from.number, to.number, from.currency, amount, expiresAt, reference, now, now);
    reserve(context, from.number, amount);
    const hold = findHold(sql, id, context.now)!;
    tell(context, 'hold.created', hold);
    return hold;
  },
};

/**
 * Moves what was reserved, or less: the rest is available again. Throws `hold-not-found`, `hold-not-pending`,
 * `invalid-money` (more than the hold), `account-closed`, `balance-overflow`.
 */
export const postHold: WriteOperation<
  { readonly id: string; readonly money?: string | undefined; readonly reference?: string | undefined },
  { readonly hold: Hold; readonly transfer: Transfer }
> = {
  kind: 'write',
  name: 'ledger.postHold',
  checksFirst: true,
  run(context, { id, money, reference }) {
    const sql = statementsOf(context);
    const hold = pending(context, id);
    const amount = money === undefined ? hold.amount : partOf(hold, money);
    const from = accountNumbered(sql, hold.fromNumber, context.now);
    const to = accountNumbered(sql, hold.toNumber, context.now);
    checkOpen(from, 'id');
    checkOpen(to, 'id');
    checkOverflow(from, to, amount, 'money');
    reserve(context, from.number, -hold.amount);
    const transfer = appendNow(context, {
      after: {
        from: { ...from, balance: from.balance - amount },
        to: { ...to, balance: to.balance + amount },
      },
      amount,
      annotation: {
        kind: 'post',
        reference: reference ?? hold.reference,
        externalId: null,
        hold: id,
        reverses: null,
      },
    });
    return { hold: end(context, hold, 'posted', transfer.id), transfer };
  },
};

/** Gives up what was reserved. Throws `hold-not-found`, `hold-not-pending`. */
export const voidHold: WriteOperation<{ readonly id: string }, Hold> = {
  kind: 'write',
  name: 'ledger.voidHold',
  checksFirst: true,
  run(context, { id }) {
    const hold = pending(context, id);
    reserve(context, hold.fromNumber, -hold.amount);
    return end(context, hold, 'voided', null);
  },
};

/**
 * Marks holds whose time is up and tells the world; true when there may be more. Nothing depends on it being on time:
 * an expired hold counts no more, marked or not.
 */
export const expireHolds: WriteOperation<undefined, boolean> = {
  kind: 'write',
  name: 'ledger.expireHolds',
  checksFirst: true,
  run(context) {
    const sql = statementsOf(context);
    const rows = sql.all<HoldRow>(DUE, BigInt(context.now));
    for (const row of rows) {
      const hold = holdOf(row, context.now);
      reserve(context, hold.fromNumber, -hold.amount);
      end(context, hold, 'expired', null);
    }
    return rows.length === EXPIRE_AT_ONCE;
  },
};

/** One hold. Throws `hold-not-found`. */
export const getHold: ReadOperation<{ readonly id: string }, Hold> = {
  kind: 'read',
  name: 'ledger.getHold',
  run(context, { id }) {
    return findHold(statementsOf(context), id, context.now) ?? notFound(id);
  },
};

function reserve(context: WriteContext, account: bigint, amount: bigint): void {
  journalOf(context).forgetAccounts();
  statementsOf(context).run(RESERVE, amount, BigInt(context.now), account);
}

function pending(context: WriteContext, id: string): Hold {
  const hold = findHold(statementsOf(context), id, context.now) ?? notFound(id);
  if (hold.status !== 'pending')
    throw new RecordsError('hold-not-pending', `The hold ${id} is ${hold.status}.`, {
      field: 'id',
      extra: { hold_status: hold.status },
    });
  return hold;
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

function end(
  context: WriteContext,
  hold: Hold,
  status: 'posted' | 'voided' | 'expired',
  transfer: string | null,
): Hold {
  statementsOf(context).run(END, status, transfer, BigInt(context.now), hold.id);
  const ended = { ...hold, status, transfer, updatedAt: context.now };
  tell(context, `hold.${status}`, ended);
  return ended;
}

function tell(
  context: WriteContext,
  type: 'hold.created' | 'hold.posted' | 'hold.voided' | 'hold.expired',
  hold: Hold,
): void {
  context.emit({ type, subject: `holds/${hold.id}`, data: { ...holdView(hold) } });
}

function notFound(id: string): never {
  throw new RecordsError('hold-not-found', `There is no hold ${id}.`, { field: 'id' });
}

export const holdOperations: readonly AnyOperation[] = [createHold, postHold, voidHold, expireHolds, getHold];
