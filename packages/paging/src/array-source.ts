// How does the seam look over a plain array? The simplest driver: for tests, for small lists, and as the measure of
// what all others must do.

import { type Anchor, compareAnchors, type Direction } from './order.ts';
import type { PageRequest, PageSource, SourcePage } from './source.ts';

/** What makes a list of an array. */
export interface ArrayList<T> {
  readonly order: readonly Direction[];
  anchor(item: T): Anchor;
  filter?(item: T): boolean;
}

/** Pages over the current content of an array, which may change between pages. O(n log n) a page. */
export function arraySource<T>(items: readonly T[], list: ArrayList<T>): PageSource<T> {
  const compare = (a: Anchor, b: Anchor): number => compareAnchors(list.order, a, b);
  return {
    anchor: (item) => list.anchor(item),
    page({ at, backwards = false, size }: PageRequest): SourcePage<T> {
      const sorted = items
        .filter((item) => list.filter?.(item) ?? true)
        .map((item) => ({ item, anchor: list.anchor(item) }))
        .sort((a, b) => compare(a.anchor, b.anchor));
      const rest = sorted.filter(({ anchor }) => {
        if (at === undefined) return true;
        const c = compare(anchor, at);
        return backwards ? c < 0 : c > 0;
      });
      const taken = backwards ? rest.slice(-size) : rest.slice(0, size);
      return { items: taken.map((t) => t.item), more: rest.length > taken.length };
    },
  };
}
