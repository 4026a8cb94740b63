// Operators on values, with Java's promotions: int arithmetic wraps at 32 bits, long arithmetic at 64.

import type { ArithmeticOperator } from '../language/syntax.ts';
import { classCast, illegal, ScriptFault } from '../script-fault.ts';
import {
  asNumber,
  Char,
  classOf,
  Double,
  equalTexts,
  Float,
  isLong,
  javaEquals,
  type Run,
  ScriptObject,
  textOf,
  type Value,
} from './value.ts';

type Comparison = '<' | '<=' | '>' | '>=';

/** The result of an arithmetic operator on two values. */
export function arithmetic(operator: ArithmeticOperator, a: Value, b: Value, run: Run): Value {
  if (typeof a === 'number' && typeof b === 'number') return onInts(operator, a, b);
  if (operator === '+' && (typeof a === 'string' || typeof b === 'string')) return concatenate(a, b, run);
  if (a === null || b === null) throw nullPointer(a === null ? 'left' : 'right');
  if (typeof a === 'boolean' && typeof b === 'boolean') {
    if (operator === '&') return a && b;
    if (operator === '|') return a || b;
    if (operator === '^') return a !== b;
  }
  const x = numberOf(a);
  const y = numberOf(b);
  if (x === undefined || y === undefined) throw unfit(operator, a, b);
  if (x instanceof Double || y instanceof Double || x instanceof Float || y instanceof Float) {
    const left = asNumber(x)!;
    const right = asNumber(y)!;
    const isDouble = x instanceof Double || y instanceof Double;
    const result = onDoubles(operator, left, right, isDouble);
    if (result === undefined) throw unfit(operator, a, b);
    return isDouble ? new Double(result) : new Float(Math.fround(result));
  }
  if (typeof x === 'number' && typeof y === 'number') return onInts(operator, x, y);
  // The type of a shift is that of its left side.
  if ((operator === '<<' || operator === '>>' || operator === '>>>') && typeof x === 'number')
    return onInts(operator, x, Number(BigInt.asIntN(32, BigInt(y as bigint))));
  return onLongs(operator, long(x), long(y));
}

function long(value: number | bigint | Double | Float): bigint {
  const exact = BigInt(value as number | bigint);
  if (!isLong(exact)) throw illegal(`[${exact}] is out of the range of a long`);
  return exact;
}

/** A number with its type: chars count as ints. */
function numberOf(value: Value): number | bigint | Double | Float | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof Double || value instanceof Float) return value;
  return value instanceof Char ? value.code : undefined;
}

function unfit(operator: string, a: Value, b: Value): ScriptFault {
  return classCast(`Cannot apply [${operator}] operation to types [${classOf(a)}] and [${classOf(b)}].`);
}

export function nullPointer(what: string): ScriptFault {
  return new ScriptFault(
    'null_pointer_exception',
    `Cannot invoke "Object.getClass()" because "${what}" is null`,
  );
}

function concatenate(a: Value, b: Value, run: Run): string {
  const text = textOf(a, run) + textOf(b, run);
  run.allocate(text.length / 4);
  return text;
}

function divisionByZero(): ScriptFault {
  return new ScriptFault('arithmetic_exception', '/ by zero');
}

function onInts(operator: ArithmeticOperator, a: number, b: number): number {
  switch (operator) {
    case '+':
      return (a + b) | 0;
    case '-':
      return (a - b) | 0;
    case '*':
      return Math.imul(a, b);
    case '/':
      if (b === 0) throw divisionByZero();
      return (a / b) | 0;
    case '%':
      if (b === 0) throw divisionByZero();
      return (a % b) | 0;
    case '<<':
      return a << b;
    case '>>':
      return a >> b;
    case '>>>':
      return (a >>> b) | 0;
    case '&':
      return a & b;
    case '|':
      return a | b;
    default:
      return a ^ b;
  }
}

function onLongs(operator: ArithmeticOperator, a: bigint, b: bigint): bigint {
  switch (operator) {
    case '+':
      return BigInt.asIntN(64, a + b);
    case '-':
      return BigInt.asIntN(64, a - b);
    case '*':
      return BigInt.asIntN(64, a * b);
    case '/':
      if (b === 0n) throw divisionByZero();
      return BigInt.asIntN(64, a / b);
    case '%':
      if (b === 0n) throw divisionByZero();
      return a % b;
    case '<<':
      return BigInt.asIntN(64, a << (b & 63n));
    case '>>':
      return a >> (b & 63n);
    case '>>>':
      return BigInt.asIntN(64, BigInt.asUintN(64, a) >> (b & 63n));
    case '&':
      return a & b;
    case '|':
      return a | b;
    default:
      return a ^ b;
  }
}

