// The endpoints of whole indices: create, delete, show, open and close, maintain, statistics, blocks.

import type { ReplyObject } from '../../json/reply-value.ts';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import { CATALOG_SCOPE, describableIndices, WAIT_PARAMS } from '../resolve/scope.ts';
import type { Call, ReplySteps, Route, Services } from '../router/route.ts';
import { blockRoutes } from './blocks.ts';
import { createIndex } from './create.ts';
import { deleteIndices } from './delete.ts';
import { maintainRoutes } from './maintain.ts';
import { openCloseRoutes } from './open-close.ts';
import { resizeRoutes } from './resize.ts';
import { rolloverRoutes } from './rollover.ts';
import { SHOW_PARAMS, showIndex } from './show-index.ts';
import { statsRoutes } from './stats.ts';

function* get(call: Call, services: Services): ReplySteps {
  const out: ReplyObject = Object.create(null) as ReplyObject;
  for (const info of describableIndices(call, services, CATALOG_SCOPE)) {
    out[info.name] = showIndex(info, call, services);
    yield;
  }
  return { body: out };
}

const GET_PARAMS = [...RESOLVE_PARAMS, ...SHOW_PARAMS, 'local', ...WAIT_PARAMS];

/** The rows of this family. */
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
  ...openCloseRoutes,
  ...maintainRoutes,
  ...statsRoutes,
  ...blockRoutes,
  ...rolloverRoutes,
  ...resizeRoutes,
];
