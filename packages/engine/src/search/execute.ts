// How does a search run? Read the request, plan it per index, choose by what the order depends on, find the page, and
// dress its documents as hits.
//
//   order depends on             page found by        cost of any page
//   fields, or insertion         orders (by-order)    O(log n) once orders and filters are known
//   scores alone                 by-score             one scan; deep pages keep the whole list
//   scores and fields            by-both              one scan

import { shortestFloat } from '../mapping/shortest-float.ts';
import { type OrderSpec, orderSpec } from '../order/spec.ts';
import { visibleBits } from '../order/visible.ts';
import type { Named } from '../query/named.ts';
import type { Passing } from '../query/passing.ts';
import type { NamedPlan } from '../query/planner.ts';
import type { IndexView } from '../query/view.ts';
import { preparedAtHand } from './at-hand.ts';
import { pageByBoth } from './by-both.ts';
import { gather, pageOf, type Where } from './by-order.ts';
import { pageByScore, type ScoreOptions } from './by-score.ts';
import { collapsed, collapseFields } from './collapse.ts';
import { cursorOf, scoreCursor } from './cursor.ts';
import { LeafHit, matchedQueries } from './hit.ts';
import { FoundInPlace } from './in-place.ts';
import { countVisible, visibleOf } from './matches.ts';
import { HOT, used } from './merging.ts';
import { Pace } from './pace.ts';
import type { Page } from './page.ts';
import { type LeafTask, leafTasks } from './plan.ts';
import { planAll } from './planned.ts';
import type { Prepared } from './prepared.ts';
import { queryText } from './query-text.ts';
import type { PageInPlace, SearchRequest, SearchResult } from './request.ts';
import { checkRequest, DEFAULT_SIZE } from './request-checks.ts';
import { constantScore } from './score-of.ts';
import type { SearchServices } from './services.ts';
import { sortValues } from './shown.ts';
import { parseSort, type SortField } from './sort.ts';
import { type Sortable, sortables } from './sortable.ts';
import { BY_SCORE, swiftPage } from './swift.ts';

/** A request that has met its indices. */
export interface Search {
  readonly request: SearchRequest;
  readonly views: readonly IndexView[];
  readonly tasks: readonly LeafTask[];
  readonly fields: readonly SortField[];
  /** Per index, one per field. */
  readonly sort: readonly Sortable[][];
  readonly specs: readonly OrderSpec[];
  readonly named: ReadonlyMap<number, readonly NamedPlan[]>;
  readonly passing: Passing;
  readonly needScores: boolean;
  readonly services: SearchServices;
  readonly pace: Pace;
}

/** What hits are made of. */
type Dressed = Pick<Search, 'request' | 'views' | 'fields' | 'sort' | 'services'> & {
  readonly pace: Pick<Pace, 'late'>;
};

export type { SearchServices } from './services.ts';

type Found = Page & { readonly cutShort: boolean };

/**
 * Searches the given views of indices, all of the same snapshot. Throws EngineErrors in the peer's words for requests
 * that make no sense.
 */
export async function executeSearch(
  views: readonly IndexView[],
  request: SearchRequest,
  services: SearchServices,
  snapshot: number,
): Promise<SearchResult> {
  checkRequest(request, views, services.limits);
  const { size = DEFAULT_SIZE } = request;
  const kept =
    size === 0 ? undefined : services.caches.prepared.find(request, views, services.caches.forgotten);
  if (kept !== undefined) {
    usedAgain(kept, services);
    const search = { ...kept, request, services, pace: NO_HURRY };
    const page = pageOf(kept.gathered, whereOf(search));
    return resultOf(search, page, undefined, snapshot);
  }
  const swift = swiftPage(views, request, services);
  if (swift !== undefined) return resultOf(dressedOf(views, request, services), swift, undefined, snapshot);
  const search = await prepare(views, request, services);
  const found = await foundBy(search);
  const matched = await search.pace.run(matchedQueries(found.docs, search.named));
  return resultOf(search, found, matched, snapshot);
}

/** The same where nothing has to be waited for: what was prepared, and queries that were planned; undefined else. */
export function searchInPlace(
  views: readonly IndexView[],
  request: SearchRequest,
  services: SearchServices,
  snapshot: number,
): PageInPlace | undefined {
  checkRequest(request, views, services.limits);
  if (request.size === 0 || (request.terminateAfter ?? 0) > 0) return undefined;
  const { prepared } = services.caches;
  const found = prepared.find(request, views, services.caches.forgotten);
  const kept = found ?? preparedAtHand(request, views, services);
  if (kept !== undefined) {
    if (found === undefined) prepared.keep(request, kept);
    usedAgain(kept, services);
    const where = whereOf({ request, sort: kept.sort, views, tasks: kept.tasks });
    return inPlace(
      pageOf(kept.gathered, where),
      { views, request, fields: kept.fields, sort: kept.sort },
      kept.forgotten,
      services,
      snapshot,
    );
  }
  const swift = swiftPage(views, request, services, true);
  if (swift === undefined) return undefined;
  const search = { views, request, fields: NO_FIELDS, sort: NO_SORT };
  return inPlace(swift, search, services.caches.forgotten, services, snapshot);
}

