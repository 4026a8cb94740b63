// The seam between lists and stores. A `PageSource` stands for one list, with a fixed order and filter, and
// returns a number of items from a position in one direction.

import type { Cut } from './cut.ts';
import type { Anchor } from './order.ts';

/** The request for one page. */
export interface PageRequest {
  /** The item next to the page; it may have been deleted. Absent: from the end that the walk starts at. */
  readonly at?: Anchor;
  /** Towards the start. Items are returned in list order all the same. */
  readonly backwards?: boolean;
  /** At least 1. */
  readonly size: number;
}

/** One page of a list. */
export interface SourcePage<T> {
  /** In list order; at most `size`. */
  readonly items: readonly T[];
  /** True if there are more items in the direction of the walk. Never true when `items` is empty. */
  readonly more: boolean;
  /** The store lost the snapshot of the walk. From this page on the walk sees changes made meanwhile. */
  readonly renewed?: true;
}

/** A list that can be paged through from any position. */
export interface PageSource<T> {
  page(request: PageRequest): SourcePage<T> | Promise<SourcePage<T>>;
  /** The position of an item. */
  anchor(item: T): Anchor;
}

/** The items between two cuts. An absent cut means that end of the list. */
export interface CutRange {
  readonly from?: Cut;
  readonly to?: Cut;
}

/** A source that can also count, and read from a cut. Jumps to far pages need both. */
export interface CountingSource<T> extends PageSource<T> {
  /** The exact number of items in each range, by one query to the store. */
  count(ranges: readonly CutRange[]): readonly number[] | Promise<readonly number[]>;
  /** The items directly behind a cut, or (backwards) before it, in list order. */
  pageAtCut(cut: Cut, size: number, backwards?: boolean): SourcePage<T> | Promise<SourcePage<T>>;
}

/** Options of a walk. */
export interface WalkOptions {
  /** Items per page. @default 100 */
  readonly size?: number;
  readonly backwards?: boolean;
  /** The item behind which (backwards: before which) the walk starts. */
  readonly at?: Anchor;
}

const DEFAULT_SIZE = 100;

/** All pages of a list from a position on. Items of a page are in list order in both directions. */
export async function* walkPages<T>(
  source: PageSource<T>,
  options: WalkOptions = {},
): AsyncGenerator<readonly T[], void, undefined> {
  const { size = DEFAULT_SIZE, backwards = false } = options;
  if (!Number.isInteger(size) || size < 1) throw new RangeError('The size of a page is a positive integer.');
  let at = options.at;
  for (;;) {
    const page = await source.page({ size, backwards, ...(at === undefined ? {} : { at }) });
    const edge = backwards ? page.items[0] : page.items.at(-1);
    if (edge === undefined) return;
    yield page.items;
    if (!page.more) return;
    at = source.anchor(edge);
  }
}

/** All items of a list from a position on, in the order of the walk: backwards they come last first. */
export async function* walk<T>(
  source: PageSource<T>,
  options: WalkOptions = {},
): AsyncGenerator<T, void, undefined> {
  for await (const items of walkPages(source, options)) {
    if (options.backwards) for (let i = items.length - 1; i >= 0; i--) yield items[i]!;
    else yield* items;
  }
}
