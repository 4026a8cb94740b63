// Where does the n-th item of a list stand, in a store that can only count? A search over the key space: cuts between
// two known ones, the items between each counted in one query, on into the stretch that holds the n-th. Where values
// tie or run out, the real items at both ends say what the next key (or letter) looks like. No I/O: this asks, somebody
// else answers.

import { valuesBetween } from './between.ts';
import { type Cut, compareCuts, cutAt, keysOf } from './cut.ts';
import { type Anchor, compareValues, type Direction } from './order.ts';
import type { Stretch } from './source.ts';
import type { TupleValue } from './tuple.ts';

/** What the search wants to know: counts of stretches, or the items at both ends of one. */
export type RankQuestion =
  | { readonly ask: 'counts'; readonly stretches: readonly Stretch[] }
  | { readonly ask: 'edges'; readonly from: Cut; readonly to: Cut };

/** One count a stretch; or the first item behind `from` and the last before `to`. */
export type RankAnswer = readonly number[] | readonly [Anchor, Anchor];

/** A cut and how many items lie before it. */
export interface Ranked {
  readonly cut: Cut;
  readonly rank: number;
}

/** A list as the search finds it. */
export interface RankedList {
  readonly order: readonly Direction[];
  readonly total: number;
  readonly first: Anchor;
  readonly last: Anchor;
  /** False where the store cannot compare ids: the search ends before all that tie. @default true */
  readonly comparesIds?: boolean;
}

/**
 * A cut with at most `target` items before it and at most `window` fewer, unless more than that tie and ids do not compare. REQUIRES: 0 <= target < total. Each question
 * is one query (edges: two); at most a dozen for a million items of even or skewed keys.
 */
export function* searchRank(
  list: RankedList,
  target: number,
  window: number,
): Generator<RankQuestion, Ranked, RankAnswer> {
  const { order, total, first, last, comparesIds = true } = list;
  const keys = keysOf(order);
  const place = (at: Anchor, behind: boolean): Cut => {
    const cut = cutAt(at, order, behind);
    return comparesIds ? cut : { values: cut.values.slice(0, -1), behind };
  };
  let low: Ranked = { cut: place(first, false), rank: 0 };
  let high: Ranked = { cut: place(last, true), rank: total };
  while (target - low.rank > window) {
    const cuts = cutsBetween(keys, low.cut, high.cut);
    if (cuts.length === 0) {
      const edges = (yield { ask: 'edges', from: low.cut, to: high.cut }) as readonly [Anchor, Anchor];
      const from = place(edges[0], false);
      const to = place(edges[1], true);
      // Nothing lies between any more: the list has changed meanwhile.
      if (compareCuts(keys, from, low.cut) === 0 && compareCuts(keys, to, high.cut) === 0) return low;
      low = { cut: from, rank: low.rank };
      high = { cut: to, rank: high.rank };
      continue;
    }
    const bounds = [low.cut, ...cuts];
    const stretches = cuts.map((to, i) => ({ from: bounds[i]!, to }));
    const counts = (yield { ask: 'counts', stretches }) as readonly number[];
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

/** Cuts strictly between two, in list order; none where only real items can tell how to go on. */
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
    const [least, most] = compareValues(x, y) < 0 ? [x, y] : [y, x];
    for (const value of valuesBetween(least, most)) cuts.push(cut(value, keys[same]!.descending !== true));
  }
  return cuts
    .filter((c) => compareCuts(keys, low, c) < 0 && compareCuts(keys, c, high) < 0)
    .sort((a, b) => compareCuts(keys, a, b))
    .filter((c, i, all) => i === 0 || compareCuts(keys, all[i - 1]!, c) !== 0);
}

function equal(a: TupleValue, b: TupleValue): boolean {
  return a === null || b === null ? a === b : compareValues(a, b) === 0;
}