/** Runs of what is prepared stay as they are: whether to merge them is looked at once, and not for every few pages. */
function usedAgain(kept: Prepared, services: SearchServices): void {
  if (kept.hasLooked || kept.uses < HOT) return;
  kept.hasLooked = true;
  used(kept.tasks, kept.specs, services, HOT);
}

function inPlace(
  found: Page,
  search: Pick<Search, 'views' | 'request' | 'fields' | 'sort'>,
  forgotten: number,
  services: SearchServices,
  snapshot: number,
): PageInPlace {
  const { views, sort, request } = search;
  const total = shownTotal(found.total, request.trackTotalHits ?? true);
  const showMax = found.total > 0 && maxScoreShown(search) && Number.isFinite(found.maxScore);
  const maxScore = showMax ? shortestFloat(found.maxScore) : undefined;
  const shown = { views, sort, showScores: scoresShown(search), total, maxScore, snapshot, forgotten };
  return new FoundInPlace(found, shown, services);
}

const NO_HURRY: Pick<Pace, 'late'> = { late: false };

/** Dresses the documents of a page; `matched` are the named queries that each one matches. */
function resultOf(
  search: Dressed,
  found: Found,
  matched: readonly (readonly Named[] | undefined)[] | undefined,
  snapshot: number,
): SearchResult {
  const { request, views, services } = search;
  const { size = DEFAULT_SIZE } = request;
  const showScores = scoresShown(search);
  const hits: LeafHit[] = new Array(found.docs.length);
  for (let i = 0; i < hits.length; i++) {
    const doc = found.docs[i]!;
    const { side } = doc;
    const sort = search.sort[side.indexPlace]!;
    const parts = {
      view: views[side.indexPlace]!,
      score: showScores ? doc.score : Number.NaN,
      sort: sort.length === 0 ? undefined : sortValues(sort, side, doc.doc, doc.score),
      cursor: isFormatted(sort) ? sortValues(sort, side, doc.doc, doc.score, false) : undefined,
      matched: matched?.[i],
    };
    hits[i] = new LeafHit(doc, parts, services);
  }
  const showMax = size > 0 && found.total > 0 && maxScoreShown(search) && Number.isFinite(found.maxScore);
  const limited = (request.terminateAfter ?? 0) > 0;
  return {
    timedOut: search.pace.late,
    terminatedEarly: limited ? found.cutShort : undefined,
    total: shownTotal(found.total, request.trackTotalHits ?? true),
    maxScore: showMax ? shortestFloat(found.maxScore) : undefined,
    hits,
    more: found.after,
    moreBefore: found.before,
    snapshot,
  };
}

function isFormatted(sort: readonly Sortable[]): boolean {
  for (let i = 0; i < sort.length; i++) if (sort[i]!.type.format !== undefined) return true;
  return false;
}

/**
 * The first half of a search that has been checked: the documents of the page, their scores, and how many there are.
 * At once where nothing has to be waited for.
 */
export function searchPage(
  views: readonly IndexView[],
  request: SearchRequest,
  services: SearchServices,
): Page | Promise<Page> {
  return swiftPage(views, request, services) ?? prepare(views, request, services).then(foundBy);
}

function foundBy(search: Search): Promise<Found> {
  return search.request.size === 0 ? countOnly(search) : findPage(search);
}

/** What is to be known of a search over one index that asks for no sort. */
function dressedOf(views: readonly IndexView[], request: SearchRequest, services: SearchServices): Dressed {
  return { views, request, services, fields: NO_FIELDS, sort: NO_SORT, pace: NO_HURRY };
}

const NO_FIELDS: readonly SortField[] = [];
const NO_SORT: readonly Sortable[][] = [[]];

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

async function prepare(
  views: readonly IndexView[],
  request: SearchRequest,
  services: SearchServices,
): Promise<Search> {
  const pace = new Pace(request.timeoutMs, request.signal, request.caller, services.clock);
  const fields = parseSort(request.sort);
  const counting = request.size === 0;
  const needScores =
    request.minScore !== undefined || (!counting && (sortsByScore(fields) || request.trackScores === true));
  const { plans, named, passing } = await planAll(views, request, services, needScores, pace);
  const sort = views.length === 0 ? [] : sortables(fields, views);
  const specs = sort.map((entries) =>
    entries.length > 0 ? orderSpec(entries.map((s) => s.entry)) : BY_SCORE,
  );
  const tasks = leafTasks(views, plans);
  return { request, views, tasks, fields, sort, specs, named, passing, needScores, services, pace };
}

