// A hold: money that is reserved for another account until it is posted, in part or in full, voided, or expired.

import { digitsOf } from './currency.ts';
import { moneyText } from './money.ts';
import type { TransferRequest } from './transfer.ts';

export type HoldStatus = 'pending' | 'posted' | 'voided' | 'expired';

/** Amounts are minor units; times are ms since 1970. */
export interface Hold {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly fromNumber: bigint;
  readonly toNumber: bigint;
  readonly currency: string;
  readonly amount: bigint;
  readonly status: HoldStatus;
  readonly expiresAt: number | null;
  readonly reference: string | null;
  /** The transfer that posted it. */
  readonly transfer: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A request to reserve money. */
export interface HoldRequest extends Omit<TransferRequest, 'externalId'> {
  /** Ms since 1970; a hold without it stays until it is posted or voided. */
  readonly expiresAt?: number | undefined;
}

/** The body of a GET, and the data of events. */
export interface HoldView {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly money: string;
  readonly money_minor: string;
  readonly status: HoldStatus;
  readonly expires_at: string | null;
  readonly reference: string | null;
  /** The id of the transaction that posted it. */
  readonly transaction: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export function holdView(hold: Hold): HoldView {
  return {
    id: hold.id,
    from: hold.from,
    to: hold.to,
    currency: hold.currency,
    money: moneyText(hold.amount, digitsOf(hold.currency)),
    money_minor: String(hold.amount),
    status: hold.status,
    expires_at: hold.expiresAt === null ? null : new Date(hold.expiresAt).toISOString(),
    reference: hold.reference,
    transaction: hold.transfer,
    created_at: new Date(hold.createdAt).toISOString(),
    updated_at: new Date(hold.updatedAt).toISOString(),
  };
}

/** A row of the table `hold`, joined with the ids of its accounts. */
export interface HoldRow {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly from_account: bigint;
  readonly to_account: bigint;
  readonly currency: string;
  readonly amount: bigint;
  readonly status: string;
  readonly expires_at: bigint | null;
  readonly reference: string | null;
  readonly transfer: string | null;
  readonly created_at: bigint;
  readonly updated_at: bigint;
}

/** Selects HoldRows; conditions on `h` follow. */
export const SELECT_HOLDS: string =
  'SELECT h.*, f.id AS "from", o.id AS "to" FROM hold h ' +
  'JOIN account f ON f.number = h.from_account JOIN account o ON o.number = h.to_account';

/** The hold of a row as it is at `now`: expired when its time is up, marked in its row or not. */
export function holdOfRow(row: HoldRow, now: number): Hold {
  const expiresAt = row.expires_at === null ? null : Number(row.expires_at);
  const expired = row.status === 'pending' && expiresAt !== null && expiresAt <= now;
  return {
    id: row.id,
    from: row.from,
    to: row.to,
    fromNumber: row.from_account,
    toNumber: row.to_account,
    currency: row.currency,
    amount: row.amount,
    status: expired ? 'expired' : (row.status as HoldStatus),
    expiresAt,
    reference: row.reference,
    transfer: row.transfer,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}
