// Reads the values of `search_after` back as the types of the sort's entries. Numbers may come as strings,
// dates in any format of their field, and null stands for a missing value. sort-values.ts is the way out.

import { EngineError, illegalArgument } from '../../errors.ts';
import { bytesOf } from '../../json/bytes.ts';
import { plainText } from '../../json/java-text.ts';
import type { JsonValue } from '../../json/value.ts';
import { floatShownAs } from '../../mapping/types/floats.ts';
import { doubleKey, longKey, unsignedKey } from '../../mapping/types/sortable-key.ts';
import type { Key64 } from '../../mapping/types/type.ts';
import type { CursorValue } from '../../order/compare.ts';
import { toKey } from '../../order/keys/sort-keys.ts';
import { clampedLong, type Sortable } from './sortable.ts';

/** A `_doc` value is place of the index · 2^42 + sequence number, which stays exact for 2,048 indices. */
export const POSITION_STRIDE: number = 2 ** 42;

const MAX_LONG = 2n ** 63n - 1n;
const INTEGER = /^[+-]?\d{1,1000}$/;
const DECIMAL = /^[+-]?(\d{1,400}\.?\d{0,400}|\.\d{1,400})([eE][+-]?\d{1,6})?[dDfF]?$/;

function unreadable(field: string, input: string): EngineError {
  return illegalArgumentBecause(
    `Failed to parse search_after value for field [${field}].`,
    new EngineError('number_format_exception', `For input string: "${input}"`),
  );
}

function illegalArgumentBecause(reason: string, causedBy: EngineError): EngineError {
  return new EngineError('illegal_argument_exception', reason, { causedBy });
}

function integer(value: JsonValue, field: string): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return clampedLong(value);
  if (typeof value === 'string' && INTEGER.test(value)) return BigInt(value.replace(/^\+/, ''));
  if (typeof value === 'string' && DECIMAL.test(value)) return clampedLong(Number.parseFloat(value));
  throw unreadable(field, plainText(value));
}

function double(value: JsonValue, field: string): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (value === 'Infinity' || value === '-Infinity' || value === 'NaN') return Number(value);
  if (typeof value === 'string' && DECIMAL.test(value)) return Number.parseFloat(value);
  throw unreadable(field, plainText(value));
}

function clampSigned(x: bigint): bigint {
  return x > MAX_LONG ? MAX_LONG : x < -MAX_LONG - 1n ? -MAX_LONG - 1n : x;
}

function numericKey(s: Sortable, value: JsonValue): Key64 {
  const { type, sort } = s;
  if (type.space === 'double') {
    const x = double(value, sort.field);
    // Printed with the digits of a float, and stored as one.
    return doubleKey(type.kind === 'float' || type.kind === 'half_float' ? floatShownAs(x) : x);
  }
  if (type.space === 'unsigned') {
    const x = integer(value, sort.field);
    if (x < 0n || x >= 2n ** 64n) throw illegalArgument(`Value [${x}] is out of range for an unsigned long`);
    return unsignedKey(x);
  }
  // Booleans sort as numbers, but a client may send back the value that it read.
  if (type.kind === 'boolean') {
    if (value === true || value === 'true') return longKey(1);
    if (value === false || value === 'false') return longKey(0);
    if (typeof value === 'string' && value !== '0' && value !== '1') throw unreadable(sort.field, value);
  }
  const isDate = type.kind === 'date' || type.kind === 'date_nanos';
  if (isDate && typeof value === 'string' && type.field?.numeric !== undefined) {
    const key = type.field.numeric.parse(value, type.format === undefined ? {} : { format: type.format });
    if (key === undefined) throw unreadable(sort.field, value);
    const convert = s.entry.kind === 'numeric' ? s.entry.convert : undefined;
    return convert === undefined ? key : convert(key.hi, key.lo);
  }
  if (typeof value === 'number' && Number.isSafeInteger(value)) return longKey(value);
  return toKey('long', clampSigned(integer(value, sort.field)));
}

function termBytes(s: Sortable, value: JsonValue): Uint8Array {
  const text = plainText(value);
  return s.type.kind === 'ip' && s.type.field?.bytes !== undefined
    ? s.type.field.bytes.encode(text)
    : bytesOf(text);
}

/** One value of `search_after` in the terms of its entry. */
function cursorValue(s: Sortable, value: JsonValue): CursorValue {
  const { entry, sort } = s;
  if (typeof value === 'object' && value !== null) {
    const token = Array.isArray(value) ? 'START_ARRAY' : 'START_OBJECT';
    throw new EngineError(
      'parsing_exception',
      `Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] but found [${token}] inside search_after.`,
    );
  }
  switch (entry.kind) {
    case 'numeric': {
      const { hi, lo } = value === null ? entry.missing : numericKey(s, value);
      return { kind: 'numeric', hi, lo };
    }
    case 'bytes':
      return { kind: 'bytes', bytes: value === null ? entry.missing : termBytes(s, value) };
    case 'score':
      return { kind: 'score', score: floatShownAs(double(value, '_score')) };
    case 'position': {
      const n = Number(integer(value, sort.field === '_doc' ? 'null' : sort.field));
      if (s.type.kind === '_seq_no') return { kind: 'position', indexPlace: 0, seqNo: n };
      const indexPlace = Math.floor(n / POSITION_STRIDE);
      return { kind: 'position', indexPlace, seqNo: n - indexPlace * POSITION_STRIDE };
    }
    default:
      return { kind: 'bytes', bytes: bytesOf(String(value)) };
  }
}

/** Reads the whole of `search_after`. Throws the peer's errors where it does not fit the sort. */
export function cursorValues(sort: readonly Sortable[], after: readonly JsonValue[]): CursorValue[] {
  if (after.length === 0) throw illegalArgument('Values must contains at least one value.');
  if (sort.length === 0) throw illegalArgument('Sort must contain at least one field.');
  if (after.length !== sort.length) {
    throw illegalArgument(`search_after has ${after.length} value(s) but sort has ${sort.length}.`);
  }
  return sort.map((s, i) => cursorValue(s, after[i]!));
}
