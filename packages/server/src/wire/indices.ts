// Indices: created, deleted, looked at, opened, closed, kept in order.

import { blockRoutes } from './indices/block.ts';
import { createIndex } from './indices/create.ts';
import { deleteIndices } from './indices/delete.ts';
import { maintainRoutes } from './indices/maintain.ts';
import { CATALOG_SCOPE, shownIndices, WAIT_PARAMS } from './indices/scope.ts';
import { SHOW_PARAMS, showIndex } from './indices/show.ts';
import { stateRoutes } from './indices/state.ts';
import { statsRoutes } from './indices/stats.ts';
import { RESOLVE_PARAMS } from './resolve.ts';
import type { Call, Reply, ReplyObject, Route, Services } from './route.ts';

function get(call: Call, services: Services): Reply {
  const out: ReplyObject = Object.create(null) as ReplyObject;
  for (const info of shownIndices(call, services, CATALOG_SCOPE))
    out[info.name] = showIndex(info, call, services);
  return { body: out };
}

const GET_PARAMS = [...RESOLVE_PARAMS, ...SHOW_PARAMS, 'local', ...WAIT_PARAMS];

/** Everything about whole indices. */
export const indicesRoutes: readonly Route[] = [
  { methods: ['GET', 'HEAD'], path: '/{index}', params: GET_PARAMS, handle: get },
  {
    methods: ['PUT'],
    path: '/{index}',
    params: [...WAIT_PARAMS, 'wait_for_active_shards'],
    handle: createIndex,
  },
  {
    methods: ['DELETE'],
    path: '/{index}',
    params: [...RESOLVE_PARAMS, ...WAIT_PARAMS],
    handle: deleteIndices,
  },
  ...stateRoutes,
  ...maintainRoutes,
  ...statsRoutes,
  ...blockRoutes,
];
