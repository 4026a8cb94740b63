// Reads what proxies say of a request (client, scheme, host, prefix), from the `X-Forwarded-…` headers or
// from `Forwarded` (RFC 7239). Whether a proxy is trusted is decided elsewhere (trusted-proxies.ts).

import type { IncomingHttpHeaders } from 'node:http';

/** Only one of the two is read: a proxy that sets one passes the other on as the client sent it. */
export const FORWARDING = ['x-forwarded', 'forwarded'] as const;

export type Forwarding = (typeof FORWARDING)[number];

interface ForwardedInfo {
  /** Addresses (or identifiers that hide one), the one nearest to this server last. */
  readonly addresses: readonly string[];
  /** As the nearest proxy states it. */
  readonly scheme: string | undefined;
  readonly host: string | undefined;
  readonly prefix: string | undefined;
}

const MAX_HOPS = 32;

/** Reads the headers. O(length). */
export function readForwarded(headers: IncomingHttpHeaders, forwarding: Forwarding): ForwardedInfo {
  const prefix = lastItem(headers['x-forwarded-prefix']);
  if (forwarding === 'x-forwarded') {
    return {
      addresses: lastItems(headers['x-forwarded-for']).map(withoutPort),
      scheme: lastItem(headers['x-forwarded-proto'])?.toLowerCase(),
      host: lastItem(headers['x-forwarded-host']),
      prefix,
    };
  }
  const elements = parseForwarded(joinHeader(headers['forwarded']));
  const said = (name: string): string | undefined => elements.at(-1)?.get(name);
  return {
    addresses: elements.map((element) => withoutPort(element.get('for') ?? 'unknown')),
    scheme: said('proto')?.toLowerCase(),
    host: said('host'),
    prefix,
  };
}

function joinHeader(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : (header ?? []).join(',');
}

/** The last items of a list, without empty ones. No chain of proxies is longer. */
function lastItems(header: string | string[] | undefined): string[] {
  const items: string[] = [];
  const text = joinHeader(header);
  for (let end = text.length; end > 0 && items.length < MAX_HOPS; ) {
    const comma = text.lastIndexOf(',', end - 1);
    const item = text.slice(comma + 1, end).trim();
    if (item !== '') items.unshift(item);
    end = comma;
  }
  return items;
}

function lastItem(header: string | string[] | undefined): string | undefined {
  return lastItems(header).at(-1);
}

/** Removes the port from `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const bracket = /^\[([^\]]*)\](?::\d+)?$/.exec(text);
  if (bracket !== null) return bracket[1]!;
  const colon = text.indexOf(':');
  return colon >= 0 && colon === text.lastIndexOf(':') ? text.slice(0, colon) : text;
}

/** A pair of RFC 7239, section 4, and its delimiter. Linear time. */
const PAIR = /\s*(?:([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*))\s*)?([,;]|$)/y;

/** The elements of `Forwarded`, names in lower case. A malformed header yields one empty element. */
function parseForwarded(text: string): ReadonlyMap<string, string>[] {
  if (text.trim() === '') return [];
  const elements = [new Map<string, string>()];
  for (PAIR.lastIndex = 0; ; ) {
    const found = PAIR.exec(text);
    // Malformed: one element without content.
    if (found === null) return [new Map()];
    const [, name, quoted, token, end] = found;
    if (name !== undefined) {
      const value = quoted === undefined ? (token ?? '') : quoted.replace(/\\(.)/g, '$1');
      elements.at(-1)!.set(name.toLowerCase(), value);
    }
    if (end === '') return elements.slice(-MAX_HOPS);
    if (end === ',') elements.push(new Map());
  }
}
