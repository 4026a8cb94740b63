// One source of a composite aggregation: the values of a field, or the intervals they lie in, as keys that sort in
// the order of the source.

import type { AggregationValue } from '../../../api.ts';
import { type EngineError, illegalArgument } from '../../../errors.ts';
import { plainText } from '../../../json/java-text.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { dateMath } from '../../../mapping/dates/date-math.ts';
import { fixedLength } from '../../../mapping/dates/fixed-length.ts';
import { UTC, zoneOf } from '../../../mapping/dates/zone.ts';
import { readBoolean } from '../../../mapping/types/booleans.ts';
import { numberFault } from '../../../mapping/types/integers.ts';
import { doubleKey, doubleOf } from '../../../mapping/types/sortable-key.ts';
import type { Key64 } from '../../../mapping/types/type.ts';
import { parsingError } from '../../../query/errors.ts';
import { isObject, jsonToken } from '../../../query/parameters.ts';
import type { Steps } from '../../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, LeafMatches } from '../../collect/aggregator.ts';
import { BucketTable } from '../../collect/bucket-table.ts';
import type { AggregationContext } from '../../collect/context.ts';
import type { OrdinalCounts, OrdinalRowSource, OrdinalRows } from '../../collect/ordinal-rows.ts';
import { Members } from '../../request/members.ts';
import { readTimeZone, refuseScript, type ValuesSpec } from '../../request/values-spec.ts';
import { NumericSource } from '../../values/numeric-source.ts';
import { OrdinalSource } from '../../values/ordinal-source.ts';
import { RoundedSource, type ValueRounding } from '../../values/rounded-source.ts';
import type { ValueFormat } from '../../values/value-format.ts';
import { type DateInterval, readDateInterval } from '../histogram/date-interval.ts';
import { calendarRounding, fixedRounding } from '../histogram/rounding.ts';

/** A source as it is read. */
export interface SourceSpec {
  readonly name: string;
  readonly kind: 'terms' | 'histogram' | 'date_histogram';
  readonly values: ValuesSpec;
  readonly descending: boolean;
  /** Whether documents without a value have the key null. */
  readonly missingBucket: boolean;
  readonly missingFirst: boolean;
  readonly interval: DateInterval | undefined;
  readonly offset: number;
}

/** A 64-bit key; undefined is the key of documents without a value. */
export type SourceKey = { readonly hi: number; readonly lo: number } | undefined;

/** Keys of one source. */
export abstract class CompositeSource implements OrdinalRowSource {
  readonly spec: SourceSpec;
  protected readonly values: OrdinalRowSource;
  /** With a bucket of documents without a value, ordinals are one higher, so that 0 is left for these documents. */
  readonly #keys: BucketTable;
  #filled: { docs: Uint32Array; buckets: Uint32Array; ordinals: Uint32Array } | undefined;

  constructor(spec: SourceSpec, values: OrdinalRowSource, context: AggregationContext) {
    this.spec = spec;
    this.values = values;
    this.#keys = new BucketTable(context);
  }

  *prepare(): Steps<void> {
    if (this.values.prepare !== undefined) yield* this.values.prepare();
  }

  enter(leaf: AggregationLeaf): void {
    this.values.enter(leaf);
  }

  get isGlobal(): boolean {
    return this.values.isGlobal;
  }

  get width(): number {
    return this.values.width + 1;
  }

  rows(batch: AggregationBatch): OrdinalRows {
    const rows = this.values.rows(batch);
    return this.spec.missingBucket ? this.#withNulls(batch, rows) : rows;
  }

  *countLeaf(leaf: AggregationLeaf, matches: LeafMatches): Steps<OrdinalCounts | undefined> {
    return this.spec.missingBucket ? undefined : yield* this.values.countLeaf(leaf, matches);
  }

