// The numeric values of a field as rows of document, bucket and ordinal, where an ordinal stands for all values that are rounded to
// the same key.

import { doubleKey } from '../../mapping/types/sortable-key.ts';
import type { Key64 } from '../../mapping/types/type.ts';
import type { Steps } from '../../query/steps.ts';
import {
  type AggregationBatch,
  type AggregationLeaf,
  BATCH_DOCS,
  type LeafMatches,
} from '../collect/aggregator.ts';
import { BucketTable, grown } from '../collect/bucket-table.ts';
import type { CountedSource, PlacedOrdinals } from '../collect/counted-level.ts';
import type { OrdinalCounts, OrdinalRowSource, OrdinalRows } from '../collect/ordinal-rows.ts';
import { hasOneValueEach } from './full-columns.ts';
import { countLeaf } from './leaf-counts.ts';
import { type KeyAt, type LeafOrdinals, leafOrdinals } from './leaf-ordinals.ts';
import type { NumericSource } from './numeric-source.ts';

/** How values become keys. */
export interface ValueRounding {
  /** Two roundings with the same identity are the same. */
  readonly identity: string;
  /** Values are their own keys without it. Keys are doubles then, unless `isWhole`. */
  readonly floor?: (value: number) => number;
  readonly isWhole?: boolean;
  /** Whether equal ordinals of a document are a row each, and not one for all. */
  readonly repeats?: boolean;
}

