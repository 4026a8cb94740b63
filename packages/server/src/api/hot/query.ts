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

/** Reads what stands in `target` from `start` on; undefined where it is not plain. O(length). */
export function readTransferQuery(target: string, start = 0): TransferRequest | undefined {
  let from: string | undefined;
  let to: string | undefined;
  let money: string | undefined;
  let currency: string | undefined;
  let reference: string | undefined;
  let externalId: string | undefined;
  for (let at = start; at < target.length; ) {
    let end = target.indexOf('&', at);
    if (end < 0) end = target.length;
    const equals = target.indexOf('=', at);
    if (equals < 0 || equals > end) return undefined;
    const name = target.slice(at, equals);
    const text = decoded(target.slice(equals + 1, end));
    let before: string | undefined;
    switch (name) {
      case 'from':
        before = from;
        from = text;
        break;
      case 'to':
        before = to;
        to = text;
        break;
      case 'money':
        before = money;
        money = text;
        break;
      case 'currency':
        before = currency;
        currency = text;
        break;
      case 'reference':
        before = reference;
        reference = text;
        break;
      case 'external_id':
        before = externalId;
        externalId = text;
        break;
      default:
        return undefined;
    }
    if (before !== undefined || text === undefined || !fits(name, text)) return undefined;
    at = end + 1;
  }
  if (from === undefined || to === undefined || money === undefined) return undefined;
  return { from, to, money, currency, reference, externalId };
}

/** The parameters as they were sent. */
export function parametersOf(request: TransferRequest): Readonly<Partial<Record<Name, string>>> {
  const { externalId, ...rest } = request;
  const sent = { ...rest, external_id: externalId };
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
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