/** Counts the matches of a search that wants no hits. */
async function countOnly(search: Search): Promise<Found> {
  const { tasks, request, services, pace } = search;
  const none = { docs: [], before: false, maxScore: Number.NaN, cutShort: false };
  if (request.minScore !== undefined) {
    const page = await findPage({ ...search, request: { ...request, from: 0, size: 1 }, fields: [] });
    return { ...page, docs: [], after: page.total > 0 };
  }
  let total = 0;
  for (const task of tasks) {
    if (pace.late) break;
    if (task.plan.matchesAll) {
      total += task.view.liveCount;
      continue;
    }
    const visible = await visibleOf(task, services, pace);
    total += countVisible(visibleBits(task.view.leaf, visible), task.view.docCount);
  }
  return { ...none, total, after: total > (request.from ?? 0) };
}

/** Where the page of a search lies. */
function whereOf(search: Pick<Search, 'request' | 'sort' | 'views' | 'tasks'>): Where {
  const { from = 0, size = DEFAULT_SIZE, backwards = false } = search.request;
  return { from, size, cursor: cursorOf(search), backwards };
}

async function findPage(search: Search): Promise<Found> {
  const { request, views, services } = search;
  const { from = 0, size = DEFAULT_SIZE } = request;
  const where = whereOf(search);
  if (request.collapse !== undefined) {
    const paths = collapseFields(request.collapse, views);
    let cutShort = false;
    const page = await collapsed(paths, from, size, async (at, count) => {
      const stretch = await pageAt(search, { from: at, size: count, cursor: undefined, backwards: false });
      cutShort ||= stretch.cutShort;
      return stretch;
    });
    return { ...page, cutShort };
  }
  const page = await pageAt(search, where);
  if (services.limits.maxPageSize < page.docs.length) throw new RangeError('page larger than asked for');
  return page;
}

/** Chooses the way to the page. */
async function pageAt(search: Search, where: Where): Promise<Found> {
  const { tasks, specs, services, pace, request, needScores, fields } = search;
  const limitPerIndex = request.terminateAfter || undefined;
  const { minScore } = request;
  if (!needScores) return inOrder(search, tasks, [], where);
  if (tasks.every((t) => !t.plan.scoring)) {
    const scores = await constantScores(search);
    const eligible =
      minScore === undefined ? tasks : tasks.filter((t) => !(scores[t.indexPlace]! < minScore));
    return inOrder(search, eligible, scores, where);
  }
  const { orders } = services.caches;
  const sides = tasks.map((t) => orders.side(t.view.leaf, specs[t.indexPlace]!, t.place, t.indexPlace));
  const { trackTotalHits: track = true } = request;
  const countTo = track === true ? Number.POSITIVE_INFINITY : Number(track);
  const options: ScoreOptions = {
    ...{ minScore, limitPerIndex, countTo },
    queryText: () => queryText(request, search.views, search.passing, services.compat),
    isLasting: isLasting(search),
  };
  if (fields.length > 0) return pageByBoth(tasks, sides, where, options, pace);
  return pageByScore(tasks, sides, where, scoreCursor(where.cursor, sides), options, services, pace);
}

/** Whether another search may ask for the same: a moment is the same one only where the request names it. */
function isLasting({ request, passing }: Search): boolean {
  return !passing.asksNow || request.now !== undefined;
}

/** A page that scores do not decide; its runs are kept for the next one where the request has a shape. */
async function inOrder(
  search: Search,
  tasks: readonly LeafTask[],
  scores: readonly number[],
  where: Where,
): Promise<Found> {
  const { request, views, fields, sort, specs, named, passing, services, pace } = search;
  const before = services.caches.forgotten;
  const gathered = await gather(
    tasks,
    specs,
    scores,
    where,
    request.terminateAfter || undefined,
    services,
    pace,
  );
  if (gathered.isWhole && request.collapse === undefined) {
    used(tasks, specs, services);
    const isKeepable =
      request.shape !== undefined &&
      before === services.caches.forgotten &&
      [...named.values()].every((list) => list.length === 0) &&
      isLasting(search);
    if (isKeepable) {
      const prepared = {
        views,
        fields,
        sort,
        specs,
        tasks,
        gathered,
        now: passing.asksNow ? request.now : undefined,
        forgotten: before,
        uses: 0,
        hasLooked: false,
      };
      services.caches.prepared.keep(request, prepared);
    }
  }
  return pageOf(gathered, where);
}

/** What every match of an index scores, per index; 0 where nothing matches. */
async function constantScores(search: Search): Promise<number[]> {
  const { tasks, views, services, pace } = search;
  const scores: number[] = new Array(views.length).fill(Number.NaN);
  for (const task of tasks) {
    if (!Number.isNaN(scores[task.indexPlace]!)) continue;
    const visible = await visibleOf(task, services, pace);
    if (pace.late) break;
    scores[task.indexPlace] = constantScore(task, visible.matches);
  }
  return scores.map((s) => (Number.isNaN(s) ? 0 : s));
}
