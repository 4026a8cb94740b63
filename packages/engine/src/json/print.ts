// Prints a `JsonValue` as `JSON.stringify` does, with bigints as plain integers.

import { EngineError } from '../errors.ts';
import type { JsonValue } from './value.ts';

const MAX_DEPTH = 1000;

/**
 * JSON text of a value, without white space. Numbers that JSON lacks (NaN, infinities) print as null.
 * O(size).
 */
export function stringifyJson(value: JsonValue): string {
  return print(value, 0);
}

function print(value: JsonValue, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number')
    return Object.is(value, -0) ? '-0.0' : Number.isFinite(value) ? String(value) : 'null';
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth >= MAX_DEPTH) throw new EngineError('illegal_argument_exception', 'value is nested too deeply');
  let out = '';
  if (Array.isArray(value)) {
    for (const item of value) out += (out === '' ? '' : ',') + print(item, depth + 1);
    return `[${out}]`;
  }
  for (const key in value) {
    const item = value[key];
    if (item === undefined || !Object.hasOwn(value, key)) continue;
    out += `${out === '' ? '' : ','}${JSON.stringify(key)}:${print(item, depth + 1)}`;
  }
  return `{${out}}`;
}