/** The result, which is rounded to a float after each operation if none is a double. */
function onDoubles(
  operator: ArithmeticOperator,
  a: number,
  b: number,
  isDouble: boolean,
): number | undefined {
  const x = isDouble ? a : Math.fround(a);
  const y = isDouble ? b : Math.fround(b);
  switch (operator) {
    case '+':
      return x + y;
    case '-':
      return x - y;
    case '*':
      return x * y;
    case '/':
      return x / y;
    case '%':
      return x % y;
    default:
      return undefined;
  }
}

/** `-a`. */
export function negate(value: Value): Value {
  const number = value === null ? undefined : numberOf(value);
  if (typeof number === 'number') return -number | 0;
  if (typeof number === 'bigint') return BigInt.asIntN(64, -number);
  if (number instanceof Double) return new Double(-number.value);
  if (number instanceof Float) return new Float(-number.value);
  throw unaryUnfit('-', value);
}

/** `+a`. */
export function plus(value: Value): Value {
  const number = value === null ? undefined : numberOf(value);
  if (number === undefined) throw unaryUnfit('+', value);
  return number;
}

/** `~a`. */
export function bitwiseNot(value: Value): Value {
  const number = value === null ? undefined : numberOf(value);
  if (typeof number === 'number') return ~number;
  if (typeof number === 'bigint') return ~number;
  throw unaryUnfit('~', value);
}

function unaryUnfit(operator: string, value: Value): ScriptFault {
  if (value === null) return nullPointer('unary');
  return classCast(`Cannot apply [${operator}] operation to type [${classOf(value)}].`);
}

/** `a < b` and the like: numbers only. */
export function compares(operator: Comparison, a: Value, b: Value): boolean {
  if (a === null || b === null) throw nullPointer(a === null ? 'left' : 'right');
  const x = numberOf(a);
  const y = numberOf(b);
  if (x === undefined || y === undefined) throw unfit(operator, a, b);
  // JavaScript compares a bigint with a double exactly, Java after rounding.
  const isReal = typeof x === 'object' || typeof y === 'object';
  const left = isReal ? asNumber(x)! : (x as number);
  const right = isReal ? asNumber(y)! : (y as number);
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}

/** `a == b`: numbers by their value, whatever their types; all else as `equals` says. */
export function equal(a: Value, b: Value, run: Run): boolean {
  if (typeof a === 'string' && typeof b === 'string') return equalTexts(a, b, run);
  if (a === b) return true;
  if (a === null || b === null) return false;
  const x = numberOf(a);
  const y = numberOf(b);
  if (x === undefined || y === undefined) return javaEquals(a, b, run);
  if (typeof x === 'object' || typeof y === 'object') return asNumber(x) === asNumber(y);
  // biome-ignore lint/suspicious/noDoubleEquals: an int and a long are equal if their values are
  return x == y;
}

/** The order of two values, as `compareTo` has it: numbers of one type, strings, booleans, dates. */
export function compareValues(a: Value, b: Value, run: Run): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b, run);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof ScriptObject && b instanceof ScriptObject) {
    const order = a.compare(b);
    if (order !== undefined) return order;
  }
  if (a === null || b === null) throw new ScriptFault('null_pointer_exception', 'a value to compare is null');
  if (classOf(a) !== classOf(b) || numberOf(a) === undefined)
    throw classCast(`class ${classOf(a)} cannot be compared with class ${classOf(b)}`);
  if (typeof a === 'bigint') return a < (b as bigint) ? -1 : a > (b as bigint) ? 1 : 0;
  const [x, y] = [asNumber(a)!, asNumber(b)!];
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Java compares strings by their UTF-16 units, and answers with the difference. */
function compareTexts(a: string, b: string, run: Run): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  // Texts that begin alike are compared up to their first difference.
  run.spend(at / 4);
  return at < length ? a.charCodeAt(at) - b.charCodeAt(at) : a.length - b.length;
}
