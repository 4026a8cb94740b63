// How is a page found when scores decide alone? The first few hundred by a bounded heap (best.ts); anything deeper,
// and every walk by cursor, from the whole list in score order, which is kept for the next page.

import type { Side } from '../../order/compare.ts';
import { CHUNK_DOCS } from '../../segment/leaf.ts';
import type { Deadline, SearchSteps } from '../deadline.ts';
import type { Page } from '../page/document-page.ts';
import type { LeafTask } from '../leaf-task.ts';
import type { SearchServices } from '../services.ts';
import type { Where } from '../sorted/sorted-page.ts';
import { chunkWords } from '../leaf-matches.ts';
import { Gathered } from './match-buffer.ts';
import {
  docOf,
  listBytes,
  pick,
  placeOf,
  positionOf,
  type RankedList,
  rank,
  rankOfScore,
  type ScoredList,
} from './ranked-list.ts';
import { scan } from './scored-scan.ts';
import { firstByScore } from './top-page.ts';

const HEAP_DEPTH = 1_000;

/** What beside the query decides who is in the list. */
export interface ScoreOptions {
  /** Text of the query, boosts included: equal texts score equally on equal views. */
  queryText(): string;
  /** False where nobody can ask the same again: it is a query of a moment that no other search shares. */
  readonly isLasting: boolean;
  readonly minScore: number | undefined;
  readonly limitPerIndex: number | undefined;
  /** How far matches have to be counted: 0 not at all, Infinity to the end. */
  readonly countTo: number;
}

type ScorePage = Page & { readonly cutShort: boolean };

/** A page in score order, ties by insertion. `cursor.position` is undefined for a bare score: all its ties are passed. */
export function* pageByScore(
  tasks: readonly LeafTask[],
  sides: readonly Side[],
  where: Where,
  cursor: { score: number; position: number | undefined } | undefined,
  options: ScoreOptions,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<ScorePage> {
  const { from, size, backwards } = where;
  const depth = from + size;
  if (cursor === undefined && !backwards && depth <= HEAP_DEPTH) {
    return yield* firstByScore(tasks, sides, where, options, services, deadline);
  }
  const found = yield* scored(tasks, options, services, deadline);
  const n = found.positions.length;
  if (found.isNew && cursor === undefined && !backwards) {
    const [start, end] = [Math.min(from, n), Math.min(depth, n)];
    const part = yield* pick(found, start, end);
    return page(found, { ...part, best: highest(found.scores) }, sides, start, end);
  }
  const list = yield* ranked(found, services);
  let first = from;
  if (backwards) {
    const end = (cursor === undefined ? n : rankOfScore(list, cursor.score, cursor.position, false)) - from;
    first = Math.max(0, end - size);
    return slice(found, list, sides, first, Math.max(0, end));
  }
  if (cursor !== undefined) first += rankOfScore(list, cursor.score, cursor.position, true);
  return slice(found, list, sides, Math.min(first, n), Math.min(first + size, n));
}

function slice(
  found: Scored,
  { positions, scores }: RankedList,
  sides: readonly Side[],
  start: number,
  end: number,
): ScorePage {
  const part = { positions: positions.subarray(start, end), scores: scores.subarray(start, end) };
  return page(found, { ...part, best: scores[0] ?? Number.NaN }, sides, start, end);
}

/** The page that has the entries [start, end) of what was found. */
function page(
  { positions, cutShort }: Scored,
  part: ScoredList & { readonly best: number },
  sides: readonly Side[],
  start: number,
  end: number,
): ScorePage {
  const docs = Array.from(part.positions, (position, i) => {
    return { side: sides[placeOf(position)]!, doc: docOf(position), score: part.scores[i]! };
  });
  return {
    docs,
    total: positions.length,
    before: start > 0,
    after: end < positions.length,
    maxScore: part.best,
    cutShort,
  };
}

/** NaN where there is none. */
function highest(scores: Float32Array): number {
  let max = Number.NaN;
  for (let i = 0; i < scores.length; i++) if (!(scores[i]! <= max)) max = scores[i]!;
  return max;
}

/** Everything that decides a ranked list: the views, the query, and what is left out. */
function listKey(tasks: readonly LeafTask[], options: ScoreOptions): string {
  const leaves = tasks.map((t) => `${t.view.leaf.uid}.${t.view.docCount}.${t.view.deathCount}`).join(',');
  return `${options.minScore ?? ''}|${leaves}|${options.queryText()}`;
}

/** All matches, as they came or in order. */
interface Scored extends ScoredList {
  readonly isRanked?: true;
  readonly key: string;
  readonly cutShort: boolean;
  /** Nobody has asked for a page of it before. */
  readonly isNew: boolean;
}

function* scored(
  tasks: readonly LeafTask[],
  options: ScoreOptions,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<Scored> {
  const isKept = options.limitPerIndex === undefined && options.isLasting;
  const key = isKept ? listKey(tasks, options) : '';
  const kept = isKept ? services.caches.ranked.get(key) : undefined;
  if (kept !== undefined) return { ...kept, key, cutShort: false, isNew: false };
  const gathered = Gathered.borrow();
  const { cutShort } = yield* scan(tasks, options, deadline, ({ place, view }, chunk, bits, scores) => {
    const words = chunkWords(view.leaf.docCount, chunk);
    gathered.take(positionOf(place, chunk * CHUNK_DOCS), bits, words, scores);
  });
  const list = gathered.giveBack();
  if (isKept && !deadline.late) keep(services, key, list);
  return { ...list, key: isKept && !deadline.late ? key : '', cutShort, isNew: true };
}

/** What was found in order; kept so in place of what it was. */
function* ranked(found: Scored, services: SearchServices): SearchSteps<RankedList> {
  if (found.isRanked) return { ...found, isRanked: true };
  const list = yield* rank(found.positions, found.scores);
  if (found.key !== '') keep(services, found.key, list);
  return list;
}

function keep(services: SearchServices, key: string, list: ScoredList): void {
  services.caches.ranked.set(key, list, listBytes(list));
}
