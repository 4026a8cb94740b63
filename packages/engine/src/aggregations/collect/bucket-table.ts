// Numbers buckets in the order in which they are first seen: a hash table from (bucket above, 64-bit key) to
// a number (open addressing, at most half full), with the count of documents of each.

import { NO_NUMBER } from './bucket-numbers.ts';
import type { AggregationContext } from './context.ts';
import type { CountedRows } from './counted-level.ts';
import type { OrdinalCounts } from './ordinal-rows.ts';

const FIRST_SIZE = 64;
/** Bytes of a bucket: its keys, count, and two slots. */
const ROW_BYTES = 24;

/** The buckets of one aggregation. */
export class BucketTable {
  count = 0;
  /** By number. */
  parents: Uint32Array = new Uint32Array(FIRST_SIZE);
  hi: Uint32Array = new Uint32Array(FIRST_SIZE);
  lo: Uint32Array = new Uint32Array(FIRST_SIZE);
  docCounts: Uint32Array = new Uint32Array(FIRST_SIZE);
  #slots = new Uint32Array(FIRST_SIZE * 2);
  /** The bucket of the last call of `add`: keys that ascend in one leaf often do so in the next. */
  #last = -1;
  /** Buckets that have a slot. */
  #hashed = 0;
  readonly #context: Pick<AggregationContext, 'claimBytes'>;
  #starts: Uint32Array | undefined;
  #members: Uint32Array | undefined;

  constructor(context: Pick<AggregationContext, 'claimBytes'>) {
    this.#context = context;
  }

  /** The number of a bucket, which is new where the key was not seen before. */
  add(parent: number, hi: number, lo: number): number {
    const next = this.#last + 1;
    if (next < this.count && this.lo[next] === lo && this.hi[next] === hi && this.parents[next] === parent)
      return (this.#last = next);
    return (this.#last = this.#lookUp(parent, hi, lo));
  }

  #lookUp(parent: number, hi: number, lo: number): number {
    if (this.#hashed < this.count) this.#rehash();
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash(parent, hi, lo) & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot]! - 1;
      if (number < 0) {
        const added = this.append(parent, hi, lo);
        if (slots.length < this.count * 2) this.#rehash();
        else {
          slots[slot] = added + 1;
          this.#hashed = this.count;
        }
        return added;
      }
      if (this.lo[number] === lo && this.hi[number] === hi && this.parents[number] === parent) return number;
    }
  }

  /** Adds the documents of a leaf; `numberOf` makes the buckets of ordinals that have any. The numbers, by place in `counts`. */
  countLeaf(
    { counts, ordinals }: OrdinalCounts,
    numberOf: (parent: number, ordinal: number) => number,
  ): Uint32Array {
    const numbers = new Uint32Array(counts.length).fill(NO_NUMBER);
    for (let i = 0; i < counts.length; i++) {
      if (counts[i] === 0) continue;
      const number = numberOf(0, ordinals === undefined ? i : ordinals[i]!);
      numbers[i] = number;
      if (number !== NO_NUMBER) this.docCounts[number]! += counts[i]!;
    }
    return numbers;
  }

  /** Adds documents to buckets. */
  addCounts(numbers: Uint32Array, { docs, count }: Pick<CountedRows, 'docs' | 'count'>): void {
    const { docCounts } = this;
    for (let i = 0; i < count; i++) if (numbers[i] !== NO_NUMBER) docCounts[numbers[i]!]! += docs[i]!;
  }

  /** The number of a bucket, or -1. */
  find(parent: number, hi: number, lo: number): number {
    if (this.#hashed < this.count) this.#rehash();
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash(parent, hi, lo) & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot]! - 1;
      if (number < 0) return -1;
      if (this.lo[number] === lo && this.hi[number] === hi && this.parents[number] === parent) return number;
    }
  }

  /** The buckets of a bucket above, in the order in which they were seen. */
  membersOf(parent: number): Uint32Array {
    if (parent < 0) return new Uint32Array(0);
    this.#group();
    const starts = this.#starts!;
    return parent + 1 < starts.length
      ? this.#members!.subarray(starts[parent], starts[parent + 1])
      : new Uint32Array(0);
  }

  /** Sorts the buckets by the bucket above, once. */
  #group(): void {
    if (this.#members?.length === this.count) return;
    let highest = -1;
    for (let i = 0; i < this.count; i++) if (this.parents[i]! > highest) highest = this.parents[i]!;
    const starts = new Uint32Array(highest + 2);
    for (let i = 0; i < this.count; i++) starts[this.parents[i]! + 1]!++;
    for (let p = 0; p <= highest; p++) starts[p + 1]! += starts[p]!;
    const members = new Uint32Array(this.count);
    const at = starts.slice();
    for (let i = 0; i < this.count; i++) members[at[this.parents[i]!]!++] = i;
    this.#starts = starts;
    this.#members = members;
  }

  /** The number of a new bucket. It gets its slot when one is looked up. REQUIRES: the key was not seen before. */
  append(parent: number, hi: number, lo: number): number {
    const number = this.count;
    if (number === this.parents.length) this.#grow();
    this.parents[number] = parent;
    this.hi[number] = hi;
    this.lo[number] = lo;
    this.count++;
    return number;
  }

  #grow(): void {
    const { length } = this.parents;
    this.#context.claimBytes(length * ROW_BYTES);
    this.parents = grown(this.parents, length * 2);
    this.hi = grown(this.hi, length * 2);
    this.lo = grown(this.lo, length * 2);
    this.docCounts = grown(this.docCounts, length * 2);
  }

  #rehash(): void {
    let { length } = this.#slots;
    while (length < this.count * 2) length *= 2;
    const slots = new Uint32Array(length);
    const mask = slots.length - 1;
    for (let number = 0; number < this.count; number++) {
      let slot = hash(this.parents[number]!, this.hi[number]!, this.lo[number]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
    this.#hashed = this.count;
  }
}

/** A longer array with the same beginning. */
export function grown<A extends Uint32Array | Float64Array>(array: A, length: number): A {
  const out = (array instanceof Float64Array
    ? new Float64Array(length)
    : new Uint32Array(length)) as unknown as A;
  out.set(array);
  return out;
}

function hash(parent: number, hi: number, lo: number): number {
  let h = Math.imul(lo, 0x9e3779b1) ^ Math.imul(hi, 0x85ebca6b) ^ Math.imul(parent, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return h ^ (h >>> 13);
}
