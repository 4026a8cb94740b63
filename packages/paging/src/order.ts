// The order of positions, as every store of this project sorts them. Texts compare by code point (the order
// of their UTF-8 bytes), numbers exactly whatever their size, nulls as the order says. Ties are broken by id,
// ascending.

import type { Tuple, TupleValue } from './tuple.ts';

/** How one value of a tuple is sorted. */
export interface Direction {
  readonly descending?: boolean;
  /** Where nulls go, whatever the direction. @default 'last' */
  readonly nulls?: 'first' | 'last';
}

/** A place in a list: sort values and the id that breaks ties. */
export interface Anchor {
  readonly tuple: Tuple;
  readonly id: string;
}

/** Compares by code point. UTF-16 units would put U+FFFF behind U+10000, whose first surrogate is smaller. */
export function compareText(a: string, b: string): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    let x = a.charCodeAt(i);
    let y = b.charCodeAt(i);
    if (x === y) continue;
    if (x >= 0xd800 && y >= 0xd800) {
      x = x >= 0xe000 ? x - 0x800 : x + 0x2000;
      y = y >= 0xe000 ? y - 0x800 : y + 0x2000;
    }
    return x - y;
  }
  return a.length - b.length;
}

/** The order of values of different kinds: booleans, numbers, dates, strings, bytes. */
function rankOf(value: Exclude<TupleValue, null>): number {
  if (value instanceof Date) return 2;
  if (value instanceof Uint8Array) return 4;
  return typeof value === 'boolean' ? 0 : typeof value === 'string' ? 3 : 1;
}

/** Byte by byte, unsigned; a prefix comes before the longer value. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

/** Negative, 0 or positive. NaN comes after all other numbers, as PostgreSQL has it; -0 and 0 are the same. */
export function compareTupleValues(a: Exclude<TupleValue, null>, b: Exclude<TupleValue, null>): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  if (typeof a === 'string') return compareText(a, b as string);
  if (a instanceof Uint8Array) return compareBytes(a, b as Uint8Array);
  const x = a instanceof Date ? a.getTime() : a;
  const y = b instanceof Date ? b.getTime() : (b as typeof x);
  if (x < y) return -1;
  if (x > y) return 1;
  return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
}

/** Negative, 0 or positive as a comes before, with or after b. */
export function compareAnchors(order: readonly Direction[], a: Anchor, b: Anchor): number {
  for (let i = 0; i < order.length; i++) {
    const { descending = false, nulls = 'last' } = order[i]!;
    const x = a.tuple[i] ?? null;
    const y = b.tuple[i] ?? null;
    if (x === null || y === null) {
      if (x !== y) return (x === null) === (nulls === 'first') ? -1 : 1;
      continue;
    }
    const c = compareTupleValues(x, y);
    if (c !== 0) return descending ? -c : c;
  }
  return compareText(a.id, b.id);
}
