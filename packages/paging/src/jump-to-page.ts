// Jump to a page by its number in a store without offsets: a rank search finds a cut shortly before the page,
// and one page is read from that cut.

import { cutAt } from './cut.ts';
import type { Direction } from './order.ts';
import { type RankAnswer, searchRank } from './rank-search.ts';
import type { CountingSource } from './source.ts';

/** A page reached by its number. */
export interface Jump<T> {
  /** In list order; empty behind the last page. */
  readonly items: readonly T[];
  /** Items of the whole list. */
  readonly total: number;
  /** Whether there are more behind the page. */
  readonly more: boolean;
  /** The number of queries sent to the store. */
  readonly queries: number;
}

/** The search stops this many items before the page; they are read and dropped, which is cheaper than more counting. */
const WINDOW = 500;

/**
 * The page with a number, counted from 1. Exact if the list does not change meanwhile, also under ties, nulls and mixed
 * directions. Throws RangeError for numbers and sizes that are not positive integers.
 */
export async function jumpToPage<T>(
  source: CountingSource<T>,
  order: readonly Direction[],
  page: number,
  size: number,
): Promise<Jump<T>> {
  if (!Number.isSafeInteger(page) || page < 1)
    throw new RangeError('The number of a page is a positive integer.');
  if (!Number.isSafeInteger(size) || size < 1)
    throw new RangeError('The size of a page is a positive integer.');
  const target = (page - 1) * size;
  const [total = 0] = await source.count([{}]);
  if (target >= total) return { items: [], total, more: false, queries: 1 };
  const [head, tail] = [await source.page({ size: 1 }), await source.page({ size: 1, backwards: true })];
  const [first, last] = [head.items[0], tail.items[0]];
  if (first === undefined || last === undefined) return { items: [], total, more: false, queries: 3 };
  let queries = 3;
  const search = searchRank(
    { order, total, first: source.anchor(first), last: source.anchor(last) },
    target,
    WINDOW,
  );
  let step = search.next();
  while (!step.done) {
    const question = step.value;
    let answer: RankAnswer;
    if (question.ask === 'counts') {
      queries++;
      answer = await source.count(question.ranges);
    } else {
      queries += 2;
      const [low] = (await source.pageAtCut(question.from, 1)).items;
      const [high] = (await source.pageAtCut(question.to, 1, true)).items;
      // All items between the cuts were deleted meanwhile: the page behind the lower cut is the best answer.
      if (low === undefined || high === undefined) break;
      answer = [source.anchor(low), source.anchor(high)];
    }
    step = search.next(answer);
  }
  const { cut, rank } = step.done
    ? step.value
    : { cut: cutAt(source.anchor(first), order, false), rank: target };
  const { items, more } = await source.pageAtCut(cut, target - rank + size);
  return { items: items.slice(target - rank), total, more, queries: queries + 1 };
}
