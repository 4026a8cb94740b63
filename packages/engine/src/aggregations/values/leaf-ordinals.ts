// The buckets of the values of one leaf as small numbers, in the order in which they are first seen: what rounding a value and
// looking up its key come to. Filled for sixteen documents at a time when one of them is asked for.
//
//   key           the leaf by uid, the field, and the rounding
//   bound         MOST_BYTES and MOST_KEPT over all leaves, the longest unused go; those of the running search stay with it
//   invalidation  none: the values of a leaf never change
//   benefit       hourly counts of 180,000 documents: 18 ms without, 1 ms with

import type { NumericColumn } from '../../segment/leaf.ts';
import { BucketTable } from '../collect/bucket-table.ts';

const MOST_BYTES = 64 * 1024 * 1024;
/** The leaves of a tail are small, many, and soon gone. */
const MOST_KEPT = 512;
const FIRST_WIDE = 65_536;
/** Bytes of a key in its table. */
const KEY_BYTES = 24;
const UNBOUND = { claimBytes: (): void => {} };

/** Writes the key of the value at a place of the column. */
export type KeyAt = (place: number, add: (hi: number, lo: number) => number) => number;

let made = 0;

/** The ordinals of one leaf. */
export class LeafOrdinals {
  /** Unique to this object: after an eviction, a new one may number the same values in another order. */
  readonly identity: string = `ordinals ${made++}`;
  readonly #keys = new BucketTable(UNBOUND);
  readonly #starts: Uint32Array | undefined;
  readonly #docCount: number;
  /** By place of the value in the column. */
  #ordinals: Uint16Array | Uint32Array;
  /** A bit for each sixteen documents. */
  readonly #filled: Uint32Array;
  #unfilled: number;
  readonly #add = (hi: number, lo: number): number => this.#keys.add(0, hi, lo);

  constructor({ starts, hi }: NumericColumn, docCount: number) {
    this.#starts = starts;
    this.#docCount = docCount;
    this.#ordinals = new Uint16Array(starts === undefined ? docCount : hi.length);
    this.#filled = new Uint32Array((docCount + 511) >>> 9);
    this.#unfilled = (docCount + 15) >>> 4;
  }

  /** Keys by ordinal. */
  get hi(): Uint32Array {
    return this.#keys.hi;
  }

  get lo(): Uint32Array {
    return this.#keys.lo;
  }

  /** Ordinals that have been given out. */
  get count(): number {
    return this.#keys.count;
  }

  get bytes(): number {
    return this.#ordinals.byteLength + this.#filled.byteLength + this.#keys.count * KEY_BYTES;
  }

  /** The ordinal of a key that need not be a value of the leaf. */
  ordinalOf(hi: number, lo: number): number {
    return this.#keys.add(0, hi, lo);
  }

  /** The ordinals of the column by place, valid for some documents. */
  of(docs: Uint32Array, count: number, column: NumericColumn, keyAt: KeyAt): Uint16Array | Uint32Array {
    if (this.#unfilled === 0) return this.#ordinals;
    const filled = this.#filled;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (((filled[doc >>> 9]! >>> ((doc >>> 4) & 31)) & 1) === 0) this.#fill(doc & ~15, column, keyAt);
    }
    return this.#ordinals;
  }

  /** The ordinals of the column by place, valid for the documents of some words of a bitmap. */
  within(
    bits: Uint32Array,
    from: number,
    to: number,
    column: NumericColumn,
    keyAt: KeyAt,
  ): Uint16Array | Uint32Array {
    if (this.#unfilled === 0) return this.#ordinals;
    const filled = this.#filled;
    for (let w = from; w < to; w++) {
      const word = bits[w]!;
      // A word has the documents of two bits of `filled`.
      const left = ~(filled[w >>> 4]! >>> ((w & 15) << 1)) & 3;
      if (word === 0 || left === 0) continue;
      if ((left & 1) !== 0 && (word & 0xffff) !== 0) this.#fill(w << 5, column, keyAt);
      if ((left & 2) !== 0 && word >>> 16 !== 0) this.#fill((w << 5) + 16, column, keyAt);
    }
    return this.#ordinals;
  }

  #fill(first: number, { present }: NumericColumn, keyAt: KeyAt): void {
    const starts = this.#starts;
    const end = Math.min(first + 16, this.#docCount);
    for (let doc = first; doc < end; doc++) {
      if (((present[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
      const from = starts === undefined ? doc : starts[doc]!;
      const to = starts === undefined ? doc + 1 : starts[doc + 1]!;
      for (let place = from; place < to; place++) {
        const ordinal = keyAt(place, this.#add);
        if (ordinal >= FIRST_WIDE && this.#ordinals instanceof Uint16Array)
          this.#ordinals = Uint32Array.from(this.#ordinals);
        this.#ordinals[place] = ordinal;
      }
    }
    this.#filled[first >>> 9]! |= 1 << ((first >>> 4) & 31);
    this.#unfilled--;
  }
}

const memo = new Map<string, LeafOrdinals>();

/** The ordinals of a leaf that are kept under a key, or new ones. */
export function leafOrdinals(key: string, column: NumericColumn, docCount: number): LeafOrdinals {
  const known = memo.get(key);
  if (known !== undefined) {
    memo.delete(key);
    memo.set(key, known);
    return known;
  }
  const ordinals = new LeafOrdinals(column, docCount);
  memo.set(key, ordinals);
  let bytes = 0;
  for (const each of memo.values()) bytes += each.bytes;
  for (const [old, each] of memo) {
    if ((bytes <= MOST_BYTES && memo.size <= MOST_KEPT) || old === key) break;
    memo.delete(old);
    bytes -= each.bytes;
  }
  return ordinals;
}
