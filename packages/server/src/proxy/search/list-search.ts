// A search whose pages this server walks over a cluster, and the body of each request that it sends.

import { illegalArgument, type JsonObject, type JsonValue } from '@octavo/engine';
import { type SearchSpec, TOKEN_NAMES } from '../../wire/search/body/search-spec.ts';
import type { ResolvedIndices } from '../request/cluster-caller.ts';
import type { ProxyRequest } from '../request/forward.ts';
import { narrowQuery } from '../request/restrictions.ts';
import type { SortEntry } from '../walks/cluster-sort.ts';

/** Members and parameters that only Octavo knows. */
export const OCTAVO_MEMBERS: readonly string[] = ['page', 'tokens', ...TOKEN_NAMES, 'as_of'];
/** The default `max_result_window`; pages beyond it are found by counting. */
export const WINDOW = 10_000;

export interface ListSearch {
  readonly request: ProxyRequest;
  readonly indices: ResolvedIndices;
  readonly body: JsonObject;
  readonly spec: SearchSpec;
  /** The caller's sort, and the same with tie breakers. */
  readonly callerSort: readonly SortEntry[];
  readonly sort: readonly SortEntry[];
}

/** The body as the cluster gets it. */
export function clusterSearchBody(list: ListSearch, changes: JsonObject): JsonObject {
  const { request, body, spec, indices } = list;
  const out: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(body)) {
    if (!OCTAVO_MEMBERS.includes(name)) out[name] = value;
  }
  const query = narrowQuery(body, request.call.params, indices.narrowing);
  return {
    ...out,
    ...(query === undefined ? {} : { query }),
    // A search that is not sorted by the caller shows scores, although tie breakers make it a sorted one.
    ...(spec.sort === undefined || spec.trackScores ? { track_scores: true } : {}),
    ...changes,
  };
}

export function refuseUncounted(what: string): never {
  throw illegalArgument(
    `pages beyond the first ${WINDOW} hits are found by counting, which is impossible ${what}; ` +
      'walk there by [next_token], or sort by fields that hold one number, date or keyword',
  );
}
