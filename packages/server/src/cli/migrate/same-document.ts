// Equality of documents: mostly byte for byte. A store may have rewritten white space or the order of keys,
// which changes nothing. Numbers are compared by their digits: 2^53 + 1 is not 2^53.

import type { RawHit } from '../io/raw-hits.ts';

export function isSameDocument(a: RawHit, b: RawHit): boolean {
  if ((a.routing ?? '') !== (b.routing ?? '')) return false;
  return a.source.equals(b.source) || canonical(a.source) === canonical(b.source);
}

function canonical(source: Buffer): string {
  return JSON.stringify(
    JSON.parse(source.toString('utf8'), (_key, value: unknown, context?: { source?: string }) => {
      if (typeof value === 'number') return `#${digits(value, context?.source)}`;
      return typeof value === 'string' ? `$${value}` : ordered(value);
    }),
  );
}

/** 1.50 equals 1.5; integers beyond double precision keep their digits. */
function digits(value: number, source: string | undefined): string {
  return source !== undefined && /^-?\d+$/.test(source) ? source : String(value);
}

function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
