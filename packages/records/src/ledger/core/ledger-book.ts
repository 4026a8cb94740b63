// What the decisions of the ledger read and write. Each store implements it: SQLite over prepared statements and its write-behind
// buffer, PostgreSQL over rows that it has locked and read before. Every call is synchronous, so a decision never sees a
// change of another caller between its check and its write.

import type { NewEvent } from '../../contracts/events.ts';
import type { Account } from '../model/account.ts';
import type { Hold } from '../model/hold.ts';
import type { Transfer } from '../model/transfer.ts';

/** Holds that one call of `expireHolds` ends at most. */
export const EXPIRE_AT_ONCE = 500;

/** What the rules of a transfer look up. */
export interface LedgerView {
  /** The account after all changes so far; undefined where there is none. */
  account(id: string): Account | undefined;
  isExternalIdTaken(externalId: string): boolean;
}

/** A transfer that may be reversed. */
export interface PastTransfer {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

/** The ledger as one write sees and changes it. */
export interface LedgerBook extends LedgerView {
  /** The time of the commit, ms since 1970. */
  readonly now: number;
  /** Reserved by all pending holds of an account, expired or not. */
  reservedOf(account: Account): bigint;
  pastTransfer(id: string): PastTransfer | undefined;
  /** The id of the transfer that reversed this one. */
  reversalOf(id: string): string | undefined;
  hold(id: string): Hold | undefined;
  /** Pending holds that have expired, at most about `EXPIRE_AT_ONCE`. */
  expiredHolds(): readonly Hold[];

  nextTransferId(): string;
  nextHoldId(): string;
  /** The position of the next transfer; 0 on a store that gives positions after the commit. */
  nextPosition(): bigint;

  openAccount(account: Omit<Account, 'number'>): Account;
  /** Writes the flags of an account. */
  changeAccount(account: Account): void;
  /** Adds a transfer to the journal and emits its event. The accounts are as they are after it. */
  addTransfer(transfer: Transfer, from: Account, to: Account): void;
  /** Adds a hold; its amount is reserved. */
  addHold(hold: Hold): void;
  /** Writes a hold that is no longer pending; its amount is no longer reserved. */
  endHold(hold: Hold): void;
  readonly emit: (event: NewEvent) => void;
}
