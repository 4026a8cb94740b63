// The combinations of the values of several fields for each document of a batch: all values of the first with all of the second,
// and so on. Fields are joined one after the other; a combination of the fields so far has a number.

import type { Key64 } from '../../mapping/types/type.ts';
import type { Steps } from '../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, LeafMatches } from '../collect/aggregator.ts';
import { BucketNumbers } from '../collect/bucket-numbers.ts';
import { BucketTable, grown } from '../collect/bucket-table.ts';
import type { AggregationContext } from '../collect/context.ts';
import type { OrdinalCounts, OrdinalRowSource, OrdinalRows } from '../collect/ordinal-rows.ts';

/** One field of a combination. */
class ProductField {
  readonly source: OrdinalRowSource;
  /** The keys of the field; a number of the table stands for a value. */
  readonly keys: BucketTable;
  /** Pairs of a combination of the fields before and a value; those of the first field are its values. */
  readonly pairs: BucketTable;
  readonly #values = new BucketNumbers();
  readonly #combinations = new BucketNumbers();
  #zeros = new Uint32Array(0);

  constructor(source: OrdinalRowSource, context: AggregationContext) {
    this.source = source;
    this.keys = new BucketTable(context);
    this.pairs = new BucketTable(context);
  }

  enter(leaf: AggregationLeaf): void {
    this.source.enter(leaf);
    if (!this.source.isGlobal) this.#values.clear();
  }

  /** The number of the value of an ordinal. */
  readonly valueOf = (_: number, ordinal: number): number => {
    const { hi, lo } = this.source.keyOf(ordinal);
    return this.keys.add(0, hi, lo);
  };

  readonly #pair = (before: number, value: number): number =>
    this.#combinations.isComplete ? this.pairs.append(before, 0, value) : this.pairs.add(before, 0, value);

  /** The values of rows. */
  values({ ordinals, count }: OrdinalRows): Uint32Array {
    if (this.#zeros.length < count) this.#zeros = new Uint32Array(ordinals.length);
    return this.#values.of({ buckets: this.#zeros, ordinals, count }, this.source.width, this.valueOf);
  }

  /** The numbers of pairs. */
  combinations(before: Uint32Array, values: Uint32Array, count: number): Uint32Array {
    const rows = { buckets: before, ordinals: values, count };
    return this.#combinations.of(rows, this.keys.count, this.#pair);
  }
}

/** Numbers combinations of values. */
export class RowProduct {
  readonly #fields: readonly ProductField[];
  readonly #joined: { docs: Uint32Array; buckets: Uint32Array; before: Uint32Array; values: Uint32Array };
  readonly #rows: { docs: Uint32Array; buckets: Uint32Array; ordinals: Uint32Array; count: number };

  constructor(sources: readonly OrdinalRowSource[], context: AggregationContext) {
    this.#fields = sources.map((source) => new ProductField(source, context));
    const array = (): Uint32Array => new Uint32Array(0);
    this.#joined = { docs: array(), buckets: array(), before: array(), values: array() };
    this.#rows = { docs: array(), buckets: array(), ordinals: array(), count: 0 };
  }

