// Dates of scripts: `ZonedDateTime` and `Instant`, both in UTC, and the enumerations of days and months.

import { EngineError } from '../../errors.ts';
import { civilOf, DAY, daysInMonth, daysOf, weekdayOf } from '../../mapping/dates/calendar.ts';
import { type DateFormat, dateFormat } from '../../mapping/dates/date-format.ts';
import { UTC } from '../../mapping/dates/zone.ts';
import { ScriptFault } from '../script-fault.ts';
import { type Run, ScriptObject, type Value } from '../values/value.ts';
import { longArgument, type MethodTable, textArgument } from './arguments.ts';

const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];
const MONTHS = [
  ...['JANUARY', 'FEBRUARY', 'MARCH', 'APRIL', 'MAY', 'JUNE', 'JULY', 'AUGUST', 'SEPTEMBER', 'OCTOBER'],
  ...['NOVEMBER', 'DECEMBER'],
];

/** A constant of an enumeration, numbered from 1. */
class EnumConstant extends ScriptObject {
  readonly className: string;
  readonly #name: string;
  readonly #number: number;

  constructor(className: string, name: string, number: number) {
    super();
    this.className = className;
    this.#name = name;
    this.#number = number;
  }

  override call(name: string, args: readonly Value[]): Value | undefined {
    if (args.length === 0) {
      if (name === 'getValue') return this.#number;
      if (name === 'ordinal') return this.#number - 1;
      if (name === 'name' || name === 'toString') return this.#name;
    }
    if (name === 'equals' && args.length === 1)
      return args[0] instanceof EnumConstant && this.equals(args[0]);
    return undefined;
  }

  override text(): string {
    return this.#name;
  }

  override equals(other: ScriptObject): boolean {
    return (
      other instanceof EnumConstant && other.className === this.className && other.#number === this.#number
    );
  }

  override compare(other: ScriptObject): number | undefined {
    return other instanceof EnumConstant ? this.#number - other.#number : undefined;
  }
}

const constants = (className: string, names: readonly string[]): EnumConstant[] =>
  names.map((name, i) => new EnumConstant(className, name, i + 1));
const DAY_CONSTANTS = constants('java.time.DayOfWeek', DAYS);
const MONTH_CONSTANTS = constants('java.time.Month', MONTHS);

/** Milliseconds of the units that have always the same length. */
const UNITS: Readonly<Record<string, number>> = {
  Nanos: 1e-6,
  Millis: 1,
  Seconds: 1000,
  Minutes: 60_000,
  Hours: 3_600_000,
  Days: DAY,
  Weeks: 7 * DAY,
};

const FURTHEST = 8.64e15;

/** A moment in UTC; `nanos` are those within its millisecond. */
export class ScriptDate extends ScriptObject {
  readonly className: string;
  readonly millis: number;
  readonly nanos: number;

  constructor(millis: number, nanos = 0, className = 'java.time.ZonedDateTime') {
    super();
    if (Math.abs(millis) > FURTHEST)
      throw new ScriptFault('illegal_argument_exception', 'the date is too far away');
    this.className = className;
    this.millis = millis;
    this.nanos = nanos;
  }

  override call(name: string, args: readonly Value[], run: Run): Value | undefined {
    const [first] = args;
    run.spend(name === 'toString' || name === 'format' ? 60 : 8);
    if (args.length === 0) return this.#part(name);
    if (args.length !== 1) return undefined;
    if (name === 'format' && first instanceof DateFormatter) return first.write(this);
    if (name === 'equals') return first instanceof ScriptDate && this.equals(first);
    if (first instanceof ScriptDate) {
      const order = this.compare(first);
      if (name === 'isBefore') return order < 0;
      if (name === 'isAfter') return order > 0;
      if (name === 'isEqual') return order === 0;
      if (name === 'compareTo') return order;
      return undefined;
    }
    const sign = name.startsWith('plus') ? 1 : name.startsWith('minus') ? -1 : 0;
    return sign === 0 ? undefined : this.#moved(name.replace(/^(?:plus|minus)/, ''), first!, sign);
  }

