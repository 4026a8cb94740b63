// Slices of a list: its first and last items, the neighbourhood of one item, and a limited number of pages.

import type { Anchor } from './order.ts';
import { type PageSource, type SourcePage, type WalkOptions, walkPages } from './source.ts';

/** The first items. */
export async function firstItems<T>(source: PageSource<T>, size: number): Promise<SourcePage<T>> {
  return await source.page({ size });
}

/** The last items, in list order; `more` says whether there are some before. */
export async function lastItems<T>(source: PageSource<T>, size: number): Promise<SourcePage<T>> {
  return await source.page({ size, backwards: true });
}

/** The neighbourhood of a position. */
export interface Neighbourhood<T> {
  /** In list order: the items before, the item at the position if it still exists, the items behind. */
  readonly items: readonly T[];
  readonly moreBefore: boolean;
  readonly moreBehind: boolean;
}

/** Up to `size` items on each side of a position, and the item at the position. Reads two pages. */
export async function itemsAround<T>(
  source: PageSource<T>,
  at: Anchor,
  size: number,
): Promise<Neighbourhood<T>> {
  const before = await source.page({ at, size, backwards: true });
  const last = before.items.at(-1);
  const from = last === undefined ? {} : { at: source.anchor(last) };
  const rest = await source.page({ ...from, size: size + 1 });
  // If the item at the position was deleted, the page has one item too many.
  const exists = rest.items[0] !== undefined && source.anchor(rest.items[0]).id === at.id;
  const behind = exists ? rest.items : rest.items.slice(0, size);
  return {
    items: [...before.items, ...behind],
    moreBefore: before.more,
    moreBehind: rest.more || behind.length < rest.items.length,
  };
}

/** At most `count` pages from a position on. */
export async function* takePages<T>(
  source: PageSource<T>,
  count: number,
  options: WalkOptions = {},
): AsyncGenerator<readonly T[], void, undefined> {
  if (count < 1) return;
  let taken = 0;
  for await (const page of walkPages(source, options)) {
    yield page;
    if (++taken >= count) return;
  }
}
