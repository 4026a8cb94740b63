// Writes a block of the journal: transfers are added one by one to its columns.

import { Buffer } from 'node:buffer';
import { UUID_BYTES, writeUuid } from '../../ids/uuid.ts';
import type { Account } from '../model/account.ts';
import type { Transfer } from '../model/transfer.ts';
import { ACCOUNT_HEAD, BLOCK_HEAD, BLOCK_VERSION, columnOffsets, MOST_IN_BLOCK } from './journal-block.ts';

const WORD = 8;

/** A block under construction; the instance is reused for the next one. */
export class BlockWriter {
  count = 0;
  readonly #ids = new Uint8Array(MOST_IN_BLOCK * UUID_BYTES);
  readonly #words = new Uint8Array(MOST_IN_BLOCK * WORD * 3);
  readonly #view = new DataView(this.#words.buffer);
  readonly #sides = new Uint32Array(MOST_IN_BLOCK * 2);
  /** The place of each account in the block, by its id. */
  readonly #places = new Map<string, number>();
  #accounts: Account[] = [];
  #accountBytes = 0;

  get isFull(): boolean {
    return this.count === MOST_IN_BLOCK;
  }

  /** Adds a plain transfer. REQUIRES: it is not full. */
  add(from: Account, to: Account, { id, amount, fromBalance, toBalance }: Transfer): void {
    const at = this.count++;
    writeUuid(id, this.#ids, at * UUID_BYTES);
    this.#view.setBigInt64(at * WORD, amount, true);
    this.#view.setBigInt64((MOST_IN_BLOCK + at) * WORD, fromBalance, true);
    this.#view.setBigInt64((2 * MOST_IN_BLOCK + at) * WORD, toBalance, true);
    this.#sides[at] = this.#place(from);
    this.#sides[MOST_IN_BLOCK + at] = this.#place(to);
  }

  /** The place of an account in this block; it is added at its first transfer. */
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

  /** The block as it is stored. */
  bytes(first: bigint, time: number): Buffer {
    const n = this.count;
    const at = columnOffsets(n);
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
