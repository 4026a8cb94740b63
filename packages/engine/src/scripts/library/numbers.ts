// Methods of numbers and booleans, and the constants and functions of their classes.

import { ScriptFault } from '../script-fault.ts';
import { compareValues } from '../values/arithmetic.ts';
import { castNumber } from '../values/casts.ts';
import { asNumber, Char, Double, Float, javaEquals, type Run, textOf, type Value } from '../values/value.ts';
import { doubleArgument, intArgument, longArgument, type MethodTable, textArgument } from './arguments.ts';

export type NumberValue = number | bigint | Double | Float | Char;

const scratch = new DataView(new ArrayBuffer(8));

function hashOf(value: NumberValue): number {
  if (typeof value === 'number') return value;
  if (value instanceof Char) return value.code;
  if (value instanceof Float) {
    scratch.setFloat32(0, value.value);
    return scratch.getInt32(0);
  }
  if (value instanceof Double) scratch.setFloat64(0, value.value);
  else scratch.setBigInt64(0, value);
  return scratch.getInt32(0) ^ scratch.getInt32(4);
}

export const NUMBER_METHODS: MethodTable<NumberValue> = {
  'intValue/0': (value) => castNumber('int', value),
  'longValue/0': (value) => castNumber('long', value),
  'doubleValue/0': (value) => castNumber('double', value),
  'floatValue/0': (value) => castNumber('float', value),
  'shortValue/0': (value) => castNumber('short', value),
  'byteValue/0': (value) => castNumber('byte', value),
  'charValue/0': (value) => castNumber('char', value),
  'isNaN/0': (value) => Number.isNaN(asNumber(value)),
  'isInfinite/0': (value) => {
    const number = asNumber(value)!;
    return number === Number.POSITIVE_INFINITY || number === Number.NEGATIVE_INFINITY;
  },
  'toString/0': (value, _, run) => textOf(value, run),
  'equals/1': (value, [other], run) => javaEquals(value, other!, run),
  'compareTo/1': (value, [other], run) => compareValues(value, other!, run),
  'hashCode/0': (value) => hashOf(value),
};

export const BOOLEAN_METHODS: MethodTable<boolean> = {
  'booleanValue/0': (value) => value,
  'toString/0': (value) => String(value),
  'equals/1': (value, [other]) => value === other,
  'compareTo/1': (value, [other], run) => compareValues(value, other!, run),
  'hashCode/0': (value) => (value ? 1231 : 1237),
};

function parseWhole(text: string, bits: 32 | 64, run: Run): bigint {
  run.spend(4);
  const found = /^[+-]?\d{1,40}$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
  if (found !== undefined && BigInt.asIntN(bits, found) === found) return found;
  throw numberFormat(text);
}

function parseReal(text: string, run: Run): number {
  run.spend(20 + text.length / 16);
  const plain = text.trim();
  if (/^[+-]?(?:\d{1,400}\.?\d{0,400}|\.\d{1,400})(?:[eE][+-]?\d{1,5})?[dDfF]?$/.test(plain))
    return Number(plain.replace(/[dDfF]$/, ''));
  if (/^[+-]?(?:NaN|Infinity)$/.test(plain)) return Number(plain);
  throw numberFormat(text);
}

function numberFormat(text: string): ScriptFault {
  return new ScriptFault('number_format_exception', `For input string: "${text.slice(0, 100)}"`);
}

const parseInteger = (text: string, run: Run): Value => Number(parseWhole(text, 32, run));

export const INTEGER_STATICS: MethodTable<undefined> = {
  'parseInt/1': (_, [text], run) => parseInteger(textArgument(text), run),
  'valueOf/1': (_, [value], run) =>
    typeof value === 'string' ? parseInteger(value, run) : intArgument(value),
  'toString/1': (_, [value]) => String(intArgument(value)),
  'compare/2': (_, [a, b], run) => compareValues(intArgument(a), intArgument(b), run),
  'max/2': (_, [a, b]) => Math.max(intArgument(a), intArgument(b)),
  'min/2': (_, [a, b]) => Math.min(intArgument(a), intArgument(b)),
  'sum/2': (_, [a, b]) => (intArgument(a) + intArgument(b)) | 0,
  'signum/1': (_, [value]) => Math.sign(intArgument(value)),
};

/** The greater of two longs, or the lesser. */
function furthest(a: bigint, b: bigint, sign: 1 | -1): bigint {
  return (a > b ? 1 : -1) * sign > 0 ? a : b;
}

export const LONG_STATICS: MethodTable<undefined> = {
  'parseLong/1': (_, [text], run) => parseWhole(textArgument(text), 64, run),
  'valueOf/1': (_, [value], run) =>
    typeof value === 'string' ? parseWhole(value, 64, run) : longArgument(value),
  'toString/1': (_, [value]) => String(longArgument(value)),
  'compare/2': (_, [a, b], run) => compareValues(longArgument(a), longArgument(b), run),
  'max/2': (_, [a, b]) => furthest(longArgument(a), longArgument(b), 1),
  'min/2': (_, [a, b]) => furthest(longArgument(a), longArgument(b), -1),
  'sum/2': (_, [a, b]) => BigInt.asIntN(64, longArgument(a) + longArgument(b)),
};

