// Reads scalar members of a search body. As with the peer, numbers and flags may be text; errors have the
// peer's messages.

import { attachPlace, EngineError, illegalArgument, type JsonValue } from '@octavo/engine';
import { tokenName } from '../../../json/json-body.ts';
import { parseMillis } from '../../router/query-params.ts';

/** The peer's error for an unknown member, or one with a value of another type. */
export function unknownKey(name: string, value: JsonValue): EngineError {
  return new EngineError('parsing_exception', `Unknown key for a ${tokenName(value)} in [${name}].`);
}

/** A whole number. Fractions are cut off, as by the peer. */
export function integerMember(name: string, value: JsonValue): number {
  if (typeof value === 'bigint') throw numberFormat(String(value));
  if (typeof value === 'number') return Math.trunc(value);
  if (typeof value !== 'string') throw unknownKey(name, value);
  if (!/^[+-]?\d{1,15}$/.test(value)) throw numberFormat(value);
  return Number(value);
}

/** A whole number of a member that the peer does not have. A fraction is an error. */
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

/** A duration. */
export function millisMember(name: string, value: JsonValue): number {
  if (typeof value === 'number') return parseMillis(String(value), name);
  if (typeof value !== 'string') throw unknownKey(name, value);
  return parseMillis(value, name);
}

function numberFormat(text: string): EngineError {
  return new EngineError('number_format_exception', `For input string: "${text}"`);
}

/** A token of a page. Throws for an empty one: a client that lost its token must not get the first page again. */
export function tokenMember<T extends string | undefined>(name: string, token: T): T {
  if (token !== '') return token;
  throw illegalArgument(
    `[${name}] is empty; leave it out to get the first page, with [tokens] to get its tokens`,
  );
}

/** `[parser] unknown field [key]`, attachPlace at the key of `holder`. */
export function unknownField(parser: string, holder: object, key: string): EngineError {
  const error = new EngineError('x_content_parse_exception', `[${parser}] unknown field [${key}]`);
  return attachPlace(error, { holder, key, at: 'key' });
}
