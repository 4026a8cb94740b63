// How are the scalar members of a search body read? Numbers may come as text, flags as "true": as the peer takes them,
// with its words for what it does not take.

import { EngineError, illegalArgument, type JsonValue } from '@octavo/engine';
import { tokenName } from '../../../json/json-body.ts';
import { parseMillis } from '../../router/query-params.ts';

/** The peer's error for a member that it does not know, or not with such a value. */
export function unknownKey(name: string, value: JsonValue): EngineError {
  return new EngineError('parsing_exception', `Unknown key for a ${tokenName(value)} in [${name}].`);
}

/** A whole number; fractions are cut off. */
export function integerMember(name: string, value: JsonValue): number {
  if (typeof value === 'bigint') throw numberFormat(String(value));
  if (typeof value === 'number') return Math.trunc(value);
  if (typeof value !== 'string') throw unknownKey(name, value);
  if (!/^[+-]?\d{1,15}$/.test(value)) throw numberFormat(value);
  return Number(value);
}

/** The same where a fraction is a mistake and not cut off, as the peer does with its own. */
export function wholeMember(name: string, value: JsonValue): number {
  if (typeof value === 'number' && !Number.isInteger(value)) throw numberFormat(String(value));
  return integerMember(name, value);
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

/** True or false, also as text. */
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

/** A duration. */
export function millisMember(name: string, value: JsonValue): number {
  if (typeof value === 'number') return parseMillis(String(value), name);
  if (typeof value !== 'string') throw unknownKey(name, value);
  return parseMillis(value, name);
}

function numberFormat(text: string): EngineError {
  return new EngineError('number_format_exception', `For input string: "${text}"`);
}

/** A token that was given. An empty one is none: a client that has lost its place must not read the first page again. */
export function tokenMember<T extends string | undefined>(name: string, token: T): T {
  if (token !== '') return token;
  throw illegalArgument(
    `[${name}] is empty; leave it out to get the first page, with [tokens] to get its tokens`,
  );
}
