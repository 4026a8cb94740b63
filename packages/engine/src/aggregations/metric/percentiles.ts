// `percentiles`, `percentile_ranks` and `median_absolute_deviation` over all values, sorted. They are exact: where
// the peer has a digest of few values, it gives the same numbers.

import type { AggregationResult, AggregationValue } from '../../api.ts';
import { EngineError, illegalArgument } from '../../errors.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isObject } from '../../query/parameters.ts';
import type { Steps } from '../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../collect/aggregator.ts';
import type { AggregationKind, AggregationPlace } from '../kind.ts';
import { Members } from '../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../request/values-spec.ts';
import { isPlainNumber } from '../values/fields.ts';
import { NumericSource } from '../values/numeric-source.ts';
import { javaNumber, type ValueFormat } from '../values/value-format.ts';
import { HdrSteps, hdrPlace } from './hdr.ts';
import { singleMetric } from './numeric-metric.ts';
import { ValueLists } from './value-lists.ts';

type PercentilesName = 'percentiles' | 'percentile_ranks';

interface PercentilesOptions {
  readonly values: ValuesSpec;
  /** Percentages, or values whose ranks are wanted. */
  readonly keys: readonly number[];
  readonly keyed: boolean;
  /** Significant digits of an HDR histogram; undefined for exact values. */
  readonly digits: number | undefined;
}

/** What is computed from sorted values. */
abstract class SortedValues implements Aggregator {
  protected readonly place: AggregationPlace;
  protected readonly source: NumericSource;
  protected readonly lists: ValueLists;

  constructor(values: ValuesSpec, place: AggregationPlace) {
    this.place = place;
    const isMedian = place.type === 'median_absolute_deviation';
    const accepts = isMedian ? isPlainNumber : undefined;
    this.source = new NumericSource(values, place.context, place.type, undefined, accepts);
    this.lists = new ValueLists(place.context);
  }

  enter(leaf: AggregationLeaf): void {
    this.source.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    const { buckets, values, count } = this.source.rows(batch);
    this.lists.add(buckets, values, count);
  }

  *result(bucket: number): Steps<AggregationResult> {
    return this.compute(yield* this.lists.sorted(bucket));
  }

  protected abstract compute(values: Float64Array): AggregationResult;
}

class Percentiles extends SortedValues {
  readonly #name: PercentilesName;
  readonly #options: PercentilesOptions;

  constructor(name: PercentilesName, options: PercentilesOptions, place: AggregationPlace) {
    super(options.values, place);
    this.#name = name;
    this.#options = options;
  }

  protected compute(values: Float64Array): AggregationResult {
    const { keys, keyed, digits } = this.#options;
    const found = keys.map((key) => this.#value(values, key));
    const typeName = `${digits === undefined ? 'tdigest' : 'hdr'}_${this.#name}`;
    return percentilesResult(typeName, this.place.meta, keys, found, keyed, this.source.format);
  }

  number(bucket: number, path: readonly string[], key: string): number | undefined {
    const wanted = Number(key);
    if (path.length > 0 || key === '' || !this.#options.keys.includes(wanted)) return undefined;
    return this.#value(this.lists.sortedNow(bucket), wanted) ?? Number.NaN;
  }

  #value(values: Float64Array, key: number): number | null {
    if (values.length === 0) return null;
    const { digits } = this.#options;
    if (this.#name === 'percentile_ranks') return rank(values, key, digits);
    return digits === undefined ? percentile(values, key) : hdrPercentile(values, key, digits);
  }
}

/** The value below which so many percent lie: the one at the place that they make. */
export function percentile(sorted: Float64Array, percent: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor((percent / 100) * sorted.length))]!;
}

function hdrPercentile(sorted: Float64Array, percent: number, digits: number): number {
  if (sorted[0]! < 0) throw negative();
  const least = sorted.find((value) => value > 0) ?? 1;
  return new HdrSteps(digits, least).end(sorted[hdrPlace(percent, sorted.length)]!);
}

function negative(): EngineError {
  return illegalArgument('Negative values are not supported by HDR aggregation');
}

/** How many percent of the values lie below one; those that equal it count half, or all in steps. */
function rank(sorted: Float64Array, value: number, digits: number | undefined): number {
  if (digits !== undefined) {
    if (sorted[0]! < 0) throw negative();
    const steps = new HdrSteps(digits, sorted.find((each) => each > 0) ?? 1);
    const end = steps.end(value);
    return (100 * placeBehind(sorted, end)) / sorted.length;
  }
  const behind = placeBehind(sorted, value);
  let before = behind;
  while (before > 0 && sorted[before - 1] === value) before--;
  return (100 * (before + behind)) / 2 / sorted.length;
}

