// The buckets of single values of a field: texts and addresses numbered by their terms, numbers, dates and
// booleans by their 64-bit keys.

import type { AggregationBucket, AggregationMembers } from '../../../api.ts';
import type { Steps } from '../../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, LeafMatches } from '../../collect/aggregator.ts';
import { BucketNumbers, NO_NUMBER } from '../../collect/bucket-numbers.ts';
import { BucketTable } from '../../collect/bucket-table.ts';
import type { CountedLevel } from '../../collect/counted-level.ts';
import type { OrdinalRowSource } from '../../collect/ordinal-rows.ts';
import type { AggregationPlace } from '../../kind.ts';
import type { ValuesSpec } from '../../request/values-spec.ts';
import { fieldsOf, isNumeric } from '../../values/fields.ts';
import { kindOfValueType, NumericSource, type NumericSpace } from '../../values/numeric-source.ts';
import { OrdinalSource } from '../../values/ordinal-source.ts';
import { RoundedSource } from '../../values/rounded-source.ts';
import { visibleKeys, visibleOrdinals } from '../../values/visible-values.ts';
import { collectCounts } from '../collect-counts.ts';
import { selectKeys, selectOrdinals, type TermSelection } from './term-selection.ts';

/**
 * The bucket above of terms that are shown where no document fell into it. A table that has it is never asked for
 * the members of a bucket.
 */
const UNSEEN = 0xffff_ffff;

/** A key as it is printed. */
type TermKey = Pick<AggregationBucket, 'name' | 'key' | 'members'>;

/** Numbers the values of documents, and passes the documents on. */
export abstract class TermBuckets {
  readonly table: BucketTable;
  protected readonly values: ValuesSpec;
  protected readonly selection: TermSelection;
  protected readonly place: AggregationPlace;
  /** The values of documents. */
  protected abstract readonly rows: OrdinalRowSource;
  readonly #numbers = new BucketNumbers();

  constructor(values: ValuesSpec, selection: TermSelection, place: AggregationPlace) {
    this.values = values;
    this.selection = selection;
    this.place = place;
    this.table = new BucketTable(place.context);
  }

  *prepare(): Steps<void> {
    yield* this.place.subs.prepare();
  }

