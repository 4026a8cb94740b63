// A transfer: money that went from one account to another, with its row and its public view.

import { digitsOf } from './currency.ts';
import { moneyText } from './money.ts';

/** Why money moved: a transfer of its own, a hold that was posted, an earlier transfer taken back. */
export type TransferKind = 'transfer' | 'post' | 'reversal';

/** A request to move money. */
export interface TransferRequest {
  readonly from: string;
  readonly to: string;
  /** An exact decimal: `12.30`. */
  readonly money: string;
  /** @default that of `from` */
  readonly currency?: string | undefined;
  /** The caller's own words or number; may repeat. */
  readonly reference?: string | undefined;
  /** The caller's own id; unique in the ledger. */
  readonly externalId?: string | undefined;
}

/** A transfer of the journal. Amounts and balances are minor units; times are ms since 1970. */
export interface Transfer {
  readonly position: bigint;
  readonly id: string;
  readonly kind: TransferKind;
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly amount: bigint;
  /** The balances after it. */
  readonly fromBalance: bigint;
  readonly toBalance: bigint;
  readonly reference: string | null;
  readonly externalId: string | null;
  readonly hold: string | null;
  readonly reverses: string | null;
  readonly time: number;
}

/** True for a transfer without annotations. Such transfers are stored in blocks. */
export function isPlainTransfer({ kind, reference, externalId, hold, reverses }: Transfer): boolean {
  return (
    kind === 'transfer' && reference === null && externalId === null && hold === null && reverses === null
  );
}

/** The body of a GET, and the data of events. Balances after it are not in it: they are their owners' business. */
export interface TransferView {
  readonly id: string;
  readonly kind: TransferKind;
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly money: string;
  readonly money_minor: string;
  readonly reference: string | null;
  readonly external_id: string | null;
  readonly hold: string | null;
  readonly reverses: string | null;
  readonly created_at: string;
}

export function transferView(transfer: Transfer): TransferView {
  return {
    id: transfer.id,
    kind: transfer.kind,
    from: transfer.from,
    to: transfer.to,
    currency: transfer.currency,
    money: moneyText(transfer.amount, digitsOf(transfer.currency)),
    money_minor: String(transfer.amount),
    reference: transfer.reference,
    external_id: transfer.externalId,
    hold: transfer.hold,
    reverses: transfer.reverses,
    created_at: timeText(transfer.time),
  };
}

let lastTime = Number.NaN;
let lastText = '';

/** A time as RFC 3339 has it. Transfers of one commit share a time, whose text is cached. */
export function timeText(time: number): string {
  if (time !== lastTime) {
    lastTime = time;
    lastText = new Date(time).toISOString();
  }
  return lastText;
}

/** A row joined with the names of its accounts. */
export interface TransferRow {
  readonly position: bigint;
  readonly id: string;
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly from_balance: bigint;
  readonly to_balance: bigint;
  readonly reference: string | null;
  readonly external_id: string | null;
  readonly hold: string | null;
  readonly reverses: string | null;
  readonly time: bigint;
}

/** The columns of a TransferRow, from the tables of TRANSFER_JOIN. */
export const TRANSFER_COLUMNS: string =
  't.position, t.id, t.kind, f.id AS "from", o.id AS "to", t.currency, t.amount, t.from_balance, t.to_balance, ' +
  't.reference, t.external_id, t.hold, t.reverses, t.time';

/** Joins the accounts to `transfer t`. */
export const TRANSFER_JOIN: string =
  'JOIN account f ON f.number = t.from_account JOIN account o ON o.number = t.to_account';

export function transferOfRow(row: TransferRow): Transfer {
  return {
    position: row.position,
    id: row.id,
    kind: row.kind as TransferKind,
    from: row.from,
    to: row.to,
    currency: row.currency,
    amount: row.amount,
    fromBalance: row.from_balance,
    toBalance: row.to_balance,
    reference: row.reference,
    externalId: row.external_id,
    hold: row.hold,
    reverses: row.reverses,
    time: Number(row.time),
  };
}
