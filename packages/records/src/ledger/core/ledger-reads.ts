// The questions that a store answers of its ledger. SQLite answers at once, PostgreSQL with promises; callers await both.

import type { Account } from '../model/account.ts';
import type { Hold } from '../model/hold.ts';
import type { Transfer, TransferRequest } from '../model/transfer.ts';
import type { JournalReport } from './journal-audit.ts';
import type { LedgerView } from './ledger-book.ts';

/** An answer, at once or promised. */
type Awaitable<T> = T | Promise<T>;

/** Which transfers; all that is given must hold. */
export interface TransferConditions {
  readonly account?: Account | undefined;
  readonly currency?: string | undefined;
  readonly reference?: string | undefined;
  readonly externalId?: string | undefined;
  /** Positions above and below these, both exclusive. */
  readonly above?: bigint | undefined;
  readonly below?: bigint | undefined;
}

/** A walk through a sorted list from a key, exclusive; from the end of the list where it is undefined. */
export interface Walk<Key> {
  readonly from: Key | undefined;
  /** Towards higher keys. */
  readonly up: boolean;
  readonly most: number;
}

/** The ledger in one snapshot. */
export interface LedgerReads {
  account(id: string): Awaitable<Account | undefined>;
  /** Accounts by id, in the order of the walk. */
  accounts(currency: string | undefined, walk: Walk<string>): Awaitable<Account[]>;
  hold(id: string): Awaitable<Hold | undefined>;
  transfer(id: string): Awaitable<Transfer | undefined>;
  /** Transfers by position, in the order of the walk. */
  transfers(conditions: TransferConditions, walk: Walk<bigint>): Awaitable<Transfer[]>;
  /** Transfers from one position to another, both inclusive. */
  transfersBetween(first: bigint, last: bigint): Awaitable<Transfer[]>;
  /** The position of the last transfer up to a time (ms since 1970), 0 before the first: one seek. */
  positionAt(time: number): Awaitable<bigint>;
  /** The balance of an account after the transfer at a position. */
  balanceAfter(account: Account, position: bigint): Awaitable<bigint>;
  /** What the rules look up for these requests; nothing is locked. */
  view(requests: readonly TransferRequest[]): Awaitable<LedgerView>;
  /** Checks the whole ledger. Takes time in proportion to the journal, memory to the accounts. */
  audit(): Awaitable<JournalReport>;
}