  #part(name: string): Value | undefined {
    const days = Math.floor(this.millis / DAY);
    const time = this.millis - days * DAY;
    switch (name) {
      case 'getMillis':
      case 'toEpochMilli':
        return BigInt(this.millis);
      case 'toEpochSecond':
      case 'getEpochSecond':
        return BigInt(Math.floor(this.millis / 1000));
      case 'toInstant':
        return new ScriptDate(this.millis, this.nanos, 'java.time.Instant');
      case 'toString':
        return this.text();
      case 'getYear':
        return civilOf(days).year;
      case 'getMonth':
        return MONTH_CONSTANTS[civilOf(days).month - 1]!;
      case 'getMonthValue':
        return civilOf(days).month;
      case 'getDayOfMonth':
        return civilOf(days).day;
      case 'getDayOfYear':
        return days - daysOf(civilOf(days).year, 1, 1) + 1;
      case 'getDayOfWeek':
      case 'getDayOfWeekEnum':
        return DAY_CONSTANTS[weekdayOf(days) - 1]!;
      case 'getHour':
        return Math.floor(time / 3_600_000);
      case 'getMinute':
        return Math.floor(time / 60_000) % 60;
      case 'getSecond':
        return Math.floor(time / 1000) % 60;
      case 'getNano':
        return (time % 1000) * 1e6 + this.nanos;
      default:
        return undefined;
    }
  }

  #moved(unit: string, by: Value, sign: number): ScriptDate | undefined {
    const count = sign * Number(longArgument(by));
    if (unit === 'Months' || unit === 'Years') {
      const days = Math.floor(this.millis / DAY);
      const { year, month, day } = civilOf(days);
      const months = year * 12 + month - 1 + count * (unit === 'Years' ? 12 : 1);
      if (Math.abs(months) > 4e6)
        throw new ScriptFault('illegal_argument_exception', 'the date is too far away');
      const [newYear, newMonth] = [Math.floor(months / 12), (((months % 12) + 12) % 12) + 1];
      const moved = daysOf(newYear, newMonth, Math.min(day, daysInMonth(newYear, newMonth)));
      return new ScriptDate(moved * DAY + (this.millis - days * DAY), this.nanos, this.className);
    }
    const length = UNITS[unit];
    if (length === undefined) return undefined;
    if (unit !== 'Nanos') return new ScriptDate(this.millis + count * length, this.nanos, this.className);
    const nanos = this.nanos + count;
    return new ScriptDate(this.millis + Math.floor(nanos / 1e6), ((nanos % 1e6) + 1e6) % 1e6, this.className);
  }

  /** As Java prints it: the fraction in groups of three digits, `Z` at the end. */
  override text(): string {
    const [date = '', time = ''] = new Date(this.millis).toISOString().split('T');
    const nano = (((this.millis % 1000) + 1000) % 1000) * 1e6 + this.nanos;
    const clock = time.slice(0, 8);
    const isShort = this.className === 'java.time.ZonedDateTime' && nano === 0 && clock.endsWith(':00');
    let fraction = String(nano).padStart(9, '0');
    while (fraction.endsWith('000')) fraction = fraction.slice(0, -3);
    return `${date}T${isShort ? clock.slice(0, 5) : clock}${fraction === '' ? '' : `.${fraction}`}Z`;
  }

  /** Milliseconds always, and nanoseconds if there are any. */
  override json(): string {
    const [moment = ''] = new Date(this.millis).toISOString().split('Z');
    return `"${moment}${this.nanos === 0 ? '' : String(this.nanos).padStart(6, '0')}Z"`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof ScriptDate && other.className === this.className && this.compare(other) === 0;
  }

  override compare(other: ScriptObject): number {
    if (!(other instanceof ScriptDate)) return Number.NaN;
    return Math.sign(this.millis - other.millis || this.nanos - other.nanos);
  }
}

/** A `DateTimeFormatter`. */
class DateFormatter extends ScriptObject {
  readonly className = 'java.time.format.DateTimeFormatter';
  readonly #pattern: string;
  readonly #format: DateFormat;

  constructor(pattern: string) {
    super();
    this.#pattern = pattern;
    try {
      this.#format = dateFormat(pattern);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      throw new ScriptFault('illegal_argument_exception', error.message);
    }
  }

  write({ millis, nanos }: ScriptDate): string {
    return this.#format.write({ ms: millis, nanos }, UTC);
  }

