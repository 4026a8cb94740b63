// Reads scalar members of bodies. As with the peer, numbers and flags may be text; errors have the peer's
// messages.

import { EngineError, illegalArgument } from '../errors.ts';
import type { JsonValue } from '../json/value.ts';
import { attachPlace } from '../place.ts';
import { jsonToken } from './parameters.ts';

/** The peer's error for an unknown member, or one with a value of another type. */
export function unknownKey(name: string, value: JsonValue): EngineError {
  return new EngineError('parsing_exception', `Unknown key for a ${jsonToken(value)} in [${name}].`);
}

/** A whole number. Fractions are cut off, as by the peer. */
export function integerMember(name: string, value: JsonValue): number {
  if (typeof value === 'bigint') throw numberFormat(String(value));
  if (typeof value === 'number') return Math.trunc(value);
  if (typeof value !== 'string') throw unknownKey(name, value);
  if (!/^[+-]?\d{1,15}$/.test(value)) throw numberFormat(value);
  return Number(value);
}

/** Any number. */
export function numberMember(name: string, value: JsonValue): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string') throw unknownKey(name, value);
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) throw numberFormat(value);
  return number;
}

/** A boolean, or its text. */
export function flagMember(name: string, value: JsonValue): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  if (typeof value === 'string') {
    throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
  }
  if (typeof value === 'object') throw unknownKey(name, value);
  throw new EngineError(
    'json_parse_exception',
    `Current token (VALUE_NUMBER_INT) not of boolean type in [${name}]`,
  );
}

/** The error for text that is no number. */
export function numberFormat(text: string): EngineError {
  return new EngineError('number_format_exception', `For input string: "${text}"`);
}

/** `[parser] unknown field [key]`, attachPlace at the key of `holder`. */
export function unknownField(parser: string, holder: object, key: string): EngineError {
  const error = new EngineError('x_content_parse_exception', `[${parser}] unknown field [${key}]`);
  return attachPlace(error, { holder, key, at: 'key' });
}
