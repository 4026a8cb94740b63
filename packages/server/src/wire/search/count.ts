// The `_count` endpoints: how many documents match.

import {
  attachPlace,
  EngineError,
  illegalArgument,
  isObject,
  type JsonObject,
  type SearchRequest,
} from '@octavo/engine';
import type { ShardFailure } from '../../errors/error-body.ts';
import { type MaybePromise, rescue } from '../../sync-first.ts';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import { searchShards } from '../resolve/shards.ts';
import { QUERY_PARAMS, queryParam, searchTarget } from '../resolve/target.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { resolveScripts } from '../scripts/stored-scripts.ts';
import { resolveLookups } from './body/document-lookups.ts';
import { wrapShardErrors } from './search-errors.ts';

const COUNT_PARAMS = [
  ...QUERY_PARAMS,
  ...RESOLVE_PARAMS,
  'min_score',
  'preference',
  'routing',
  'terminate_after',
];

/** The rows of this family. */
export const countRoutes: readonly Route[] = [
  '/_count',
  '/{index}/_count',
  '/{index}/_doc/_count',
  '/{index}/{type}/_count',
].map((path) => ({ methods: ['GET', 'POST', 'QUERY'], path, params: COUNT_PARAMS, handle: count }));

function count(call: Call, services: Services): MaybePromise<Reply> {
  const target = searchTarget(services.engine, call);
  const body = call.object();
  const query = queryParam(call.params) ?? readQueryOnly(resolveScripts(services.engine, body));
  const minScore = call.params.number('min_score');
  const terminateAfter = call.params.integer('terminate_after') ?? 0;
  if (terminateAfter < 0) throw illegalArgument('terminateAfter must be > 0');
  const request: SearchRequest = {
    indices: target.indices,
    ...(target.filters === undefined ? {} : { filters: target.filters }),
    ...(query === undefined
      ? {}
      : { query: resolveLookups(query, { engine: services.engine, indices: target.indices }) }),
    ...(minScore === undefined || minScore < 0 ? {} : { minScore }),
    size: 0,
    caller: call,
  };
  const reply = (all: number, failures: readonly ShardFailure[] = []): Reply => {
    const early = terminateAfter > 0 && all >= terminateAfter;
    return {
      body: {
        terminated_early: early ? true : undefined,
        count: early ? terminateAfter : all,
        _shards: searchShards(target.infos, failures, services.nodeId),
      },
    };
  };
  if (target.indices.length === 0) return reply(0);
  const found = (): MaybePromise<Reply> =>
    wrapShardErrors(
      services,
      target,
      request,
      (request, failures) =>
        services.engine.searchPage(request, (page) => reply(page.total?.value ?? 0, failures)),
      true,
    );
  return rescue(found, (thrown) => {
    const isMalformed = thrown instanceof EngineError && thrown.type === 'x_content_parse_exception';
    throw isMalformed ? unparsed(thrown, body) : thrown;
  });
}

/** The error for a body whose only query has a mistake: the peer wraps most of them. */
function unparsed(causedBy: EngineError, body: JsonObject): EngineError {
  const error = new EngineError('parsing_exception', 'Failed to parse', { causedBy });
  const query = body['query'];
  return isObject(query) ? attachPlace(error, { holder: query, at: 'end' }) : error;
}

/** The query of a body that may have no other member. */
export function readQueryOnly(body: JsonObject): JsonObject | undefined {
  for (const key of Object.keys(body)) {
    if (key === 'query') continue;
    const error = new EngineError('parsing_exception', `request does not support [${key}]`);
    throw attachPlace(error, { holder: body, key, at: 'key' });
  }
  const query = body['query'];
  if (query === undefined) return undefined;
  if (isObject(query)) return query;
  throw new EngineError('parsing_exception', '[_na] query malformed, must start with start_object');
}
