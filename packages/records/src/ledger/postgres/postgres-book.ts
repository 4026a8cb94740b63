// What does a group of calls know and change? The accounts, holds and ids that the calls refer to, in memory; written down
// when all have run.

import type { NewEvent } from '../../contracts/events.ts';
import { randomBits } from '../../ids/random.ts';
import { Uuid7Sequence } from '../../ids/uuid.ts';
import type { NewTransfer } from '../core/transfer-decisions.ts';
import type { Account } from '../model/account.ts';
import { type Hold, type HoldRow, holdOf } from '../model/hold.ts';
import type { GroundOfGroup } from './locked-rows.ts';
import type { OldTransfer } from './references.ts';

/** An account as it is now, with what is held of it, expired or not. */
export interface AccountState {
  readonly account: Account;
  readonly held: bigint;
}

/** What is to be written. */
export interface BookChanges {
  readonly created: readonly AccountState[];
  /** Accounts that were there before. */
  readonly changed: readonly AccountState[];
  readonly transfers: readonly NewTransfer[];
  readonly newHolds: readonly Hold[];
  readonly changedHolds: readonly Hold[];
}

/** Ids of transfers and holds: they need not rise from process to process, positions do. */
const ids = new Uuid7Sequence(undefined, randomBits());

/** The ledger as a group of calls sees it. */
export class Book {
  readonly now: number;
  readonly externalIds: Set<string>;
  readonly oldTransfers: ReadonlyMap<string, OldTransfer>;
  /** Ids of transfers that took another one back, by the id of that one. */
  readonly reversals: Map<string, string> = new Map();
  /** Holds whose time is up and which are not marked yet. */
  readonly dueHolds: readonly string[];
  readonly emit: (event: NewEvent) => void;
  readonly #accounts = new Map<string, Account>();
  readonly #names = new Map<bigint, string>();
  readonly #held: Map<bigint, bigint>;
  readonly #holds: Map<string, Hold>;
  readonly #newNumbers: bigint[];
  readonly #created = new Set<string>();
  readonly #changed = new Set<string>();
  readonly #transfers: NewTransfer[] = [];
  readonly #newHolds = new Set<string>();
  readonly #changedHolds = new Set<string>();

  constructor(ground: GroundOfGroup, emit: (event: NewEvent) => void) {
    this.now = ground.now;
    this.externalIds = new Set(ground.takenExternalIds);
    this.oldTransfers = new Map(ground.transfers.map((transfer) => [transfer.id, transfer]));
    this.dueHolds = ground.holds.filter((row) => isDue(row, ground.now)).map(({ id }) => id);
    this.emit = emit;
    this.#held = new Map(ground.heldRaw);
    this.#holds = new Map(ground.holds.map((row) => [row.id, holdOf(row, ground.now)]));
    this.#newNumbers = [...ground.newNumbers];
    for (const account of ground.accounts) this.#put(account);
  }

  nextId(): string {
    return ids.next(this.now);
  }

  account(id: string): Account | undefined {
    return this.#accounts.get(id);
  }

  /** REQUIRES: a row that was read names it. */
  numbered(number: bigint): Account {
    return this.#accounts.get(this.#names.get(number)!)!;
  }

  hold(id: string): Hold | undefined {
    return this.#holds.get(id);
  }

  /** What is held of an account, expired or not. */
  heldOf({ number }: Account): bigint {
    return this.#held.get(number) ?? 0n;
  }

  /** A new account. */
  create(account: Omit<Account, 'number'>): Account {
    const created = { ...account, number: this.#newNumbers.pop()! };
    this.#put(created);
    this.#created.add(created.id);
    return created;
  }

  /** An account with other flags. */
  change(account: Account): void {
    this.#put(account);
    this.#changed.add(account.id);
  }

  /** Money that has moved, with the accounts as they are afterwards. */
  addTransfer(added: NewTransfer, after: readonly Account[]): void {
    this.#transfers.push(added);
    for (const account of after) {
      this.#put({ ...account, updatedAt: this.now });
      // The row of one that may go negative is shared: its balance is in the journal.
      if (!account.allowNegative) this.#changed.add(account.id);
    }
  }

  /** Changes what is held of an account, in all and of that what has not expired. */
  reserve(account: Account, all: bigint, live: bigint): void {
    this.#put({ ...account, held: account.held + live, updatedAt: this.now });
    this.#held.set(account.number, this.heldOf(account) + all);
    this.#changed.add(account.id);
  }

  addHold(hold: Hold): void {
    this.#holds.set(hold.id, hold);
    this.#newHolds.add(hold.id);
  }

  /** REQUIRES: it was there before the group: nobody knows the id of a new one before it is committed. */
  changeHold(hold: Hold): void {
    this.#holds.set(hold.id, hold);
    this.#changedHolds.add(hold.id);
  }

  /** True where this group has changed it. */
  isHoldChanged(id: string): boolean {
    return this.#changedHolds.has(id);
  }

  changes(): BookChanges {
    const states = (names: ReadonlySet<string>): AccountState[] =>
      [...names].map((id) => {
        const account = this.#accounts.get(id)!;
        return { account, held: this.heldOf(account) };
      });
    const holds = (names: ReadonlySet<string>): Hold[] => [...names].map((id) => this.#holds.get(id)!);
    return {
      created: states(this.#created),
      changed: states(this.#changed).filter(({ account }) => !this.#created.has(account.id)),
      transfers: this.#transfers,
      newHolds: holds(this.#newHolds),
      changedHolds: holds(this.#changedHolds),
    };
  }

  #put(account: Account): void {
    this.#accounts.set(account.id, account);
    this.#names.set(account.number, account.id);
  }
}

function isDue({ status, expires_at }: HoldRow, now: number): boolean {
  return status === 'pending' && expires_at !== null && Number(expires_at) <= now;
}
