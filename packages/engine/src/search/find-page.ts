// Finds the page of a planned search by the strategy that its order allows, or only counts its matches.
//
//   order depends on       strategy                      found by                         cost of any page
//   fields, equal scores   sorted/sorted-page.ts         ranks in cached orders           O(runs · log² n), orders cached
//   insertion, match_all   sorted/match-all.ts           live bitmaps                     O(leaves + size + n / 32)
//   scores alone           scored/scored-page.ts         top k, or the whole list         one scan
//   scores of rescorers    scored/rescored-page.ts       the best hits of the above       the same, and a scan per window
//   scores and fields      scored/mixed-sort-page.ts     a buffer of candidates           one scan

import { countAnd, countBits, popcount32 } from '../kernels/bits.ts';
import type { Side } from '../order/compare.ts';
import { visibleBits } from '../order/rank/visible.ts';
import type { LeafView } from '../segment/leaf.ts';
import type { SearchSteps } from './deadline.ts';
import { countVisible, visibleMatches } from './leaf-matches.ts';
import type { LeafTask } from './leaf-task.ts';
import type { DocumentPage } from './page/document-page.ts';
import type { PlannedSearch } from './plan/planned-search.ts';
import { queryText } from './plan/query-text.ts';
import { DEFAULT_SIZE } from './request/check-request.ts';
import { type PageRange, pageRange, scoreCursor } from './request/cursor.ts';
import { mixedSortPage } from './scored/mixed-sort-page.ts';
import { rescoredPage } from './scored/rescored-page.ts';
import { scoredPage } from './scored/scored-page.ts';
import type { ScoreOptions } from './scored/scored-scan.ts';
import { uniformScore } from './scored/uniform-score.ts';
import { collapsedPage } from './sorted/collapse.ts';
import { collectRuns } from './sorted/collect-runs.ts';
import { matchAllPage } from './sorted/match-all.ts';
import { noteUse } from './sorted/order-merging.ts';
import { sortedPage } from './sorted/sorted-page.ts';

const EMPTY_PAGE: DocumentPage = Object.freeze({
  docs: [],
  total: 0,
  before: false,
  after: false,
  maxScore: Number.NaN,
  cutShort: false,
});

/** Counts the matches of a search that wants no hits. */
export function* countMatches(search: PlannedSearch): SearchSteps<DocumentPage> {
  const { tasks, request, services, deadline } = search;
  if (request.minScore !== undefined) {
    const page = yield* findPage({ ...search, request: { ...request, from: 0, size: 1 }, fields: [] });
    return { ...page, docs: [], after: page.total > 0 };
  }
  let total = 0;
  for (const task of tasks) {
    if (deadline.late) break;
    if (task.plan.matchesAll) {
      total += task.view.liveCount;
      continue;
    }
    const { matches } = yield* visibleMatches(task, services, deadline);
    total += countMatching(task.view, matches);
  }
  return { ...EMPTY_PAGE, total, after: total > (request.from ?? 0) };
}

/** The number of matches of a leaf that are visible to a search. */
function countMatching(view: LeafView, matches: Uint32Array | undefined): number {
  const { leaf, docCount, live, liveCount } = view;
  if (matches === undefined) return liveCount;
  if (docCount === leaf.docCount) {
    if (live === undefined) return countBits(matches, 0, docCount);
    const whole = docCount >>> 5;
    const last = docCount & 31 ? matches[whole]! & live[whole]! & (-1 >>> (32 - (docCount & 31))) : 0;
    return countAnd(matches, live, whole) + popcount32(last);
  }
  return countVisible(visibleBits(leaf, { view, filterKey: '', matches, cacheable: false }), docCount);
}

/** Finds the page that a request asks for. */
export function* findPage(search: PlannedSearch): SearchSteps<DocumentPage> {
  const { request, collapsed } = search;
  const range = pageRange(search);
  if (request.rescore !== undefined && request.rescore.length > 0)
    return yield* rescoredPage(search, range, request.rescore, pageAt);
  if (collapsed !== undefined) {
    const { from = 0, size = DEFAULT_SIZE } = request;
    return yield* collapsedPage(collapsed, from, size, (at, count) =>
      pageAt(search, { from: at, size: count, cursor: undefined, backwards: false }),
    );
  }
  return yield* pageAt(search, range);
}

