// How do fractional types read documents and queries? double, float, half_float keep what their width keeps;
// scaled_float is a long behind a factor.

import { illegalArgument } from '../errors.ts';
import type { JsonValue } from '../json/value.ts';
import { nextHalf, toHalf } from './half.ts';
import { decimalFormat, given, numberFault, valueText } from './integers.ts';
import { doubleKey, doubleOf, longKey, longOf } from './key.ts';
import { shortestFloat } from './shortest-float.ts';
import type { NumericType } from './type.ts';

export type FloatName = 'double' | 'float' | 'half_float';

/** The value that a type keeps; infinite where it is too large. */
export const ROUND: Readonly<Record<FloatName, (value: number) => number>> = {
  double: (value) => value,
  float: Math.fround,
  half_float: toHalf,
};

const FLOAT = /^[+-]?(?:\d{1,1000}\.?\d{0,1000}|\.\d{1,1000})(?:[eE][+-]?\d{1,6})?[dDfF]?$/;

/** A text as a double, as Java's Double.parseDouble reads it (white space around is fine); undefined when it is none. */
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

/** The query side of double, float and half_float. */
export function floatType(name: FloatName): NumericType {
  const round = ROUND[name];
  const finite = (value: JsonValue): number => {
    const number = readFloat(value);
    const kept = round(number);
    if (!Number.isFinite(kept))
      throw illegalArgument(`[${name}] supports only finite values, but got [${kept}]`);
    return kept;
  };
  const next = (value: number, up: boolean): number => {
    if (name === 'half_float') return nextHalf(value, up);
    return name === 'float' ? nextFloat(value, up) : nextDouble(value, up);
  };
  return {
    parse: (value) => doubleKey(finite(value)),
    range(bounds) {
      let min = Number.NEGATIVE_INFINITY;
      let max = Number.POSITIVE_INFINITY;
      // Bounds are rounded to the type first, as the peer does, then moved where they are exclusive.
      if (given(bounds.gte)) min = Math.max(min, round(readFloat(bounds.gte)));
      if (given(bounds.gt)) min = Math.max(min, next(round(readFloat(bounds.gt)), true));
      if (given(bounds.lte)) max = Math.min(max, round(readFloat(bounds.lte)));
      if (given(bounds.lt)) max = Math.min(max, next(round(readFloat(bounds.lt)), false));
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
  return given(value) && readFloat(value) === 0;
}

const f64 = new Float64Array(1);
const i64 = new BigInt64Array(f64.buffer);
const f32 = new Float32Array(1);
const i32 = new Int32Array(f32.buffer);

function nextDouble(value: number, up: boolean): number {
  if (value === 0) return up ? Number.MIN_VALUE : -Number.MIN_VALUE;
  f64[0] = value;
  i64[0]! += up === value > 0 ? 1n : -1n;
  return f64[0]!;
}

function nextFloat(value: number, up: boolean): number {
  if (!Number.isFinite(value)) return value;
  f32[0] = value;
  if (value === 0) i32[0] = up ? 1 : 0x80000001 | 0;
  else i32[0]! += up === value > 0 ? 1 : -1;
  return f32[0]!;
}

/**
 * The float that is shown as this double. A decimal that lies close to the middle between two floats may be that middle as a
 * double, and would then be rounded to the wrong one of them.
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
  // As Java's Math.round has it, what is no number is 0.
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
      if (given(bounds.gte)) raise(exact(Math.ceil(scale(bounds.gte))));
      if (given(bounds.gt)) raise(exact(Math.floor(scale(bounds.gt))) + 1n);
      if (given(bounds.lte)) lower(exact(Math.floor(scale(bounds.lte))));
      if (given(bounds.lt)) lower(exact(Math.ceil(scale(bounds.lt))) - 1n);
      return min > max ? undefined : { min: longKey(min), max: longKey(max) };
    },
    decode: (hi, lo) => Number(longOf(hi, lo)) / factor,
    format: (hi, lo, format) => {
      const value = Number(longOf(hi, lo)) / factor;
      return format === undefined ? value : decimalFormat(value, format);
    },
  };
}