  #withNulls({ docs, buckets, count }: AggregationBatch, rows: OrdinalRows): OrdinalRows {
    const length = rows.count + count;
    if (this.#filled === undefined || this.#filled.docs.length < length) {
      const made = (): Uint32Array => new Uint32Array(length * 2);
      this.#filled = { docs: made(), buckets: made(), ordinals: made() };
    }
    const out = this.#filled;
    let n = 0;
    let at = 0;
    for (let i = 0; i < count; i++) {
      const before = at;
      for (; at < rows.count && rows.docs[at] === docs[i] && rows.buckets[at] === buckets[i]; at++, n++) {
        out.ordinals[n] = rows.ordinals[at]! + 1;
        out.docs[n] = docs[i]!;
        out.buckets[n] = buckets[i]!;
      }
      if (at > before) continue;
      out.ordinals[n] = 0;
      out.docs[n] = docs[i]!;
      out.buckets[n++] = buckets[i]!;
    }
    return { ...out, count: n };
  }

  keyOf(ordinal: number): Key64 {
    if (!this.spec.missingBucket) return this.values.keyOf(ordinal);
    if (ordinal === 0) return { hi: 0, lo: 0 };
    const { hi, lo } = this.values.keyOf(ordinal - 1);
    return { hi: 1, lo: this.#keys.add(0, hi, lo) };
  }

  /** A key of `keyOf`. */
  keyAt(hi: number, lo: number): SourceKey {
    if (!this.spec.missingBucket) return { hi, lo };
    return hi === 0 ? undefined : { hi: this.#keys.hi[lo]!, lo: this.#keys.lo[lo]! };
  }

  /** A key as it is printed. */
  value(key: SourceKey): AggregationValue {
    return key === undefined ? null : this.shown(key.hi, key.lo);
  }

  protected abstract shown(hi: number, lo: number): AggregationValue;

  /** Negative, 0 or positive as a key comes before, with or after another in the order of the source. */
  compare(a: SourceKey, b: SourceKey): number {
    const { missingFirst, descending } = this.spec;
    if (a === undefined || b === undefined) return a === b ? 0 : (a === undefined) === missingFirst ? -1 : 1;
    const order = a.hi === b.hi ? a.lo - b.lo : a.hi - b.hi;
    return descending ? -order : order;
  }

  /** A value of `after` as a key, between keys where no value equals it. */
  after(value: JsonValue): SourceKey {
    if (value !== null) return this.keyOfValue(value);
    if (this.spec.missingBucket) return undefined;
    throw illegalArgument(`Invalid value for [after.${this.spec.name}], expected comparable, got [null]`);
  }

  protected abstract keyOfValue(value: JsonValue): { readonly hi: number; readonly lo: number };
}

/** Texts and addresses, by the numbers of their terms. A text between two terms has the number between theirs. */
class TextSource extends CompositeSource {
  readonly #source: OrdinalSource;

  constructor(spec: SourceSpec, context: AggregationContext) {
    const source = new OrdinalSource(spec.values, context, 'composite');
    super(spec, source, context);
    this.#source = source;
  }

  protected shown(_hi: number, lo: number): AggregationValue {
    return this.#source.text(lo);
  }

  protected keyOfValue(value: JsonValue): { readonly hi: number; readonly lo: number } {
    if (typeof value !== 'string') throw wrongAfter(value);
    const bytes = this.#source.bytesOf(value);
    const place = this.#source.lowerBound(bytes);
    const isTerm = this.#source.find(bytes) === place;
    return { hi: 0, lo: isTerm ? place : place - 0.5 };
  }
}

/** Numbers, dates and booleans, or the intervals they lie in. */
class NumberSource extends CompositeSource {
  readonly #source: NumericSource;
  readonly #format: ValueFormat | undefined;

  constructor(spec: SourceSpec, context: AggregationContext) {
    const { values, kind } = spec;
    const isDate = kind === 'date_histogram';
    const source = new NumericSource(values, context, 'composite', isDate ? 'date' : undefined);
    super(spec, new RoundedSource(source, roundingOf(spec)), context);
    this.#source = source;
    // Dates are numbers unless a format is asked for.
    if (values.format !== undefined) this.#format = source.format;
  }

  #keyOfNumber(value: number): { readonly hi: number; readonly lo: number } {
    return this.spec.kind === 'histogram' ? doubleKey(value) : this.#source.keyOf(value);
  }

  protected shown(hi: number, lo: number): AggregationValue {
    const isDouble = this.spec.kind === 'histogram';
    const value = isDouble ? doubleOf(hi, lo) : this.#source.valueOf(hi, lo);
    if (this.#format !== undefined) return this.#format.text(value);
    if (this.#source.kind === 'boolean' && !isDouble) return Number(value) !== 0;
    return isDouble || this.#source.space === 'double' ? Number(value) : BigInt(value);
  }

  protected keyOfValue(value: JsonValue): { readonly hi: number; readonly lo: number } {
    if (this.#source.kind === 'boolean' && typeof value !== 'number')
      return this.#keyOfNumber(readBoolean(value) ? 1 : 0);
    const { date, zone, number: read } = this.#format ?? {};
    if (date !== undefined && typeof value === 'string')
      return this.#keyOfNumber(dateMath(value, date, Date.now, false, zone).ms);
    if (read !== undefined) return this.#keyOfNumber(read(plainText(value)));
    if (typeof value === 'bigint' && this.spec.kind !== 'histogram') return this.#source.keyOfInteger(value);
    const number = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : numberOf(value);
    if (Number.isNaN(number)) throw numberFault(plainText(value));
    return this.#keyOfNumber(number);
  }
}

/** How a source makes keys of values. Equal values of a document count each, as on the peer. */
function roundingOf({ kind, values, interval, offset }: SourceSpec): ValueRounding {
  if (kind === 'terms') return { identity: 'as it is', repeats: true };
  if (kind === 'histogram') {
    const length = Number(interval);
    const floor = (value: number): number => Math.floor(value / length) * length;
    return { identity: `${length} 0`, floor, repeats: true };
  }
  const zone = values.timeZone === undefined ? UTC : zoneOf(values.timeZone);
  const { floor } =
    typeof interval === 'number'
      ? fixedRounding(interval, zone, offset)
      : calendarRounding(interval!, zone, offset);
  const identity = `whole ${interval} ${offset} ${values.timeZone ?? 'UTC'}`;
  return { identity, floor, isWhole: true, repeats: true };
}

function numberOf(value: JsonValue): number {
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

function wrongAfter(value: JsonValue): EngineError {
  const type = typeof value === 'number' ? (Number.isInteger(value) ? 'Integer' : 'Double') : typeof value;
  return illegalArgument(`invalid value, expected string, got ${type}`);
}

/** The source that a spec describes. */
export function compositeSource(
  spec: SourceSpec,
  isNumeric: boolean,
  context: AggregationContext,
): CompositeSource {
  return isNumeric ? new NumberSource(spec, context) : new TextSource(spec, context);
}

const KINDS = ['terms', 'histogram', 'date_histogram'] as const;

/** Reads `{name: {kind: {…}}}`. */
export function readCompositeSource(json: JsonValue): SourceSpec {
  const [name] = isObject(json) ? Object.keys(json) : [];
  if (!isObject(json) || name === undefined)
    throw illegalArgument(`[composite] source must be an object, but got [${jsonToken(json)}]`);
  const holder = json[name]!;
  const [type] = isObject(holder) ? Object.keys(holder) : [];
  const kind = KINDS.find((each) => each === type);
  if (type === 'geotile_grid')
    throw parsingError('[geotile_grid] in [composite] is not supported: use the aggregation [geotile_grid]');
  if (kind === undefined) throw illegalArgument(`invalid source type: ${type}`);
  const body = (holder as JsonObject)[kind]!;
  if (!isObject(body)) throw illegalArgument(`[${kind}] source of [${name}] must be an object`);
  const members = new Members(kind, body);
  const field = members.text('field');
  refuseScript(members);
  const format = kind === 'date_histogram' ? members.text('format') : undefined;
  const timeZone = kind === 'date_histogram' ? readTimeZone(members) : undefined;
  const order = members.text('order')?.toLowerCase() ?? 'asc';
  if (order !== 'asc' && order !== 'desc') throw illegalArgument(`Unknown order: [${order}]`);
  const missingBucket = members.flag('missing_bucket') ?? false;
  const missingOrder = members.text('missing_order')?.toLowerCase() ?? 'default';
  const valueType = members.text('value_type');
  const interval = readInterval(members, kind);
  const offset = kind === 'date_histogram' ? readOffset(members) : 0;
  members.end();
  if (field === undefined)
    throw illegalArgument('Required one of fields [field, script], but none were specified. ');
  if (missingOrder !== 'default' && !missingBucket)
    throw illegalArgument('missingOrder must be unset when missingBucket is false');
  return {
    name,
    kind,
    values: { field, missing: undefined, format, timeZone, valueType },
    descending: order === 'desc',
    missingBucket,
    missingFirst: missingOrder === 'default' ? order === 'asc' : missingOrder === 'first',
    interval,
    offset,
  };
}

function readInterval(members: Members, kind: SourceSpec['kind']): DateInterval | undefined {
  if (kind === 'terms') return undefined;
  if (kind === 'date_histogram') {
    const interval = readDateInterval(members);
    if (interval !== undefined) return interval;
    throw illegalArgument('Invalid interval specified, must be non-null and non-empty');
  }
  const interval = members.number('interval') ?? 0;
  if (interval > 0) return interval;
  throw illegalArgument('[interval] must be greater than 0 for [histogram] source');
}

function readOffset(members: Members): number {
  const value = members.any('offset');
  if (value === undefined) return 0;
  const length = typeof value === 'number' ? value : fixedLength(plainText(value).replace(/^\+/, ''));
  if (length !== undefined) return length;
  throw members.failed(
    'offset',
    illegalArgument(`failed to parse [offset] with value [${plainText(value)}]`),
  );
}
