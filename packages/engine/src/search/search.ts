// A search over views: one generator from the request to its page.
//
//   check -> runs memo -> plan (plan memo) -> find the page -> FoundPage
//
//   order depends on       strategy                             cost of any page
//   fields                 by-order: ranks in kept orders       O(log n) once orders and filters are known
//   insertion, match_all   match-all: live bitmaps              O(leaves + size)
//   scores alone           by-score: top-k; deep: whole list    one scan
//   scores and fields      by-both: a buffer of candidates      one scan

import type { SearchPage, SearchRequest, SearchResult } from '../api.ts';
import { shortestFloat } from '../mapping/types/shortest-float.ts';
import type { Side } from '../order/compare.ts';
import { type OrderSpec, orderSpec } from '../order/order-spec.ts';
import { visibleBits } from '../order/rank/visible.ts';
import type { IndexView } from '../query/plan/index-view.ts';
import type { ListRuns } from './caches/runs-memo.ts';
import { Deadline, runInSlices, type SearchSteps } from './deadline.ts';
import { countVisible, visibleOf } from './leaf-matches.ts';
import { type LeafTask, leafTasks } from './leaf-task.ts';
import type { Page } from './page/document-page.ts';
import { FoundPage } from './page/found-page.ts';
import { matchedQueries, type Named } from './page/matched-queries.ts';
import { type Planned, planAll } from './plan/plan-memo.ts';
import { queryText } from './plan/query-text.ts';
import { checkRequest, DEFAULT_SIZE } from './request/check-request.ts';
import { cursorOf, scoreCursor } from './request/cursor.ts';
import { parseSort, type SortField } from './request/parse-sort.ts';
import { type Sortable, sortables } from './request/sortable.ts';
import { constantScore } from './scored/constant-score.ts';
import { pageByBoth } from './scored/mixed-sort-page.ts';
import { pageByScore, type ScoreOptions } from './scored/scored-page.ts';
import type { SearchServices } from './services.ts';
import { collapsed, collapseFields } from './sorted/collapse.ts';
import { pageOfAll } from './sorted/match-all.ts';
import { HOT, used } from './sorted/order-merging.ts';
import { gather, pageOf, type Where } from './sorted/sorted-page.ts';

/** A request that has met its indices. */
interface Search {
  readonly request: SearchRequest;
  readonly views: readonly IndexView[];
  readonly tasks: readonly LeafTask[];
  readonly fields: readonly SortField[];
  /** Per index, one per field. */
  readonly sort: readonly Sortable[][];
  readonly specs: readonly OrderSpec[];
  readonly planned: Planned;
  readonly needScores: boolean;
  readonly services: SearchServices;
  readonly deadline: Deadline;
}

/** What a page is shown by. */
type Shows = Pick<Search, 'request' | 'views' | 'fields' | 'sort' | 'services' | 'deadline'>;

type Found = Page & { readonly cutShort: boolean };

/** Searches views to the end, and copies the page. */
export async function executeSearch(
  views: readonly IndexView[],
  request: SearchRequest,
  services: SearchServices,
  snapshot: number,
): Promise<SearchResult> {
  const deadline = new Deadline(request, services.clock);
  const page = await runInSlices(search(views, request, services, snapshot, deadline), deadline);
  return page.result();
}

/**
 * Searches the given views of indices, all of the same snapshot. Throws EngineErrors in the peer's words for requests
 * that make no sense.
 */
export function* search(
  views: readonly IndexView[],
  request: SearchRequest,
  services: SearchServices,
  snapshot: number,
  deadline: Deadline,
): SearchSteps<SearchPage> {
  checkRequest(request, views, services.limits);
  const { size = DEFAULT_SIZE } = request;
  const runs =
    size === 0 || deadline.late
      ? undefined
      : services.caches.runs.find(request, views, services.caches.forgotten);
  if (runs !== undefined) {
    considerMerging(runs, services);
    const { tasks, fields, sort } = runs;
    const page = pageOf(runs.gathered, whereOf({ request, views, tasks, sort }));
    return shown(
      { request, views, fields, sort, services, deadline },
      page,
      undefined,
      snapshot,
      runs.forgotten,
    );
  }
  const own = yield* prepare(views, request, services, deadline);
  const found = yield* size === 0 ? countOnly(own) : findPage(own);
  const matched = yield* matchedQueries(found.docs, own.planned.named);
  return shown(own, found, matched, snapshot);
}

