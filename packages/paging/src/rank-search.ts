// Rank search: finds the n-th item of a list in a store that can only count. Each step puts cuts between two
// known ones, counts the items between the cuts in one query, and goes on in the range that holds the n-th
// item. Where values tie or no value lies between two cuts, the items at both ends give the next key (or
// character). A generator without I/O: it yields questions, and its caller asks the store.

import { type Cut, compareCuts, cutAt, keysOf } from './cut.ts';
import { type Anchor, compareTupleValues, type Direction } from './order.ts';
import type { CutRange } from './source.ts';
import type { TupleValue } from './tuple.ts';
import { valuesBetween } from './values-between.ts';

/** A question to the store: the counts of ranges, or the items at both ends of one range. */
export type RankQuestion =
  | { readonly ask: 'counts'; readonly ranges: readonly CutRange[] }
  | { readonly ask: 'edges'; readonly from: Cut; readonly to: Cut };

/** One count per range; or the first item behind `from` and the last before `to`. */
export type RankAnswer = readonly number[] | readonly [Anchor, Anchor];

/** A cut and how many items lie before it. */
interface RankedCut {
  readonly cut: Cut;
  readonly rank: number;
}

/** The list that is searched: its order, length and end items. */
interface RankSearchList {
  readonly order: readonly Direction[];
  readonly total: number;
  readonly first: Anchor;
  readonly last: Anchor;
  /** False if the store cannot compare ids: the search then ends before all items that tie. @default true */
  readonly comparesIds?: boolean;
}

/**
 * A cut with between `target - window` and `target` items before it; fewer if more than `window` items tie and ids do
 * not compare. REQUIRES: 0 <= target < total. A question is one query (edges: two). A million items with even or skewed
 * keys take at most a dozen questions.
 */
export function* searchRank(
  list: RankSearchList,
  target: number,
  window: number,
): Generator<RankQuestion, RankedCut, RankAnswer> {
  const { order, total, first, last, comparesIds = true } = list;
  const keys = keysOf(order);
  const place = (at: Anchor, behind: boolean): Cut => {
    const cut = cutAt(at, order, behind);
    return comparesIds ? cut : { values: cut.values.slice(0, -1), behind };
  };
  let low: RankedCut = { cut: place(first, false), rank: 0 };
  let high: RankedCut = { cut: place(last, true), rank: total };
  while (target - low.rank > window) {
    const cuts = cutsBetween(keys, low.cut, high.cut);
    if (cuts.length === 0) {
      const edges = (yield { ask: 'edges', from: low.cut, to: high.cut }) as readonly [Anchor, Anchor];
      const from = place(edges[0], false);
      const to = place(edges[1], true);
      // The range has not become smaller: the list has changed meanwhile.
      if (compareCuts(keys, from, low.cut) === 0 && compareCuts(keys, to, high.cut) === 0) return low;
      low = { cut: from, rank: low.rank };
      high = { cut: to, rank: high.rank };
      continue;
    }
    const bounds = [low.cut, ...cuts];
    const ranges = cuts.map((to, i) => ({ from: bounds[i]!, to }));
    const counts = (yield { ask: 'counts', ranges }) as readonly number[];
    let rank = low.rank;
    for (const [i, cut] of cuts.entries()) {
      rank += counts[i]!;
      if (rank > target) {
        high = { cut, rank };
        break;
      }
      low = { cut, rank };
    }
  }
  return low;
}

/** Cuts strictly between two, in list order; none if only real items can show how to go on. */
function cutsBetween(keys: readonly Direction[], low: Cut, high: Cut): Cut[] {
  let same = 0;
  while (
    same < low.values.length &&
    same < high.values.length &&
    equal(low.values[same]!, high.values[same]!)
  )
    same++;
  if (same === low.values.length || same === high.values.length) return [];
  const start = low.values.slice(0, same);
  const [x, y] = [low.values[same]!, high.values[same]!];
  const cut = (value: TupleValue, behind: boolean): Cut => ({ values: [...start, value], behind });
  const cuts = [cut(x, true), cut(y, false)];
  if (x !== null && y !== null) {
    const [lower, upper] = compareTupleValues(x, y) < 0 ? [x, y] : [y, x];
    for (const value of valuesBetween(lower, upper)) cuts.push(cut(value, keys[same]!.descending !== true));
  }
  return cuts
    .filter((c) => compareCuts(keys, low, c) < 0 && compareCuts(keys, c, high) < 0)
    .sort((a, b) => compareCuts(keys, a, b))
    .filter((c, i, all) => i === 0 || compareCuts(keys, all[i - 1]!, c) !== 0);
}

function equal(a: TupleValue, b: TupleValue): boolean {
  return a === null || b === null ? a === b : compareTupleValues(a, b) === 0;
}
