// DELETE /{index}: names and wildcards, but no aliases.

import { type Engine, illegalArgument } from '@octavo/engine';
import { refuseAliases } from '../resolve/resolve.ts';
import { DELETE_SCOPE, indicesOf, namesOf } from '../resolve/scope.ts';
import type { Call, Reply, Services } from '../router/route.ts';
import { clusterSetting } from '../settings/cluster-settings-store.ts';

/** Deletes indices. Wildcards are refused if `action.destructive_requires_name` is set. */
export async function deleteIndices(call: Call, services: Services): Promise<Reply> {
  const { engine } = services;
  const parts = (call.path['index'] ?? '').split(',');
  requireNames(engine, parts);
  if (call.params.boolean('ignore_unavailable') !== true) refuseAliases(engine, parts);
  const infos = indicesOf(call, services, DELETE_SCOPE);
  if (infos.length > 0) await engine.indices.delete(namesOf(infos));
  return { body: { acknowledged: true } };
}

/** Throws for wildcards and `_all` if `action.destructive_requires_name` is set. */
export function requireNames(engine: Engine, parts: readonly string[]): void {
  if (clusterSetting(engine.settings, 'action.destructive_requires_name') !== 'true') return;
  if (parts.some((part) => part === '' || part === '_all' || part.includes('*'))) {
    throw illegalArgument('Wildcard expressions or all indices are not allowed');
  }
}