/** Kept runs stay as they are: whether merging them pays is considered once, and not for every few pages. */
function considerMerging(runs: ListRuns, services: SearchServices): void {
  if (runs.isConsidered || runs.uses < HOT) return;
  runs.isConsidered = true;
  used(runs.tasks, runs.specs, services, HOT);
}

/** What a page shows; `matched` are the named queries that each document matches. */
function shown(
  search: Shows,
  found: Found,
  matched: readonly (readonly Named[])[] | undefined,
  snapshot: number,
  forgotten: number = search.services.caches.forgotten,
): SearchPage {
  const { request, views, sort, services } = search;
  const { size = DEFAULT_SIZE, terminateAfter = 0 } = request;
  const showMax = size > 0 && found.total > 0 && maxScoreShown(search) && Number.isFinite(found.maxScore);
  const members = {
    views,
    sort,
    showScores: scoresShown(search),
    timedOut: search.deadline.late,
    terminatedEarly: terminateAfter > 0 ? found.cutShort : undefined,
    total: shownTotal(found.total, request.trackTotalHits ?? true),
    maxScore: showMax ? shortestFloat(found.maxScore) : undefined,
    snapshot,
    forgotten,
    matched,
  };
  return new FoundPage(found, members, services);
}

function shownTotal(total: number, track: boolean | number): SearchResult['total'] {
  if (track === false) return undefined;
  if (track === true || total <= track) return { value: total, relation: 'eq' };
  return { value: track, relation: 'gte' };
}

function sortsByScore(fields: readonly SortField[]): boolean {
  return fields.length === 0 || fields.some((f) => f.field === '_score');
}

function scoresShown(search: Pick<Search, 'fields' | 'request'>): boolean {
  return sortsByScore(search.fields) || search.request.trackScores === true;
}

function maxScoreShown(search: Pick<Search, 'fields' | 'request'>): boolean {
  return search.fields.length === 0 || search.request.trackScores === true;
}

function* prepare(
  views: readonly IndexView[],
  request: SearchRequest,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<Search> {
  const fields = parseSort(request.sort);
  const counting = request.size === 0;
  const needScores =
    request.minScore !== undefined || (!counting && (sortsByScore(fields) || request.trackScores === true));
  const planned = yield* planAll(views, request, services, needScores, deadline);
  const { plans, kept } = planned;
  const sort = views.length === 0 ? [] : sortables(fields, views);
  const specs = sort.map((entries) =>
    entries.length > 0 ? orderSpec(entries.map((s) => s.entry)) : BY_SCORE,
  );
  const tasks = kept === undefined ? leafTasks(views, plans) : (kept.tasks ??= leafTasks(views, plans));
  return { request, views, tasks, fields, sort, specs, planned, needScores, services, deadline };
}

/** The order of searches that ask for none. */
const BY_SCORE: OrderSpec = orderSpec([
  { kind: 'score', descending: true },
  { kind: 'position', descending: false },
]);

/** Counts the matches of a search that wants no hits. */
function* countOnly(search: Search): SearchSteps<Found> {
  const { tasks, request, services, deadline } = search;
  const none = { docs: [], before: false, maxScore: Number.NaN, cutShort: false };
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
    const visible = yield* visibleOf(task, services, deadline);
    total += countVisible(visibleBits(task.view.leaf, visible), task.view.docCount);
  }
  return { ...none, total, after: total > (request.from ?? 0) };
}

/** Where the page of a search lies. */
function whereOf(search: Pick<Search, 'request' | 'sort' | 'views' | 'tasks'>): Where {
  const { from = 0, size = DEFAULT_SIZE, backwards = false } = search.request;
  return { from, size, cursor: cursorOf(search), backwards };
}

function* findPage(search: Search): SearchSteps<Found> {
  const { request, views, services } = search;
  const { from = 0, size = DEFAULT_SIZE } = request;
  const where = whereOf(search);
  if (request.collapse !== undefined) {
    const paths = collapseFields(request.collapse, views);
    let cutShort = false;
    const page = yield* collapsed(paths, from, size, function* (at, count) {
      const stretch = yield* pageAt(search, { from: at, size: count, cursor: undefined, backwards: false });
      cutShort ||= stretch.cutShort;
      return stretch;
    });
    return { ...page, cutShort };
  }
  const page = yield* pageAt(search, where);
  if (services.limits.maxPageSize < page.docs.length) throw new RangeError('page larger than asked for');
  return page;
}

