// Over which indices does a management call go? One preset of wildcard rules per family, as the peer has them.

import { type IndexInfo, refuseBlocked } from '@octavo/engine';
import type { Call, Services } from '../router/route.ts';
import { type ResolveOptions, resolveIndices, resolveOptions, SEARCH_OPTIONS } from './resolve.ts';

/** Open and closed indices; the closed are named freely. For reading what the catalog holds. */
export const CATALOG_SCOPE: ResolveOptions = { ...SEARCH_OPTIONS, expandClosed: true, forbidClosed: false };

/** The same, hidden ones too. For aliases and health. */
export const HIDDEN_SCOPE: ResolveOptions = { ...CATALOG_SCOPE, expandHidden: true };

/** As CATALOG_SCOPE, but a wildcard has to match. For writing mappings, settings and aliases. */
export const CHANGE_SCOPE: ResolveOptions = { ...CATALOG_SCOPE, allowNoIndices: false };

/** Concrete names only. For deletes. */
export const DELETE_SCOPE: ResolveOptions = { ...CATALOG_SCOPE, ignoreAliases: true };

/** Wildcards reach what is closed. */
export const OPEN_SCOPE: ResolveOptions = { ...CATALOG_SCOPE, expandOpen: false };

/** Wildcards reach what is open; naming a closed index is no error. */
export const CLOSE_SCOPE: ResolveOptions = { ...CATALOG_SCOPE, expandClosed: false };

/** Open indices; naming a closed one is an error. For what needs segments: refresh, flush, statistics. */
export const SHARD_SCOPE: ResolveOptions = SEARCH_OPTIONS;

/** The indices that a call's `{index}` means under `scope`, changed by the call's parameters. */
export function indicesOf(call: Call, services: Services, scope: ResolveOptions): IndexInfo[] {
  const options = resolveOptions(call.params, scope);
  return resolveIndices(services.engine, call.path['index'], options).map(({ info }) => info);
}

/** The same where they are to be shown: refused where one of them does not let itself be described. */
export function describableIndices(call: Call, services: Services, scope: ResolveOptions): IndexInfo[] {
  const infos = indicesOf(call, services, scope);
  for (const info of infos) refuseBlocked(info, 'describe');
  return infos;
}

/** The same where they are to be changed: all of them or none. */
export function changeableIndices(call: Call, services: Services, scope: ResolveOptions): IndexInfo[] {
  const infos = indicesOf(call, services, scope);
  for (const info of infos) refuseBlocked(info, 'change');
  return infos;
}

/** Their names. */
export function namesOf(infos: readonly IndexInfo[]): string[] {
  return infos.map(({ name }) => name);
}

/** Parameters about time to wait, which a single node has no use for. */
export const WAIT_PARAMS: readonly string[] = ['timeout', 'cluster_manager_timeout', 'master_timeout'];

/** `_shards` of a reply. Replicas are counted and never there. */
export function shardCounts(infos: readonly IndexInfo[]): {
  total: number;
  successful: number;
  failed: number;
} {
  let [total, successful] = [0, 0];
  for (const info of infos) {
    const primaries = shardsOf(info);
    successful += primaries;
    total += primaries * (1 + replicasOf(info));
  }
  return { total, successful, failed: 0 };
}

/** Shards that the index says it has. */
export function shardsOf(info: IndexInfo): number {
  return Number(info.settings['index.number_of_shards'] ?? '1');
}

/** Replicas that the index would like. */
export function replicasOf(info: IndexInfo): number {
  if ((info.settings['index.auto_expand_replicas'] ?? 'false') !== 'false') return 0;
  return Number(info.settings['index.number_of_replicas'] ?? '1');
}
