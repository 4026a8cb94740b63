// Fractional types: double, float and half_float keep what their width allows; scaled_float is a long
// behind a factor.

import { illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { decimalFormat } from './decimal-format.ts';
import { nextHalf, toHalf } from './half-float.ts';
import { isGiven, numberFault, valueText } from './integers.ts';
import { nearestFloat, nextFloat } from './nearest-float.ts';
import { shortestFloat } from './shortest-float.ts';
import { doubleKey, doubleOf, longKey, longOf } from './sortable-key.ts';
import type { NumericType } from './type.ts';

export type FloatName = 'double' | 'float' | 'half_float';

/** The value that a type stores; infinite if too large. A half is rounded from a float, as in OpenSearch. */
export const ROUND: Readonly<Record<FloatName, (value: number) => number>> = {
  double: (value) => value,
  float: Math.fround,
  half_float: (value) => toHalf(Math.fround(value)),
};

const FLOAT = /^[+-]?(?:\d{1,1000}\.?\d{0,1000}|\.\d{1,1000})(?:[eE][+-]?\d{1,6})?[dDfF]?$/;

/**
 * A text as a double, read like Java's Double.parseDouble (surrounding white space allowed); undefined when
 * it is none.
 */
export function floatOf(text: string): number | undefined {
  const trimmed = text.trim();
  if (FLOAT.test(trimmed)) return Number(trimmed.replace(/[dDfF]$/, ''));
  if (trimmed === 'NaN') return Number.NaN;
  const infinite = /^([+-]?)Infinity$/.exec(trimmed);
  return infinite === null
    ? undefined
    : infinite[1] === '-'
      ? Number.NEGATIVE_INFINITY
      : Number.POSITIVE_INFINITY;
}

/** A query value as a double. Errors: number_format_exception. */
export function readFloat(value: JsonValue): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  const number = typeof value === 'string' ? floatOf(value) : undefined;
  if (number === undefined) throw numberFault(valueText(value));
  return number;
}

/**
 * A query value as a float: texts and whole numbers are rounded once, fractions of JSON via a double, as in
 * OpenSearch.
 */
function readSingle(value: JsonValue): number {
  const number = readFloat(value);
  return typeof value === 'string' || typeof value === 'bigint'
    ? nearestFloat(String(value).trim(), number)
    : Math.fround(number);
}

/** The query side of double, float and half_float. */
export function floatType(name: FloatName): NumericType {
  const round = ROUND[name];
  const readExact = name === 'double' ? readFloat : readSingle;
  const checked = (value: number): number => {
    const rounded = round(value);
    if (!Number.isFinite(rounded))
      throw illegalArgument(`[${name}] supports only finite values, but got [${rounded}]`);
    return rounded;
  };
  /** A bound before it is rounded to the type. Only doubles have bounds that are not finite. */
  const bound = (value: JsonValue): number => {
    const read = readExact(value);
    if (name !== 'double') checked(read);
    return read;
  };
  const next = (value: number, up: boolean): number => {
    if (name === 'half_float') return nextHalf(value, up);
    return name === 'float' ? nextFloat(value, up) : nextDouble(value, up);
  };
  return {
    parse: (value) => doubleKey(checked(readExact(value))),
    range(bounds) {
      let min = Number.NEGATIVE_INFINITY;
      let max = Number.POSITIVE_INFINITY;
      // A bound between two values of the type moves inwards and becomes inclusive.
      const raise = (to: number, exclusive: boolean): void => {
        const rounded = round(to);
        min = Math.max(min, rounded > to || (rounded === to && !exclusive) ? rounded : next(rounded, true));
      };
      const lower = (to: number, exclusive: boolean): void => {
        // NaN sorts last in OpenSearch: everything is below it.
        if (Number.isNaN(to)) return;
        const rounded = round(to);
        max = Math.min(max, rounded < to || (rounded === to && !exclusive) ? rounded : next(rounded, false));
      };
      if (isGiven(bounds.gte)) raise(bound(bounds.gte), false);
      if (isGiven(bounds.gt)) raise(bound(bounds.gt), true);
      if (isGiven(bounds.lte)) lower(bound(bounds.lte), false);
      if (isGiven(bounds.lt)) lower(bound(bounds.lt), true);
      if (Number.isNaN(min)) return undefined;
      // Zero has two keys; a range that includes zero includes both.
      if (min === 0 && !exclusiveZero(bounds.gt)) min = -0;
      if (max === 0) max = exclusiveZero(bounds.lt) ? -0 : 0;
      return min > max ? undefined : { min: doubleKey(min), max: doubleKey(max) };
    },
    decode: doubleOf,
    format: (hi, lo, format) => {
      const value = doubleOf(hi, lo);
      if (format !== undefined) return decimalFormat(value, format);
      return name === 'float' ? shortestFloat(value) : value;
    },
  };
}

function exclusiveZero(value: JsonValue | undefined): boolean {
  return isGiven(value) && readFloat(value) === 0;
}

const f64 = new Float64Array(1);
const i64 = new BigInt64Array(f64.buffer);

function nextDouble(value: number, up: boolean): number {
  if (value === 0) return up ? Number.MIN_VALUE : -Number.MIN_VALUE;
  if (Number.isNaN(value) || (!Number.isFinite(value) && up === value > 0)) return value;
  f64[0] = value;
  i64[0]! += up === value > 0 ? 1n : -1n;
  return f64[0]!;
}

/**
 * The float that is printed as this double. A decimal close to the middle between two floats may equal that middle as a
 * double, and would then round to the wrong float.
 */
export function floatShownAs(shown: number): number {
  const near = Math.fround(shown);
  if (near === shown || !Number.isFinite(near)) return near;
  const other = nextFloat(near, shown > near);
  const isMiddle = shown - near === other - shown;
  return isMiddle && shortestFloat(other) === shown ? other : near;
}

/** The query side of scaled_float: keys are longs, `value · factor` rounded half up. */
export function scaledType(factor: number): NumericType {
  const scale = (value: JsonValue): number => readFloat(value) * factor;
  // NaN becomes 0, as in Java's Math.round.
  const exact = (value: number): bigint =>
    BigInt(Number.isNaN(value) ? 0 : Math.max(-9.2e18, Math.min(9.2e18, value)));
  return {
    parse: (value) => longKey(exact(Math.round(scale(value)))),
    range(bounds) {
      let min = -(2n ** 63n);
      let max = 2n ** 63n - 1n;
      const raise = (to: bigint): void => {
        if (to > min) min = to;
      };
      const lower = (to: bigint): void => {
        if (to < max) max = to;
      };
      if (isGiven(bounds.gte)) raise(exact(Math.ceil(scale(bounds.gte))));
      if (isGiven(bounds.gt)) raise(exact(Math.floor(scale(bounds.gt))) + 1n);
      if (isGiven(bounds.lte)) lower(exact(Math.floor(scale(bounds.lte))));
      if (isGiven(bounds.lt)) lower(exact(Math.ceil(scale(bounds.lt))) - 1n);
      return min > max ? undefined : { min: longKey(min), max: longKey(max) };
    },
    decode: (hi, lo) => Number(longOf(hi, lo)) / factor,
    format: (hi, lo, format) => {
      const value = Number(longOf(hi, lo)) / factor;
      return format === undefined ? value : decimalFormat(value, format);
    },
  };
}
