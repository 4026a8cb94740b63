// `auto_date_histogram`: intervals of the calendar, as long as is necessary for no more buckets than wanted.
// Documents are deferred: the unit is known when the first and the last date are.

import type { AggregationBucket, AggregationResult } from '../../../api.ts';
import { illegalArgument } from '../../../errors.ts';
import { UTC, zoneOf } from '../../../mapping/dates/zone.ts';
import { doubleKey, doubleOf } from '../../../mapping/types/sortable-key.ts';
import type { Steps } from '../../../query/steps.ts';
import {
  type AggregationBatch,
  type AggregationLeaf,
  type Aggregator,
  NO_BUCKET,
} from '../../collect/aggregator.ts';
import { BucketTable } from '../../collect/bucket-table.ts';
import { DEFAULT_MAX_BUCKETS } from '../../collect/context.ts';
import { DocCounts } from '../../collect/counts.ts';
import { DeferredDocs } from '../../collect/deferred-docs.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../../request/values-spec.ts';
import { NumericSource } from '../../values/numeric-source.ts';
import {
  AUTO_UNITS,
  type AutoIntervals,
  AutoRounding,
  autoCeiling,
  autoUnits,
  intervalOf,
} from './auto-rounding.ts';

interface AutoOptions {
  readonly values: ValuesSpec;
  readonly wanted: number;
  readonly least: (typeof AUTO_UNITS)[number];
}

/** The histogram of one bucket above. */
interface OwnHistogram {
  min: number;
  max: number;
  /** The place of the finest unit that may be shown. */
  unit: number;
  shown: AutoIntervals;
  /** The number of its first bucket. */
  first: number;
}

class AutoDateHistogram implements Aggregator {
  readonly #place: AggregationPlace;
  readonly #source: NumericSource;
  readonly #rounding: AutoRounding;
  readonly #own: (OwnHistogram | undefined)[] = [];
  readonly #deferred: DeferredDocs;
  /** The intervals of the finest units that have documents. */
  readonly #table: BucketTable;
  readonly #counts = new DocCounts();

  constructor({ values, wanted, least }: AutoOptions, place: AggregationPlace) {
    this.#place = place;
    const { context } = place;
    this.#source = new NumericSource(values, context, place.type, 'date');
    const units = autoUnits(least, values.timeZone === undefined ? UTC : zoneOf(values.timeZone));
    const ceiling = autoCeiling(units, DEFAULT_MAX_BUCKETS);
    if (wanted > ceiling) throw illegalArgument(`buckets must be less than ${ceiling}`);
    this.#rounding = new AutoRounding(units, wanted);
    this.#deferred = new DeferredDocs(context, place.subs.needsScores);
    this.#table = new BucketTable(context);
  }

  get needsScores(): boolean {
    return this.#place.subs.needsScores;
  }

  *prepare(): Steps<void> {
    yield* this.#place.subs.prepare();
  }

  enter(leaf: AggregationLeaf): void {
    this.#source.enter(leaf);
    this.#deferred.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    const { docs, buckets, values, count } = this.#source.rows(batch);
    for (let i = 0; i < count; i++) {
      const own = this.#ownOf(buckets[i]!);
      const value = values[i]!;
      if (value < own.min) own.min = value;
      if (value > own.max) own.max = value;
      if (i > 0 && docs[i] === docs[i - 1] && buckets[i] === buckets[i - 1]) continue;
      this.#deferred.add(docs[i]!, buckets[i]!);
    }
  }

  #ownOf(bucket: number): OwnHistogram {
    return (this.#own[bucket] ??= {
      min: Number.POSITIVE_INFINITY,
      max: Number.NEGATIVE_INFINITY,
      unit: 0,
      shown: this.#rounding.intervals([], 0),
      first: 0,
    });
  }

  *finish(): Steps<void> {
    const rounding = this.#rounding;
    for (const own of this.#own) if (own !== undefined) own.unit = rounding.unitFor(own.min, own.max);
    const table = this.#table;
    const source = this.#source;
    yield* this.#deferred.replay({
      enter: (leaf) => source.enter(leaf),
      collect: (batch) => {
        const { buckets, values, count } = source.rows(batch);
        for (let i = 0; i < count; i++) {
          const bucket = buckets[i]!;
          const { hi, lo } = doubleKey(rounding.floor(this.#own[bucket]!.unit, values[i]!));
          table.add(bucket, hi, lo);
        }
      },
    });
    let first = 0;
    for (const [bucket, own] of this.#own.entries()) {
      if (own === undefined) continue;
      const filled = Array.from(table.membersOf(bucket), (number) =>
        doubleOf(table.hi[number]!, table.lo[number]!),
      );
      own.shown = rounding.intervals(
        filled.sort((a, b) => a - b),
        own.unit,
      );
      own.first = first;
      first += own.shown.starts.length;
      yield;
    }
    const { subs } = this.#place;
    yield* this.#deferred.replay({
      *enter(leaf) {
        source.enter(leaf);
        yield* subs.enter(leaf);
      },
      collect: (batch) => this.#collectShown(batch),
    });
  }

  #collectShown(batch: AggregationBatch): void {
    const { docs, buckets, values, count } = this.#source.rows(batch);
    const { subs } = this.#place;
    let last = -1;
    for (let i = 0; i < count; i++) {
      const { shown, first } = this.#own[buckets[i]!]!;
      const number = first + intervalOf(shown, values[i]!);
      // Values of a document ascend, so those of one interval follow each other.
      if (number === last && docs[i] === docs[i - 1]) continue;
      last = number;
      this.#counts.add(number);
      subs.add(docs[i]!, number);
    }
    subs.flush();
  }

  *result(bucket: number): Steps<AggregationResult> {
    const { subs, meta, context } = this.#place;
    const { format } = this.#source;
    const own = this.#own[bucket];
    const { starts, interval } = own?.shown ?? this.#rounding.intervals([], 0);
    context.countBuckets(starts.length);
    const buckets: AggregationBucket[] = [];
    for (const [i, start] of starts.entries()) {
      const number = own!.first + i;
      const docCount = this.#counts.of(number);
      const aggregations = yield* subs.results(docCount === 0 ? NO_BUCKET : number);
      const key = BigInt(start);
      const text = format.isRaw ? undefined : format.text(start);
      const members = { key_as_string: text, key };
      buckets.push({ name: text ?? String(key), key, members, docCount, aggregations });
      if (i % 256 === 255) yield;
    }
    return {
      shape: 'buckets',
      typeName: this.#place.type,
      meta,
      head: {},
      buckets,
      keyed: false,
      tail: { interval },
    };
  }
}

export const AUTO_DATE_HISTOGRAM: AggregationKind<AutoOptions> = {
  role: 'bucket',
  name: 'auto_date_histogram',
  parse: (body, name) => {
    const members = new Members('auto_date_histogram', body);
    const wanted = members.read('buckets', () => {
      const count = members.integer('buckets')!;
      if (count > 0) return count;
      throw illegalArgument(`buckets must be greater than 0 for [${name}]`);
    });
    const least = members.optionalText('minimum_interval');
    const unit = least === undefined ? 'second' : AUTO_UNITS.find((each) => each === least);
    if (unit === undefined)
      throw members.failed(
        'minimum_interval',
        illegalArgument(`minimum_interval must be one of [${AUTO_UNITS.join(', ')}]`),
      );
    const values = readValuesSpec(members, { timeZone: true });
    members.end();
    return { values, wanted: wanted ?? 10, least: unit };
  },
  create: (options, place) => new AutoDateHistogram(options, place),
};
