// `significant_terms`: the values that are more frequent in a bucket than in the background: all documents, or
// those that a query matches.

import type { AggregationBucket, AggregationMembers, AggregationResult } from '../../../api.ts';
import { EngineError } from '../../../errors.ts';
import { compareKeys } from '../../../mapping/types/sortable-key.ts';
import type { Steps } from '../../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../../collect/aggregator.ts';
import { BucketTable } from '../../collect/bucket-table.ts';
import { ChunkFilter } from '../../collect/chunk-filter.ts';
import { DocCounts } from '../../collect/counts.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../../request/values-spec.ts';
import { fieldsOf } from '../../values/fields.ts';
import { NumericSource } from '../../values/numeric-source.ts';
import { OrdinalSource } from '../../values/ordinal-source.ts';
import { scanVisible } from '../../values/visible-values.ts';
import { isNumericField } from '../terms/term-buckets.ts';
import { selectKeys, selectOrdinals } from '../terms/term-selection.ts';
import {
  mostSignificant,
  readSignificantOptions,
  type SignificantOptions,
  type SignificantTerm,
  significantResult,
} from './significant-options.ts';

interface SignificantTermsOptions extends SignificantOptions {
  readonly values: ValuesSpec;
}

/** The common part of texts and numbers. Values are numbered by 64-bit keys. */
abstract class SignificantTerms implements Aggregator {
  protected readonly options: SignificantTermsOptions;
  protected readonly place: AggregationPlace;
  protected readonly table: BucketTable;
  protected readonly background: BucketTable;
  #backgroundSize = 0;
  readonly #sizes = new DocCounts();
  readonly #isMapped: readonly boolean[];
  #isMappedHere = false;

  constructor(options: SignificantTermsOptions, place: AggregationPlace) {
    this.options = options;
    this.place = place;
    this.table = new BucketTable(place.context);
    this.background = new BucketTable(place.context);
    const { field } = options.values;
    this.#isMapped =
      field === '_index' || options.values.missing !== undefined
        ? place.context.views.map(() => true)
        : fieldsOf(field, place.context.views).map((each) => each !== undefined);
  }

  get needsScores(): boolean {
    return this.place.subs.needsScores;
  }

  *prepare(): Steps<void> {
    yield* this.place.subs.prepare();
    yield* this.#countBackground();
  }