/** Finds a page by the strategy that its order allows. */
function* pageAt(search: Search, where: Where): SearchSteps<Found> {
  const { tasks, services, deadline, request, needScores, fields } = search;
  const limitPerIndex = request.terminateAfter || undefined;
  const { minScore } = request;
  if (tasks.every(({ plan }) => plan.matchesNone === true)) return EMPTY_PAGE;
  if (!needScores) return yield* inOrder(search, tasks, [], where);
  const sides = sidesOf(search);
  const all = fields.length === 0 ? scoreOfAll(search, where) : undefined;
  if (all !== undefined) return { ...pageOfAll(tasks, sides, all, where.from, where.size), cutShort: false };
  if (tasks.every((t) => !t.plan.scoring)) {
    const scores = yield* constantScores(search);
    const eligible =
      minScore === undefined ? tasks : tasks.filter((t) => !(scores[t.indexPlace]! < minScore));
    return yield* inOrder(search, eligible, scores, where);
  }
  const { trackTotalHits: track = true } = request;
  const countTo = track === true ? Number.POSITIVE_INFINITY : Number(track);
  const options: ScoreOptions = {
    ...{ minScore, limitPerIndex, countTo },
    queryText: () => queryText(request, search.views, search.planned.passing, services.compat),
    isLasting: isLasting(search),
  };
  if (fields.length > 0) return yield* pageByBoth(tasks, sides, where, options, deadline);
  const cursor = scoreCursor(where.cursor, sides);
  return yield* pageByScore(tasks, sides, where, cursor, options, services, deadline);
}

const EMPTY_PAGE: Found = Object.freeze({
  docs: [],
  total: 0,
  before: false,
  after: false,
  maxScore: Number.NaN,
  cutShort: false,
});

/** The leaves of a search that scores decide, ready to be compared; kept with the plan where there is no other sort. */
function sidesOf({ tasks, specs, fields, planned: { kept }, services }: Search): readonly Side[] {
  const isKept = fields.length === 0 && kept !== undefined;
  if (isKept && kept.sides !== undefined) return kept.sides;
  const { orders } = services.caches;
  const sides = tasks.map((t) => orders.side(t.view.leaf, specs[t.indexPlace]!, t.place, t.indexPlace));
  if (isKept) kept.sides = sides;
  return sides;
}

/** The score of every document, where the page is one of all documents in insertion order; undefined where it is not. */
function scoreOfAll({ tasks, request }: Search, { cursor, backwards }: Where): number | undefined {
  if (cursor !== undefined || backwards || request.minScore !== undefined || request.terminateAfter)
    return undefined;
  const score = tasks[0]!.plan.constant;
  const isAll = tasks.every(({ plan }) => plan.matchesAll && !plan.scoring && plan.constant === score);
  return isAll && score !== undefined ? Math.fround(score) : undefined;
}

/** Whether another search may ask for the same: a moment is the same one only where the request names it. */
function isLasting({ request, planned }: Search): boolean {
  return !planned.passing.asksNow || request.now !== undefined;
}

/** A page that scores do not decide; its runs are kept for the next one where the request has a shape. */
function* inOrder(
  search: Search,
  tasks: readonly LeafTask[],
  scores: readonly number[],
  where: Where,
): SearchSteps<Found> {
  const { request, views, fields, sort, specs, planned, services, deadline } = search;
  const { named, passing } = planned;
  const before = services.caches.forgotten;
  const gathered = yield* gather(
    tasks,
    specs,
    scores,
    where,
    request.terminateAfter || undefined,
    services,
    deadline,
  );
  if (gathered.isWhole && request.collapse === undefined) {
    used(tasks, specs, services);
    const isKeepable =
      request.shape !== undefined &&
      before === services.caches.forgotten &&
      [...named.values()].every((list) => list.length === 0) &&
      isLasting(search);
    if (isKeepable) {
      const now = passing.asksNow ? request.now : undefined;
      const list = { views, fields, sort, specs, tasks, gathered, now, forgotten: before };
      services.caches.runs.keep(request, { ...list, uses: 0, isConsidered: false });
    }
  }
  return pageOf(gathered, where);
}

/** What every match of an index scores, per index; 0 where nothing matches. */
function* constantScores(search: Search): SearchSteps<number[]> {
  const { tasks, views, services, deadline } = search;
  const scores: number[] = new Array(views.length).fill(Number.NaN);
  for (const task of tasks) {
    if (!Number.isNaN(scores[task.indexPlace]!)) continue;
    const visible = yield* visibleOf(task, services, deadline);
    if (deadline.late) break;
    scores[task.indexPlace] = constantScore(task, visible.matches);
  }
  return scores.map((s) => (Number.isNaN(s) ? 0 : s));
}
