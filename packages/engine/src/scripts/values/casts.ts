// Conversions between types: what a variable of a declared type takes, and what `(int) x` makes.

import { isPrimitive, TYPES, type TypeName } from '../language/types.ts';
import { classCast, ScriptFault } from '../script-fault.ts';
import {
  asNumber,
  Char,
  classOf,
  Double,
  Float,
  ScriptObject,
  type Value,
  ValueMap,
  ValueSet,
} from './value.ts';

/** What a variable has before it gets a value. */
export function initialValue(type: TypeName): Value {
  if (type === 'boolean') return false;
  if (type === 'long') return 0n;
  if (type === 'double') return new Double(0);
  if (type === 'float') return new Float(0);
  if (type === 'char') return new Char(0);
  return isPrimitive(type) ? 0 : null;
}

const RANK: Readonly<Record<string, number>> = {
  'java.lang.Character': 0,
  'java.lang.Integer': 1,
  'java.lang.Long': 2,
  'java.lang.Float': 3,
  'java.lang.Double': 4,
};
const PRIMITIVE_OF: Readonly<Record<string, string>> = {
  'java.lang.Boolean': 'boolean',
  'java.lang.Character': 'char',
  'java.lang.Integer': 'int',
  'java.lang.Long': 'long',
  'java.lang.Float': 'float',
  'java.lang.Double': 'double',
};
const WIDTH: Partial<Record<TypeName, number>> = { int: 1, long: 2, float: 3, double: 4 };

/** The value for a variable of a type, without a cast. Numbers widen; nothing narrows. */
export function assignable(type: TypeName, value: Value): Value {
  if (type === 'def' || type === 'Object') return value;
  if (!isPrimitive(type)) {
    if (value === null || isInstance(value, type)) return value;
    throw classCast(`cannot implicitly cast def [${shown(value)}] to ${TYPES[type]}`);
  }
  if (value === null) throw new ScriptFault('null_pointer_exception', `cannot cast null to [${type}]`);
  if (type === 'boolean') {
    if (typeof value === 'boolean') return value;
    throw classCast(`cannot cast def [${shown(value)}] to boolean`);
  }
  const rank = RANK[classOf(value)];
  const width = WIDTH[type] ?? (type === 'char' ? 0 : 1);
  const isSmall = type === 'byte' || type === 'short';
  if (rank === undefined || rank > width || (isSmall && !fitsSmall(type, value)))
    throw classCast(`cannot implicitly cast def [${shown(value)}] to ${type}`);
  return castNumber(type, value);
}

/** Bytes and shorts are ints in the range of their type. */
function fitsSmall(type: TypeName, value: Value): boolean {
  return typeof value === 'number' && value === (type === 'byte' ? (value << 24) >> 24 : (value << 16) >> 16);
}

/** The class of a value, or its primitive type, as errors of casts name it. */
export function shown(value: Value): string {
  const name = classOf(value);
  return PRIMITIVE_OF[name] ?? name;
}

/** `(type) value`. */
export function cast(type: TypeName, value: Value): Value {
  if (type === 'def' || type === 'Object') return value;
  if (type === 'String' && value instanceof Char) return String.fromCharCode(value.code);
  if (!isPrimitive(type)) {
    if (value === null || isInstance(value, type)) return value;
    throw classCast(`Cannot cast from [${classOf(value)}] to [${TYPES[type]}].`);
  }
  if (value === null) throw new ScriptFault('null_pointer_exception', `cannot cast null to [${type}]`);
  if (type === 'boolean') return assignable(type, value);
  if (type === 'char' && typeof value === 'string' && value.length === 1)
    return new Char(value.charCodeAt(0));
  if (asNumber(value) === undefined) throw classCast(`cannot cast def [${shown(value)}] to ${type}`);
  return castNumber(type, value);
}

/** A number as another type, cut as Java cuts it. REQUIRES: value is a number or a char. */
export function castNumber(type: TypeName, value: Value): Value {
  switch (type) {
    case 'double':
      return value instanceof Double ? value : new Double(asNumber(value)!);
    case 'float':
      return value instanceof Float ? value : new Float(Math.fround(asNumber(value)!));
    case 'long':
      return toLong(value);
    case 'char':
      return new Char(toInt(value) & 0xffff);
    case 'byte':
      return (toInt(value) << 24) >> 24;
    case 'short':
      return (toInt(value) << 16) >> 16;
    default:
      return toInt(value);
  }
}

function toInt(value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(BigInt.asIntN(32, value));
  const number = asNumber(value)!;
  if (Number.isNaN(number)) return 0;
  // `+ 0` makes zero of minus zero.
  return Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.trunc(number) + 0));
}

function toLong(value: Value): bigint {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value);
  const number = asNumber(value)!;
  if (Number.isNaN(number)) return 0n;
  if (number >= 2 ** 63) return 2n ** 63n - 1n;
  return number < -(2 ** 63) ? -(2n ** 63n) : BigInt(Math.trunc(number));
}

/** `value instanceof type`. */
export function isInstance(value: Value, type: TypeName): boolean {
  if (value === null) return false;
  switch (type) {
    case 'def':
    case 'Object':
      return true;
    case 'boolean':
    case 'Boolean':
      return typeof value === 'boolean';
    case 'int':
    case 'Integer':
      return typeof value === 'number';
    case 'long':
    case 'Long':
      return typeof value === 'bigint';
    case 'float':
    case 'Float':
      return value instanceof Float;
    case 'double':
    case 'Double':
      return value instanceof Double;
    case 'char':
    case 'Character':
      return value instanceof Char;
    case 'Number':
      return !(value instanceof Char) && asNumber(value) !== undefined;
    case 'String':
    case 'CharSequence':
      return typeof value === 'string';
    case 'List':
    case 'ArrayList':
      return Array.isArray(value);
    case 'Set':
    case 'HashSet':
    case 'LinkedHashSet':
      return value instanceof ValueSet;
    case 'Map':
    case 'HashMap':
    case 'LinkedHashMap':
      return value instanceof ValueMap;
    case 'Collection':
    case 'Iterable':
      if (value instanceof ScriptObject) return value.isCollection;
      return Array.isArray(value) || value instanceof ValueSet;
    default:
      return value instanceof ScriptObject && value.className === TYPES[type];
  }
}
