// The common part of histograms: each value falls into the interval that begins at its rounded value, and the
// intervals between the first and the last may be shown without documents.

import type {
  AggregationBucket,
  AggregationMembers,
  AggregationResult,
  AggregationResults,
} from '../../../api.ts';
import { doubleKey, doubleOf } from '../../../mapping/types/sortable-key.ts';
import type { Steps } from '../../../query/steps.ts';
import {
  type AggregationBatch,
  type AggregationLeaf,
  type Aggregator,
  type LeafMatches,
  NO_BUCKET,
} from '../../collect/aggregator.ts';
import { BucketNumbers, NO_NUMBER } from '../../collect/bucket-numbers.ts';
import { BucketTable } from '../../collect/bucket-table.ts';
import type { CountedLevel } from '../../collect/counted-level.ts';
import { bucketComparison } from '../../collect/order-buckets.ts';
import type { AggregationPlace } from '../../kind.ts';
import type { BucketOrder } from '../../request/bucket-order.ts';
import type { NumericSource } from '../../values/numeric-source.ts';
import { type RangeRows, RangeSource } from '../../values/range-source.ts';
import { RoundedSource } from '../../values/rounded-source.ts';
import type { ValueFormat } from '../../values/value-format.ts';
import { collectCounts } from '../collect-counts.ts';

/** Bounds of the values that are shown; infinite without one. */
export interface HistogramBounds {
  readonly min: number;
  readonly max: number;
}

/** How a histogram shows its intervals. */
export interface HistogramShape {
  readonly typeName: 'histogram' | 'date_histogram';
  readonly minDocCount: number;
  readonly keyed: boolean;
  readonly order: readonly BucketOrder[];
  /** Intervals that are shown in any case. */
  readonly extended: HistogramBounds | undefined;
  /** Intervals that are left out where they begin outside. */
  readonly hard: HistogramBounds | undefined;
}

/** Intervals of numbers. */
export interface Intervals {
  /** Two intervals with the same identity have the same keys. */
  readonly identity: string;
  /** The key of the interval of a value. */
  floor(value: number): number;
  /** The key behind a key. */
  next(key: number): number;
  /** Whether an interval begins within bounds. */
  isWithin(key: number, bounds: HistogramBounds): boolean;
}

/** Intervals of ranges between two looks at the bounds of a search. */
const CHECKED = 1_024;

/** The results inside every bucket where neither a level nor a pipeline adds any. */
const NO_RESULTS: AggregationResults = new Map();

interface ShownInterval {
  readonly key: number;
  /** NO_BUCKET for an interval without documents. */
  readonly number: number;
}

/** Collects one histogram. */
export class HistogramBuckets implements Aggregator {
  readonly #shape: HistogramShape;
  readonly #intervals: Intervals;
  /** Values, or ranges of values. */
  readonly #source: RoundedSource | RangeSource;
  readonly #format: ValueFormat;
  readonly #place: AggregationPlace;
  readonly #table: BucketTable;
  readonly #numbers = new BucketNumbers();

  constructor(
    shape: HistogramShape,
    intervals: Intervals,
    source: NumericSource | RangeSource,
    place: AggregationPlace,
  ) {
    this.#shape = shape;
    this.#intervals = intervals;
    this.#source = source instanceof RangeSource ? source : new RoundedSource(source, intervals);
    this.#format = source.format;
    this.#place = place;
    this.#table = new BucketTable(place.context);
  }

  get needsScores(): boolean {
    return this.#place.subs.needsScores;
  }

  *prepare(): Steps<void> {
    yield* this.#place.subs.prepare();
  }

