// Which transfer does a query string ask for? A reader for the common form of it. Whatever is not plain (a name that is
// unknown or repeated, a text that does not fit) is left to the long way, which says what is wrong.

import type { TransferRequest } from '@octavo/records';

/** As the schemas of accounts and transactions have them (a test holds them against each other); lengths in UTF-16 units are never below those in characters. */
export const ACCOUNT: RegExp = /^[A-Za-z0-9_~-][A-Za-z0-9._~:@-]{0,127}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a line must not have
const CONTROL = /[\u0000-\u001f\u007f]/;
export const LONGEST_CURRENCY = 16;
const LONGEST = { currency: LONGEST_CURRENCY, reference: 1_024, external_id: 255 };

type Name = 'from' | 'to' | 'money' | 'currency' | 'reference' | 'external_id';

/** A transfer, and its parameters as they were sent. */
export interface TransferQuery {
  readonly request: TransferRequest;
  readonly parameters: Readonly<Partial<Record<Name, string>>>;
}

/** Reads what is behind the `?`; undefined where it is not plain. O(length). */
export function readTransferQuery(query: string): TransferQuery | undefined {
  const found: Partial<Record<Name, string>> = {};
  for (let at = 0; at < query.length; ) {
    let end = query.indexOf('&', at);
    if (end < 0) end = query.length;
    const equals = query.indexOf('=', at);
    if (equals < 0 || equals > end) return undefined;
    const name = nameOf(query.slice(at, equals));
    if (name === undefined || found[name] !== undefined) return undefined;
    const text = decoded(query.slice(equals + 1, end));
    if (text === undefined || !fits(name, text)) return undefined;
    found[name] = text;
    at = end + 1;
  }
  const { from, to, money, currency, reference, external_id: externalId } = found;
  if (from === undefined || to === undefined || money === undefined) return undefined;
  return { request: { from, to, money, currency, reference, externalId }, parameters: found };
}

function nameOf(text: string): Name | undefined {
  switch (text) {
    case 'from':
    case 'to':
    case 'money':
    case 'currency':
    case 'reference':
    case 'external_id':
      return text;
    default:
      return undefined;
  }
}

function fits(name: Name, text: string): boolean {
  switch (name) {
    case 'from':
    case 'to':
      return ACCOUNT.test(text);
    case 'money':
      return true;
    case 'currency':
      return text.length >= 1 && text.length <= LONGEST.currency;
    default:
      return text.length >= 1 && text.length <= LONGEST[name] && !CONTROL.test(text);
  }
}

function decoded(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
