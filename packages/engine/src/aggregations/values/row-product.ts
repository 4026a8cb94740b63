// The combinations of the values of several fields for each document of a batch: all values of the first with all
// of the second, and so on. A combination is numbered through hash tables, one for each field behind the first.

import type { Steps } from '../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf } from '../collect/aggregator.ts';
import { BucketTable } from '../collect/bucket-table.ts';
import type { AggregationContext } from '../collect/context.ts';

/** Rows of document, bucket and a 64-bit key. */
export interface ProductRows {
  readonly docs: Uint32Array;
  readonly buckets: Uint32Array;
  readonly hi: Uint32Array;
  readonly lo: Uint32Array;
  readonly count: number;
}

/** One field of a combination. */
export interface ProductSource {
  prepare?(): Steps<void>;
  enter(leaf: AggregationLeaf): void;
  rows(batch: AggregationBatch): ProductRows;
}

/** Numbers combinations of values. */
export class RowProduct {
  readonly #sources: readonly ProductSource[];
  /** The keys of each field; a bucket of the table is a value. */
  readonly #keys: readonly BucketTable[];
  /** Pairs of a combination of the fields before, and a value. */
  readonly #pairs: readonly BucketTable[];
  /** Whether equal values of a document count each. */
  readonly #countsEqual: boolean;
  readonly #at: Uint32Array;
  readonly #ends: Uint32Array;

  constructor(sources: readonly ProductSource[], context: AggregationContext, countsEqual: boolean = false) {
    this.#countsEqual = countsEqual;
    this.#sources = sources;
    this.#keys = sources.map(() => new BucketTable(context));
    this.#pairs = sources.map(() => new BucketTable(context));
    this.#at = new Uint32Array(sources.length);
    this.#ends = new Uint32Array(sources.length);
  }

  *prepare(): Steps<void> {
    for (const source of this.#sources) if (source.prepare !== undefined) yield* source.prepare();
  }

  enter(leaf: AggregationLeaf): void {
    for (const source of this.#sources) source.enter(leaf);
  }

  /** Calls `add` with document, bucket and number of each combination. Documents without one of the values have none. */
  collect(batch: AggregationBatch, add: (doc: number, bucket: number, combination: number) => void): void {
    const { docs, buckets, count } = batch;
    const rows = this.#sources.map((source) => source.rows(batch));
    const at = this.#at.fill(0);
    const ends = this.#ends;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      const bucket = buckets[i]!;
      let isWhole = true;
      for (let f = 0; f < rows.length; f++) {
        const own = rows[f]!;
        let end = at[f]!;
        while (end < own.count && own.docs[end] === doc && own.buckets[end] === bucket) end++;
        ends[f] = end;
        if (end === at[f]) isWhole = false;
      }
      if (isWhole) this.#combine(rows, 0, 0, (combination) => add(doc, bucket, combination));
      at.set(ends);
    }
  }

  #combine(
    rows: readonly ProductRows[],
    field: number,
    before: number,
    add: (combination: number) => void,
  ): void {
    const own = rows[field]!;
    for (let row = this.#at[field]!; row < this.#ends[field]!; row++) {
      const [hi, lo] = [own.hi[row]!, own.lo[row]!];
      // Equal values of a document follow each other.
      if (!this.#countsEqual && row > this.#at[field]! && hi === own.hi[row - 1] && lo === own.lo[row - 1])
        continue;
      const value = this.#keys[field]!.add(0, hi, lo);
      const combination = field === 0 ? value : this.#pairs[field]!.add(0, before, value);
      if (field === rows.length - 1) add(combination);
      else this.#combine(rows, field + 1, combination, add);
    }
  }

  /** The 64-bit keys of a combination, one for each field. */
  keysOf(combination: number): { hi: number; lo: number }[] {
    const found: { hi: number; lo: number }[] = [];
    let left = combination;
    for (let field = this.#sources.length - 1; field >= 0; field--) {
      const pairs = this.#pairs[field]!;
      const value = field === 0 ? left : pairs.lo[left]!;
      const keys = this.#keys[field]!;
      found[field] = { hi: keys.hi[value]!, lo: keys.lo[value]! };
      if (field > 0) left = pairs.hi[left]!;
    }
    return found;
  }

  /** Negative, 0 or positive as the value of one field in a combination comes before, with or after another's. */
  compareField(field: number, a: number, b: number): number {
    const x = this.#keysAt(field, a);
    const y = this.#keysAt(field, b);
    const { hi, lo } = this.#keys[field]!;
    return hi[x] === hi[y] ? (lo[x]! < lo[y]! ? -1 : x === y ? 0 : 1) : hi[x]! < hi[y]! ? -1 : 1;
  }

  /** The number of the value of a field in a combination. */
  #keysAt(field: number, combination: number): number {
    let left = combination;
    for (let at = this.#sources.length - 1; at > field; at--) left = this.#pairs[at]!.hi[left]!;
    return field === 0 ? left : this.#pairs[field]!.lo[left]!;
  }
}
