// `composite`: one bucket for each combination of the values of several sources, in their order, from a position
// on. Each page takes one pass over the matches, whatever its position: combinations up to the position are left
// out, and so are those behind the last bucket of the page as soon as it is known.

import type { AggregationBucket, AggregationMembers, AggregationResult } from '../../../api.ts';
import { EngineError, illegalArgument } from '../../../errors.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { Steps } from '../../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator, LeafMatches } from '../../collect/aggregator.ts';
import { BucketNumbers, NO_NUMBER } from '../../collect/bucket-numbers.ts';
import { BucketTable } from '../../collect/bucket-table.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { RowProduct } from '../../values/row-product.ts';
import { isNumericField } from '../terms/term-buckets.ts';
import {
  type CompositeSource,
  compositeSource,
  readCompositeSource,
  type SourceKey,
  type SourceSpec,
} from './composite-source.ts';

interface CompositeOptions {
  readonly sources: readonly SourceSpec[];
  readonly size: number;
  readonly after: JsonObject | undefined;
}

/** Combinations that are numbered before the last bucket of the page is looked for, at least. */
const FIRST_CUT = 1_024;

/** Aggregations with one bucket: it may stand below them. */
const WITH_ONE_BUCKET: ReadonlySet<string> = new Set(['nested', 'filter', 'reverse_nested']);

class Composite implements Aggregator {
  readonly #options: CompositeOptions;
  readonly #place: AggregationPlace;
  readonly #sources: readonly CompositeSource[];
  readonly #product: RowProduct;
  readonly #table: BucketTable;
  readonly #numbers = new BucketNumbers();
  #after: readonly SourceKey[] | undefined;
  /** The last combination that can be on the page, once there are enough. */
  #last: readonly SourceKey[] | undefined;
  /** The first buckets of those before `#seen`, in order. */
  #first: readonly number[] = [];
  #seen = 0;
  #nextCut: number;
  readonly #cutEvery: number;
  readonly #known: (readonly SourceKey[])[] = [];