  *prepare(): Steps<void> {
    for (const { source } of this.#fields) if (source.prepare !== undefined) yield* source.prepare();
  }

  enter(leaf: AggregationLeaf): void {
    for (const field of this.#fields) field.enter(leaf);
  }

  /** Above the numbers of all combinations. */
  get width(): number {
    const last = this.#fields.at(-1)!;
    return this.#fields.length === 1 ? last.keys.count : last.pairs.count;
  }

  /** Rows of document, bucket and combination. Documents without one of the values have none. Valid until the next call. */
  rows(batch: AggregationBatch): OrdinalRows {
    const [first, ...others] = this.#fields;
    const start = first!.source.rows(batch);
    let rows: OrdinalRows = { ...start, ordinals: first!.values(start) };
    for (const field of others) rows = this.#join(batch, rows, field);
    return rows;
  }

  /** Counts all live documents of the leaf by combination; undefined where that takes a look at each. */
  *countLeaf(leaf: AggregationLeaf, matches: LeafMatches): Steps<OrdinalCounts | undefined> {
    const [field] = this.#fields;
    if (this.#fields.length > 1) return undefined;
    const found = yield* field!.source.countLeaf(leaf, matches);
    if (found === undefined) return undefined;
    const { counts, ordinals } = found;
    const values = Uint32Array.from(counts, (docs, i) =>
      docs === 0 ? 0 : field!.valueOf(0, ordinals === undefined ? i : ordinals[i]!),
    );
    return { counts, ordinals: values };
  }

  /** Joins the rows so far with those of one more field: both are in the order of the batch. */
  #join(batch: AggregationBatch, left: OrdinalRows, field: ProductField): OrdinalRows {
    const { docs, buckets, count } = batch;
    const right = field.source.rows(batch);
    const values = field.values(right);
    // Every document has one value of each.
    if (left.docs === docs && right.docs === docs)
      return { docs, buckets, ordinals: field.combinations(left.ordinals, values, count), count };
    const to = this.#joined;
    let [n, a, b] = [0, 0, 0];
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      const bucket = buckets[i]!;
      const from = b;
      while (b < right.count && right.docs[b] === doc && right.buckets[b] === bucket) b++;
      for (; a < left.count && left.docs[a] === doc && left.buckets[a] === bucket; a++) {
        for (let at = from; at < b; at++) {
          if (n === to.docs.length) this.#grow();
          to.docs[n] = doc;
          to.buckets[n] = bucket;
          to.before[n] = left.ordinals[a]!;
          to.values[n++] = values[at]!;
        }
      }
    }
    return this.#keep(to, field.combinations(to.before, to.values, n), n);
  }

  #grow(): void {
    const to = this.#joined;
    const length = Math.max(4_096, to.docs.length * 2);
    to.docs = grown(to.docs, length);
    to.buckets = grown(to.buckets, length);
    to.before = grown(to.before, length);
    to.values = grown(to.values, length);
  }

  #keep(
    { docs, buckets }: { docs: Uint32Array; buckets: Uint32Array },
    numbers: Uint32Array,
    count: number,
  ): OrdinalRows {
    const rows = this.#rows;
    if (rows.docs.length < count) {
      rows.docs = new Uint32Array(count * 2);
      rows.buckets = new Uint32Array(count * 2);
      rows.ordinals = new Uint32Array(count * 2);
    }
    rows.docs.set(docs.subarray(0, count));
    rows.buckets.set(buckets.subarray(0, count));
    rows.ordinals.set(numbers.subarray(0, count));
    rows.count = count;
    return rows;
  }

  /** The 64-bit keys of a combination, one for each field. */
  keysOf(combination: number): Key64[] {
    return this.#fields.map(({ keys }, field) => {
      const value = this.#valueIn(field, combination);
      return { hi: keys.hi[value]!, lo: keys.lo[value]! };
    });
  }

  /** Negative, 0 or positive as the value of one field in a combination comes before, with or after another's. */
  compareField(field: number, a: number, b: number): number {
    const x = this.#valueIn(field, a);
    const y = this.#valueIn(field, b);
    const { hi, lo } = this.#fields[field]!.keys;
    return hi[x] === hi[y] ? (lo[x]! < lo[y]! ? -1 : x === y ? 0 : 1) : hi[x]! < hi[y]! ? -1 : 1;
  }

  /** The number of the value of a field in a combination. */
  #valueIn(field: number, combination: number): number {
    let left = combination;
    for (let at = this.#fields.length - 1; at > field; at--) left = this.#fields[at]!.pairs.parents[left]!;
    return field === 0 ? left : this.#fields[field]!.pairs.lo[left]!;
  }
}