/** How many values are at most `value`. */
function placeBehind(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (sorted[mid]! <= value) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** The result of percentiles, of the aggregation and of the pipeline over buckets. */
export function percentilesResult(
  typeName: string,
  meta: JsonObject | undefined,
  keys: readonly number[],
  found: readonly (number | null)[],
  keyed: boolean,
  format: ValueFormat,
): AggregationResult {
  const texts = found.map((value) => (value === null || format.isRaw ? undefined : format.text(value)));
  const values: AggregationValue = keyed
    ? Object.fromEntries(
        keys.flatMap((key, i): [string, AggregationValue | undefined][] => [
          [javaNumber(key), found[i]!],
          [`${javaNumber(key)}_as_string`, texts[i]],
        ]),
      )
    : keys.map((key, i) => ({ key, value: found[i]!, value_as_string: texts[i] }));
  const numbers = new Map(keys.map((key, i) => [javaNumber(key), found[i]!]));
  return { shape: 'metric', typeName, meta, members: { values }, numbers };
}

class MedianAbsoluteDeviation extends SortedValues {
  protected compute(values: Float64Array): AggregationResult {
    return singleMetric('median_absolute_deviation', this.place.meta, deviation(values), this.source.format);
  }

  number(bucket: number, path: readonly string[], key: string): number | undefined {
    if (path.length > 0 || (key !== '' && key !== 'value')) return undefined;
    return deviation(this.lists.sortedNow(bucket)) ?? Number.NaN;
  }
}

function deviation(values: Float64Array): number | null {
  if (values.length === 0) return null;
  const median = percentile(values, 50);
  return percentile(values.map((value) => Math.abs(value - median)).sort(), 50);
}

const PRESET_PERCENTS = [1, 5, 25, 50, 75, 95, 99];

/** Reads a list of numbers, ascending. */
function readNumbers(members: Members, member: string): readonly number[] | undefined {
  return members.read(member, (value) => {
    if (!Array.isArray(value)) throw members.wrongType(member, value);
    return value.map((each) => numberOf(members, member, each)).sort((a, b) => a - b);
  });
}

function numberOf(members: Members, member: string, value: JsonValue): number {
  if (typeof value === 'object' || typeof value === 'boolean') throw members.wrongType(member, value);
  const number = value === '' ? Number.NaN : Number(value);
  if (Number.isNaN(number))
    throw new EngineError('number_format_exception', `For input string: "${String(value)}"`);
  return number;
}

/** Reads percentages between 0 and 100. */
export function readPercents(members: Members, name: string): readonly number[] {
  const percents = readNumbers(members, 'percents') ?? PRESET_PERCENTS;
  if (percents.length === 0)
    throw members.unbuilt(illegalArgument(`[percents] must not be empty: [${name}]`));
  for (const percent of percents)
    if (!(percent >= 0 && percent <= 100))
      throw members.unbuilt(
        illegalArgument(`percent must be in [0,100], got [${javaNumber(percent)}]: [${name}]`),
      );
  return percents;
}

/** Reads `tdigest` and `hdr`: the digits of the latter. */
function readMethod(members: Members, name: string): number | undefined {
  const digest = members.any('tdigest');
  const hdr = members.any('hdr');
  if (digest !== undefined && hdr !== undefined)
    throw members.unbuilt(illegalArgument('Only one percentiles method should be declared.'));
  if (digest !== undefined) {
    if (!isObject(digest)) throw members.wrongType('tdigest', digest);
    const own = new Members('tdigest', digest);
    checkCompression(own, name);
    own.end();
  }
  if (hdr === undefined) return undefined;
  if (!isObject(hdr)) throw members.wrongType('hdr', hdr);
  const own = new Members('hdr', hdr);
  const digits = own.integer('number_of_significant_value_digits') ?? 3;
  own.end();
  if (digits >= 0 && digits <= 5) return digits;
  throw own.refused(
    'number_of_significant_value_digits',
    `[numberOfSignificantValueDigits] must be between 0 and 5: [${name}]`,
  );
}

function checkCompression(members: Members, name: string): void {
  const compression = members.number('compression') ?? 100;
  if (compression >= 0) return;
  throw members.refused(
    'compression',
    `[compression] must be greater than or equal to 0. Found [${javaNumber(compression)}] in [${name}]`,
  );
}

export const PERCENTILES: AggregationKind<PercentilesOptions> = {
  role: 'metric',
  name: 'percentiles',
  parse: (body, name) => {
    const members = new Members('percentiles', body);
    const keys = readPercents(members, name);
    const digits = readMethod(members, name);
    const keyed = members.flag('keyed') ?? true;
    const values = readValuesSpec(members);
    members.end();
    return { values, keys, keyed, digits };
  },
  create: (options, place) => new Percentiles('percentiles', options, place),
};

export const PERCENTILE_RANKS: AggregationKind<PercentilesOptions> = {
  role: 'metric',
  name: 'percentile_ranks',
  parse: (body, name) => {
    const members = new Members('percentile_ranks', body);
    const keys = readNumbers(members, 'values');
    const digits = readMethod(members, name);
    const keyed = members.flag('keyed') ?? true;
    const values = readValuesSpec(members);
    members.end();
    if (keys === undefined) throw members.unbuilt(illegalArgument('Required [values]'));
    if (keys.length === 0)
      throw members.unbuilt(illegalArgument(`[values] must not be an empty array: [${name}]`));
    return { values, keys, keyed, digits };
  },
  create: (options, place) => new Percentiles('percentile_ranks', options, place),
};

export const MEDIAN_ABSOLUTE_DEVIATION: AggregationKind<ValuesSpec> = {
  role: 'metric',
  name: 'median_absolute_deviation',
  parse: (body) => {
    const members = new Members('median_absolute_deviation', body);
    const compression = members.number('compression') ?? 1000;
    if (compression <= 0)
      throw members.refused(
        'compression',
        `[compression] must be greater than 0. Found [${javaNumber(compression)}]`,
      );
    const values = readValuesSpec(members);
    members.end();
    return values;
  },
  create: (values, place) => new MedianAbsoluteDeviation(values, place),
};
