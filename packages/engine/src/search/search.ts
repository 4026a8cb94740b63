// A search over views: one generator from the request to its page.
//
//   check -> runs memo -> plan (plan/planned-search.ts) -> find the page (find-page.ts)
//     -> collect aggregations (aggregate.ts) -> FoundPage

import { nanosSince } from '../aggregations/collect/profile.ts';
import type { SearchPage, SearchRequest, SearchResult } from '../api.ts';
import { shortestFloat } from '../mapping/types/shortest-float.ts';
import type { IndexView } from '../query/plan/index-view.ts';
import { aggregate } from './aggregate.ts';
import type { Deadline, SearchSteps } from './deadline.ts';
import { explainPage } from './explain/explain-page.ts';
import { countMatches, findPage } from './find-page.ts';
import type { DocumentPage } from './page/document-page.ts';
import { FoundPage, type PageParts } from './page/found-page.ts';
import { PageHighlighter } from './page/highlight-page.ts';
import { innerHits } from './page/inner-hits.ts';
import { matchedQueries } from './page/matched-queries.ts';
import { scriptFields } from './page/script-fields.ts';
import { suggestions } from './page/suggestions.ts';
import { type PlannedSearch, planSearch, sortsByScore } from './plan/planned-search.ts';
import { profileSearch } from './profile.ts';
import { checkRequest, DEFAULT_SIZE } from './request/check-request.ts';
import { pageRange } from './request/cursor.ts';
import { checkRescore } from './scored/rescored-page.ts';
import type { SearchServices } from './services.ts';
import { mergeIfHot } from './sorted/order-merging.ts';
import { sortedPage } from './sorted/sorted-page.ts';

/**
 * Searches the given views of indices, all of the same snapshot. Throws EngineErrors in the peer's words if the
 * request is invalid.
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
  const { caches } = services;
  const { highlight, rescore } = request;
  const runs =
    size === 0 || deadline.late || !hasOnlyHits(request)
      ? undefined
      : caches.runs.find(request, views, caches.evictions);
  if (runs !== undefined) {
    mergeIfHot(runs, services);
    const { tasks, fields, sort, collected } = runs;
    const page = sortedPage(collected, pageRange({ request, views, tasks, sort }));
    const planned = { request, views, fields, sort, services, deadline };
    return foundPage(planned, page, {}, snapshot);
  }
  const start = performance.now();
  const planned = yield* planSearch(views, request, services, deadline);
  const { named, inner: innerPlans } = planned.planned;
  const plan = nanosSince(start);
  if (rescore !== undefined && rescore.length > 0) checkRescore(planned, pageRange(planned), rescore);
  const page = yield* size === 0 ? countMatches(planned) : findPage(planned);
  const times = { plan, page: nanosSince(start) - plan };
  const matched = yield* matchedQueries(page.docs, named);
  const places = page.docs.map(({ side, doc }) => ({ leaf: side.leaf, indexPlace: side.indexPlace, doc }));
  const highlights = highlight && (yield* new PageHighlighter(planned, highlight).highlight(places));
  const scripted = request.scriptFields && (yield* scriptFields(page.docs, planned, request.scriptFields));
  const explained = isExplained(request) ? yield* explainPage(page.docs, planned) : undefined;
  const inner = yield* innerHits(places, innerPlans, request, services);
  const profiled = request.profile === true ? [] : undefined;
  const aggregations = yield* aggregate(planned, profiled);
  const suggest = yield* suggestions(views, request, services);
  const profile = profiled && (yield* profileSearch(planned, times, profiled));
  const found = { matched, highlights, scripted, explained, inner, aggregations, suggest, profile };
  return foundPage(planned, page, found, snapshot);
}

/** Whether a search shows nothing beside its hits: its runs are memoized. */
function hasOnlyHits(request: SearchRequest): boolean {
  const { highlight, aggregations, rescore, suggest, profile, scriptFields } = request;
  const others = [highlight, aggregations, rescore, suggest, profile, scriptFields];
  return others.every((member) => member === undefined) && !isExplained(request);
}

/** The page as a reply shows it. */
function foundPage(
  search: Pick<PlannedSearch, 'request' | 'views' | 'fields' | 'sort' | 'services' | 'deadline'>,
  page: DocumentPage,
  found: PageParts,
  snapshot: number,
): SearchPage {
  const { request, views, fields, sort, services, deadline } = search;
  const { size = DEFAULT_SIZE, terminateAfter = 0, trackScores = false } = request;
  const showMax =
    size > 0 && page.total > 0 && (fields.length === 0 || trackScores) && Number.isFinite(page.maxScore);
  const details = {
    views,
    sort,
    showScores: sortsByScore(fields) || trackScores,
    timedOut: deadline.late,
    terminatedEarly: terminateAfter > 0 ? page.cutShort : undefined,
    total: reportedTotal(page.total, request.trackTotalHits ?? true),
    maxScore: showMax ? shortestFloat(page.maxScore) : undefined,
    snapshot,
    ...found,
  };
  return new FoundPage(page, details, services);
}

function isExplained({ explain }: SearchRequest): boolean {
  return explain !== undefined && explain !== false;
}

function reportedTotal(total: number, track: boolean | number): SearchResult['total'] {
  if (track === false) return undefined;
  if (track === true || total <= track) return { value: total, relation: 'eq' };
  return { value: track, relation: 'gte' };
}
