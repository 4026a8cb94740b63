// `range` and `date_range`: one bucket for each of several ranges of numbers or dates. Ranges include their
// lower bound and not their upper one, and may overlap.

import type { AggregationBucket, AggregationMembers, AggregationResult } from '../../../api.ts';
import { illegalArgument } from '../../../errors.ts';
import type { JsonValue } from '../../../json/value.ts';
import { dateMath } from '../../../mapping/dates/date-math.ts';
import { readFloat } from '../../../mapping/types/floats.ts';
import { doubleOf } from '../../../mapping/types/sortable-key.ts';
import { isObject } from '../../../query/parameters.ts';
import type { Steps } from '../../../query/steps.ts';
import {
  type AggregationBatch,
  type AggregationLeaf,
  type Aggregator,
  type LeafMatches,
  NO_BUCKET,
} from '../../collect/aggregator.ts';
import type { AggregationContext } from '../../collect/context.ts';
import { DocCounts } from '../../collect/counts.ts';
import type { OrdinalRowSource } from '../../collect/ordinal-rows.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../../request/values-spec.ts';
import { NumericSource } from '../../values/numeric-source.ts';
import { RoundedSource } from '../../values/rounded-source.ts';
import { javaNumber, shownBy, type ValueFormat } from '../../values/value-format.ts';

type RangeName = 'range' | 'date_range';

/** A range as it is read. */
interface RangeSpec {
  readonly key: string | undefined;
  readonly from: JsonValue | undefined;
  readonly to: JsonValue | undefined;
}

interface RangeOptions {
  readonly values: ValuesSpec;
  readonly ranges: readonly RangeSpec[];
  readonly keyed: boolean;
}

