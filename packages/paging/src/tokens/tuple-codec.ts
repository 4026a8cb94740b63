// The binary form of a tuple, as tokens carry it. It keeps the types of all values: null, booleans, numbers,
// integers beyond 2^53, strings, dates and bytes.
//
//   tuple    count, then values
//   value    0 null | 1 false | 2 true | 3 double (8 bytes, big-endian) | 4 bigint (zigzag varint)
//            | 5 string (varint length, UTF-8) | 6 date (milliseconds, zigzag varint)
//            | 7 number that is an integer within 2^53 (zigzag varint) | 8 bytes (varint length, then the bytes)

import type { Tuple, TupleValue } from '../tuple.ts';
import { type ByteReader, ByteWriter } from './bytes.ts';

const NULL = 0;
const FALSE = 1;
const TRUE = 2;
const DOUBLE = 3;
const BIG_INTEGER = 4;
const STRING = 5;
const DATE = 6;
const INTEGER = 7;
const BYTES = 8;

/** The limit for the values of a tuple, above any real sort. */
const MAX_VALUES = 64;

function writeValue(out: ByteWriter, value: TupleValue): void {
  if (value === null) out.byte(NULL);
  else if (value === false) out.byte(FALSE);
  else if (value === true) out.byte(TRUE);
  else if (typeof value === 'string') {
    out.byte(STRING);
    out.string(value);
  } else if (typeof value === 'bigint') {
    out.byte(BIG_INTEGER);
    out.signed(value);
  } else if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new RangeError('An invalid date cannot be a sort value.');
    out.byte(DATE);
    out.signed(BigInt(value.getTime()));
  } else if (value instanceof Uint8Array) {
    out.byte(BYTES);
    out.unsigned(BigInt(value.length));
    out.raw(value);
  } else if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    out.byte(INTEGER);
    out.signed(BigInt(value));
  } else {
    out.byte(DOUBLE);
    out.double(value);
  }
}

function readValue(from: ByteReader): TupleValue {
  switch (from.byte()) {
    case NULL:
      return null;
    case FALSE:
      return false;
    case TRUE:
      return true;
    case DOUBLE:
      return from.double();
    case BIG_INTEGER:
      return from.signed();
    case STRING:
      return from.string();
    case DATE: {
      const date = new Date(Number(from.signed()));
      if (Number.isNaN(date.getTime())) throw new RangeError('date out of range');
      return date;
    }
    case INTEGER: {
      const n = Number(from.signed());
      if (!Number.isSafeInteger(n)) throw new RangeError('integer out of range');
      return n;
    }
    case BYTES:
      return from.raw(Number(from.unsigned())).slice();
    default:
      throw new RangeError('unknown kind of value');
  }
}

/** Appends a tuple. Throws RangeError for more than 64 values and for invalid dates. */
export function writeTuple(out: ByteWriter, tuple: Tuple): void {
  if (tuple.length > MAX_VALUES) throw new RangeError(`A position has at most ${MAX_VALUES} sort values.`);
  out.byte(tuple.length);
  for (const value of tuple) writeValue(out, value);
}

/** Reads a tuple. Throws RangeError for bytes that do not encode one. */
export function readTuple(from: ByteReader): TupleValue[] {
  const count = from.byte();
  if (count > MAX_VALUES) throw new RangeError('too many values');
  const tuple: TupleValue[] = [];
  for (let i = 0; i < count; i++) tuple.push(readValue(from));
  return tuple;
}

/** The canonical bytes of a tuple: equal tuples have equal bytes. */
export function tupleBytes(tuple: Tuple): Uint8Array {
  const out = new ByteWriter();
  writeTuple(out, tuple);
  return out.done();
}
