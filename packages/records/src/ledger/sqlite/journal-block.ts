// The format of a block of the journal: the plain transfers of a group as columns in one blob, since a row for each would cost
// more than everything else of it. A block needs no other table to be read.
//
//   0   u8      1, the version of this layout; three bytes of zero
//   4   u32     n, the number of transfers
//   8   u64     their time, ms since 1970
//   16  u64     the position of the first; the others follow it without gaps
//   24  u32     a, the number of accounts; four bytes of zero
//   32  16 n    ids, 16 bytes each, rising
//       i64 n   amounts in minor units
//       i64 n   balances of `from` after it
//       i64 n   balances of `to` after it
//       u32 n   `from`, as a place among the accounts
//       u32 n   `to`
//       a       accounts: u64 number, u16 length of the id in bytes, currency as three letters, the id in UTF-8
//
// Numbers are little-endian. Transfers with a reference, an external id, a hold or a kind of their own are rows of
// `transfer`, with the positions between those of the blocks; journal-reader.ts reads both.

import { Buffer } from 'node:buffer';
import { UUID_BYTES, uuidText } from '../../ids/uuid.ts';
import type { Transfer } from '../model/transfer.ts';

/** Transfers of a block at most: reading one of them reads the whole block. */
export const MOST_IN_BLOCK = 1_024;

export const BLOCK_VERSION = 1;
export const BLOCK_HEAD = 32;
const WORD = 8;
const PLACE = 4;
/** Bytes of an account before its id. */
export const ACCOUNT_HEAD = 13;

/** A row of `journal_block`. */
export interface BlockRow {
  readonly position: bigint;
  readonly count: bigint;
  readonly first_id: Uint8Array;
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
}

export interface BlockAccount {
  readonly number: bigint;
  readonly id: string;
  readonly currency: string;
}

/** The offsets of the columns of `n` transfers. */
export function columnOffsets(n: number): {
  readonly amounts: number;
  readonly fromBalances: number;
  readonly toBalances: number;
  readonly from: number;
  readonly to: number;
  readonly accounts: number;
} {
  const amounts = BLOCK_HEAD + n * UUID_BYTES;
  const fromBalances = amounts + n * WORD;
  const toBalances = fromBalances + n * WORD;
  const from = toBalances + n * WORD;
  const to = from + n * PLACE;
  return { amounts, fromBalances, toBalances, from, to, accounts: to + n * PLACE };
}

/** A block that is read in place. Places are counted from 0. */
export class JournalBlock {
  readonly first: bigint;
  readonly count: number;
  readonly time: number;
  readonly accounts: readonly BlockAccount[];
  readonly #view: DataView;
  readonly #at: ReturnType<typeof columnOffsets>;

  /** Throws a RangeError for bytes that are no block. */
  constructor(bytes: Uint8Array) {
    // The table may have been changed by other means.
    if (!(bytes instanceof Uint8Array)) throw new RangeError('a block of the journal is no bytes');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (view.getUint8(0) !== BLOCK_VERSION)
      throw new RangeError(`the journal has a block of version ${view.getUint8(0)}`);
    this.#view = view;
    this.count = view.getUint32(4, true);
    this.time = Number(view.getBigUint64(8, true));
    this.first = view.getBigUint64(16, true);
    this.#at = columnOffsets(this.count);
    this.accounts = accountsOf(view, this.#at.accounts, view.getUint32(24, true));
  }

  /** The position behind its last transfer. */
  get end(): bigint {
    return this.first + BigInt(this.count);
  }

  id(place: number): string {
    return uuidText(this.#view, BLOCK_HEAD + place * UUID_BYTES);
  }

  amount(place: number): bigint {
    return this.#view.getBigInt64(this.#at.amounts + place * WORD, true);
  }

  fromBalance(place: number): bigint {
    return this.#view.getBigInt64(this.#at.fromBalances + place * WORD, true);
  }

  toBalance(place: number): bigint {
    return this.#view.getBigInt64(this.#at.toBalances + place * WORD, true);
  }

  /** The accounts of a transfer as places among `accounts`. */
  from(place: number): number {
    return this.#view.getUint32(this.#at.from + place * PLACE, true);
  }

  to(place: number): number {
    return this.#view.getUint32(this.#at.to + place * PLACE, true);
  }

  transfer(place: number): Transfer {
    const from = this.#account(this.from(place));
    return {
      position: this.first + BigInt(place),
      id: this.id(place),
      kind: 'transfer',
      from: from.id,
      to: this.#account(this.to(place)).id,
      currency: from.currency,
      amount: this.amount(place),
      fromBalance: this.fromBalance(place),
      toBalance: this.toBalance(place),
      reference: null,
      externalId: null,
      hold: null,
      reverses: null,
      time: this.time,
    };
  }

  #account(at: number): BlockAccount {
    const account = this.accounts[at];
    if (account === undefined) throw new RangeError(`the block at ${this.first} lacks an account`);
    return account;
  }

  /** The number of its ids below `id`. O(log count). */
  below(id: string): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.id(middle) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function accountsOf(view: DataView, start: number, count: number): BlockAccount[] {
  const text = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  const accounts: BlockAccount[] = [];
  for (let at = start; accounts.length < count; ) {
    const length = view.getUint16(at + WORD, true);
    const id = at + ACCOUNT_HEAD;
    accounts.push({
      number: view.getBigUint64(at, true),
      currency: text.toString('latin1', at + WORD + 2, id),
      id: text.toString('utf8', id, id + length),
    });
    at = id + length;
  }
  return accounts;
}