export const DOUBLE_STATICS: MethodTable<undefined> = {
  'parseDouble/1': (_, [text], run) => {
    return new Double(parseReal(textArgument(text), run));
  },
  'valueOf/1': (_, [value], run) =>
    new Double(typeof value === 'string' ? parseReal(value, run) : doubleArgument(value)),
  'toString/1': (_, [value], run) => textOf(new Double(doubleArgument(value)), run),
  'isNaN/1': (_, [value]) => Number.isNaN(doubleArgument(value)),
  'isInfinite/1': (_, [value]) => Math.abs(doubleArgument(value)) === Number.POSITIVE_INFINITY,
  'isFinite/1': (_, [value]) => Number.isFinite(doubleArgument(value)),
  'compare/2': (_, [a, b], run) =>
    compareValues(new Double(doubleArgument(a)), new Double(doubleArgument(b)), run),
};

export const FLOAT_STATICS: MethodTable<undefined> = {
  'parseFloat/1': (_, [text], run) => new Float(Math.fround(parseReal(textArgument(text), run))),
  'valueOf/1': (_, [value], run) =>
    new Float(Math.fround(typeof value === 'string' ? parseReal(value, run) : doubleArgument(value))),
};

const isTrue = (text: string): boolean => text.length === 4 && text.toLowerCase() === 'true';

export const BOOLEAN_STATICS: MethodTable<undefined> = {
  'parseBoolean/1': (_, [text]) => isTrue(textArgument(text)),
  'valueOf/1': (_, [value]) => (typeof value === 'boolean' ? value : isTrue(textArgument(value))),
};

const inUnit = (value: Value | undefined, test: (unit: string) => boolean): boolean =>
  test(textArgument(value));

export const CHARACTER_STATICS: MethodTable<undefined> = {
  'isDigit/1': (_, [value]) => inUnit(value, (unit) => /^\p{Nd}/u.test(unit)),
  'isLetter/1': (_, [value]) => inUnit(value, (unit) => /^\p{L}/u.test(unit)),
  'isLetterOrDigit/1': (_, [value]) => inUnit(value, (unit) => /^[\p{L}\p{Nd}]/u.test(unit)),
  'isUpperCase/1': (_, [value]) => inUnit(value, (unit) => /^\p{Lu}/u.test(unit)),
  'isLowerCase/1': (_, [value]) => inUnit(value, (unit) => /^\p{Ll}/u.test(unit)),
};

const real =
  (compute: (...numbers: number[]) => number) =>
  (_: undefined, args: readonly Value[]): Value =>
    new Double(compute(...args.map(doubleArgument)));

/** Java rounds a half up, also below zero; the result is a long. */
function round(value: Value | undefined): Value {
  const number = doubleArgument(value);
  const floor = Math.floor(number);
  const rounded = new Double(number - floor >= 0.5 ? floor + 1 : floor);
  return castNumber(value instanceof Float ? 'int' : 'long', rounded);
}

/** To the nearest whole number; a half to the even one. */
function rint(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest === 0.5) return floor % 2 === 0 ? floor : floor + 1;
  return rest < 0.5 ? floor : floor + 1;
}

/** `Math`: numbers are doubles, as in the peer, whose `Math.abs(-3)` is 3.0. */
export const MATH_STATICS: MethodTable<undefined> = {
  'abs/1': real(Math.abs),
  'acos/1': real(Math.acos),
  'asin/1': real(Math.asin),
  'atan/1': real(Math.atan),
  'atan2/2': real(Math.atan2),
  'cbrt/1': real(Math.cbrt),
  'ceil/1': real(Math.ceil),
  'cos/1': real(Math.cos),
  'cosh/1': real(Math.cosh),
  'exp/1': real(Math.exp),
  'expm1/1': real(Math.expm1),
  'floor/1': real(Math.floor),
  'hypot/2': real(Math.hypot),
  'log/1': real(Math.log),
  'log10/1': real(Math.log10),
  'log1p/1': real(Math.log1p),
  'max/2': real(Math.max),
  'min/2': real(Math.min),
  // In Java 1 to the power of NaN or infinity is NaN, as in JavaScript.
  'pow/2': real((base, exponent) => base ** exponent),
  'random/0': real(Math.random),
  'rint/1': real(rint),
  'round/1': (_, [value]) => round(value),
  'signum/1': real(Math.sign),
  'sin/1': real(Math.sin),
  'sinh/1': real(Math.sinh),
  'sqrt/1': real(Math.sqrt),
  'tan/1': real(Math.tan),
  'tanh/1': real(Math.tanh),
  'toDegrees/1': real((angle) => angle * (180 / Math.PI)),
  'toRadians/1': real((angle) => angle * (Math.PI / 180)),
};

/** Constants by class and name. */
export const NUMBER_CONSTANTS: Readonly<Record<string, Value>> = {
  'Integer.MAX_VALUE': 2 ** 31 - 1,
  'Integer.MIN_VALUE': -(2 ** 31),
  'Long.MAX_VALUE': 2n ** 63n - 1n,
  'Long.MIN_VALUE': -(2n ** 63n),
  'Double.MAX_VALUE': new Double(Number.MAX_VALUE),
  'Double.MIN_VALUE': new Double(Number.MIN_VALUE),
  'Double.NaN': new Double(Number.NaN),
  'Double.POSITIVE_INFINITY': new Double(Number.POSITIVE_INFINITY),
  'Double.NEGATIVE_INFINITY': new Double(Number.NEGATIVE_INFINITY),
  'Float.MAX_VALUE': new Float(Math.fround(3.4028234663852886e38)),
  'Math.E': new Double(Math.E),
  'Math.PI': new Double(Math.PI),
  'Boolean.TRUE': true,
  'Boolean.FALSE': false,
};
