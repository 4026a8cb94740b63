// Cuts: places between items, and the translation of "behind this cut" for stores that compare one column at
// a time. The translation is a list of branches that follow each other in list order. A branch has equalities
// on the first keys and one comparison on the next, so each is one seek in an index on the keys, for any mix
// of directions and nulls.

import { type Anchor, compareAnchors, compareText, compareTupleValues, type Direction } from './order.ts';
import type { Tuple, TupleValue } from './tuple.ts';

/** A place between items: before or behind all that begin with these values. The id counts as the last value. */
export interface Cut {
  readonly values: Tuple;
  readonly behind: boolean;
}

/** One comparison. `key` counts the entries of the order from 0; the id comes after the last. */
export type Term =
  | { readonly key: number; readonly test: 'null' | 'present' }
  | {
      readonly key: number;
      readonly test: 'equal' | 'less' | 'greater';
      readonly value: Exclude<TupleValue, null>;
    };

/** Terms that must all be true. */
export type Branch = readonly Term[];

/** The cut directly before or behind the position of an item. */
export function cutAt(at: Anchor, order: readonly Direction[], behind: boolean): Cut {
  return { values: [...order.map((_, i) => at.tuple[i] ?? null), at.id], behind };
}

/** The order with the id as its last key. */
export function keysOf(order: readonly Direction[]): readonly Direction[] {
  return [...order, {}];
}

/** The same list, last item first. */
export function reversed(keys: readonly Direction[]): Direction[] {
  return keys.map(({ descending = false, nulls = 'last' }) => ({
    descending: !descending,
    nulls: nulls === 'last' ? 'first' : 'last',
  }));
}

/**
 * The items behind a cut, or before it, as at most 2n+1 branches for n keys. No two branches share an item. They come
 * in the order of the walk: the branch next to the cut comes first in both directions.
 */
export function branchesOf(keys: readonly Direction[], cut: Cut, backwards = false): Branch[] {
  const walked = backwards ? reversed(keys) : keys;
  const { values } = cut;
  const branches: Branch[] = [];
  const equal = values.map(
    (value, key): Term => (value === null ? { key, test: 'null' } : { key, test: 'equal', value }),
  );
  if (cut.behind === backwards) branches.push(equal);
  for (let key = values.length - 1; key >= 0; key--) {
    const { descending = false, nulls = 'last' } = walked[key]!;
    const value = values[key]!;
    const before = equal.slice(0, key);
    if (value === null) {
      if (nulls === 'first') branches.push([...before, { key, test: 'present' }]);
      continue;
    }
    branches.push([...before, { key, test: descending ? 'less' : 'greater', value }]);
    // An id is never null.
    if (nulls === 'last' && key < keys.length - 1) branches.push([...before, { key, test: 'null' }]);
  }
  return branches;
}

/** Negative if the item lies before the cut, positive if behind it; never 0. */
export function compareToCut(order: readonly Direction[], item: Anchor, cut: Cut): number {
  const n = Math.min(cut.values.length, order.length);
  const c = compareAnchors(order.slice(0, n), { tuple: item.tuple, id: '' }, { tuple: cut.values, id: '' });
  if (c !== 0) return c;
  if (cut.values.length > order.length) {
    const ids = compareText(item.id, String(cut.values[order.length]));
    if (ids !== 0) return ids;
  }
  return cut.behind ? -1 : 1;
}

/** Negative, 0 or positive as a lies before, at or behind b. */
export function compareCuts(keys: readonly Direction[], a: Cut, b: Cut): number {
  const n = Math.min(a.values.length, b.values.length);
  const c = compareAnchors(keys.slice(0, n), { tuple: a.values, id: '' }, { tuple: b.values, id: '' });
  if (c !== 0) return c;
  if (a.values.length === b.values.length) return Number(a.behind) - Number(b.behind);
  if (a.values.length === n) return a.behind ? 1 : -1;
  return b.behind ? -1 : 1;
}

/** True if the value of an item satisfies a term. For stores without a query language. */
export function matchesTerm(term: Term, value: TupleValue): boolean {
  if (!('value' in term)) return (value === null) === (term.test === 'null');
  if (value === null) return false;
  const c = compareTupleValues(value, term.value);
  return term.test === 'equal' ? c === 0 : term.test === 'less' ? c < 0 : c > 0;
}
