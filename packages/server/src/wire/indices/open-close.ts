// The `_open` and `_close` endpoints.

import { EngineError, type JsonObject } from '@octavo/engine';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import {
  CLOSE_SCOPE,
  changeableIndices,
  namesOf,
  OPEN_SCOPE,
  replicasOf,
  WAIT_PARAMS,
} from '../resolve/scope.ts';
import { hasEnoughShards } from '../resolve/shards.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { replyOfTask, TASK_PARAMS } from '../router/task-reply.ts';
import { requireNames } from './delete.ts';

const PARAMS = [...RESOLVE_PARAMS, ...WAIT_PARAMS, 'wait_for_active_shards'];

function requireIndex(call: Call): void {
  if ((call.path['index'] ?? '') !== '') return;
  throw new EngineError('action_request_validation_exception', 'Validation Failed: 1: index is missing;');
}

async function open(call: Call, services: Services): Promise<Reply> {
  requireIndex(call);
  requireNames(services.engine, call.path['index']!.split(','));
  const infos = changeableIndices(call, services, OPEN_SCOPE);
  const spec = {
    action: 'indices:admin/open',
    description: `open indices [${call.path['index']!.split(',').join(', ')}]`,
  };
  return await replyOfTask(call, services, spec, async () => {
    await services.engine.indices.setState(namesOf(infos), 'open');
    const enough = infos.every((info) => hasEnoughShards(call.params, replicasOf(info)));
    return { body: { acknowledged: true, shards_acknowledged: enough } };
  });
}

async function close(call: Call, services: Services): Promise<Reply> {
  requireIndex(call);
  requireNames(services.engine, call.path['index']!.split(','));
  const infos = changeableIndices(call, services, CLOSE_SCOPE);
  const indices: JsonObject = Object.create(null) as JsonObject;
  await services.engine.indices.setState(namesOf(infos), 'close');
  for (const name of namesOf(infos)) indices[name] = { closed: true };
  return { body: { acknowledged: true, shards_acknowledged: infos.length > 0, indices } };
}

/** The rows of this family. */
export const openCloseRoutes: readonly Route[] = [
  { methods: ['POST'], path: '/_open', params: [...PARAMS, ...TASK_PARAMS], handle: open },
  { methods: ['POST'], path: '/{index}/_open', params: [...PARAMS, ...TASK_PARAMS], handle: open },
  { methods: ['POST'], path: '/_close', params: PARAMS, handle: close },
  { methods: ['POST'], path: '/{index}/_close', params: PARAMS, handle: close },
];
