// The operations on holds: reserve, post in part or in full, void, expire, read.

import type { AnyOperation, ReadOperation } from '../../contracts/operation.ts';
import {
  expireDueHolds,
  type HoldPosting,
  holdNotFound,
  postReserved,
  releaseHold,
  reserveMoney,
} from '../core/hold-decisions.ts';
import type { Hold, HoldRequest } from '../model/hold.ts';
import type { Transfer } from '../model/transfer.ts';
import { type LedgerWrite, ledgerReads, ledgerWrite } from './ledger-store.ts';

/** Reserves money: it stays in `from` and is not available there. Refusals as for a transfer. */
export const createHold: LedgerWrite<HoldRequest, Hold> = ledgerWrite('ledger.hold', reserveMoney);

/**
 * Moves the reserved amount, or less: the rest is available again. Throws `hold-not-found`, `hold-not-pending`,
 * `invalid-money` (more than the hold), `account-closed`, `balance-overflow`.
 */
export const postHold: LedgerWrite<HoldPosting, { readonly hold: Hold; readonly transfer: Transfer }> =
  ledgerWrite('ledger.postHold', postReserved);

/** Ends a hold without a transfer. Throws `hold-not-found`, `hold-not-pending`. */
export const voidHold: LedgerWrite<{ readonly id: string }, Hold> = ledgerWrite(
  'ledger.voidHold',
  releaseHold,
);

/**
 * Marks holds that have expired and emits their events; true when there may be more. Nothing depends on it being on time:
 * an expired hold no longer counts, marked or not.
 */
export const expireHolds: LedgerWrite<undefined, boolean> = ledgerWrite('ledger.expireHolds', expireDueHolds);

/** One hold. Throws `hold-not-found`. */
export const getHold: ReadOperation<{ readonly id: string }, Hold> = {
  kind: 'read',
  name: 'ledger.getHold',
  async run(context, { id }) {
    const hold = await ledgerReads(context).hold(id);
    if (hold === undefined) throw holdNotFound(id);
    return hold;
  },
};

export const holdOperations: readonly AnyOperation[] = [createHold, postHold, voidHold, expireHolds, getHold];