  *enter(leaf: AggregationLeaf): Steps<void> {
    this.rows.enter(leaf);
    if (!this.rows.isGlobal) this.#numbers.clear();
    yield* this.place.subs.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    const rows = this.rows.rows(batch);
    const numbers = this.#numbers.of(rows, this.rows.width, this.#add, this.table);
    this.place.subs.addAll(batch, rows, numbers, this.#numbers.hasNone);
  }

  collectLeaf(leaf: AggregationLeaf, matches: LeafMatches): Steps<boolean> {
    const level = { source: this.rows, table: this.table, subs: this.place.subs, add: this.#add };
    return collectCounts(level, leaf, matches);
  }

  countedLevel(): CountedLevel | undefined {
    const source = this.place.subs.isEmpty ? this.rows.counted?.() : undefined;
    if (source === undefined) return undefined;
    return {
      source,
      addCounts: (rows) => {
        this.rows.toGlobal?.(rows.ordinals, rows.count);
        this.table.addCounts(this.#numbers.of(rows, this.rows.width, this.#add), rows);
      },
    };
  }

  readonly #add = (parent: number, ordinal: number): number => {
    const { hi, lo } = this.rows.keyOf(ordinal);
    return this.accepts(hi, lo) ? this.table.add(parent, hi, lo) : NO_NUMBER;
  };

  /** Whether a key may have a bucket. */
  protected abstract accepts(hi: number, lo: number): boolean;

  /** Whether any index has the field, or documents without it have a value. */
  abstract readonly isMapped: boolean;
  abstract readonly space: NumericSpace | 'text';

  /** The key of a bucket. */
  abstract keyOf(number: number): TermKey;

  /** The buckets of a bucket above, those of terms without documents among them. */
  abstract addEmpty(bucket: number): Steps<Uint32Array>;
}

/** Buckets of texts and addresses, numbered by their terms. */
class StringBuckets extends TermBuckets {
  readonly space = 'text';
  readonly #source: OrdinalSource;
  #accepted: Uint8Array | undefined;
  /** Flags of the terms of visible documents, for buckets without documents. */
  #visible: Uint8Array | undefined;

  constructor(values: ValuesSpec, selection: TermSelection, place: AggregationPlace) {
    super(values, selection, place);
    this.#source = new OrdinalSource(values, place.context, place.type);
  }

  protected get rows(): OrdinalSource {
    return this.#source;
  }

  get isMapped(): boolean {
    return this.#source.isMapped || this.values.missing !== undefined;
  }

  override *prepare(): Steps<void> {
    const { context, name } = this.place;
    yield* this.#source.prepare();
    this.#accepted = yield* selectOrdinals(this.selection, this.#source, name, context);
    yield* super.prepare();
  }

  protected accepts(_hi: number, ordinal: number): boolean {
    return this.#accepted?.[ordinal] !== 0;
  }

  *addEmpty(bucket: number): Steps<Uint32Array> {
    const visible = (this.#visible ??= yield* visibleOrdinals(this.#source, this.place.context));
    const members: number[] = [];
    for (let ordinal = 0; ordinal < visible.length; ordinal++) {
      if (visible[ordinal] === 0 || this.#accepted?.[ordinal] === 0) continue;
      members.push(this.table.add(bucket < 0 ? UNSEEN : bucket, 0, ordinal));
      if (members.length % 4096 === 0) yield;
    }
    return Uint32Array.from(members);
  }

  keyOf(number: number): TermKey {
    const key = this.#source.text(this.table.lo[number]!);
    return { name: key, key, members: { key } };
  }
}

/** Buckets of numbers, dates and booleans, numbered by their 64-bit keys. */
class NumericBuckets extends TermBuckets {
  readonly #source: NumericSource;
  protected readonly rows: RoundedSource;
  readonly #selects: ((hi: number, lo: number) => boolean) | undefined;
  /** Keys of visible documents, for buckets without documents. */
  #visible: BucketTable | undefined;

  constructor(values: ValuesSpec, selection: TermSelection, place: AggregationPlace, repeats: boolean) {
    super(values, selection, place);
    this.#source = new NumericSource(values, place.context, place.type, 'keyword');
    this.rows = new RoundedSource(this.#source, { identity: 'as it is', repeats });
    const { now } = place.context;
    this.#selects = selectKeys(selection, this.#source, place.name, place.type, () => now);
  }

  get isMapped(): boolean {
    return this.#source.hasValues;
  }

  get space(): NumericSpace {
    return this.#source.space;
  }

  protected accepts(hi: number, lo: number): boolean {
    return this.#selects?.(hi, lo) !== false;
  }

  *addEmpty(bucket: number): Steps<Uint32Array> {
    if (this.#visible === undefined) {
      this.#visible = new BucketTable(this.place.context);
      yield* visibleKeys(this.#source, this.place.context, (hi, lo) => {
        if (this.#selects?.(hi, lo) !== false) this.#visible!.add(0, hi, lo);
      });
    }
    const { hi, lo, count } = this.#visible;
    const members = new Uint32Array(count);
    for (let i = 0; i < count; i++) members[i] = this.table.add(bucket < 0 ? UNSEEN : bucket, hi[i]!, lo[i]!);
    return members;
  }

  keyOf(number: number): TermKey {
    const { space, format } = this.#source;
    const value = this.#source.valueOf(this.table.hi[number]!, this.table.lo[number]!);
    const key = space === 'double' ? Number(value) : BigInt(value);
    // Unsigned longs are formatted as they are.
    const text = format.isRaw || space === 'unsigned' ? undefined : format.text(key);
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

/** The buckets of a field, by the type of its values. With `repeats` a document counts for each of equal numbers. */
export function termBuckets(
  values: ValuesSpec,
  selection: TermSelection,
  place: AggregationPlace,
  repeats: boolean = false,
): TermBuckets {
  return isNumericField(values, place)
    ? new NumericBuckets(values, selection, place, repeats)
    : new StringBuckets(values, selection, place);
}
