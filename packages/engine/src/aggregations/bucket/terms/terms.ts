// `terms`: one bucket for each value of a field, the best of them by count, key, or a number of a
// sub-aggregation.

import type { AggregationBucket, AggregationMembers, AggregationResult } from '../../../api.ts';
import { illegalArgument } from '../../../errors.ts';
import { compareKeys } from '../../../mapping/types/sortable-key.ts';
import type { Steps } from '../../../query/steps.ts';
import {
  type AggregationBatch,
  type AggregationLeaf,
  type Aggregator,
  NO_BUCKET,
} from '../../collect/aggregator.ts';
import { BucketTable } from '../../collect/bucket-table.ts';
import { bucketComparison, firstBuckets } from '../../collect/order-buckets.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { type BucketOrder, readBucketOrder } from '../../request/bucket-order.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../../request/values-spec.ts';
import { fieldsOf, isNumeric } from '../../values/fields.ts';
import { kindOfValueType, NumericSource } from '../../values/numeric-source.ts';
import { OrdinalSource } from '../../values/ordinal-source.ts';
import { visibleKeys, visibleOrdinals } from '../../values/visible-values.ts';
import { readTermSelection, selectKeys, selectOrdinals, type TermSelection } from './term-selection.ts';

interface TermsOptions {
  readonly values: ValuesSpec;
  readonly size: number;
  readonly shardSize: number;
  readonly minDocCount: number;
  readonly shardMinDocCount: number;
  readonly order: readonly BucketOrder[];
  readonly showError: boolean;
  readonly selection: TermSelection;
}

/** Up to so many terms are numbered by an array instead of the hash table, on the highest level. */
const MAX_DENSE = 4_194_304;

/** The common part of buckets of texts and of numbers. */
abstract class Terms implements Aggregator {
  protected readonly options: TermsOptions;
  protected readonly place: AggregationPlace;
  protected readonly table: BucketTable;

  constructor(options: TermsOptions, place: AggregationPlace) {
    this.options = options;
    this.place = place;
    this.table = new BucketTable(place.context);
  }

  get needsScores(): boolean {
    return this.place.subs.needsScores;
  }

  *prepare(): Steps<void> {
    yield* this.place.subs.prepare();
  }

  *enter(leaf: AggregationLeaf): Steps<void> {
    yield* this.place.subs.enter(leaf);
  }

  abstract collect(batch: AggregationBatch): void;

  *result(bucket: number): Steps<AggregationResult> {
    const { size, shardSize, minDocCount, shardMinDocCount, order } = this.options;
    const { subs, meta, context } = this.place;
    const { table } = this;
    const added = minDocCount === 0 ? yield* this.addEmpty(bucket) : undefined;
    const members = added ?? table.membersOf(bucket);
    let others = 0;
    let candidates = 0;
    const eligible = new Uint32Array(members.length);
    for (let i = 0; i < members.length; i++) {
      const count = table.docCounts[members[i]!]!;
      others += count;
      if (count >= shardMinDocCount) eligible[candidates++] = members[i]!;
      if (i % 65_536 === 65_535) yield;
    }
    const compare = bucketComparison(order, subs, {
      docCount: (number) => table.docCounts[number]!,
      compareKeys: (a, b) => compareKeys(table.hi[a]!, table.lo[a]!, table.hi[b]!, table.lo[b]!),
    });
    // As on a shard of the peer, so many buckets compete for the counts of others.
    const first = firstBuckets(eligible.subarray(0, candidates), shardSize, compare);
    yield;
    const shown: AggregationBucket[] = [];
    for (const number of first) {
      const docCount = table.docCounts[number]!;
      if (docCount < minDocCount) {
        others -= docCount;
        continue;
      }
      if (shown.length === size) continue;
      others -= docCount;
      context.countBuckets(1);
      const aggregations = yield* subs.results(docCount === 0 ? NO_BUCKET : number);
      const extra = this.options.showError ? { doc_count_error_upper_bound: 0n } : {};
      shown.push({ ...this.keyOf(number), docCount, extra, aggregations });
      if (shown.length % 256 === 0) yield;
    }
    const error = isSureOrder(order) || candidates < shardSize ? 0n : -1n;
    return {
      shape: 'buckets',
      typeName: this.isMapped ? this.typeName : 'umterms',
      meta,
      head: { doc_count_error_upper_bound: error, sum_other_doc_count: BigInt(others) },
      buckets: shown,
      keyed: false,
    };
  }

