// Whole-number types: long, integer, short, byte and unsigned_long. Exact to the last digit; in ranges,
// fractions round inwards.

import { EngineError } from '../../errors.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import { decimalFormat } from './decimal-format.ts';
import { longKey, longOf, unsignedKey, unsignedOf } from './sortable-key.ts';
import type { Key64, NumericType, RangeBounds } from './type.ts';

/** A whole-number type. */
export interface IntegerKind {
  readonly name: 'long' | 'integer' | 'short' | 'byte' | 'unsigned_long';
  readonly min: bigint;
  readonly max: bigint;
  /** The name in messages. */
  readonly label: string;
}

export const INTEGERS: Readonly<Record<IntegerKind['name'], IntegerKind>> = {
  long: { name: 'long', min: -(2n ** 63n), max: 2n ** 63n - 1n, label: 'a long' },
  integer: { name: 'integer', min: -(2n ** 31n), max: 2n ** 31n - 1n, label: 'an integer' },
  short: { name: 'short', min: -32768n, max: 32767n, label: 'a short' },
  byte: { name: 'byte', min: -128n, max: 127n, label: 'a byte' },
  unsigned_long: { name: 'unsigned_long', min: 0n, max: 2n ** 64n - 1n, label: 'an unsigned long' },
};

/** Longer digits and exponents are out of range of every type. */
const DECIMAL = /^([+-]?)(\d{0,1000})(?:\.(\d{0,1000}))?(?:[eE]([+-]?\d{1,6}))?$/;

/** The integer part of a decimal text, and whether it has a fraction; undefined when it is no number. */
export function decimalOf(text: string): { whole: bigint; fraction: boolean; negative: boolean } | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const int = match[2]!;
  const frac = match[3] ?? '';
  if (int === '' && frac === '') return undefined;
  const exponent = Number(match[4] ?? 0);
  const negative = match[1] === '-';
  let digits = int + frac;
  let point = int.length + exponent;
  if (/^0*$/.test(digits)) return { whole: 0n, fraction: false, negative };
  if (point > 2000) point = 2000;
  if (point <= 0) return { whole: 0n, fraction: true, negative };
  digits = digits.padEnd(point, '0');
  const whole = BigInt(digits.slice(0, point));
  return { whole: negative ? -whole : whole, fraction: /[1-9]/.test(digits.slice(point)), negative };
}

/** Text of a query value, as messages print it. */
export function valueText(value: JsonValue): string {
  return typeof value === 'string'
    ? value
    : value !== null && typeof value === 'object'
      ? stringifyJson(value)
      : String(value);
}

export function numberFault(text: string): EngineError {
  return new EngineError('number_format_exception', `For input string: "${text}"`);
}

/** The query side of a whole-number type. */
export function integerType(kind: IntegerKind): NumericType {
  const unsigned = kind.name === 'unsigned_long';
  const key = (value: bigint): Key64 => (unsigned ? unsignedKey(value) : longKey(value));
  const decode = unsigned ? unsignedOf : longOf;

  const bound = (value: JsonValue, lower: boolean, inclusive: boolean): bigint => {
    const { whole, fraction, negative } = read(value);
    // A fraction lies strictly between two integers: the bound moves inwards and counts as included.
    if (fraction) {
      if (lower) return negative ? whole : whole + 1n;
      return negative ? whole - 1n : whole;
    }
    return inclusive ? whole : lower ? whole + 1n : whole - 1n;
  };

  return {
    parse(value) {
      const { whole, fraction } = read(value);
      if (fraction || whole < kind.min || whole > kind.max) return undefined;
      return key(whole);
    },
    range(bounds: RangeBounds) {
      let min = kind.min;
      let max = kind.max;
      if (isGiven(bounds.gte)) min = larger(min, bound(bounds.gte, true, true));
      if (isGiven(bounds.gt)) min = larger(min, bound(bounds.gt, true, false));
      if (isGiven(bounds.lte)) max = smaller(max, bound(bounds.lte, false, true));
      if (isGiven(bounds.lt)) max = smaller(max, bound(bounds.lt, false, false));
      return min > max ? undefined : { min: key(min), max: key(max) };
    },
    decode,
    format: (hi, lo, format) =>
      format === undefined ? decode(hi, lo) : decimalFormat(decode(hi, lo), format),
  };
}

/** Whether a bound was sent; null means open. */
export function isGiven(value: JsonValue | undefined): value is Exclude<JsonValue, null> {
  return value !== undefined && value !== null;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function read(value: JsonValue): { whole: bigint; fraction: boolean; negative: boolean } {
  if (typeof value === 'bigint') return { whole: value, fraction: false, negative: value < 0n };
  if (typeof value === 'number' && Number.isInteger(value))
    return { whole: BigInt(value), fraction: false, negative: value < 0 };
  const text = valueText(value);
  const decimal = typeof value === 'string' || typeof value === 'number' ? decimalOf(text) : undefined;
  if (decimal === undefined) throw numberFault(text);
  return decimal;
}
