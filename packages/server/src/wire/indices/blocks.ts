// The `_block` endpoints, and the refusal of rollover, shrink, split and clone. A block is a setting of the
// index.

import { EngineError, illegalArgument, refuseSettings } from '@octavo/engine';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import { CATALOG_SCOPE, indicesOf, WAIT_PARAMS } from '../resolve/scope.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';

const BLOCKS = new Set(['metadata', 'read', 'read_only', 'write', 'search_only']);

async function addBlock(call: Call, services: Services): Promise<Reply> {
  const block = call.path['block']!;
  if (!BLOCKS.has(block)) throw illegalArgument(`No block found with name ${block}`);
  const infos = indicesOf(call, services, { ...CATALOG_SCOPE, expandClosed: false });
  const settings = { [`index.blocks.${block}`]: 'true' };
  for (const info of infos) refuseSettings(info, settings);
  await services.engine.indices.putSettings(Object.fromEntries(infos.map(({ name }) => [name, settings])));
  const indices = infos.map(({ name }) => ({ name, blocked: true }));
  return { body: { acknowledged: true, shards_acknowledged: infos.length > 0, indices } };
}

/** The handler of an endpoint that is not supported. */
function unsupported(what: string) {
  return (): never => {
    throw new EngineError(
      'unsupported_operation_exception',
      `${what} is not supported: create a new index and copy the documents`,
    );
  };
}

/** The rows of this family. */
export const blockRoutes: readonly Route[] = [
  {
    methods: ['PUT'],
    path: '/{index}/_block/{block}',
    params: [...RESOLVE_PARAMS, ...WAIT_PARAMS],
    handle: addBlock,
  },
  ...['/{index}/_rollover', '/{index}/_rollover/{target}'].map(
    (path): Route => ({
      methods: ['POST'],
      path,
      params: [...WAIT_PARAMS, 'dry_run', 'wait_for_active_shards'],
      handle: unsupported('rollover'),
    }),
  ),
  ...['shrink', 'split', 'clone'].map(
    (verb): Route => ({
      methods: ['PUT', 'POST'],
      path: `/{index}/_${verb}/{target}`,
      params: [
        ...WAIT_PARAMS,
        'copy_settings',
        'wait_for_active_shards',
        'wait_for_completion',
        'task_execution_timeout',
      ],
      handle: unsupported(verb),
    }),
  ),
];
