// The checks of a journal that are the same on both stores: its chain of hashes, positions without gaps, balances that add up,
// and accounts that agree with it. A store feeds it every transfer in order, then every account.

import { Buffer } from 'node:buffer';
import type { Transfer } from '../model/transfer.ts';
import { FIRST_HASH, hashAfterBlock, hashAfterRow } from './journal-chain.ts';

/** The outcome of an audit. */
export interface JournalReport {
  readonly transfers: number;
  readonly accounts: number;
  /**
   * The hash of the newest transfer, with all of them taken as rows (journal-chain.ts). A copy of it proves later that nothing
   * before it has changed, on whatever store the ledger is by then.
   */
  readonly head: string;
  /** What is wrong, one sentence each, at most 100; empty for a sound ledger. */
  readonly findings: readonly string[];
}

const MOST_FINDINGS = 100;

/** An account with what the store says of it, and the sum of its pending holds. */
export interface AuditedAccount {
  readonly id: string;
  readonly currency: string;
  readonly balance: bigint;
  readonly held: bigint;
  readonly reserved: bigint;
}

/** An audit under way. Memory is in proportion to the accounts. */
export class JournalAudit {
  readonly #findings: string[] = [];
  /** By account id. */
  readonly #balances = new Map<string, bigint>();
  readonly #sums = new Map<string, bigint>();
  #head: string = FIRST_HASH;
  /** The hash that the next row or block is chained to: the same as `#head` up to the first block. */
  #link: string = FIRST_HASH;
  #accounts = 0;
  /** The position of the last transfer that was checked. */
  position = 0n;
  /** Transfers that were checked. */
  count = 0;

  find(what: string): void {
    if (this.#findings.length < MOST_FINDINGS) this.#findings.push(what);
  }

  /** Checks the hash of a transfer that is a row, then the transfer. Returns the balances after it. */
  checkRow(transfer: Transfer, hash: Uint8Array): { from: bigint; to: bigint } {
    const stored = Buffer.from(hash).toString('hex');
    if (hashAfterRow(this.#link, transfer) !== stored)
      this.find(
        `The transfer ${transfer.id} at position ${transfer.position} does not fit its hash: it or one before it was changed.`,
      );
    this.#head = this.#head === this.#link ? stored : hashAfterRow(this.#head, transfer);
    // Goes on from the stored hash, so that one change is one finding.
    this.#link = stored;
    return this.#check(transfer);
  }

  /** Checks the hash of a block. Its transfers follow. */
  checkBlockHash(position: bigint, bytes: Uint8Array, hash: Uint8Array): void {
    const stored = Buffer.from(hash).toString('hex');
    if (!(bytes instanceof Uint8Array) || hashAfterBlock(this.#link, bytes) !== stored)
      this.find(
        `The block of transfers at position ${position} does not fit its hash: it or one before it was changed.`,
      );
    this.#link = stored;
  }

  /** Checks a transfer that lies in a block. */
  checkInBlock(transfer: Transfer): void {
    this.#head = hashAfterRow(this.#head, transfer);
    this.#check(transfer);
  }

  #check({ position, id, from, to, amount, fromBalance, toBalance }: Transfer): { from: bigint; to: bigint } {
    if (position !== this.position + 1n)
      this.find(`The journal lacks what came between positions ${this.position} and ${position}.`);
    this.position = position;
    this.count += 1;
    if (amount <= 0n || from === to) this.find(`The transfer ${id} at position ${position} moves nothing.`);
    const after = this.move(from, to, amount);
    if (fromBalance !== after.from || toBalance !== after.to)
      this.find(
        `The balances after the transfer ${id} at position ${position} are not what the journal adds up to.`,
      );
    return after;
  }

  /** Adds an amount to the balances, as a transfer without a position does. */
  move(fromAccount: string, toAccount: string, amount: bigint): { from: bigint; to: bigint } {
    const from = (this.#balances.get(fromAccount) ?? 0n) - amount;
    const to = (this.#balances.get(toAccount) ?? 0n) + amount;
    this.#balances.set(fromAccount, from);
    this.#balances.set(toAccount, to);
    return { from, to };
  }

  checkAccount({ id, currency, balance, held, reserved }: AuditedAccount): void {
    this.#accounts += 1;
    this.#sums.set(currency, (this.#sums.get(currency) ?? 0n) + balance);
    const expected = this.#balances.get(id) ?? 0n;
    if (balance !== expected)
      this.find(
        `The account ${id} has a balance of ${balance} and the journal adds up to ${expected} minor units.`,
      );
    if (held !== reserved)
      this.find(`The account ${id} has ${held} held and its holds add up to ${reserved} minor units.`);
  }

  /** Ends the accounts: those of a currency add up to zero. */
  checkSums(): void {
    for (const [currency, sum] of this.#sums)
      if (sum !== 0n) this.find(`The accounts in ${currency} add up to ${sum} minor units instead of zero.`);
  }

  /** `waiting` is the number of transfers that have no position yet. */
  report(waiting = 0): JournalReport {
    return {
      transfers: this.count + waiting,
      accounts: this.#accounts,
      head: this.#head,
      findings: this.#findings,
    };
  }
}
