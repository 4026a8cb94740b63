// Pages a list in score order. The first thousand hits come from a bounded heap (top-page.ts); deeper pages,
// and walks by cursor, from the whole list of matches, which is cached for the next page.

import type { Side } from '../../order/compare.ts';
import { CHUNK_DOCS } from '../../segment/leaf.ts';
import type { ScoredList } from '../caches/scored-lists.ts';
import type { Deadline, SearchSteps } from '../deadline.ts';
import { chunkWords } from '../leaf-matches.ts';
import { docAt, type LeafTask, placeAt, positionOf } from '../leaf-task.ts';
import type { DocumentPage } from '../page/document-page.ts';
import type { PageRange } from '../request/cursor.ts';
import type { SearchServices } from '../services.ts';
import { MatchBuffer } from './match-buffer.ts';
import { pickRange, type RankedList, rankByScore, rankOfScore } from './ranked-list.ts';
import { type ScoreOptions, scanMatches } from './scored-scan.ts';
import { topPage } from './top-page.ts';

/** Pages that end behind this hit are found in the whole list. */
const HEAP_DEPTH = 1_000;

/**
 * A page in score order, ties in insertion order. `cursor.position` is undefined for a bare score: the page
 * then goes on behind all matches of that score.
 */
export function* scoredPage(
  tasks: readonly LeafTask[],
  sides: readonly Side[],
  range: PageRange,
  cursor: { score: number; position: number | undefined } | undefined,
  options: ScoreOptions,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<DocumentPage> {
  const { from, size, backwards } = range;
  const depth = from + size;
  if (cursor === undefined && !backwards && depth <= HEAP_DEPTH) {
    return yield* topPage(tasks, sides, range, options, services, deadline);
  }
  const found = yield* scoreAll(tasks, options, services, deadline);
  const n = found.positions.length;
  if (found.isNew && cursor === undefined && !backwards) {
    const [start, end] = [Math.min(from, n), Math.min(depth, n)];
    const part = yield* pickRange(found, start, end);
    return page(found, { ...part, best: highest(found.scores) }, sides, start, end);
  }
  const list = yield* rankAll(found, services);
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
  found: ScoredMatches,
  { positions, scores }: RankedList,
  sides: readonly Side[],
  start: number,
  end: number,
): DocumentPage {
  const part = { positions: positions.subarray(start, end), scores: scores.subarray(start, end) };
  return page(found, { ...part, best: scores[0] ?? Number.NaN }, sides, start, end);
}

/** The page of the entries [start, end) of all matches. */
function page(
  { positions, cutShort }: ScoredMatches,
  part: ScoredList & { readonly best: number },
  sides: readonly Side[],
  start: number,
  end: number,
): DocumentPage {
  const docs = Array.from(part.positions, (position, i) => {
    return { side: sides[placeAt(position)]!, doc: docAt(position), score: part.scores[i]! };
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

/** The best score; NaN where there is none. */
function highest(scores: Float32Array): number {
  let max = Number.NaN;
  for (let i = 0; i < scores.length; i++) if (!(scores[i]! <= max)) max = scores[i]!;
  return max;
}

/** Key of everything that decides a list: leaves, query and minimum score. */
function listKey(tasks: readonly LeafTask[], options: ScoreOptions): string {
  const leaves = tasks.map((t) => `${t.view.leaf.uid}.${t.view.docCount}.${t.view.deathCount}`).join(',');
  return `${options.minScore ?? ''}|${leaves}|${options.queryText()}`;
}

/** All matches, in insertion order or ranked. */
interface ScoredMatches extends ScoredList {
  readonly isRanked?: true;
  readonly key: string;
  readonly cutShort: boolean;
  /** Whether this is the first page of the list: it is then picked without ranking all matches. */
  readonly isNew: boolean;
}

function* scoreAll(
  tasks: readonly LeafTask[],
  options: ScoreOptions,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<ScoredMatches> {
  const isKept = options.limitPerIndex === undefined && options.isLasting;
  const key = isKept ? listKey(tasks, options) : '';
  const cached = isKept ? services.caches.scored.get(key) : undefined;
  if (cached !== undefined) return { ...cached, key, cutShort: false, isNew: false };
  const buffer = MatchBuffer.borrow();
  const { cutShort } = yield* scanMatches(
    tasks,
    options,
    deadline,
    ({ place, view }, chunk, bits, scores) => {
      const words = chunkWords(view.leaf.docCount, chunk);
      buffer.addChunk(positionOf(place, chunk * CHUNK_DOCS), bits, words, scores);
    },
  );
  const list = buffer.finish();
  if (isKept && !deadline.late) services.caches.scored.set(key, list);
  return { ...list, key: isKept && !deadline.late ? key : '', cutShort, isNew: true };
}

/** The list in score order, which replaces the unranked one in the cache. */
function* rankAll(found: ScoredMatches, services: SearchServices): SearchSteps<RankedList> {
  if (found.isRanked) return { ...found, isRanked: true };
  const list = yield* rankByScore(found.positions, found.scores);
  if (found.key !== '') services.caches.scored.set(found.key, list);
  return list;
}
