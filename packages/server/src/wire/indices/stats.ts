// The `_stats`, `_segments`, `_recovery` and `_resolve/index` endpoints. All documents of an index are in its
// shard 0; further shards of its settings are empty.

import { type IndexInfo, type IndexStats, illegalArgument } from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import { RESOLVE_PARAMS, resolveIndices, resolveOptions } from '../resolve/resolve.ts';
import { HIDDEN_SCOPE, indicesOf, SHARD_SCOPE, shardCounts, shardsOf } from '../resolve/scope.ts';
import type { Call, Reply, ReplySteps, Route, Services } from '../router/route.ts';
import { METRICS, statsOf, statsSections, sumStats } from './index-stats.ts';

const EMPTY = sumStats([]);

function* stats(call: Call, services: Services): ReplySteps {
  const metrics = metricsOf(call);
  const level = call.params.string('level') ?? 'indices';
  if (!['cluster', 'indices', 'shards'].includes(level)) {
    throw illegalArgument(
      `level parameter must be one of [cluster] or [indices] or [shards] but was [${level}]`,
    );
  }
  const { compat } = services.options;
  const infos = indicesOf(call, services, SHARD_SCOPE);
  const figures = infos.map((info) => statsOf(services.engine, info));
  const total = statsSections(sumStats(figures), metrics, compat);
  const indices: ReplyObject = Object.create(null) as ReplyObject;
  for (const [at, info] of infos.entries()) {
    const part = statsSections(figures[at]!, metrics, compat);
    indices[info.name] = {
      uuid: info.uuid,
      primaries: part,
      total: part,
      ...(level === 'shards' && { shards: shardsStats(info, figures[at]!, metrics, services) }),
    };
    yield;
  }
  const all = { primaries: total, total };
  return { body: { _shards: shardCounts(infos), _all: all, ...(level !== 'cluster' && { indices }) } };
}

function metricsOf(call: Call): ReadonlySet<string> | undefined {
  const requested = call.path['metric']?.split(',');
  if (requested === undefined || requested.includes('_all')) return undefined;
  const unknown = requested.filter((name) => !METRICS.includes(name));
  if (unknown.length > 0) {
    const word = unknown.length === 1 ? 'metric' : 'metrics';
    const names = unknown.map((name) => `[${name}]`).join(', ');
    throw illegalArgument(`request [${call.uri}] contains unrecognized ${word}: ${names}`);
  }
  return new Set(requested);
}

function shardsStats(
  info: IndexInfo,
  figures: IndexStats,
  metrics: ReadonlySet<string> | undefined,
  { nodeId, options }: Services,
): ReplyObject {
  const out: ReplyObject = {};
  for (let shard = 0; shard < shardsOf(info); shard++) {
    const own = shard === 0 ? figures : EMPTY;
    out[String(shard)] = [
      {
        routing: { state: 'STARTED', primary: true, node: nodeId, relocating_node: null },
        ...statsSections(own, metrics, options.compat),
        commit: { id: info.uuid, generation: 1, user_data: {}, num_docs: own.docCount },
        seq_no: { max_seq_no: -1, local_checkpoint: -1, global_checkpoint: -1 },
        retention_leases: { primary_term: 1, version: 0, leases: [] },
        shard_path: { is_custom_data_path: false },
      },
    ];
  }
  return out;
}

function segments(call: Call, services: Services): Reply {
  const infos = indicesOf(call, services, SHARD_SCOPE);
  const indices: ReplyObject = Object.create(null) as ReplyObject;
  for (const info of infos) {
    const shards: ReplyObject = {};
    for (let shard = 0; shard < shardsOf(info); shard++) {
      const figures = shard === 0 ? statsOf(services.engine, info) : EMPTY;
      shards[String(shard)] = [
        {
          routing: { state: 'STARTED', primary: true, node: services.nodeId },
          num_committed_segments: figures.segments,
          num_search_segments: figures.segments,
          segments: segmentsOf(figures),
        },
      ];
    }
    indices[info.name] = { shards };
  }
  return { body: { _shards: shardCounts(infos), indices } };
}

/** The segments of an index as one: outside the engine only their sum is known. */
function segmentsOf(figures: IndexStats): ReplyObject {
  if (figures.segments === 0) return {};
  return {
    _0: {
      generation: 0,
      num_docs: figures.docCount,
      deleted_docs: figures.deletedCount,
      size_in_bytes: figures.diskBytes,
      memory_in_bytes: figures.memoryBytes,
      committed: true,
      search: true,
      version: '10.2.1',
      compound: false,
      attributes: {},
    },
  };
}