  /** Counts the documents of the background by value. Those that the caller may not see are not among them. */
  *#countBackground(): Steps<void> {
    const context = this.place.context.background;
    const query = this.options.background;
    const filter = query === undefined ? undefined : new ChunkFilter(query, context);
    if (filter !== undefined) yield* filter.prepare();
    const isMapped = this.#isMapped;
    const enterValues = (leaf: AggregationLeaf): void => this.enterValues(leaf);
    let isCounted = false;
    yield* scanVisible(context, {
      *enter(leaf) {
        isCounted = isMapped[leaf.indexPlace]!;
        enterValues(leaf);
        if (filter !== undefined) yield* filter.enter(leaf);
      },
      collect: (batch) => {
        if (!isCounted) return;
        filter?.keep(batch, batch);
        this.#backgroundSize += batch.count;
        this.addValues(batch, this.background, false);
      },
    });
  }

  *enter(leaf: AggregationLeaf): Steps<void> {
    this.#isMappedHere = this.#isMapped[leaf.indexPlace]!;
    this.enterValues(leaf);
    yield* this.place.subs.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    if (!this.#isMappedHere) return;
    for (let i = 0; i < batch.count; i++) this.#sizes.add(batch.buckets[i]!);
    this.addValues(batch, this.table, true);
    this.place.subs.flush();
  }

  *result(bucket: number): Steps<AggregationResult> {
    const { subs, meta, context } = this.place;
    const { table, background } = this;
    if (!this.#isMapped.includes(true)) return significantResult('sigsterms', meta, undefined, []);
    const totals = { own: this.#sizes.of(bucket), all: this.#backgroundSize };
    const terms = Array.from(table.membersOf(bucket), (number) => {
      const known = background.find(0, table.hi[number]!, table.lo[number]!);
      const backgroundCount = known < 0 ? 0 : background.docCounts[known]!;
      return { number, docCount: table.docCounts[number]!, backgroundCount };
    });
    yield;
    const compare = (a: SignificantTerm, b: SignificantTerm): number =>
      compareKeys(table.hi[a.number]!, table.lo[a.number]!, table.hi[b.number]!, table.lo[b.number]!);
    const best = mostSignificant(terms, this.options, totals, compare);
    context.countBuckets(best.length);
    const buckets: AggregationBucket[] = [];
    for (const { number, docCount, score, backgroundCount } of best) {
      const aggregations = yield* subs.results(number);
      const extra = { score, bg_count: BigInt(backgroundCount) };
      buckets.push({ ...this.keyOf(number), docCount, extra, aggregations });
      if (buckets.length % 256 === 0) yield;
    }
    return significantResult(this.typeName, meta, totals, buckets);
  }

  protected abstract readonly typeName: string;

  protected abstract enterValues(leaf: AggregationLeaf): void;

  /** Counts the documents of a batch by value, and passes them on where they are those of a bucket. */
  protected abstract addValues(batch: AggregationBatch, table: BucketTable, passesOn: boolean): void;

  protected abstract keyOf(number: number): Pick<AggregationBucket, 'name' | 'key' | 'members'>;
}

/** Texts and addresses. */
class SignificantStrings extends SignificantTerms {
  protected readonly typeName = 'sigsterms';
  readonly #source: OrdinalSource;
  #accepted: Uint8Array | undefined;

  constructor(options: SignificantTermsOptions, place: AggregationPlace) {
    super(options, place);
    this.#source = new OrdinalSource(options.values, place.context, place.type);
  }

  override *prepare(): Steps<void> {
    const { context, name } = this.place;
    yield* this.#source.prepare();
    this.#accepted = yield* selectOrdinals(this.options.selection, this.#source, name, context);
    yield* super.prepare();
  }

  protected enterValues(leaf: AggregationLeaf): void {
    this.#source.enter(leaf);
  }

  protected addValues(batch: AggregationBatch, table: BucketTable, passesOn: boolean): void {
    const { docs, buckets, ordinals, count } = this.#source.rows(batch);
    const accepted = this.#accepted;
    for (let i = 0; i < count; i++) {
      if (accepted !== undefined && accepted[ordinals[i]!] === 0) continue;
      const number = table.add(buckets[i]!, 0, ordinals[i]!);
      table.docCounts[number]!++;
      if (passesOn) this.place.subs.add(docs[i]!, number);
    }
  }

  protected keyOf(number: number): Pick<AggregationBucket, 'name' | 'key' | 'members'> {
    const key = this.#source.text(this.table.lo[number]!);
    return { name: key, key, members: { key } };
  }
}

/** Whole numbers, dates and booleans. */
class SignificantNumbers extends SignificantTerms {
  protected readonly typeName = 'siglterms';
  readonly #source: NumericSource;
  readonly #selects: ((hi: number, lo: number) => boolean) | undefined;

  constructor(options: SignificantTermsOptions, place: AggregationPlace) {
    super(options, place);
    const { context } = place;
    this.#source = new NumericSource(options.values, context, place.type, 'keyword');
    if (this.#source.space === 'double')
      throw new EngineError(
        'unsupported_operation_exception',
        'No support for examining floating point numerics',
      );
    this.#selects = selectKeys(options.selection, this.#source, place.name, place.type, () => context.now);
  }

  protected enterValues(leaf: AggregationLeaf): void {
    this.#source.enter(leaf);
  }

  protected addValues(batch: AggregationBatch, table: BucketTable, passesOn: boolean): void {
    const { docs, buckets, hi, lo, count } = this.#source.keyRows(batch);
    let last = -1;
    for (let i = 0; i < count; i++) {
      if (this.#selects?.(hi[i]!, lo[i]!) === false) continue;
      const number = table.add(buckets[i]!, hi[i]!, lo[i]!);
      // Equal values of a document follow each other.
      if (number === last && docs[i] === docs[i - 1]) continue;
      last = number;
      table.docCounts[number]!++;
      if (passesOn) this.place.subs.add(docs[i]!, number);
    }
  }

  protected keyOf(number: number): Pick<AggregationBucket, 'name' | 'key' | 'members'> {
    const { format, kind } = this.#source;
    const key = BigInt(this.#source.valueOf(this.table.hi[number]!, this.table.lo[number]!));
    const name = format.text(key);
    const text = format.isRaw ? undefined : kind === 'boolean' ? key !== 0n : name;
    const members: AggregationMembers = { key, key_as_string: text };
    return { name, key, members };
  }
}

export const SIGNIFICANT_TERMS: AggregationKind<SignificantTermsOptions> = {
  role: 'bucket',
  name: 'significant_terms',
  parse: (body, name) => {
    const members = new Members('significant_terms', body);
    const common = readSignificantOptions(members, name);
    const values = readValuesSpec(members);
    members.end();
    return { ...common, values };
  },
  create: (options, place) =>
    isNumericField(options.values, place)
      ? new SignificantNumbers(options, place)
      : new SignificantStrings(options, place),
};
