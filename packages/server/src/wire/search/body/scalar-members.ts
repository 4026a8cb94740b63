// Reads scalar members of a search body. As with the peer, numbers and flags may be text; errors have the
// peer's messages.

import { illegalArgument, integerMember, type JsonValue, numberFormat, unknownKey } from '@octavo/engine';
import { parseMillis } from '../../router/query-params.ts';

/** A whole number of a member that the peer does not have. A fraction is an error. */
export function wholeMember(name: string, value: JsonValue): number {
  if (typeof value === 'number' && !Number.isInteger(value)) throw numberFormat(String(value));
  return integerMember(name, value);
}

/** A duration. */
export function millisMember(name: string, value: JsonValue): number {
  if (typeof value === 'number') return parseMillis(String(value), name);
  if (typeof value !== 'string') throw unknownKey(name, value);
  return parseMillis(value, name);
}

/** A token of a page. Throws for an empty one: a client that lost its token must not get the first page again. */
export function tokenMember<T extends string | undefined>(name: string, token: T): T {
  if (token !== '') return token;
  throw illegalArgument(
    `[${name}] is empty; leave it out to get the first page, with [tokens] to get its tokens`,
  );
}