function recovery(call: Call, services: Services): Reply {
  const { nodeId, options } = services;
  const out: ReplyObject = Object.create(null) as ReplyObject;
  for (const info of indicesOf(call, services, HIDDEN_SCOPE)) {
    const shards: ReplyObject[] = [];
    for (let id = 0; id < shardsOf(info); id++) {
      shards.push({
        id,
        type: 'EMPTY_STORE',
        stage: 'DONE',
        primary: true,
        start_time_in_millis: info.createdAt,
        stop_time_in_millis: info.createdAt,
        total_time_in_millis: 0,
        source: {},
        target: {
          id: nodeId,
          host: '127.0.0.1',
          transport_address: '127.0.0.1:9300',
          ip: '127.0.0.1',
          name: options.nodeName,
        },
        index: {
          size: { total_in_bytes: 0, reused_in_bytes: 0, recovered_in_bytes: 0, percent: '100.0%' },
          files: { total: 0, reused: 0, recovered: 0, percent: '100.0%' },
          total_time_in_millis: 0,
          source_throttle_time_in_millis: 0,
          target_throttle_time_in_millis: 0,
        },
        translog: { recovered: 0, total: 0, percent: '100.0%', total_on_start: 0, total_time_in_millis: 0 },
        verify_index: { check_index_time_in_millis: 0, total_time_in_millis: 0 },
      });
    }
    out[info.name] = { shards };
  }
  return { body: out };
}

/** `_resolve/index`: the indices and aliases that an expression names. */
function resolve(call: Call, { engine }: Services): Reply {
  const scope = { ...SHARD_SCOPE, ignoreUnavailable: true, forbidClosed: false };
  const options = resolveOptions(call.params, scope);
  const expression = call.path['name']!;
  const reached = resolveIndices(engine, expression, options);
  const requested = expression.split(',');
  const all = requested.includes('_all') || requested.includes('*');
  const named = new Set(
    resolveIndices(engine, expression, { ...options, ignoreAliases: true }).map(({ info }) => info.name),
  );
  const aliases = new Map<string, string[]>();
  for (const { info, aliases: by } of reached) {
    for (const alias of all ? Object.keys(info.aliases) : by)
      aliases.set(alias, [...(aliases.get(alias) ?? []), info.name]);
  }
  const indices = reached
    .filter(({ info }) => named.has(info.name))
    .map(({ info }) => {
      const own = Object.keys(info.aliases).sort();
      const attributes = [info.state === 'open' ? 'open' : 'closed'];
      if (info.settings['index.hidden'] === 'true') attributes.push('hidden');
      return { name: info.name, ...(own.length > 0 && { aliases: own }), attributes: attributes.sort() };
    });
  return {
    body: {
      indices,
      aliases: [...aliases.keys()].sort().map((name) => ({ name, indices: aliases.get(name)! })),
      data_streams: [],
    },
  };
}

const STATS_PARAMS = [
  ...RESOLVE_PARAMS,
  ...['level', 'fields', 'groups', 'completion_fields', 'fielddata_fields', 'types', 'forbid_closed_indices'],
  ...['include_segment_file_sizes', 'include_unloaded_segments'],
];
const RECOVERY_PARAMS = [...RESOLVE_PARAMS, 'detailed', 'active_only'];

/** The rows of this family. */
export const statsRoutes: readonly Route[] = [
  ...['/_stats', '/_stats/{metric}', '/{index}/_stats', '/{index}/_stats/{metric}'].map(
    (path): Route => ({ methods: ['GET'], path, params: STATS_PARAMS, handle: stats }),
  ),
  ...['/_segments', '/{index}/_segments'].map(
    (path): Route => ({ methods: ['GET'], path, params: [...RESOLVE_PARAMS, 'verbose'], handle: segments }),
  ),
  ...['/_recovery', '/{index}/_recovery'].map(
    (path): Route => ({ methods: ['GET'], path, params: RECOVERY_PARAMS, handle: recovery }),
  ),
  { methods: ['GET'], path: '/_resolve/index/{name}', params: ['expand_wildcards'], handle: resolve },
];
