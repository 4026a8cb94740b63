// How does a search become a request to the engine? The contradictions between paging modes are refused, the window of
// the index is minded, and what is left is translated.

import {
  type IndexInfo,
  illegalArgument,
  type JsonObject,
  type JsonValue,
  type SearchRequest,
} from '@octavo/engine';
import type { Limits } from '../../limits.ts';
import { matchesName } from '../filter-path.ts';
import { indexNotFound, SEARCH_OPTIONS } from '../resolve.ts';
import type { Call, Services } from '../route.ts';
import type { Target } from '../target.ts';
import { readSearchBody } from './body.ts';
import { withLookups } from './lookup.ts';
import { applyParams } from './params.ts';
import type { SearchSpec } from './spec.ts';

const DEFAULT_SIZE = 10;

/** Reads and checks what a search call asks for. */
export function readSearch(body: JsonObject, params: Call['params'], services: Services): SearchSpec {
  const spec = readSearchBody(body);
  applyParams(spec, params);
  checkSpec(spec, services);
  return spec;
}

/** What is wrong whatever the index. */
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

/** Where the page begins and how long it is. */
export function windowOf(
  spec: SearchSpec,
  { pageSize }: Pick<Limits, 'pageSize'>,
): { from: number; size: number } {
  const size = spec.size ?? Math.min(DEFAULT_SIZE, pageSize);
  return { from: spec.page === undefined ? (spec.from ?? 0) : (spec.page - 1) * size, size };
}

/** The request to the engine. `signal` and a snapshot are added where there are any. */
export function engineRequest(
  spec: SearchSpec,
  target: Target,
  signal: AbortSignal,
  services: Services,
): SearchRequest {
  const { from, size } = windowOf(spec, services.limits);
  const query = boosted(spec, target);
  const timeoutMs =
    spec.timeoutMs === undefined || spec.timeoutMs < 0 ? services.limits.queryTimeMs : spec.timeoutMs;
  return {
    indices: target.indices,
    ...optional('filters', target.filters),
    ...optional('query', query && withLookups(query, services.engine)),
    ...optional('postFilter', spec.postFilter && withLookups(spec.postFilter, services.engine)),
    from,
    size,
    ...optional('sort', spec.sort),
    ...optional('searchAfter', spec.searchAfter),
    trackScores: spec.trackScores,
    ...optional('minScore', spec.minScore),
    ...optional('terminateAfter', spec.terminateAfter === 0 ? undefined : spec.terminateAfter),
    timeoutMs,
    ...optional('trackTotalHits', spec.trackTotalHits),
    ...(spec.explain ? { explain: true } : {}),
    ...(spec.namedScores ? { namedScores: true } : {}),
    ...optional('collapse', spec.collapse),
    ...optional('snapshot', spec.asOf),
    signal,
  };
}

function optional<K extends string, V>(name: K, value: V | undefined): { [key in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { [key in K]?: V };
}

function namesOf(info: IndexInfo): string[] {
  return [info.name, ...Object.keys(info.aliases)];
}

/** `indices_boost`: the scores of an index are multiplied by its first matching factor. */
function boosted(spec: SearchSpec, target: Target): JsonObject | undefined {
  const { query, indicesBoost: boosts } = spec;
  if (boosts.length === 0) return query;
  for (const [pattern] of boosts) {
    const known = target.infos.some((info) => namesOf(info).some((name) => matchesName(pattern, name)));
    if (!known && !spec.ignoreUnavailable) throw indexNotFound(pattern, SEARCH_OPTIONS);
  }
  const asked: JsonValue = query ?? { match_all: {} };
  const should = target.infos.map((info): JsonObject => {
    const boost =
      boosts.find(([pattern]) => namesOf(info).some((name) => matchesName(pattern, name)))?.[1] ?? 1;
    return { bool: { must: [asked], filter: [{ term: { _index: info.name } }], boost } };
  });
  return { bool: { should } };
}
