// How does a block come to be? Transfers are added to its columns one by one, or many at once as columns of their own.

import { Buffer } from 'node:buffer';
import { UUID_BYTES, uuidBytes } from '../../ids/uuid.ts';
import type { MovedColumns } from '../columns/columns.ts';
import type { Account } from '../model/account.ts';
import type { Transfer } from '../model/transfer.ts';
import { ACCOUNT_HEAD, BLOCK_HEAD, BLOCK_VERSION, columnsOf, MOST_IN_BLOCK } from './block.ts';

const WORD = 8;

/** A block that is being written. Used again for the next one. */
export class BlockWriter {
  count = 0;
  readonly #ids = new Uint8Array(MOST_IN_BLOCK * UUID_BYTES);
  readonly #words = new Uint8Array(MOST_IN_BLOCK * WORD * 3);
  readonly #view = new DataView(this.#words.buffer);
  readonly #sides = new Uint32Array(MOST_IN_BLOCK * 2);
  /** Where each account stands, by its id. */
  readonly #places = new Map<string, number>();
  #accounts: Account[] = [];
  #accountBytes = 0;

  get isFull(): boolean {
    return this.count === MOST_IN_BLOCK;
  }

  /** Adds a plain transfer. REQUIRES: it is not full. */
  add(from: Account, to: Account, { id, amount, fromBalance, toBalance }: Transfer): void {
    const at = this.count++;
    this.#ids.set(uuidBytes(id), at * UUID_BYTES);
    this.#view.setBigInt64(at * WORD, amount, true);
    this.#view.setBigInt64((MOST_IN_BLOCK + at) * WORD, fromBalance, true);
    this.#view.setBigInt64((2 * MOST_IN_BLOCK + at) * WORD, toBalance, true);
    this.#sides[at] = this.#place(from);
    this.#sides[MOST_IN_BLOCK + at] = this.#place(to);
  }

  /**
   * Adds `count` transfers that lie in columns from `at` on. `sides` has the accounts of each, `from` and `to` in turn, by
   * numbers of the caller. REQUIRES: there is room.
   */
  addMany(
    { ids, words, length }: MovedColumns,
    sides: Uint32Array,
    accountAt: (number: number) => Account,
    at: number,
    count: number,
  ): void {
    const start = this.count;
    this.#ids.set(ids.subarray(at * UUID_BYTES, (at + count) * UUID_BYTES), start * UUID_BYTES);
    for (let column = 0; column < 3; column++) {
      const from = (column * length + at) * WORD;
      this.#words.set(words.subarray(from, from + count * WORD), (column * MOST_IN_BLOCK + start) * WORD);
    }
    const places: number[] = [];
    const placeOf = (number: number): number => (places[number] ??= this.#place(accountAt(number)));
    for (let i = 0; i < count; i++) {
      this.#sides[start + i] = placeOf(sides[2 * (at + i)]!);
      this.#sides[MOST_IN_BLOCK + start + i] = placeOf(sides[2 * (at + i) + 1]!);
    }
    this.count += count;
  }

  /** Where an account stands in this block. */
  #place(account: Account): number {
    let place = this.#places.get(account.id);
    if (place === undefined) {
      place = this.#accounts.length;
      this.#places.set(account.id, place);
      this.#accounts.push(account);
      this.#accountBytes += ACCOUNT_HEAD + Buffer.byteLength(account.id);
    }
    return place;
  }

  /** The id of the first transfer. */
  firstId(): Uint8Array {
    return this.#ids.slice(0, UUID_BYTES);
  }

  /** The block as it is kept. */
  bytes(first: bigint, time: number): Buffer {
    const n = this.count;
    const at = columnsOf(n);
    const bytes = Buffer.allocUnsafeSlow(at.accounts + this.#accountBytes);
    bytes.fill(0, 0, BLOCK_HEAD);
    bytes.writeUInt8(BLOCK_VERSION, 0);
    bytes.writeUInt32LE(n, 4);
    bytes.writeBigUInt64LE(BigInt(time), 8);
    bytes.writeBigUInt64LE(first, 16);
    bytes.writeUInt32LE(this.#accounts.length, 24);
    bytes.set(this.#ids.subarray(0, n * UUID_BYTES), BLOCK_HEAD);
    for (const [column, to] of [at.amounts, at.fromBalances, at.toBalances].entries()) {
      const from = column * MOST_IN_BLOCK * WORD;
      bytes.set(this.#words.subarray(from, from + n * WORD), to);
    }
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < n; i++) {
      view.setUint32(at.from + i * 4, this.#sides[i]!, true);
      view.setUint32(at.to + i * 4, this.#sides[MOST_IN_BLOCK + i]!, true);
    }
    let next = at.accounts;
    for (const { number, id, currency } of this.#accounts) {
      bytes.writeBigUInt64LE(number, next);
      bytes.write(currency, next + WORD + 2, 3, 'latin1');
      const length = bytes.write(id, next + ACCOUNT_HEAD);
      bytes.writeUInt16LE(length, next + WORD);
      next += ACCOUNT_HEAD + length;
    }
    return bytes;
  }

  clear(): void {
    this.count = 0;
    this.#places.clear();
    this.#accounts = [];
    this.#accountBytes = 0;
  }
}