  override call(name: string, args: readonly Value[], run: Run): Value | undefined {
    const [date] = args;
    if (name !== 'format' || args.length !== 1 || !(date instanceof ScriptDate)) return undefined;
    run.spend(60);
    return this.write(date);
  }

  override text(): string {
    return this.#pattern;
  }
}

export const FORMATTER_STATICS: MethodTable<undefined> = {
  'ofPattern/1': (_, [pattern], run) => {
    const text = textArgument(pattern);
    run.spend(60 + text.length * 4);
    return new DateFormatter(text);
  },
};

/** Characters of a date. */
const LONGEST_DATE = 100;

function parseDate(value: Value | undefined, className: string, run: Run): ScriptDate {
  run.spend(60);
  const text = textArgument(value);
  if (text.length > LONGEST_DATE)
    throw new ScriptFault('date_time_parse_exception', `a date has more than ${LONGEST_DATE} characters`);
  const found = /T.*(?:Z|[+-]\d\d:?\d\d)$/.test(text)
    ? dateFormat('strict_date_optional_time_nanos').read(text, UTC, false)
    : undefined;
  if (found === undefined)
    throw new ScriptFault('date_time_parse_exception', `Text '${text}' could not be parsed at index 0`);
  if (!text.endsWith('Z'))
    throw new ScriptFault(
      'illegal_argument_exception',
      'dates with a time zone other than [Z] are not supported',
    );
  return new ScriptDate(found.ms, found.nanos, className);
}

function dateArgument(value: Value | undefined): ScriptDate {
  if (value instanceof ScriptDate) return value;
  throw new ScriptFault('class_cast_exception', 'an argument is no date');
}

const ZONE = new EnumConstant('java.time.ZoneId', 'Z', 1);

function zone(value: Value | undefined): Value {
  if (['Z', 'UTC', 'Etc/UTC', 'GMT'].includes(textArgument(value))) return ZONE;
  throw new ScriptFault('illegal_argument_exception', 'time zones other than [Z] are not supported');
}

/** How many whole units lie between two dates. */
class ChronoUnit extends ScriptObject {
  readonly className = 'java.time.temporal.ChronoUnit';
  readonly #name: string;

  constructor(name: string) {
    super();
    this.#name = name;
  }

  override call(name: string, args: readonly Value[]): Value | undefined {
    if (name !== 'between' || args.length !== 2) return undefined;
    const [from, to] = [dateArgument(args[0]), dateArgument(args[1])];
    const nanos = BigInt(to.millis - from.millis) * 1_000_000n + BigInt(to.nanos - from.nanos);
    return nanos / (BigInt(UNITS[this.#name]! * 1000) * 1000n);
  }

  override text(): string {
    return this.#name;
  }
}

export const ZONED_STATICS: MethodTable<undefined> = {
  'parse/1': (_, [text], run) => parseDate(text, 'java.time.ZonedDateTime', run),
  'ofInstant/2': (_, [at]) => {
    const { millis, nanos } = dateArgument(at);
    return new ScriptDate(millis, nanos);
  },
};

export const INSTANT_STATICS: MethodTable<undefined> = {
  'parse/1': (_, [text], run) => parseDate(text, 'java.time.Instant', run),
  'ofEpochMilli/1': (_, [millis]) => new ScriptDate(Number(longArgument(millis)), 0, 'java.time.Instant'),
  'ofEpochSecond/1': (_, [seconds]) =>
    new ScriptDate(Number(longArgument(seconds)) * 1000, 0, 'java.time.Instant'),
};

export const ZONE_STATICS: MethodTable<undefined> = { 'of/1': (_, [name]) => zone(name) };

/** Constants by class and name. */
export const DATE_CONSTANTS: Readonly<Record<string, Value>> = {
  ...Object.fromEntries(DAY_CONSTANTS.map((day, i) => [`DayOfWeek.${DAYS[i]}`, day])),
  ...Object.fromEntries(MONTH_CONSTANTS.map((month, i) => [`Month.${MONTHS[i]}`, month])),
  ...Object.fromEntries(
    ['Millis', 'Seconds', 'Minutes', 'Hours', 'Days', 'Weeks'].map((unit) => [
      `ChronoUnit.${unit.toUpperCase()}`,
      new ChronoUnit(unit),
    ]),
  ),
  'ZoneOffset.UTC': ZONE,
};