  constructor(options: CompositeOptions, place: AggregationPlace) {
    const { context } = place;
    checkAfter(options.after, options.sources);
    this.#options = options;
    this.#place = place;
    this.#sources = options.sources.map((spec) =>
      compositeSource(spec, spec.kind !== 'terms' || isNumericField(spec.values, place), context),
    );
    this.#product = new RowProduct(this.#sources, context);
    this.#table = new BucketTable(context);
    // Few new buckets at a time: sorting them in between takes a few milliseconds.
    this.#cutEvery = Math.max(FIRST_CUT, options.size >> 2);
    this.#nextCut = this.#cutEvery;
  }

  get needsScores(): boolean {
    return this.#place.subs.needsScores;
  }

  *prepare(): Steps<void> {
    yield* this.#product.prepare();
    const { after } = this.#options;
    if (after !== undefined)
      this.#after = this.#sources.map((source) => source.after(after[source.spec.name]!));
    yield* this.#place.subs.prepare();
  }

  *enter(leaf: AggregationLeaf): Steps<void> {
    this.#product.enter(leaf);
    yield* this.#place.subs.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    const table = this.#table;
    const rows = this.#product.rows(batch);
    const numbers = this.#numbers.of(rows, this.#product.width, this.#add, table);
    this.#place.subs.addAll(batch, rows, numbers, this.#numbers.hasNone);
    this.#cut();
  }

  *collectLeaf(leaf: AggregationLeaf, matches: LeafMatches): Steps<boolean> {
    const found = this.#place.subs.isEmpty ? yield* this.#product.countLeaf(leaf, matches) : undefined;
    if (found === undefined) return false;
    this.#table.countLeaf(found, this.#add);
    this.#cut();
    return true;
  }

  readonly #add = (parent: number, combination: number): number =>
    this.#isOnPage(combination) ? this.#table.add(parent, 0, combination) : NO_NUMBER;

  /** Drops what cannot be on the page, once enough buckets are new. */
  #cut(): void {
    if (this.#table.count >= this.#nextCut) this.#sortNew();
  }

  /** Sorts the new buckets into the first ones. The sort takes those as one run, so the new ones decide its time. */
  #sortNew(): void {
    const { count, lo } = this.#table;
    const candidates = [...this.#first];
    for (let number = this.#seen; number < count; number++) candidates.push(number);
    const { size } = this.#options;
    this.#first = candidates.sort((a, b) => this.#compare(a, b)).slice(0, size);
    if (this.#first.length === size) this.#last = this.#keysOf(lo[this.#first[size - 1]!]!);
    this.#seen = count;
    this.#nextCut = count + this.#cutEvery;
  }

  /** Whether a combination lies behind the position and not behind the last bucket of the page. */
  #isOnPage(combination: number): boolean {
    if (this.#after === undefined && this.#last === undefined) return true;
    const keys = this.#keysOf(combination);
    if (this.#after !== undefined && this.#compareKeys(keys, this.#after) <= 0) return false;
    return this.#last === undefined || this.#compareKeys(keys, this.#last) <= 0;
  }

  #compareKeys(a: readonly SourceKey[], b: readonly SourceKey[]): number {
    for (let i = 0; i < this.#sources.length; i++) {
      const order = this.#sources[i]!.compare(a[i], b[i]);
      if (order !== 0) return order;
    }
    return 0;
  }

  #compare(a: number, b: number): number {
    const { lo } = this.#table;
    return this.#compareKeys(this.#keysOf(lo[a]!), this.#keysOf(lo[b]!));
  }

  /** There is one bucket above: that of all documents (`checkParents`). */
  *result(): Steps<AggregationResult> {
    const { subs, meta, context } = this.#place;
    const table = this.#table;
    this.#sortNew();
    const first = this.#first;
    yield;
    context.countBuckets(first.length);
    const buckets: AggregationBucket[] = [];
    for (const number of first) {
      const key = this.#keyOf(table.lo[number]!);
      const aggregations = yield* subs.results(number);
      const name = JSON.stringify(key, (_, each) => (typeof each === 'bigint' ? Number(each) : each));
      buckets.push({ name, key, members: { key }, docCount: table.docCounts[number]!, aggregations });
      if (buckets.length % 256 === 0) yield;
    }
    const last = buckets.at(-1)?.key;
    return {
      shape: 'buckets',
      typeName: 'composite',
      meta,
      head: { after_key: last },
      buckets,
      keyed: false,
    };
  }

  /** The keys of a combination, made once: sorting compares each many times. */
  #keysOf(combination: number): readonly SourceKey[] {
    return (this.#known[combination] ??= this.#product
      .keysOf(combination)
      .map(({ hi, lo }, i) => this.#sources[i]!.keyAt(hi, lo)));
  }

  #keyOf(combination: number): AggregationMembers {
    const keys = this.#keysOf(combination);
    return Object.fromEntries(this.#sources.map((source, i) => [source.spec.name, source.value(keys[i])]));
  }
}

/** The peer's class of an aggregation that holds others. */
function factoryName(type: string): string {
  const words = type.split('_').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${words.join('')}AggregatorFactory`;
}

function checkAfter(after: JsonObject | undefined, sources: readonly SourceSpec[]): void {
  if (after === undefined) return;
  const names = Object.keys(after);
  if (names.length !== sources.length)
    throw illegalArgument(`[after] has ${names.length} value(s) but [sources] has ${sources.length}`);
  for (const { name } of sources)
    if (!Object.hasOwn(after, name)) throw illegalArgument(`Missing value for [after.${name}]`);
}

export const COMPOSITE: AggregationKind<CompositeOptions> = {
  role: 'bucket',
  name: 'composite',
  parse: (body, name) => {
    const members = new Members('composite', body);
    const sources =
      members.nested('sources', (list) => (Array.isArray(list) ? list : [list]).map(readCompositeSource)) ??
      [];
    if (!members.has('sources')) throw illegalArgument('Required [sources]');
    if (sources.length === 0)
      throw members.unbuilt(illegalArgument('Composite [sources] cannot be null or empty'));
    const names = sources.map((source) => source.name);
    const twice = names.filter((each, i) => names.indexOf(each) !== i);
    if (twice.length > 0)
      throw members.unbuilt(
        illegalArgument(`Composite source names must be unique, found duplicates: [${twice.join(', ')}]`),
      );
    const size = members.integer('size') ?? 10;
    if (size <= 0)
      throw members.refused('size', `[size] must be greater than 0. Found [${size}] in [${name}]`);
    const after = members.object('after');
    members.end();
    return { sources, size, after };
  },
  checkParents: (parents) => {
    const parent = parents.findLast((each) => !WITH_ONE_BUCKET.has(each));
    if (parent === undefined) return;
    throw new EngineError(
      'illegal_argument_exception',
      `[composite] aggregation cannot be used with a parent aggregation of type: [${factoryName(parent)}]`,
    );
  },
  create: (options, place) => new Composite(options, place),
};
