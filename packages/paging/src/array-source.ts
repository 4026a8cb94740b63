// Page sources over an array, and over anything that can be read from its start. The simplest drivers: for
// tests and small lists, and as the reference for what the other drivers must answer.

import { type Cut, compareToCut } from './cut.ts';
import { type Anchor, compareAnchors, type Direction } from './order.ts';
import type { CountingSource, CutRange, PageRequest, PageSource, SourcePage } from './source.ts';

/** The order, the positions and the filter that make a list of an array. */
export interface ArrayList<T> {
  readonly order: readonly Direction[];
  anchor(item: T): Anchor;
  filter?(item: T): boolean;
}

/** Pages over the current content of an array. The array may change between pages. O(n log n) per page. */
export function arraySource<T>(items: readonly T[], list: ArrayList<T>): CountingSource<T> {
  const compare = (a: Anchor, b: Anchor): number => compareAnchors(list.order, a, b);
  const sorted = () =>
    items
      .filter((item) => list.filter?.(item) ?? true)
      .map((item) => ({ item, anchor: list.anchor(item) }))
      .sort((a, b) => compare(a.anchor, b.anchor));
  const isBehind = (anchor: Anchor, cut: Cut | undefined): boolean =>
    cut === undefined || compareToCut(list.order, anchor, cut) > 0;
  return {
    anchor: (item) => list.anchor(item),
    page({ at, backwards = false, size }: PageRequest): SourcePage<T> {
      const rest = sorted().filter(({ anchor }) => {
        if (at === undefined) return true;
        const c = compare(anchor, at);
        return backwards ? c < 0 : c > 0;
      });
      const taken = backwards ? rest.slice(-size) : rest.slice(0, size);
      return { items: taken.map((t) => t.item), more: rest.length > taken.length };
    },
    count: (ranges: readonly CutRange[]): number[] =>
      ranges.map(
        ({ from, to }) =>
          sorted().filter(
            ({ anchor }) =>
              isBehind(anchor, from) && (to === undefined || compareToCut(list.order, anchor, to) < 0),
          ).length,
      ),
    pageAtCut(cut: Cut, size: number, backwards = false): SourcePage<T> {
      const rest = sorted().filter(({ anchor }) => isBehind(anchor, cut) !== backwards);
      const taken = backwards ? rest.slice(-size) : rest.slice(0, size);
      return { items: taken.map((t) => t.item), more: rest.length > size };
    },
  };
}

/**
 * Pages over something that can be iterated again and again from its start, in any order: a file, a remote list.
 * Each page calls `read` once, reads all items and holds at most two pages of them.
 */
export function iterableSource<T>(
  read: () => Iterable<T> | AsyncIterable<T>,
  list: ArrayList<T>,
): PageSource<T> {
  return {
    anchor: (item) => list.anchor(item),
    async page({ at, backwards = false, size }: PageRequest): Promise<SourcePage<T>> {
      const sign = backwards ? -1 : 1;
      const compare = (a: T, b: T): number =>
        sign * compareAnchors(list.order, list.anchor(a), list.anchor(b));
      let nearest: T[] = [];
      for await (const item of read()) {
        if (list.filter?.(item) === false) continue;
        if (at !== undefined && sign * compareAnchors(list.order, list.anchor(item), at) <= 0) continue;
        nearest.push(item);
        if (nearest.length >= 2 * size + 2) nearest = nearest.sort(compare).slice(0, size + 1);
      }
      const items = nearest.sort(compare).slice(0, size);
      return { items: backwards ? items.reverse() : items, more: nearest.length > size };
    },
  };
}
