// The `_cluster/state` endpoints: the catalog as the state of a cluster of one node.

import { type IndexInfo, illegalArgument, isObject } from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import { fullSettings } from '../indices/show-index.ts';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import {
  HIDDEN_SCOPE,
  indicesOf,
  replicasOf,
  routingShards,
  shardsOf,
  WAIT_PARAMS,
} from '../resolve/scope.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { showSettings } from '../settings/flat-settings.ts';
import { showPart } from '../templates/parse-template.ts';
import { LEGACY_KIND } from '../templates/template-store.ts';
import { clusterUuid } from './identity.ts';

const METRICS = [
  '_all',
  'blocks',
  'metadata',
  'nodes',
  'routing_table',
  'routing_nodes',
  'master_node',
  'version',
  'cluster_manager_node',
];

function state(call: Call, services: Services): Reply {
  const requested = call.path['metric']?.split(',') ?? ['_all'];
  const unknown = requested.find((name) => !METRICS.includes(name));
  if (unknown !== undefined)
    throw illegalArgument(`request [${call.uri}] contains unrecognized metric: [${unknown}]`);
  const wants = (name: string): boolean => requested.includes('_all') || requested.includes(name);
  const infos = indicesOf(call, services, HIDDEN_SCOPE);
  const uuid = clusterUuid(services);
  const { nodeId, options } = services;
  return {
    body: {
      cluster_name: options.clusterName,
      cluster_uuid: uuid,
      ...(wants('version') && { version: 1, state_uuid: uuid }),
      ...(wants('master_node') && { master_node: nodeId }),
      ...((wants('cluster_manager_node') || wants('master_node')) &&
        options.compat === 'opensearch' && { cluster_manager_node: nodeId }),
      ...(wants('blocks') && { blocks: {} }),
      ...(wants('nodes') && {
        nodes: { [nodeId]: nodeEntry(services) },
      }),
      ...(wants('metadata') && { metadata: metadata(infos, services) }),
      ...(wants('routing_table') && { routing_table: { indices: routingTable(infos, nodeId) } }),
      ...(wants('routing_nodes') && { routing_nodes: routingNodes(infos, nodeId) }),
    },
  };
}

function metadata(infos: readonly IndexInfo[], services: Services): ReplyObject {
  const indices: ReplyObject = Object.create(null) as ReplyObject;
  for (const info of infos) indices[info.name] = indexState(info);
  const templates: ReplyObject = Object.create(null) as ReplyObject;
  for (const [name, stored] of services.engine.settings.list(LEGACY_KIND)) {
    if (isObject(stored))
      templates[name] = {
        order: stored['order'],
        index_patterns: stored['index_patterns'],
        ...showPart(stored, false),
      };
  }
  return {
    cluster_uuid: clusterUuid(services),
    cluster_uuid_committed: true,
    cluster_coordination: {
      term: 1,
      last_committed_config: [services.nodeId],
      last_accepted_config: [services.nodeId],
      voting_config_exclusions: [],
    },
    templates,
    indices,
    'index-graveyard': { tombstones: [] },
  };
}

function indexState(info: IndexInfo): ReplyObject {
  const terms: ReplyObject = {};
  const copies: ReplyObject = {};
  for (let shard = 0; shard < shardsOf(info); shard++) {
    terms[String(shard)] = 1;
    copies[String(shard)] = [info.uuid];
  }
  return {
    version: 1,
    mapping_version: 1,
    settings_version: 1,
    aliases_version: 1,
    routing_num_shards: routingShards(info),
    state: info.state,
    settings: showSettings(fullSettings(info), false),
    mappings: Object.keys(info.mappings).length === 0 ? {} : { _doc: info.mappings },
    aliases: Object.keys(info.aliases).sort(),
    primary_terms: terms,
    in_sync_allocations: copies,
    rollover_info: {},
    system: false,
  };
}

/** The node, as lists of shards show it. */
export function nodeEntry({ nodeId, options }: Services): ReplyObject {
  return {
    name: options.nodeName,
    ephemeral_id: nodeId,
    transport_address: '127.0.0.1:9300',
    attributes: {},
  };
}

/** The copies of a shard: the one that is here, and replicas without a node. */
export function shardEntries(info: IndexInfo, shard: number, nodeId: string): ReplyObject[] {
  const entries: ReplyObject[] = [
    {
      state: 'STARTED',
      primary: true,
      searchOnly: false,
      node: nodeId,
      relocating_node: null,
      shard,
      index: info.name,
      allocation_id: { id: info.uuid },
    },
  ];
  for (let copy = 0; copy < replicasOf(info); copy++) {
    entries.push({
      state: 'UNASSIGNED',
      primary: false,
      searchOnly: false,
      node: null,
      relocating_node: null,
      shard,
      index: info.name,
      recovery_source: { type: 'PEER' },
      unassigned_info: {
        reason: 'INDEX_CREATED',
        at: new Date(info.createdAt).toISOString(),
        delayed: false,
        allocation_status: 'no_attempt',
      },
    });
  }
  return entries;
}

function routingTable(infos: readonly IndexInfo[], nodeId: string): ReplyObject {
  const out: ReplyObject = Object.create(null) as ReplyObject;
  for (const info of infos) {
    const shards: ReplyObject = {};
    for (let shard = 0; shard < shardsOf(info); shard++)
      shards[String(shard)] = shardEntries(info, shard, nodeId);
    out[info.name] = { shards };
  }
  return out;
}

function routingNodes(infos: readonly IndexInfo[], nodeId: string): ReplyObject {
  const all = infos.flatMap((info) =>
    Array.from({ length: shardsOf(info) }, (_, shard) => shardEntries(info, shard, nodeId)).flat(),
  );
  return {
    unassigned: all.filter(({ state }) => state === 'UNASSIGNED'),
    nodes: { [nodeId]: all.filter(({ state }) => state !== 'UNASSIGNED') },
  };
}

const PARAMS = [
  ...RESOLVE_PARAMS,
  ...WAIT_PARAMS,
  'local',
  'flat_settings',
  'wait_for_metadata_version',
  'wait_for_timeout',
];

/** The rows of this family. */
export const clusterStateRoutes: readonly Route[] = [
  '/_cluster/state',
  '/_cluster/state/{metric}',
  '/_cluster/state/{metric}/{index}',
].map((path): Route => ({ methods: ['GET'], path, params: PARAMS, handle: state }));
