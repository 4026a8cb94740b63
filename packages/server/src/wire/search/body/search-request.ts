// Translates a search into a request to the engine. Paging modes that exclude each other are refused.

import {
  type IndexInfo,
  illegalArgument,
  type JsonObject,
  type JsonValue,
  parseAggregations,
  parseSuggest,
  type SearchRequest,
} from '@octavo/engine';
import type { Limits } from '../../../limits.ts';
import { matchesWildcard } from '../../../patterns/wildcard.ts';
import { indexMissing, SEARCH_OPTIONS } from '../../resolve/resolve.ts';
import type { Target } from '../../resolve/target.ts';
import type { Call, Services } from '../../router/route.ts';
import { resolveLookups, resolveLookupsWithin } from './document-lookups.ts';
import { readSearchBody } from './search-body.ts';
import { applyParams } from './search-params.ts';
import type { SearchSpec } from './search-spec.ts';

const DEFAULT_SIZE = 10;

/** Reads and checks a search from its body and parameters. */
export function readSearch(
  body: JsonObject,
  params: Call['params'] | undefined,
  services: Services,
): SearchSpec {
  const spec = readSearchBody(body);
  if (params !== undefined) applyParams(spec, params);
  checkSpec(spec, services);
  return spec;
}

/** Throws for a page that no index can have. */
export function checkSpec(spec: SearchSpec, { limits }: Services): void {
  const { from, size, page } = spec;
  if (from !== undefined && from < 0)
    throw illegalArgument(`[from] parameter cannot be negative, found [${from}]`);
  if (size !== undefined && size < 0)
    throw illegalArgument(`[size] parameter cannot be negative, found [${size}]`);
  if (size !== undefined && size > limits.pageSize) {
    throw illegalArgument(
      `Result window is too large, [size] must be less than or equal to: [${limits.pageSize}] but was [${size}]. ` +
        'Ask for more pages: [from], [page], [search_after] and the scroll api reach any depth.',
    );
  }
  if (page === undefined) return;
  if (page < 1) throw illegalArgument(`[page] counts from 1, found [${page}]`);
  if (from !== undefined) throw illegalArgument('[page] cannot be used together with [from]');
  if (spec.searchAfter !== undefined)
    throw illegalArgument('[page] cannot be used together with [search_after]');
}

/** The start and the length of the page. */
export function windowOf(
  spec: SearchSpec,
  { pageSize }: Pick<Limits, 'pageSize'>,
): { from: number; size: number } {
  const size = spec.size ?? Math.min(DEFAULT_SIZE, pageSize);
  return { from: spec.page === undefined ? (spec.from ?? 0) : (spec.page - 1) * size, size };
}

/** The request of a list at the position of a search. The search is aborted when `caller` closes its connection. */
export function atPosition(
  list: SearchRequest,
  spec: SearchSpec,
  caller: SearchRequest['caller'] & object,
  limits: Limits,
): SearchRequest {
  const { from } = windowOf(spec, limits);
  const { searchAfter } = spec;
  return searchAfter === undefined ? { ...list, from, caller } : { ...list, from, searchAfter, caller };
}

/** The request for a list, without the position of a page. */
export function buildListRequest(spec: SearchSpec, target: Target, services: Services): SearchRequest {
  const { trackScores, terminateAfter = 0 } = spec;
  const { indices, filters } = target;
  const { size } = windowOf(spec, services.limits);
  const request: Mutable<SearchRequest> = {
    indices,
    size,
    trackScores,
    timeoutMs: timeoutOf(spec, services),
  };
  if (filters !== undefined) request.filters = filters;
  const query = boostedQuery(spec, target);
  const source = { engine: services.engine, indices };
  if (query !== undefined) request.query = resolveLookups(query, source);
  if (spec.postFilter !== undefined) request.postFilter = resolveLookups(spec.postFilter, source);
  if (spec.sort !== undefined) request.sort = spec.sort;
  if (spec.minScore !== undefined) request.minScore = spec.minScore;
  if (terminateAfter !== 0) request.terminateAfter = terminateAfter;
  if (spec.trackTotalHits !== undefined) request.trackTotalHits = spec.trackTotalHits;
  if (spec.explain) request.explain = true;
  if (spec.namedScores) request.namedScores = true;
  if (spec.collapse !== undefined) request.collapse = spec.collapse;
  if (spec.rescore.length > 0) {
    if (spec.tokens || spec.nextToken !== undefined || spec.prevToken !== undefined)
      throw illegalArgument('[rescore] cannot be used together with tokens: use [from] or [page]');
    request.rescore = spec.rescore.map((each) => ({
      ...each,
      query: resolveLookups(each.query, source),
    }));
  }
  if (spec.scriptFields.length > 0) request.scriptFields = spec.scriptFields;
  if (spec.highlight !== undefined) request.highlight = spec.highlight;
  if (spec.aggregations !== undefined) {
    request.aggregations = resolveLookupsWithin(spec.aggregations, source);
    // What is wrong in itself is an error of the request, not of a shard.
    parseAggregations(request.aggregations);
  }
  if (spec.profile) request.profile = true;
  if (spec.suggest !== undefined) {
    request.suggest = spec.suggest;
    parseSuggest(request.suggest);
    // Suggestions alone search for nothing.
    if (query === undefined && spec.aggregations === undefined) {
      request.query = { match_none: {} };
      request.size = 0;
    }
  }
  if (spec.asOf !== undefined) request.snapshot = spec.asOf;
  return request;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The time for a search, in ms. */
function timeoutOf({ timeoutMs }: SearchSpec, { limits }: Services): number {
  return timeoutMs === undefined || timeoutMs < 0 ? limits.queryTimeMs : timeoutMs;
}

function namesOf(info: IndexInfo): string[] {
  return [info.name, ...Object.keys(info.aliases)];
}

/** `indices_boost`: the scores of an index are multiplied by its first matching factor. */
function boostedQuery(spec: SearchSpec, target: Target): JsonObject | undefined {
  const { query, indicesBoost: boosts } = spec;
  if (boosts.length === 0) return query;
  for (const [pattern] of boosts) {
    const exists = target.infos.some((info) => namesOf(info).some((name) => matchesWildcard(pattern, name)));
    if (!exists && !spec.ignoreUnavailable) throw indexMissing(pattern, SEARCH_OPTIONS);
  }
  const inner: JsonValue = query ?? { match_all: {} };
  const should = target.infos.map((info): JsonObject => {
    const boost =
      boosts.find(([pattern]) => namesOf(info).some((name) => matchesWildcard(pattern, name)))?.[1] ?? 1;
    return { bool: { must: [inner], filter: [{ term: { _index: info.name } }], boost } };
  });
  return { bool: { should } };
}