/** Finds any part of a list. */
function* pageAt(search: PlannedSearch, range: PageRange): SearchSteps<DocumentPage> {
  const { tasks, services, deadline, request, needScores, fields } = search;
  const { minScore } = request;
  if (tasks.every(({ plan }) => plan.matchesNone === true)) return EMPTY_PAGE;
  if (!needScores) return yield* pageInOrder(search, tasks, [], range);
  const sides = scoreSides(search);
  const all = fields.length === 0 ? scoreOfAll(search, range) : undefined;
  if (all !== undefined) return matchAllPage(tasks, sides, all, range.from, range.size);
  if (tasks.every((t) => !t.plan.scoring)) {
    const scores = yield* constantScores(search);
    const eligible =
      minScore === undefined ? tasks : tasks.filter((t) => !(scores[t.indexPlace]! < minScore));
    return yield* pageInOrder(search, eligible, scores, range);
  }
  const { trackTotalHits: track = true } = request;
  const options: ScoreOptions = {
    minScore,
    limitPerIndex: request.terminateAfter || undefined,
    countTo: track === true ? Number.POSITIVE_INFINITY : Number(track),
    queryText: () => queryText(request, search.views, search.planned.inputs, services.compat),
    isLasting: isLasting(search),
  };
  if (fields.length > 0) return yield* mixedSortPage(tasks, sides, range, options, deadline);
  const cursor = scoreCursor(range.cursor, sides);
  return yield* scoredPage(tasks, sides, range, cursor, options, services, deadline);
}

/**
 * A page whose order does not depend on computed scores. If the request has a shape, its runs are memoized for
 * other pages of the list.
 */
function* pageInOrder(
  search: PlannedSearch,
  tasks: readonly LeafTask[],
  scores: readonly number[],
  range: PageRange,
): SearchSteps<DocumentPage> {
  const { request, views, fields, sort, specs, planned, services, deadline } = search;
  const { named, inner, inputs } = planned;
  const { caches } = services;
  const { evictions } = caches;
  const limitPerIndex = request.terminateAfter || undefined;
  const collected = yield* collectRuns(tasks, specs, scores, range, limitPerIndex, services, deadline);
  if (collected.isWhole && request.collapse === undefined) {
    noteUse(tasks, specs, services);
    const isKeepable =
      request.shape !== undefined &&
      evictions === caches.evictions &&
      [...named.values(), ...inner.values()].every((list) => list.length === 0) &&
      isLasting(search);
    if (isKeepable) {
      const now = inputs.asksNow ? request.now : undefined;
      const list = { views, fields, sort, specs, tasks, collected, now, evictions };
      caches.runs.set(request, { ...list, uses: 0, isConsidered: false });
    }
  }
  return sortedPage(collected, range);
}

/** The leaves of a search by score, ready to be compared. */
function scoreSides({ tasks, specs, services }: PlannedSearch): readonly Side[] {
  const { orders } = services.caches;
  return tasks.map((t) => orders.side(t.view.leaf, specs[t.indexPlace]!, t.place, t.indexPlace));
}

/**
 * The score that all documents share, if the page shows all documents in insertion order; undefined if it does
 * not.
 */
function scoreOfAll({ tasks, request }: PlannedSearch, { cursor, backwards }: PageRange): number | undefined {
  if (cursor !== undefined || backwards || request.minScore !== undefined || request.terminateAfter)
    return undefined;
  const score = tasks[0]!.plan.constant;
  const isAll = tasks.every(({ plan }) => plan.matchesAll && !plan.scoring && plan.constant === score);
  return isAll && score !== undefined ? Math.fround(score) : undefined;
}

/**
 * Whether another search may ask for the same list. A query that uses `now` is another one each time, unless
 * the request sets `now`.
 */
function isLasting({ request, planned }: PlannedSearch): boolean {
  return !planned.inputs.asksNow || request.now !== undefined;
}

/** The score that all matches of an index share, per index; 0 if there is no match. */
function* constantScores(search: PlannedSearch): SearchSteps<number[]> {
  const { tasks, views, services, deadline } = search;
  const scores: number[] = new Array(views.length).fill(Number.NaN);
  for (const task of tasks) {
    if (!Number.isNaN(scores[task.indexPlace]!)) continue;
    const visible = yield* visibleMatches(task, services, deadline);
    if (deadline.late) break;
    scores[task.indexPlace] = uniformScore(task, visible.matches);
  }
  return scores.map((s) => (Number.isNaN(s) ? 0 : s));
}
