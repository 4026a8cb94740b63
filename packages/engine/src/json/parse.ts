// Parses bytes to a `JsonValue` from the tokens of the scanner: exact integers, objects without
// prototypes.

import { EngineError } from '../errors.ts';
import { asciiText, utf8Text } from './bytes.ts';
import {
  ARRAY_END,
  ARRAY_START,
  END,
  FALSE,
  KEY,
  NULL,
  NUMBER,
  OBJECT_END,
  OBJECT_START,
  Scanner,
  STRING,
  TRUE,
} from './scanner.ts';
import type { JsonObject, JsonValue } from './value.ts';

/** A new key takes as long as so many values. */
const VALUES_PER_KEY = 4;

let spare: Scanner | undefined;

/**
 * Parses one JSON value. Integers that a double cannot hold are bigints; a number beyond the range of doubles, bad
 * UTF-8, a duplicate key, trailing content, more than `maxDepth` (1,000) open brackets or more than `maxValues` values is a
 * json_parse_exception with line and column. A key counts as four values, because it takes as long. O(bytes).
 */
export function parseJson(
  bytes: Uint8Array,
  options: { maxDepth?: number; maxValues?: number } = {},
): JsonValue {
  const scanner = (spare ??= new Scanner());
  scanner.reset(bytes, 0, bytes.length, options.maxDepth);
  const { maxValues } = options;
  if (maxValues !== undefined) scanner.valuesLeft = maxValues;
  scanner.next();
  const value = readValue(scanner);
  if (scanner.next() !== END) throw new EngineError('json_parse_exception', 'more than one value');
  return value;
}

/** The value that the scanner's current token begins; leaves the scanner on its last token. */
export function readValue(scanner: Scanner): JsonValue {
  if (--scanner.valuesLeft < 0) {
    throw scanner.fault(
      scanner.position,
      'Value count exceeds the maximum allowed for one body; send less at once',
    );
  }
  switch (scanner.token) {
    case OBJECT_START: {
      const object: JsonObject = Object.create(null) as JsonObject;
      for (let token = scanner.next(); token !== OBJECT_END; token = scanner.next()) {
        const key = scanner.keys.text(scanner.key);
        scanner.valuesLeft -= VALUES_PER_KEY;
        scanner.next();
        object[key] = readValue(scanner);
        if (isDouble(scanner)) noteDouble(object, key);
      }
      return object;
    }
    case ARRAY_START: {
      const array: JsonValue[] = [];
      while (scanner.next() !== ARRAY_END) {
        array.push(readValue(scanner));
        if (isDouble(scanner)) noteDouble(array, String(array.length - 1));
      }
      return array;
    }
    case STRING:
      return stringValue(scanner);
    case NUMBER:
      return numberValue(scanner);
    case TRUE:
      return true;
    case FALSE:
      return false;
    case NULL:
      return null;
    default:
      throw new EngineError(
        'json_parse_exception',
        scanner.token === KEY ? 'a key is not a value' : 'no value here',
      );
  }
}

/** The members of objects and lists that are whole numbers written with a point or an exponent. */
const doubles = new WeakMap<object, Set<string>>();

/** Whether the current token is a number with a point or an exponent. */
function isDouble(scanner: Scanner): boolean {
  return scanner.token === NUMBER && !scanner.integer;
}

/** Notes a number that is not an integer as it is written, but as it is valued: `1.0`. */
function noteDouble(holder: JsonObject | JsonValue[], key: string): void {
  if (!Number.isInteger((holder as JsonObject)[key])) return;
  const known = doubles.get(holder);
  if (known === undefined) doubles.set(holder, new Set([key]));
  else known.add(key);
}

/** Whether the whole number of a member was written as a double: scripts divide `7` and `7.0` differently. */
export function isWrittenAsDouble(holder: object, key: string): boolean {
  return doubles.get(holder)?.has(key) === true;
}

/** The current string token as text. A lone surrogate escape stays one. */
export function stringValue(scanner: Scanner): string {
  const { bytes, start, stop } = scanner;
  if (!scanner.escaped) return scanner.ascii ? asciiText(bytes, start, stop) : utf8Text(bytes, start, stop);
  return JSON.parse(`"${utf8Text(bytes, start, stop)}"`) as string;
}

/** The current number token. Throws when it is beyond the range of doubles. */
export function numberValue(scanner: Scanner): number | bigint {
  const { bytes, start, stop } = scanner;
  if (scanner.integer && stop - start <= 15) {
    const minus = bytes[start] === 45;
    let value = 0;
    for (let i = minus ? start + 1 : start; i < stop; i++) value = value * 10 + bytes[i]! - 48;
    return minus ? -value : value;
  }
  const text = asciiText(bytes, start, stop);
  if (scanner.integer) {
    const exact = BigInt(text);
    return exact >= -9007199254740991n && exact <= 9007199254740991n ? Number(exact) : exact;
  }
  const value = Number(text);
  if (!Number.isFinite(value)) throw scanner.fault(start, `Numeric value (${text}) out of range of double`);
  return value;
}