  protected abstract readonly isMapped: boolean;
  protected abstract readonly typeName: string;

  /** The key of a bucket as it is printed. */
  protected abstract keyOf(number: number): Pick<AggregationBucket, 'name' | 'key' | 'members'>;

  /** The buckets of a bucket above, those of terms without documents among them. */
  protected abstract addEmpty(bucket: number): Steps<Uint32Array | undefined>;
}

/** Whether the counts of the best buckets are exact whatever the shards. */
function isSureOrder([first]: readonly BucketOrder[]): boolean {
  return first!.by === '_key' || (first!.by === '_count' && first!.descending);
}

/** Buckets of texts and addresses, numbered by their terms. */
class StringTerms extends Terms {
  protected readonly typeName = 'sterms';
  readonly #source: OrdinalSource;
  #accepted: Uint8Array | undefined;
  /** Bucket numbers of the highest level by term, plus 1; undefined where there are too many terms. */
  #dense: Uint32Array | undefined;

  constructor(options: TermsOptions, place: AggregationPlace) {
    super(options, place);
    this.#source = new OrdinalSource(options.values, place.context, place.type);
  }

  protected get isMapped(): boolean {
    return this.#source.isMapped || this.options.values.missing !== undefined;
  }

  override *prepare(): Steps<void> {
    const { context, name } = this.place;
    yield* this.#source.prepare();
    this.#accepted = yield* selectOrdinals(this.options.selection, this.#source, name, context);
    if (this.#source.count <= MAX_DENSE) this.#dense = new Uint32Array(this.#source.count);
    yield* super.prepare();
  }

  override *enter(leaf: AggregationLeaf): Steps<void> {
    this.#source.enter(leaf);
    yield* super.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    const { docs, buckets, ordinals, count } = this.#source.rows(batch);
    const { subs } = this.place;
    const hasSubs = !subs.isEmpty;
    const accepted = this.#accepted;
    const dense = this.#dense;
    const { table } = this;
    for (let i = 0; i < count; i++) {
      const ordinal = ordinals[i]!;
      if (accepted !== undefined && accepted[ordinal] === 0) continue;
      const parent = buckets[i]!;
      let number = -1;
      if (parent === 0 && dense !== undefined) {
        number = dense[ordinal]! - 1;
        if (number < 0) dense[ordinal] = (number = table.add(0, 0, ordinal)) + 1;
      } else number = table.add(parent, 0, ordinal);
      table.docCounts[number]!++;
      if (hasSubs) subs.add(docs[i]!, number);
    }
    subs.flush();
  }

  protected *addEmpty(bucket: number): Steps<Uint32Array> {
    const { table } = this;
    const parent = Math.max(0, bucket);
    const visible = yield* visibleOrdinals(this.#source, this.place.context);
    for (let ordinal = 0; ordinal < this.#source.count; ordinal++) {
      if (visible[ordinal] === 0 || this.#accepted?.[ordinal] === 0) continue;
      table.add(parent, 0, ordinal);
      if (ordinal % 4096 === 4095) yield;
    }
    const members = table.membersOf(parent);
    return bucket < 0 ? members.filter((number) => table.docCounts[number] === 0) : members;
  }

  protected keyOf(number: number): Pick<AggregationBucket, 'name' | 'key' | 'members'> {
    const key = this.#source.text(this.table.lo[number]!);
    return { name: key, key, members: { key } };
  }
}

/** Buckets of numbers, dates and booleans, numbered by their 64-bit keys. */
class NumericTerms extends Terms {
  readonly #source: NumericSource;
  readonly #selects: ((hi: number, lo: number) => boolean) | undefined;

  constructor(options: TermsOptions, place: AggregationPlace) {
    super(options, place);
    this.#source = new NumericSource(options.values, place.context, place.type);
    const { now } = place.context;
    this.#selects = selectKeys(options.selection, this.#source, place.name, () => now);
  }

  protected get isMapped(): boolean {
    return this.#source.hasValues;
  }

  protected get typeName(): string {
    const { space } = this.#source;
    return space === 'double' ? 'dterms' : space === 'unsigned' ? 'ulterms' : 'lterms';
  }

  override *enter(leaf: AggregationLeaf): Steps<void> {
    this.#source.enter(leaf);
    yield* super.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    const { docs, buckets, hi, lo, count } = this.#source.keyRows(batch);
    const { subs } = this.place;
    const { table } = this;
    const selects = this.#selects;
    for (let i = 0; i < count; i++) {
      const [h, l] = [hi[i]!, lo[i]!];
      // Equal values of a document follow each other.
      if (
        i > 0 &&
        docs[i] === docs[i - 1] &&
        h === hi[i - 1] &&
        l === lo[i - 1] &&
        buckets[i] === buckets[i - 1]
      )
        continue;
      if (selects !== undefined && !selects(h, l)) continue;
      const number = table.add(buckets[i]!, h, l);
      table.docCounts[number]!++;
      subs.add(docs[i]!, number);
    }
    subs.flush();
  }

  protected *addEmpty(bucket: number): Steps<Uint32Array | undefined> {
    const parent = Math.max(0, bucket);
    yield* visibleKeys(this.#source, this.place.context, (hi, lo) => {
      if (this.#selects?.(hi, lo) !== false) this.table.add(parent, hi, lo);
    });
    const members = this.table.membersOf(parent);
    return bucket < 0 ? members.filter((number) => this.table.docCounts[number] === 0) : members;
  }

  protected keyOf(number: number): Pick<AggregationBucket, 'name' | 'key' | 'members'> {
    const { space, format } = this.#source;
    const value = this.#source.valueOf(this.table.hi[number]!, this.table.lo[number]!);
    const key = space === 'double' ? Number(value) : BigInt(value);
    const text = format.isRaw ? undefined : format.text(key);
    const members: AggregationMembers = { key, key_as_string: text };
    return { name: text ?? format.text(key), key, members };
  }
}

/** Whether the values of a field are numbers in the first index that maps it, or by `value_type`. */
export function isNumericField({ field, valueType }: ValuesSpec, { context }: AggregationPlace): boolean {
  if (field === '_index') return false;
  const first = fieldsOf(field, context.views).find((each) => each !== undefined);
  return first === undefined ? kindOfValueType(valueType) !== undefined : isNumeric(first);
}

const BY_COUNT: readonly BucketOrder[] = [{ by: '_count', descending: true }];

/** Reads `size`: how many buckets there are at most. */
export function readBucketSize(members: Members, name: string, preset: number): number {
  const size = members.integer('size') ?? preset;
  if (size > 0) return size;
  throw illegalArgument(`[size] must be greater than 0. Found [${size}] in [${name}]`);
}

/** Reads a count that must not be negative. */
export function readMinimum(members: Members, member: string, name: string, preset: number): number {
  const minimum = members.integer(member) ?? preset;
  if (minimum >= 0) return minimum;
  throw illegalArgument(`[${member}] must be greater than or equal to 0. Found [${minimum}] in [${name}]`);
}

export const TERMS: AggregationKind<TermsOptions> = {
  role: 'bucket',
  name: 'terms',
  parse: (body, name) => {
    const members = new Members('terms', body);
    const size = readBucketSize(members, name, 10);
    const asked = members.integer('shard_size') ?? -1;
    if (members.has('shard_size') && asked <= 0)
      throw illegalArgument(`[shardSize] must be greater than 0. Found [${asked}] in [${name}]`);
    const order = readBucketOrder(members, BY_COUNT);
    const isByKey = order[0]!.by === '_key';
    const shardSize = Math.max(size, asked > 0 ? asked : isByKey ? size : Math.floor(size * 1.5 + 10));
    const minDocCount = readMinimum(members, 'min_doc_count', name, 1);
    const shardMinDocCount = readMinimum(members, 'shard_min_doc_count', name, 0);
    const showError = members.flag('show_term_doc_count_error') ?? false;
    members.choice('collect_mode', ['depth_first', 'breadth_first']);
    members.text('execution_hint');
    const selection = readTermSelection(members);
    const values = readValuesSpec(members);
    members.end();
    const least = Math.min(shardMinDocCount, minDocCount);
    return { values, size, shardSize, minDocCount, shardMinDocCount: least, order, showError, selection };
  },
  create: (options, place) =>
    isNumericField(options.values, place)
      ? new NumericTerms(options, place)
      : new StringTerms(options, place),
};
