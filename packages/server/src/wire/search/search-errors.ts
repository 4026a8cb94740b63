// Errors of a search as the peer's shards report them. What fails against the fields of an index is wrapped;
// what is wrong in itself (syntax, limits of the request) is not.

import {
  EngineError,
  type JsonObject,
  type JsonValue,
  parseAggregations,
  parseQuery,
  parseSort,
  type SearchRequest,
} from '@octavo/engine';
import { SearchPhaseError } from '../../errors/error-body.ts';
import { type MaybePromise, rescue } from '../../sync-first.ts';
import type { Target } from '../resolve/target.ts';
import type { Services } from '../router/route.ts';

const UNWRAPPED: ReadonlySet<string> = new Set([
  'parsing_exception',
  'x_content_parse_exception',
  'json_parse_exception',
  'json_e_o_f_exception',
  'action_request_validation_exception',
  'index_not_found_exception',
  'index_closed_exception',
  'search_phase_execution_exception',
  'search_context_missing_exception',
  'cursor_invalid',
  'cursor_mismatch',
  'cursor_expired',
  'cursor_forbidden',
  'timeout_exception',
  'circuit_breaking_exception',
  'cluster_block_exception',
]);

/** What is wrong with a query, whatever the index. */
export function findMalformation({
  query,
  postFilter,
  aggregations,
  sort,
}: {
  readonly query?: JsonObject | undefined;
  readonly postFilter?: JsonObject | undefined;
  readonly aggregations?: JsonObject | undefined;
  readonly sort?: JsonValue | undefined;
}): unknown {
  try {
    for (const each of [query, postFilter]) if (each !== undefined) parseQuery(each);
    if (aggregations !== undefined) parseAggregations(aggregations);
    parseSort(sort);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Runs a search. Errors of its query phase are wrapped as the peer's shards report them. */
export function wrapShardErrors<T>(
  services: Services,
  target: Target,
  request: SearchRequest,
  search: () => MaybePromise<T>,
): MaybePromise<T> {
  return rescue(search, (thrown) => {
    if (!(thrown instanceof EngineError)) throw thrown;
    const own = findMalformation(request);
    if (own !== undefined) throw own;
    // Only errors of functions that do not fit their fields have a place by now.
    const isOfFields = thrown.type === 'parsing_exception' && 'line' in thrown.details;
    if (UNWRAPPED.has(thrown.type) && !isOfFields) throw thrown;
    throw new SearchPhaseError(
      [{ index: target.indices[0], error: nameIndex(thrown, target) }],
      services.nodeId,
    );
  });
}

/** Runs a search of one document. Its errors are those of the shard, as the peer's `_explain` reports them. */
export function nameShardErrors<T>(
  target: Target,
  request: SearchRequest,
  search: () => MaybePromise<T>,
): MaybePromise<T> {
  return rescue(search, (thrown) => {
    if (!(thrown instanceof EngineError)) throw thrown;
    throw findMalformation(request) ?? nameIndex(thrown, target);
  });
}

/** An error of a query against an index, with the name of the index. */
function nameIndex(error: EngineError, target: Target): EngineError {
  const info = target.infos[0];
  if (error.type !== 'query_shard_exception' || info === undefined || 'index' in error.details) return error;
  return new EngineError(error.type, error.message, {
    status: error.status,
    details: { ...error.details, index: info.name, index_uuid: info.uuid },
    ...(error.causedBy === undefined ? {} : { causedBy: error.causedBy }),
  });
}
