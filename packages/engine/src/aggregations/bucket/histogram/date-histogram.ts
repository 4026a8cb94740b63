// `date_histogram`: intervals of the calendar or of one length, in a time zone.

import { illegalArgument } from '../../../errors.ts';
import { plainText } from '../../../json/java-text.ts';
import type { JsonValue } from '../../../json/value.ts';
import { dateMath } from '../../../mapping/dates/date-math.ts';
import { fixedLength } from '../../../mapping/dates/fixed-length.ts';
import { UTC, zoneOf } from '../../../mapping/dates/zone.ts';
import type { AggregationKind } from '../../kind.ts';
import { readBucketOrder } from '../../request/bucket-order.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../../request/values-spec.ts';
import { NumericSource } from '../../values/numeric-source.ts';
import { RangeSource } from '../../values/range-source.ts';
import { type DateInterval, readDateInterval } from './date-interval.ts';
import { BY_KEY, checkBounds } from './histogram.ts';
import { type HistogramBounds, HistogramBuckets, type HistogramShape } from './histogram-buckets.ts';
import { calendarRounding, fixedRounding, type Rounding } from './rounding.ts';

/** Bounds before their dates are read by the format of the field. */
interface DateBounds {
  readonly min: JsonValue | undefined;
  readonly max: JsonValue | undefined;
}

interface DateHistogramOptions {
  readonly values: ValuesSpec;
  readonly interval: DateInterval | undefined;
  readonly offset: number;
  readonly extended: DateBounds | undefined;
  readonly hard: DateBounds | undefined;
  readonly shape: Omit<HistogramShape, 'extended' | 'hard'>;
}

/** Reads `offset`: ms, or a duration with a sign. */
function readOffset(members: Members): number {
  const value = members.any('offset');
  if (value === undefined) return 0;
  if (typeof value === 'number') return Math.trunc(value);
  if (typeof value !== 'string') throw members.wrongType('offset', value);
  const length =
    fixedLength(value.replace(/^\+/, '')) ?? (/^[+-]?\d+$/.test(value) ? Number(value) : undefined);
  if (length !== undefined) return length;
  throw members.failed(
    'offset',
    illegalArgument(
      `failed to parse setting [DateHistogramAggregationBuilder.parseOffset] with value [${value}] as a time value: unit is missing or unrecognized`,
    ),
  );
}

function readDateBounds(members: Members, name: string): DateBounds | undefined {
  const body = members.object(name);
  if (body === undefined) return undefined;
  const own = new Members(name, body);
  const bounds = { min: own.any('min'), max: own.any('max') };
  for (const [key, value] of Object.entries(bounds))
    if (typeof value === 'object' && value !== null) throw own.wrongType(key, value);
  own.end();
  return bounds;
}

export const DATE_HISTOGRAM: AggregationKind<DateHistogramOptions> = {
  role: 'bucket',
  name: 'date_histogram',
  parse: (body, name) => {
    const members = new Members('date_histogram', body);
    const interval = readDateInterval(members);
    const offset = readOffset(members);
    const order = readBucketOrder(members, BY_KEY);
    const keyed = members.flag('keyed') ?? false;
    const minDocCount = members.integer('min_doc_count') ?? 0;
    if (minDocCount < 0)
      throw members.refused(
        'min_doc_count',
        `[min_doc_count] must be greater than or equal to 0. Found [${minDocCount}] in [${name}]`,
      );
    const extended = readDateBounds(members, 'extended_bounds');
    const hard = readDateBounds(members, 'hard_bounds');
    const values = readValuesSpec(members, { timeZone: true });
    members.end();
    const shape = { typeName: 'date_histogram' as const, minDocCount, keyed, order };
    return { values, interval, offset, extended, hard, shape };
  },
  create: ({ values, interval, offset, extended, hard, shape }, place) => {
    if (interval === undefined)
      throw illegalArgument('Invalid interval specified, must be non-null and non-empty');
    const source = RangeSource.has(values, place.context)
      ? new RangeSource(values, place.context, 'date')
      : new NumericSource(values, place.context, 'date_histogram', 'date');
    const zone = values.timeZone === undefined ? UTC : zoneOf(values.timeZone);
    const roundingWith = (moved: number): Rounding =>
      typeof interval === 'number'
        ? fixedRounding(interval, zone, moved)
        : calendarRounding(interval, zone, moved);
    const rounding = roundingWith(offset);
    const unmoved = roundingWith(0);
    const { date } = source.format;
    const bound = (value: JsonValue | undefined, none: number): number => {
      if (value === undefined || value === null) return none;
      if (date === undefined || typeof value === 'number') return Number(value);
      return dateMath(plainText(value), date, () => place.context.now, false, zone).ms;
    };
    const boundsOf = (bounds: DateBounds | undefined): HistogramBounds | undefined =>
      bounds === undefined
        ? undefined
        : {
            min: bound(bounds.min, Number.NEGATIVE_INFINITY),
            max: bound(bounds.max, Number.POSITIVE_INFINITY),
          };
    const given = { extended: boundsOf(extended), hard: boundsOf(hard) };
    checkBounds(given, place.name, (ms) => source.format.text(ms));
    // As in the peer bounds are rounded as if there were no offset.
    const rounded = (ms: number, moved: number): number =>
      Number.isFinite(ms) ? unmoved.floor(ms) + moved : ms;
    const roundedBounds = (bounds: HistogramBounds | undefined, moved: number): HistogramBounds | undefined =>
      bounds && { min: rounded(bounds.min, moved), max: rounded(bounds.max, moved) };
    const bounds = {
      extended: roundedBounds(given.extended, offset),
      hard: roundedBounds(given.hard, 0),
    };
    // Fractions of other fields are cut off, as the peer reads them.
    const intervals = {
      identity: `${interval} ${offset} ${values.timeZone ?? 'UTC'}`,
      floor: (value: number) => rounding.floor(Math.trunc(value)),
      next: rounding.next,
      isWithin: (key: number, { min, max }: HistogramBounds) => key >= min && key < max,
    };
    return new HistogramBuckets({ ...shape, ...bounds }, intervals, source, place);
  },
};
