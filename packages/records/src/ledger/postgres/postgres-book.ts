// The book of the PostgreSQL ledger: the accounts, holds and ids that a group of calls refers to, read under their locks and
// changed in memory. What has changed is written when all calls have run (write-changes.ts). Positions, and the balances after
// a transfer, come after the commit (journal-sequencer.ts).

import type { NewEvent } from '../../contracts/events.ts';
import { randomBits, Uuid7Sequence } from '../../ids/uuid.ts';
import type { LedgerBook, PastTransfer } from '../core/ledger-book.ts';
import type { Account } from '../model/account.ts';
import { type Hold, holdOfRow } from '../model/hold.ts';
import { type Transfer, transferView } from '../model/transfer.ts';
import type { AccountState, LockedRows } from './locked-rows.ts';

/** A transfer without its position, as it is inserted. */
export interface NewTransfer {
  readonly transfer: Transfer;
  readonly fromNumber: bigint;
  readonly toNumber: bigint;
}

/** The rows that a group has changed. */
export interface BookChanges {
  readonly created: readonly AccountState[];
  /** Accounts that existed before. */
  readonly changed: readonly AccountState[];
  readonly transfers: readonly NewTransfer[];
  readonly newHolds: readonly Hold[];
  readonly endedHolds: readonly Hold[];
}

/** Ids of transfers and holds. They need not rise from process to process; positions do. */
const ids = new Uuid7Sequence(undefined, randomBits());

/** See above. One for each group of calls. */
export class PostgresBook implements LedgerBook {
  readonly now: number;
  readonly emit: (event: NewEvent) => void;
  readonly #externalIds: Set<string>;
  readonly #pastTransfers: ReadonlyMap<string, PastTransfer>;
  /** Ids of reversals by the id of the transfer that they reverse. */
  readonly #reversals: Map<string, string>;
  readonly #accounts: Map<string, Account>;
  /** By account id. */
  readonly #reserved: Map<string, bigint>;
  readonly #holds: Map<string, Hold>;
  /** Holds that have expired and whose rows say `pending`. */
  readonly #expired: readonly string[];
  readonly #newNumbers: bigint[];
  readonly #created = new Set<string>();
  readonly #changed = new Set<string>();
  readonly #transfers: NewTransfer[] = [];
  readonly #newHolds = new Set<string>();
  readonly #endedHolds = new Set<string>();

  constructor(rows: LockedRows, emit: (event: NewEvent) => void) {
    const { now } = rows;
    this.now = now;
    this.emit = emit;
    this.#externalIds = new Set(rows.takenExternalIds);
    this.#pastTransfers = new Map(rows.transfers.map((transfer) => [transfer.id, transfer]));
    this.#reversals = new Map(
      rows.transfers.flatMap(({ id, reversal }) => (reversal === null ? [] : [[id, reversal]])),
    );
    this.#accounts = new Map(rows.accounts.map(({ account }) => [account.id, account]));
    this.#reserved = new Map(rows.accounts.map(({ account, reserved }) => [account.id, reserved]));
    this.#holds = new Map(rows.holds.map((row) => [row.id, holdOfRow(row, now)]));
    this.#expired = rows.holds
      .filter(({ id, status }) => status === 'pending' && this.#holds.get(id)!.status === 'expired')
      .map(({ id }) => id);
    this.#newNumbers = [...rows.newNumbers];
  }

  account(id: string): Account | undefined {
    return this.#accounts.get(id);
  }

  reservedOf({ id }: Account): bigint {
    return this.#reserved.get(id) ?? 0n;
  }

  isExternalIdTaken(externalId: string): boolean {
    return this.#externalIds.has(externalId);
  }

  pastTransfer(id: string): PastTransfer | undefined {
    return this.#pastTransfers.get(id);
  }

  reversalOf(id: string): string | undefined {
    return this.#reversals.get(id);
  }

  hold(id: string): Hold | undefined {
    return this.#holds.get(id);
  }

  expiredHolds(): readonly Hold[] {
    return this.#expired.filter((id) => !this.#endedHolds.has(id)).map((id) => this.#holds.get(id)!);
  }

  nextTransferId(): string {
    return ids.next(this.now);
  }

  nextHoldId(): string {
    return ids.next(this.now);
  }

  nextPosition(): bigint {
    return 0n;
  }

  openAccount(account: Omit<Account, 'number'>): Account {
    const created = { ...account, number: this.#newNumbers.pop()! };
    this.#accounts.set(created.id, created);
    this.#created.add(created.id);
    return created;
  }

  changeAccount(account: Account): void {
    this.#accounts.set(account.id, account);
    this.#changed.add(account.id);
  }

  addTransfer(transfer: Transfer, from: Account, to: Account): void {
    this.#transfers.push({ transfer, fromNumber: from.number, toNumber: to.number });
    for (const account of [from, to]) {
      this.#accounts.set(account.id, { ...account, updatedAt: this.now });
      // The row of an account that may go negative is shared by several processes: its balance is that of the journal.
      if (!account.allowNegative) this.#changed.add(account.id);
    }
    const { id, externalId, reverses } = transfer;
    if (externalId !== null) this.#externalIds.add(externalId);
    if (reverses !== null) this.#reversals.set(reverses, id);
    const data = { ...transferView(transfer) };
    this.emit({ type: 'transfer.created', subject: `transactions/${id}`, data });
  }

  addHold(hold: Hold): void {
    this.#holds.set(hold.id, hold);
    this.#newHolds.add(hold.id);
    this.#reserve(hold.from, hold.amount, hold.amount);
  }

  /** REQUIRES: the hold existed before the group. Nobody knows the id of a new hold before its commit. */
  endHold(hold: Hold): void {
    // An expired hold does not count as held, but its amount is still in the row.
    const live = this.#holds.get(hold.id)!.status === 'expired' ? 0n : hold.amount;
    this.#holds.set(hold.id, hold);
    this.#endedHolds.add(hold.id);
    this.#reserve(hold.from, -hold.amount, -live);
  }

  /** `live` is the part of the change that counts as held. */
  #reserve(id: string, amount: bigint, live: bigint): void {
    const account = this.#accounts.get(id)!;
    this.#accounts.set(id, { ...account, held: account.held + live, updatedAt: this.now });
    this.#reserved.set(id, this.reservedOf(account) + amount);
    this.#changed.add(id);
  }

  changes(): BookChanges {
    const states = (names: ReadonlySet<string>): AccountState[] =>
      [...names].map((id) => {
        const account = this.#accounts.get(id)!;
        return { account, reserved: this.reservedOf(account) };
      });
    const holds = (names: ReadonlySet<string>): Hold[] => [...names].map((id) => this.#holds.get(id)!);
    return {
      created: states(this.#created),
      changed: states(this.#changed).filter(({ account }) => !this.#created.has(account.id)),
      transfers: this.#transfers,
      newHolds: holds(this.#newHolds),
      endedHolds: holds(this.#endedHolds),
    };
  }
}