  *enter(leaf: AggregationLeaf): Steps<void> {
    this.#source.enter(leaf);
    this.#numbers.clear();
    yield* this.#place.subs.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    if (this.#source instanceof RangeSource) {
      this.#collectRanges(this.#source.rows(batch));
      return;
    }
    const rows = this.#source.rows(batch);
    const numbers = this.#numbers.of(rows, this.#source.width, this.#add, this.#table);
    this.#place.subs.addAll(batch, rows, numbers, this.#numbers.hasNone);
  }

  *collectLeaf(leaf: AggregationLeaf, matches: LeafMatches): Steps<boolean> {
    if (this.#source instanceof RangeSource) return false;
    const level = { source: this.#source, table: this.#table, subs: this.#place.subs, add: this.#add };
    return yield* collectCounts(level, leaf, matches);
  }

  countedLevel(): CountedLevel | undefined {
    if (this.#source instanceof RangeSource || !this.#place.subs.isEmpty) return undefined;
    const source = this.#source;
    return {
      source,
      addCounts: (rows) => this.#table.addCounts(this.#numbers.of(rows, source.width, this.#add), rows),
    };
  }

  /** The number of the interval of an ordinal. */
  readonly #add = (parent: number, ordinal: number): number => {
    const { hi, lo } = (this.#source as RoundedSource).keyOf(ordinal);
    const { hard } = this.#shape;
    if (hard !== undefined && !this.#intervals.isWithin(doubleOf(hi, lo), hard)) return NO_NUMBER;
    return this.#table.add(parent, hi, lo);
  };

  /** Ranges fall into every interval from that of their first value to that of their last. */
  #collectRanges({ docs, buckets, values, ends, count }: RangeRows): void {
    const { subs, context } = this.#place;
    const { hard } = this.#shape;
    const { floor, next } = this.#intervals;
    const table = this.#table;
    let last = Number.NEGATIVE_INFINITY;
    let added = 0;
    for (let i = 0; i < count; i++) {
      // Ranges of a document may overlap: it counts once for each interval.
      if (i === 0 || docs[i] !== docs[i - 1] || buckets[i] !== buckets[i - 1])
        last = Number.NEGATIVE_INFINITY;
      const from = hard === undefined ? values[i]! : Math.max(values[i]!, hard.min);
      const to = hard === undefined ? ends[i]! : Math.min(ends[i]!, hard.max);
      if (from > to) continue;
      for (let key = floor(from); key <= to; ) {
        if (key > last) {
          const { hi, lo } = doubleKey(key);
          const number = table.add(buckets[i]!, hi, lo);
          table.docCounts[number]!++;
          subs.add(docs[i]!, number);
          last = key;
        }
        if (++added % CHECKED === 0) {
          context.checkBuckets(table.count);
          context.countPassed(CHECKED);
        }
        const following = next(key);
        if (!(following > key)) context.checkBuckets(Number.POSITIVE_INFINITY);
        key = following;
      }
    }
    subs.flush();
  }

  *result(bucket: number): Steps<AggregationResult> {
    const { typeName, keyed, order, minDocCount } = this.#shape;
    const { subs, meta, context } = this.#place;
    const table = this.#table;
    const seen = this.#seen(bucket);
    yield;
    let shown: ShownInterval[] = seen;
    if (minDocCount === 0) shown = yield* this.#withEmpty(seen);
    else shown = seen.filter(({ number }) => table.docCounts[number]! >= minDocCount);
    context.countBuckets(shown.length);
    const [first] = order;
    if (first!.by !== '_key' || first!.descending) {
      const compare = bucketComparison(order, subs, {
        docCount: (i) => this.#countOf(shown[i]!.number),
        compareKeys: (a, b) => shown[a]!.key - shown[b]!.key,
        numberOf: (i) => shown[i]!.number,
      });
      shown = this.#sorted(shown, compare);
    }
    const buckets: AggregationBucket[] = [];
    const hasResults = this.#place.subSpecs.length > 0;
    for (const { key, number } of shown) {
      const aggregations = hasResults ? yield* subs.results(number) : NO_RESULTS;
      buckets.push(this.#bucketOf(key, this.#countOf(number), aggregations));
      if (buckets.length % 256 === 0) yield;
    }
    return { shape: 'buckets', typeName, meta, head: {}, buckets, keyed };
  }

  /** The intervals with documents of a bucket above, ascending. */
  #seen(bucket: number): ShownInterval[] {
    const { hi, lo } = this.#table;
    const numbers = this.#table.membersOf(bucket);
    const keys = new Float64Array(numbers.length);
    for (let i = 0; i < numbers.length; i++) keys[i] = doubleOf(hi[numbers[i]!]!, lo[numbers[i]!]!);
    keys.sort();
    const seen: ShownInterval[] = [];
    for (const key of keys) {
      const words = doubleKey(key);
      seen.push({ key, number: this.#table.find(bucket, words.hi, words.lo) });
    }
    return seen;
  }

  #sorted(shown: ShownInterval[], compare: (a: number, b: number) => number): ShownInterval[] {
    return shown
      .map((_, i) => i)
      .sort(compare)
      .map((i) => shown[i]!);
  }

  #countOf(number: number): number {
    return number < 0 ? 0 : this.#table.docCounts[number]!;
  }

  /** All intervals from the first to the last, and those of the extended bounds. */
  *#withEmpty(seen: readonly ShownInterval[]): Steps<ShownInterval[]> {
    const { extended } = this.#shape;
    const { floor, next } = this.#intervals;
    let from = seen[0]?.key ?? Number.NaN;
    let to = seen.at(-1)?.key ?? Number.NaN;
    if (extended !== undefined && Number.isFinite(extended.min)) {
      const key = floor(extended.min);
      if (!(from <= key)) from = key;
      if (Number.isNaN(to) && !Number.isFinite(extended.max)) to = key;
    }
    if (extended !== undefined && Number.isFinite(extended.max)) {
      const key = floor(extended.max);
      if (!(to >= key)) to = key;
      if (Number.isNaN(from)) from = key;
    }
    const all: ShownInterval[] = [];
    let at = 0;
    for (let key = from; key <= to; ) {
      const own = seen[at];
      const isSeen = own !== undefined && own.key <= key;
      if (isSeen) at++;
      all.push(isSeen ? own : { key, number: NO_BUCKET });
      if (all.length % 1024 === 0) {
        this.#place.context.checkBuckets(all.length);
        yield;
      }
      const following = next(isSeen ? own.key : key);
      const ahead = seen[at]?.key;
      // Rounding errors must not separate an interval from its values.
      key = ahead !== undefined && ahead < following ? ahead : following;
      if (!(following > all.at(-1)!.key)) break;
    }
    return all;
  }

  #bucketOf(key: number, docCount: number, aggregations: AggregationResults): AggregationBucket {
    const format = this.#format;
    const isDate = this.#shape.typeName === 'date_histogram';
    const printed = isDate ? BigInt(key) : key;
    const text = format.isRaw ? undefined : format.text(key);
    const members: AggregationMembers = { key_as_string: text, key: printed };
    const name = text ?? (isDate ? String(printed) : format.text(key));
    return { name, key: printed, members, docCount, aggregations };
  }
}
