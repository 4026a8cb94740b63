// The indices of a management call. Each family of endpoints has its rules for wildcards, as the peer does.

import { type IndexInfo, PRESET_SETTINGS, refuseBlocked } from '@octavo/engine';
import type { Call, Services } from '../router/route.ts';
import { type ResolveOptions, resolveIndices, resolveOptions, SEARCH_OPTIONS } from './resolve.ts';

/** Open and closed indices. For reading the catalog. */
export const CATALOG_SCOPE: ResolveOptions = { ...SEARCH_OPTIONS, expandClosed: true, forbidClosed: false };

/** CATALOG_SCOPE with hidden indices. For aliases and health. */
export const HIDDEN_SCOPE: ResolveOptions = { ...CATALOG_SCOPE, expandHidden: true };

/** CATALOG_SCOPE in which a wildcard has to match. For writing mappings, settings and aliases. */
export const CHANGE_SCOPE: ResolveOptions = { ...CATALOG_SCOPE, allowNoIndices: false };

/** CATALOG_SCOPE without aliases. For deletes. */
export const DELETE_SCOPE: ResolveOptions = { ...CATALOG_SCOPE, ignoreAliases: true };

/** Wildcards match closed indices. */
export const OPEN_SCOPE: ResolveOptions = { ...CATALOG_SCOPE, expandOpen: false };

/** Wildcards match open indices; the name of a closed index is no error. */
export const CLOSE_SCOPE: ResolveOptions = { ...CATALOG_SCOPE, expandClosed: false };

/** Open indices; the name of a closed one is an error. For operations on segments: refresh, flush, statistics. */
export const SHARD_SCOPE: ResolveOptions = SEARCH_OPTIONS;

/** The indices of a call's `{index}` under `scope`, changed by the call's parameters. */
export function indicesOf(call: Call, services: Services, scope: ResolveOptions): IndexInfo[] {
  const options = resolveOptions(call.params, scope);
  return resolveIndices(services.engine, call.path['index'], options).map(({ info }) => info);
}

/** The indices of a call that shows them. Throws if a block of one forbids that. */
export function describableIndices(call: Call, services: Services, scope: ResolveOptions): IndexInfo[] {
  const infos = indicesOf(call, services, scope);
  for (const info of infos) refuseBlocked(info, 'describe');
  return infos;
}

/** The indices of a call that changes them. Throws if a block of one forbids that. */
export function changeableIndices(call: Call, services: Services, scope: ResolveOptions): IndexInfo[] {
  const infos = indicesOf(call, services, scope);
  for (const info of infos) refuseBlocked(info, 'change');
  return infos;
}

/** The names of indices. */
export function namesOf(infos: readonly IndexInfo[]): string[] {
  return infos.map(({ name }) => name);
}

/** Parameters for waiting, which have no effect on a single node. */
export const WAIT_PARAMS: readonly string[] = ['timeout', 'cluster_manager_timeout', 'master_timeout'];

/** `_shards` of a reply. Replicas are counted in `total` only. */
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

/** The number of shards in the settings of an index. */
export function shardsOf(info: IndexInfo): number {
  return settingOf(info, 'index.number_of_shards');
}

/** The number of replicas in the settings of an index. */
export function replicasOf(info: IndexInfo): number {
  if ((info.settings['index.auto_expand_replicas'] ?? 'false') !== 'false') return 0;
  return settingOf(info, 'index.number_of_replicas');
}

function settingOf(info: IndexInfo, name: keyof typeof PRESET_SETTINGS): number {
  return Number(info.settings[name] ?? PRESET_SETTINGS[name]);
}

/** The routing shards of an index: its setting, or the number of shards doubled up to 1024, as by the peer. */
export function routingShards(info: IndexInfo): number {
  const given = info.settings['index.number_of_routing_shards'];
  if (given !== undefined) return Number(given);
  const shards = shardsOf(info);
  let routing = shards;
  while (routing * 2 <= 1024) routing *= 2;
  return routing === shards ? shards * 2 : routing;
}
