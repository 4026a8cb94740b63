// How is a page found when scores decide alone? The first few hundred by a bounded heap (best.ts); anything deeper,
// and every walk by cursor, from the whole list in score order, which is kept for the next page.

import type { Side } from '../order/compare.ts';
import { firstByScore } from './best.ts';
import type { Where } from './by-order.ts';
import type { Pace } from './pace.ts';
import type { Page } from './page.ts';
import type { LeafTask } from './plan.ts';
import { docOf, placeOf, positionOf, type RankedList, rank, rankOfScore } from './ranked.ts';
import { forEach, scan } from './scan.ts';
import type { SearchServices } from './services.ts';

const HEAP_DEPTH = 1_000;

/** What beside the query decides who is in the list. */
export interface ScoreOptions {
  /** Text of the query, boosts included: equal texts score equally on equal views. */
  queryText(): string;
  readonly minScore: number | undefined;
  readonly limitPerIndex: number | undefined;
  /** How far matches have to be counted: 0 not at all, Infinity to the end. */
  readonly countTo: number;
}

/** A page in score order, ties by insertion. `cursor.position` is undefined for a bare score: all its ties are passed. */
export async function pageByScore(
  tasks: readonly LeafTask[],
  sides: readonly Side[],
  where: Where,
  cursor: { score: number; position: number | undefined } | undefined,
  options: ScoreOptions,
  services: SearchServices,
  pace: Pace,
): Promise<Page & { readonly cutShort: boolean }> {
  const { from, size, backwards } = where;
  const depth = from + size;
  if (cursor === undefined && !backwards && depth <= HEAP_DEPTH) {
    return firstByScore(tasks, sides, where, options, services, pace);
  }
  const list = await rankedList(tasks, options, services, pace);
  const n = list.positions.length;
  let first = from;
  if (backwards) {
    const end = (cursor === undefined ? n : rankOfScore(list, cursor.score, cursor.position, false)) - from;
    first = Math.max(0, end - size);
    return slice(list, sides, first, Math.max(0, end));
  }
  if (cursor !== undefined) first += rankOfScore(list, cursor.score, cursor.position, true);
  return slice(list, sides, Math.min(first, n), Math.min(first + size, n));
}

function slice(
  list: RankedList & { cutShort?: boolean },
  sides: readonly Side[],
  start: number,
  end: number,
): Page & { readonly cutShort: boolean } {
  const docs = [];
  for (let i = start; i < end; i++) {
    const position = list.positions[i]!;
    docs.push({ side: sides[placeOf(position)]!, doc: docOf(position), score: list.scores[i]! });
  }
  const total = list.positions.length;
  return {
    docs,
    total,
    before: start > 0,
    after: end < total,
    maxScore: total > 0 ? list.scores[0]! : Number.NaN,
    cutShort: list.cutShort ?? false,
  };
}

/** Everything that decides a ranked list: the views, the query, and what is left out. */
function listKey(tasks: readonly LeafTask[], options: ScoreOptions): string {
  const leaves = tasks.map((t) => `${t.view.leaf.uid}.${t.view.docCount}.${t.view.deathCount}`).join(',');
  return `${options.minScore ?? ''}|${leaves}|${options.queryText()}`;
}

function grown<A extends Float64Array | Float32Array>(from: A, into: A): A {
  into.set(from);
  return into;
}

async function rankedList(
  tasks: readonly LeafTask[],
  options: ScoreOptions,
  services: SearchServices,
  pace: Pace,
): Promise<RankedList & { cutShort?: boolean }> {
  const key = listKey(tasks, options);
  const kept = options.limitPerIndex === undefined ? services.caches.ranked.get(key) : undefined;
  if (kept !== undefined) return kept;
  let positions = new Float64Array(1_024);
  let scores = new Float32Array(1_024);
  let n = 0;
  const { total, cutShort } = await scan(tasks, options, pace, (task, chunk, bits, chunkScores) => {
    const base = positionOf(task.place, chunk * 65_536);
    forEach(bits, (doc) => {
      if (n === positions.length) {
        positions = grown(positions, new Float64Array(2 * n));
        scores = grown(scores, new Float32Array(2 * n));
      }
      positions[n] = base + doc;
      scores[n++] = chunkScores[doc]!;
    });
  });
  const list = await pace.run(rank(positions.subarray(0, n), scores.subarray(0, n)));
  if (!pace.late && options.limitPerIndex === undefined) {
    services.caches.ranked.set(key, list, 12 * total + 2 * key.length + 64);
  }
  return { ...list, cutShort };
}
