// The `_block` endpoints. A block is a setting of the index.

import { illegalArgument, refuseSettings } from '@octavo/engine';
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

/** The rows of this family. */
export const blockRoutes: readonly Route[] = [
  {
    methods: ['PUT'],
    path: '/{index}/_block/{block}',
    params: [...RESOLVE_PARAMS, ...WAIT_PARAMS],
    handle: addBlock,
  },
];
