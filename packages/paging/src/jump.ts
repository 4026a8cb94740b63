// How is page 50,000 reached in a store without far offsets? By the rank search, whose questions are put to the store
// and counted; then one page from the cut that it found.

import { cutAt } from './cut.ts';
import type { Direction } from './order.ts';
import { type RankAnswer, searchRank } from './rank.ts';
import type { CountedSource } from './source.ts';

/** A page reached by its number. */
export interface Jump<T> {
  /** In list order; empty behind the last page. */
  readonly items: readonly T[];
  /** Items of the whole list. */
  readonly total: number;
  /** Whether there are more behind the page. */
  readonly more: boolean;
  /** Queries that the store was asked. */
  readonly queries: number;
}

/** Items that are read and left out rather than searched past. */
const WINDOW = 500;

/**
 * The page of a number, counted from 1: exact on a list that holds still. Under ties, nulls and mixed directions too.
 * Throws RangeError for numbers and sizes that are not positive integers.
 */
export async function jumpToPage<T>(
  source: CountedSource<T>,
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
      answer = await source.count(question.stretches);
    } else {
      queries += 2;
      const [low] = (await source.beside(question.from, 1)).items;
      const [high] = (await source.beside(question.to, 1, true)).items;
      // All of it went away meanwhile: what lies behind is the best answer there is.
      if (low === undefined || high === undefined) break;
      answer = [source.anchor(low), source.anchor(high)];
    }
    step = search.next(answer);
  }
  const { cut, rank } = step.done
    ? step.value
    : { cut: cutAt(source.anchor(first), order, false), rank: target };
  const { items, more } = await source.beside(cut, target - rank + size);
  return { items: items.slice(target - rank), total, more, queries: queries + 1 };
}