/** A range of numbers; infinite without a bound. */
export interface NumberRange {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The numbers that fall into ranges, as ordinals whose keys are parts of the line of numbers (`linePart`): rows of a document follow each
 * other.
 */
export interface LinePartSource
  extends Pick<OrdinalRowSource, 'enter' | 'rows' | 'keyOf'>,
    Partial<Pick<OrdinalRowSource, 'countLeaf'>> {
  /** Whether each document of the leaf has one value at most. */
  readonly isSingle: boolean;
}

/** The ends of all ranges, ascending. They cut the line of numbers into parts: part n lies behind n of them, or on the last of these. */
export function endsOf(ranges: readonly NumberRange[]): Float64Array {
  return Float64Array.from(new Set(ranges.flatMap(({ from, to }) => [from, to]))).sort();
}

/** The part of a value. O(log ends). */
export function linePart(ends: Float64Array, value: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (ends[mid]! <= value) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** What ranges collect, and how they are shown. */
interface RangeShape {
  readonly typeName: string;
  readonly ranges: readonly NumberRange[];
  readonly keyed: boolean;
  readonly source: LinePartSource;
  /** Whether there can be any value. Otherwise there are no buckets below the ranges. */
  readonly hasValues: boolean;
  readonly format: ValueFormat;
}

/** Collects the documents of ranges. */
export class NumberRanges implements Aggregator {
  readonly #shape: RangeShape;
  readonly #place: AggregationPlace;
  readonly #source: LinePartSource;
  readonly #ranges: readonly NumberRange[];
  readonly #counts = new DocCounts();
  /** The ranges that each part lies in. */
  readonly #rangesOf: readonly (readonly number[])[];
  /** The ranges that each ordinal of the leaf lies in, as far as they are known. */
  #known: (readonly number[])[] = [];

  constructor(shape: RangeShape, place: AggregationPlace) {
    needRanges(shape.ranges, place.name);
    const { ranges } = shape;
    this.#shape = shape;
    this.#place = place;
    this.#source = shape.source;
    this.#ranges = ranges;
    const ends = endsOf(ranges);
    this.#rangesOf = Array.from({ length: ends.length + 1 }, (_, part) =>
      part === 0 ? [] : withinRanges(ranges, ends[part - 1]!),
    );
  }

  get needsScores(): boolean {
    return this.#place.subs.needsScores;
  }

  *prepare(): Steps<void> {
    yield* this.#place.subs.prepare();
  }

  *enter(leaf: AggregationLeaf): Steps<void> {
    this.#source.enter(leaf);
    this.#known = [];
    yield* this.#place.subs.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    const { docs, buckets, ordinals, count } = this.#source.rows(batch);
    const { subs } = this.#place;
    const known = this.#known;
    const width = this.#ranges.length;
    // The last row of the document that each range took, so that it counts each document once.
    const lastRow = new Int32Array(width).fill(-1);
    let firstRow = 0;
    for (let i = 0; i < count; i++) {
      if (i > 0 && (docs[i] !== docs[i - 1] || buckets[i] !== buckets[i - 1])) firstRow = i;
      const within = known[ordinals[i]!] ?? this.#within(ordinals[i]!);
      for (let k = 0; k < within.length; k++) {
        const r = within[k]!;
        if (lastRow[r]! >= firstRow) continue;
        lastRow[r] = i;
        const number = buckets[i]! * width + r;
        this.#counts.add(number);
        subs.add(docs[i]!, number);
      }
    }
    subs.flush();
  }

  *collectLeaf(leaf: AggregationLeaf, matches: LeafMatches): Steps<boolean> {
    // A document with several values may lie in several parts of one range.
    if (!this.#place.subs.isEmpty || !this.#source.isSingle || this.#source.countLeaf === undefined)
      return false;
    const found = yield* this.#source.countLeaf(leaf, matches);
    if (found === undefined) return false;
    for (const [ordinal, docs] of found.counts.entries())
      if (docs > 0) for (const r of this.#within(ordinal)) this.#counts.add(r, docs);
    return true;
  }

  #within(ordinal: number): readonly number[] {
    const { hi, lo } = this.#source.keyOf(ordinal);
    return (this.#known[ordinal] = this.#rangesOf[doubleOf(hi, lo)]!);
  }

  *result(bucket: number): Steps<AggregationResult> {
    const { subs, meta, context } = this.#place;
    const { typeName, keyed, hasValues, format } = this.#shape;
    const buckets: AggregationBucket[] = [];
    context.countBuckets(this.#ranges.length);
    for (const [i, range] of this.#ranges.entries()) {
      const isFilled = bucket >= 0 && hasValues;
      const number = isFilled ? bucket * this.#ranges.length + i : NO_BUCKET;
      const aggregations = yield* subs.results(number);
      buckets.push({
        name: range.key,
        key: range.key,
        members: rangeMembers(range, format, keyed),
        docCount: this.#counts.of(number),
        aggregations,
      });
    }
    return { shape: 'buckets', typeName, meta, head: {}, buckets, keyed };
  }

  number(_bucket: number, _path: readonly string[], _key: string): number | undefined {
    return undefined;
  }
}

/** The ranges that a value lies in. */
function withinRanges(ranges: readonly NumberRange[], value: number): number[] {
  return ranges.flatMap(({ from, to }, r) => (value >= from && value < to ? [r] : []));
}

function rangeMembers(
  { key, from, to }: NumberRange,
  format: ValueFormat,
  keyed: boolean,
): AggregationMembers {
  const member = (name: string, bound: number): AggregationMembers =>
    Number.isFinite(bound)
      ? { [name]: bound, [`${name}_as_string`]: format.isRaw ? undefined : shownBy(format, bound) }
      : {};
  return { ...(keyed ? {} : { key }), ...member('from', from), ...member('to', to) };
}

function numberRange(
  { key, from, to }: RangeSpec,
  format: ValueFormat,
  context: AggregationContext,
  name: RangeName,
  isWhole: boolean,
): NumberRange {
  const bound = (value: JsonValue | undefined, none: number): number => {
    if (value === undefined || value === null) return none;
    if (format.date !== undefined && typeof value === 'string')
      return dateMath(value, format.date, () => context.now, false, format.zone).ms;
    if (format.date !== undefined && name === 'date_range' && typeof value === 'number') {
      const text = String(value);
      return dateMath(text, format.date, () => context.now, false, format.zone).ms;
    }
    const number = readFloat(value);
    if (isWhole && Number.isFinite(number) && !Number.isInteger(number))
      throw illegalArgument(`Value [${javaNumber(number)}] has a decimal part`);
    return number;
  };
  const range = { from: bound(from, Number.NEGATIVE_INFINITY), to: bound(to, Number.POSITIVE_INFINITY) };
  return { ...range, key: key ?? `${boundText(range.from, format)}-${boundText(range.to, format)}` };
}

function boundText(bound: number, format: ValueFormat): string {
  if (!Number.isFinite(bound)) return '*';
  return format.isRaw ? javaNumber(bound) : format.text(bound);
}

/** Reads `ranges`: a list of `{key, from, to}`; none where it is missing. */
export function readRanges<T>(members: Members, parse: (range: Members) => T): readonly T[] {
  return (
    members.nested('ranges', (list) => {
      if (!Array.isArray(list)) throw members.wrongType('ranges', list);
      return list.map((each) => {
        if (!isObject(each)) throw members.wrongType('ranges', each);
        return parse(new Members(members.parser, each));
      });
    }) ?? []
  );
}

/** Throws where there are no ranges. */
export function needRanges(ranges: readonly unknown[], name: string): void {
  if (ranges.length === 0) throw illegalArgument(`No [ranges] specified for the [${name}] aggregation`);
}

function readRange(members: Members): RangeSpec {
  const bound = (name: string): JsonValue | undefined => {
    const value = members.any(name);
    if (typeof value === 'object' && value !== null) throw members.wrongType(name, value);
    return value;
  };
  const range = { key: members.optionalText('key'), from: bound('from'), to: bound('to') };
  members.end();
  return range;
}

function rangeKind(name: RangeName): AggregationKind<RangeOptions> {
  return {
    role: 'bucket',
    name,
    parse: (body) => {
      const members = new Members(name, body);
      const keyed = members.flag('keyed') ?? false;
      const ranges = readRanges(members, readRange);
      const values = readValuesSpec(members, { timeZone: name === 'date_range' });
      members.end();
      return { values, keyed, ranges };
    },
    create: ({ values, ranges, keyed }, place) => {
      needRanges(ranges, place.name);
      const { context } = place;
      const source = new NumericSource(values, context, name, name === 'date_range' ? 'date' : undefined);
      const { format } = source;
      const own = ranges
        .map((range) => numberRange(range, format, context, name, source.kind === 'unsigned_long'))
        .sort((a, b) => a.from - b.from || a.to - b.to || 0);
      const ends = endsOf(own);
      const rounded = new RoundedSource(source, {
        identity: `parts ${ends.join(' ')}`,
        floor: (value) => linePart(ends, value),
      });
      const { hasValues } = source;
      return new NumberRanges(
        { typeName: name, ranges: own, keyed, source: rounded, hasValues, format },
        place,
      );
    },
  };
}

export const RANGE: AggregationKind<RangeOptions> = rangeKind('range');
export const DATE_RANGE: AggregationKind<RangeOptions> = rangeKind('date_range');
