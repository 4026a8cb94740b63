// The `_refresh`, `_flush`, `_forcemerge` and `_cache/clear` endpoints, which share one reply: `_shards`.

import { type IndexInfo, illegalArgument, refuseBlocked } from '@octavo/engine';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import { indicesOf, namesOf, SHARD_SCOPE, shardCounts } from '../resolve/scope.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';

type Work = (call: Call, services: Services, infos: readonly IndexInfo[]) => Promise<void>;

const refresh: Work = (_, { engine }, infos) => engine.indices.refresh(namesOf(infos));

const flush: Work = (call, { engine }, infos) => {
  const waits = call.params.boolean('wait_if_ongoing') ?? true;
  if (call.params.boolean('force') === true && !waits) {
    throwIfInvalid(['wait_if_ongoing must be true for a force flush']);
  }
  return engine.indices.flush(namesOf(infos));
};

const forceMerge: Work = (call, { engine }, infos) => {
  const segments = call.params.integer('max_num_segments') ?? -1;
  if (segments !== -1 && segments < 1)
    throw illegalArgument(`max_num_segments must be at least 1, got [${segments}]`);
  call.params.boolean('only_expunge_deletes');
  for (const info of infos) refuseBlocked(info, 'change');
  return engine.indices.forceMerge(namesOf(infos), segments === -1 ? 1 : segments);
};

/** No operation: all caches share one memory budget, and are evicted when it is needed. */
const clearCache: Work = async () => {};

function family(name: string, methods: Route['methods'], params: readonly string[], work: Work): Route[] {
  const handle = async (call: Call, services: Services): Promise<Reply> => {
    const infos = indicesOf(call, services, SHARD_SCOPE);
    await work(call, services, infos);
    return { body: { _shards: shardCounts(infos) } };
  };
  const all = [...RESOLVE_PARAMS, ...params];
  return [`/${name}`, `/{index}/${name}`].map((path) => ({ methods, path, params: all, handle }));
}

const MERGE_PARAMS = [
  'max_num_segments',
  'only_expunge_deletes',
  'flush',
  'primary_only',
  'wait_for_completion',
];
const CACHE_PARAMS = ['query', 'fielddata', 'fields', 'request', 'index', 'file'];

/** `_refresh`, `_flush`, `_forcemerge`, `_cache/clear`. */
export const maintainRoutes: readonly Route[] = [
  ...family('_refresh', ['GET', 'POST'], [], refresh),
  ...family('_flush', ['GET', 'POST'], ['force', 'wait_if_ongoing'], flush),
  ...family('_forcemerge', ['POST'], MERGE_PARAMS, forceMerge),
  ...family('_cache/clear', ['POST'], CACHE_PARAMS, clearCache),
];
