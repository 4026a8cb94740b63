// The table of cluster settings: those that this server reads, and those that scripts and client libraries
// usually set, which are stored and shown only.

import type { SettingSpec } from './index-settings.ts';

type Row = Pick<SettingSpec, 'kind' | 'preset' | 'min'>;

/** Settings by full name. */
export const CLUSTER_SETTINGS: Readonly<Record<string, Row>> = {
  'action.auto_create_index': { kind: 'text', preset: 'true' },
  'action.destructive_requires_name': { kind: 'boolean', preset: 'false' },
  'action.search.shard_count.limit': { kind: 'long', preset: '9223372036854775807' },
  'cluster.blocks.create_index': { kind: 'boolean', preset: 'false' },
  'cluster.blocks.read_only': { kind: 'boolean', preset: 'false' },
  'cluster.blocks.read_only_allow_delete': { kind: 'boolean', preset: 'false' },
  'cluster.indices.close.enable': { kind: 'boolean', preset: 'true' },
  'cluster.info.update.interval': { kind: 'time', preset: '30s' },
  'cluster.max_shards_per_node': { kind: 'integer', preset: '1000' },
  'cluster.routing.allocation.allow_rebalance': { kind: 'text', preset: 'indices_all_active' },
  'cluster.routing.allocation.awareness.attributes': { kind: 'list', preset: '[]' },
  'cluster.routing.allocation.cluster_concurrent_rebalance': { kind: 'integer', preset: '2' },
  'cluster.routing.allocation.disk.threshold_enabled': { kind: 'boolean', preset: 'true' },
  'cluster.routing.allocation.disk.watermark.flood_stage': { kind: 'text', preset: '95%' },
  'cluster.routing.allocation.disk.watermark.high': { kind: 'text', preset: '90%' },
  'cluster.routing.allocation.disk.watermark.low': { kind: 'text', preset: '85%' },
  'cluster.routing.allocation.enable': { kind: 'text', preset: 'all' },
  'cluster.routing.allocation.node_concurrent_recoveries': { kind: 'integer', preset: '2' },
  'cluster.routing.allocation.node_initial_primaries_recoveries': { kind: 'integer', preset: '4' },
  'cluster.routing.allocation.total_shards_per_node': { kind: 'integer', preset: '-1' },
  'cluster.routing.rebalance.enable': { kind: 'text', preset: 'all' },
  'indices.breaker.fielddata.limit': { kind: 'text', preset: '40%' },
  'indices.breaker.request.limit': { kind: 'text', preset: '60%' },
  'indices.breaker.total.limit': { kind: 'text', preset: '95%' },
  'indices.mapping.dynamic_timeout': { kind: 'time', preset: '30s' },
  'indices.query.bool.max_clause_count': { kind: 'integer', preset: '1024' },
  'indices.recovery.max_bytes_per_sec': { kind: 'bytes', preset: '40mb' },
  'point_in_time.max_keep_alive': { kind: 'time', preset: '24h', min: 1 },
  'script.max_compilations_rate': { kind: 'text', preset: '75/5m' },
  'search.allow_expensive_queries': { kind: 'boolean', preset: 'true' },
  'search.default_allow_partial_results': { kind: 'boolean', preset: 'true' },
  'search.default_keep_alive': { kind: 'time', preset: '5m' },
  'search.default_search_timeout': { kind: 'time', preset: '-1' },
  'search.low_level_cancellation': { kind: 'boolean', preset: 'true' },
  'search.max_buckets': { kind: 'integer', preset: '65535' },
  'search.max_keep_alive': { kind: 'time', preset: '24h', min: 1 },
  'search.max_open_pit_context': { kind: 'integer', preset: '300' },
  'search.max_open_scroll_context': { kind: 'integer', preset: '500' },
};

const GROUPS: readonly string[] = [
  'cluster.metadata.',
  'cluster.routing.allocation.awareness.force.',
  'cluster.routing.allocation.exclude.',
  'cluster.routing.allocation.include.',
  'cluster.routing.allocation.require.',
  'cluster.remote.',
  'logger.',
];

/** The setting of a key; undefined for an unknown key. */
export function findClusterSetting(key: string): SettingSpec | undefined {
  if (Object.hasOwn(CLUSTER_SETTINGS, key)) return { scope: 'dynamic', ...CLUSTER_SETTINGS[key]! };
  if (!GROUPS.some((prefix) => key.startsWith(prefix) && key.length > prefix.length)) return undefined;
  return { kind: 'text', scope: 'dynamic', preset: '' };
}