/** The rounded values of one field. */
export class RoundedSource implements OrdinalRowSource, CountedSource {
  readonly isGlobal = false;
  readonly source: NumericSource;
  readonly #rounding: ValueRounding;
  readonly #keyAt: KeyAt;
  #ordinals: LeafOrdinals | undefined;
  /** Keys where the leaf has no values. */
  #missingOnly: BucketTable = new BucketTable({ claimBytes: () => {} });
  #missing = -1;
  #isFull = false;
  readonly #rows: OrdinalRows = {
    docs: new Uint32Array(BATCH_DOCS),
    buckets: new Uint32Array(BATCH_DOCS),
    ordinals: new Uint32Array(BATCH_DOCS),
    count: 0,
  };

  constructor(source: NumericSource, rounding: ValueRounding) {
    this.source = source;
    this.#rounding = rounding;
    const { floor } = rounding;
    if (floor === undefined) {
      this.#keyAt = (place, add) => {
        const { hi, lo } = source.keyAt(place);
        return add(hi, lo);
      };
      return;
    }
    let last = Number.NaN;
    let ordinal = 0;
    let lastAdd: unknown;
    this.#keyAt = (place, add) => {
      const rounded = floor(source.valueAt(place));
      if (rounded === last && add === lastAdd) return ordinal;
      const { hi, lo } = this.#keyOf(rounded);
      last = rounded;
      lastAdd = add;
      return (ordinal = add(hi, lo));
    };
  }

  /** What tells the counts of a leaf from those of other sources. */
  get identity(): string {
    const { repeats = false } = this.#rounding;
    return `${this.#ordinals?.identity} ${repeats} ${this.source.missing ?? ''}`;
  }

  /** Whether each document of the leaf has one value at most. */
  get isSingle(): boolean {
    return this.source.column?.starts === undefined;
  }

  *countLeaf(leaf: AggregationLeaf, matches: LeafMatches): Steps<OrdinalCounts | undefined> {
    const counts = yield* countLeaf(leaf, matches, this);
    return counts && { counts, ordinals: undefined };
  }

  counted(): CountedSource {
    return this;
  }

  get missingOrdinal(): number {
    return this.#missing;
  }

  placed(bits: Uint32Array, from: number, to: number): PlacedOrdinals | undefined {
    const { column } = this.source;
    if (column === undefined || this.#ordinals === undefined) return undefined;
    const { present, starts } = column;
    const { repeats = false } = this.#rounding;
    return { present, starts, repeats, ordinals: this.#ordinals.within(bits, from, to, column, this.#keyAt) };
  }

  enter(leaf: AggregationLeaf): void {
    const { source } = this;
    source.enter(leaf);
    const { column, missing } = source;
    this.#ordinals =
      column === undefined
        ? undefined
        : leafOrdinals(
            `${leaf.leaf.uid} ${source.identity} ${this.#rounding.identity}`,
            column,
            leaf.leaf.docCount,
          );
    this.#isFull = column !== undefined && hasOneValueEach(column, leaf.leaf.docCount);
    this.#missing = -1;
    if (missing === undefined) return;
    const { floor } = this.#rounding;
    const { hi, lo } = this.#keyOf(floor === undefined ? missing : floor(missing));
    this.#missing = this.#ordinals?.ordinalOf(hi, lo) ?? this.#missingOnly.add(0, hi, lo);
  }

  keyOf(ordinal: number): Key64 {
    const { hi, lo } = this.#ordinals ?? this.#missingOnly;
    return { hi: hi[ordinal]!, lo: lo[ordinal]! };
  }

  #keyOf(rounded: number): Key64 {
    const isDouble = this.#rounding.floor !== undefined && this.#rounding.isWhole !== true;
    return isDouble ? doubleKey(rounded) : this.source.keyOf(rounded);
  }

  get width(): number {
    return this.#ordinals?.count ?? this.#missingOnly.count;
  }

  rows(batch: AggregationBatch): OrdinalRows {
    const { docs, buckets, count } = batch;
    const rows = this.#rows;
    const missing = this.#missing;
    const { column } = this.source;
    rows.count = 0;
    if (column === undefined || this.#ordinals === undefined) {
      if (missing < 0) return rows;
      this.#reserve(count);
      rows.docs.set(docs.subarray(0, count));
      rows.buckets.set(buckets.subarray(0, count));
      rows.ordinals.fill(missing, 0, count);
      rows.count = count;
      return rows;
    }
    const ordinals = this.#ordinals.of(docs, count, column, this.#keyAt);
    const { present, starts } = column;
    this.#reserve(count);
    if (this.#isFull) {
      const { ordinals: to } = rows;
      for (let i = 0; i < count; i++) to[i] = ordinals[docs[i]!]!;
      return { docs, buckets, ordinals: to, count };
    }
    if (starts !== undefined) {
      this.#manyRows(batch, ordinals, starts);
      return rows;
    }
    let n = 0;
    const { docs: toDocs, buckets: toBuckets, ordinals: to } = rows;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (((present[doc >>> 5]! >>> (doc & 31)) & 1) !== 0) to[n] = ordinals[doc]!;
      else if (missing >= 0) to[n] = missing;
      else continue;
      toDocs[n] = doc;
      toBuckets[n++] = buckets[i]!;
    }
    rows.count = n;
    return rows;
  }

  #manyRows(
    { docs, buckets, count }: AggregationBatch,
    ordinals: Uint16Array | Uint32Array,
    starts: Uint32Array,
  ): void {
    const rows = this.#rows;
    const { repeats } = this.#rounding;
    let n = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      const start = starts[doc]!;
      const end = starts[doc + 1]!;
      if (n + end - start + 1 > rows.docs.length) this.#reserve((n + end - start + 1) * 2);
      if (start === end && this.#missing >= 0) {
        rows.docs[n] = doc;
        rows.buckets[n] = buckets[i]!;
        rows.ordinals[n++] = this.#missing;
      }
      for (let at = start; at < end; at++) {
        // Values of a document ascend, so those of one key follow each other.
        if (!repeats && at > start && ordinals[at] === ordinals[at - 1]) continue;
        rows.docs[n] = doc;
        rows.buckets[n] = buckets[i]!;
        rows.ordinals[n++] = ordinals[at]!;
      }
    }
    rows.count = n;
  }

  #reserve(count: number): void {
    const rows = this.#rows;
    if (rows.docs.length >= count) return;
    rows.docs = grown(rows.docs, count);
    rows.buckets = grown(rows.buckets, count);
    rows.ordinals = grown(rows.ordinals, count);
  }
}
