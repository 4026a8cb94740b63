// How does any store give out pages? The seam between lists and stores: from a position, in a direction, so many items.
// A source stands for one list; its order and filter were given when it was made.

import type { Cut } from './cut.ts';
import type { Anchor } from './order.ts';

/** One stretch of a list to be fetched. */
export interface PageRequest {
  /** The item next to the page; it need not exist any more. Absent: from the end that the walk starts at. */
  readonly at?: Anchor;
  /** Towards the start. Items come back in list order all the same. */
  readonly backwards?: boolean;
  /** At least 1. */
  readonly size: number;
}

/** A stretch of a list. */
export interface SourcePage<T> {
  /** In list order; at most as many as asked for. */
  readonly items: readonly T[];
  /** Whether there are more in the direction of the walk. Never true when `items` is empty. */
  readonly more: boolean;
  /** The store had lost the snapshot of the walk: from this page on it sees changes made meanwhile. */
  readonly renewed?: true;
}

/** A list that can be paged through from any position. */
export interface PageSource<T> {
  page(request: PageRequest): SourcePage<T> | Promise<SourcePage<T>>;
  /** The position of an item. */
  anchor(item: T): Anchor;
}

/** A stretch between two cuts; absent: up to that end of the list. */
export interface Stretch {
  readonly from?: Cut;
  readonly to?: Cut;
}

/** A list that can also be counted and read from between items: what jumps to far pages need. */
export interface CountedSource<T> extends PageSource<T> {
  /** How many items lie in each stretch, exactly; one query of the store. */
  count(stretches: readonly Stretch[]): readonly number[] | Promise<readonly number[]>;
  /** The items next to a cut, behind or (backwards) before it, in list order. */
  beside(cut: Cut, size: number, backwards?: boolean): SourcePage<T> | Promise<SourcePage<T>>;
}

/** How a walk goes. */
export interface WalkOptions {
  /** Items per page. @default 100 */
  readonly size?: number;
  readonly backwards?: boolean;
  /** Where to start: behind this item, or before it when backwards. */
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
