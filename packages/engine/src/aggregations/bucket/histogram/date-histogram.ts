// `date_histogram`: intervals of the calendar or of one length, in a time zone.

import { illegalArgument } from '../../../errors.ts';
import { plainText } from '../../../json/java-text.ts';
import type { JsonValue } from '../../../json/value.ts';
import { dateMath } from '../../../mapping/dates/date-math.ts';
import { UTC, zoneOf } from '../../../mapping/dates/zone.ts';
import type { AggregationKind } from '../../kind.ts';
import { readBucketOrder } from '../../request/bucket-order.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../../request/values-spec.ts';
import { NumericSource } from '../../values/numeric-source.ts';
import { BY_KEY, checkBounds } from './histogram.ts';
import { type HistogramBounds, HistogramBuckets, type HistogramShape } from './histogram-buckets.ts';
import { type CalendarUnit, calendarRounding, fixedRounding } from './rounding.ts';

/** A length in ms, or a unit of the calendar. */
export type DateInterval = number | CalendarUnit;

/** Bounds before their dates are read by the format of the field. */
interface DateBounds {
  readonly min: JsonValue | undefined;
  readonly max: JsonValue | undefined;
}

interface DateHistogramOptions {
  readonly values: ValuesSpec;
  readonly interval: DateInterval;
  readonly offset: number;
  readonly extended: DateBounds | undefined;
  readonly hard: DateBounds | undefined;
  readonly shape: Omit<HistogramShape, 'extended' | 'hard'>;
}

const UNITS: Readonly<Record<string, CalendarUnit>> = {
  ...{ second: 'second', '1s': 'second', minute: 'minute', '1m': 'minute', hour: 'hour', '1h': 'hour' },
  ...{ day: 'day', '1d': 'day', week: 'week', '1w': 'week', month: 'month', '1M': 'month' },
  ...{ quarter: 'quarter', '1q': 'quarter', year: 'year', '1y': 'year' },
};

const FIXED: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 },
  ...{ nanos: 1e-6, micros: 1e-3, H: 3_600_000, w: 604_800_000 },
};

/** A length as in `90m`, in ms; undefined where the text is none. */
export function fixedLength(text: string): number | undefined {
  const match = /^\s*([+-]?\d{1,15})(nanos|micros|ms|[smhHdw])\s*$/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * FIXED[match[2]!]!;
}

/** Reads `calendar_interval`, `fixed_interval` or `interval`. */
export function readDateInterval(members: Members): DateInterval {
  const calendar = members.text('calendar_interval');
  const fixed = members.text('fixed_interval');
  const either = members.text('interval');
  const given = [calendar, fixed, either].filter((each) => each !== undefined);
  if (given.length > 1) {
    throw illegalArgument(
      calendar !== undefined && fixed !== undefined
        ? 'Cannot use [calendar_interval] with [fixed_interval] configuration option.'
        : 'Cannot use [interval] with [fixed_interval] or [calendar_interval] configuration options.',
    );
  }
  if (calendar !== undefined) {
    const unit = Object.hasOwn(UNITS, calendar) ? UNITS[calendar] : undefined;
    if (unit !== undefined) return unit;
    throw members.failed(
      'calendar_interval',
      illegalArgument(`The supplied interval [${calendar}] could not be parsed as a calendar interval.`),
    );
  }
  if (fixed !== undefined) return positiveLength(members, 'fixed_interval', fixed);
  if (either === undefined)
    throw illegalArgument(
      'Invalid interval specified, must be non-null and non-empty: set [calendar_interval] or [fixed_interval]',
    );
  if (Object.hasOwn(UNITS, either)) return UNITS[either]!;
  if (/^\d+$/.test(either)) return Number(either);
  return positiveLength(members, 'interval', either);
}

function positiveLength(members: Members, name: string, text: string): number {
  const length = fixedLength(text);
  if (length === undefined || /[wH]\s*$/.test(text)) {
    throw members.failed(
      name,
      illegalArgument(
        `failed to parse setting [date_histogram.fixedInterval] with value [${text}] as a time value: unit is missing or unrecognized`,
      ),
    );
  }
  if (length >= 1) return length;
  throw members.failed(name, illegalArgument('Zero or negative time interval not supported'));
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
      throw illegalArgument(
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
    const source = new NumericSource(values, place.context, 'date_histogram', 'date');
    const zone = values.timeZone === undefined ? UTC : zoneOf(values.timeZone);
    const rounding =
      typeof interval === 'number'
        ? fixedRounding(interval, zone, offset)
        : calendarRounding(interval, zone, offset);
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
    const bounds = { extended: boundsOf(extended), hard: boundsOf(hard) };
    checkBounds(bounds, place.name, (ms) => source.format.text(ms));
    return new HistogramBuckets({ ...shape, ...bounds }, rounding, source, place);
  },
};
