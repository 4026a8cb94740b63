// The table of index settings: kind, when a setting may change, preset, bounds. Settings without effect here
// (merge policy, translog) are accepted, stored and shown, so that index bodies written for the peer work
// unchanged.

import { PRESET_SETTINGS } from '@octavo/engine';
import type { Limits } from '../../limits.ts';

/** What the table says of a setting. */
export interface SettingSpec {
  readonly kind:
    | 'integer'
    | 'long'
    | 'number'
    | 'boolean'
    | 'time'
    | 'bytes'
    | 'text'
    | 'list'
    | 'word'
    | 'expand';
  /** dynamic: any time; static: at creation or while closed; final: at creation; private: never by a caller. */
  readonly scope: 'dynamic' | 'static' | 'final' | 'private';
  /** The value while nothing is set, as `include_defaults` shows it. */
  readonly preset: string;
  /** The lowest value; of a time in milliseconds. */
  readonly min?: number;
  readonly max?: number;
  /** The words allowed, in lower case, for kind `word`. */
  readonly words?: readonly string[];
}

/** All index settings by name, without `index.`. */
export const INDEX_SETTINGS: Readonly<Record<string, SettingSpec>> = {
  number_of_shards: {
    kind: 'integer',
    scope: 'final',
    preset: PRESET_SETTINGS['index.number_of_shards'],
    min: 1,
    max: 1024,
  },
  number_of_replicas: {
    kind: 'integer',
    scope: 'dynamic',
    preset: PRESET_SETTINGS['index.number_of_replicas'],
    min: 0,
  },
  number_of_search_replicas: { kind: 'integer', scope: 'dynamic', preset: '0', min: 0 },
  number_of_routing_shards: { kind: 'integer', scope: 'final', preset: '1', min: 1 },
  routing_partition_size: { kind: 'integer', scope: 'final', preset: '1', min: 1 },
  auto_expand_replicas: { kind: 'expand', scope: 'dynamic', preset: 'false' },
  hidden: { kind: 'boolean', scope: 'dynamic', preset: 'false' },
  refresh_interval: { kind: 'time', scope: 'dynamic', preset: '1s' },
  max_result_window: { kind: 'integer', scope: 'dynamic', preset: '10000', min: 1 },
  max_inner_result_window: { kind: 'integer', scope: 'dynamic', preset: '100', min: 1 },
  max_rescore_window: { kind: 'integer', scope: 'dynamic', preset: '10000', min: 1 },
  max_docvalue_fields_search: { kind: 'integer', scope: 'dynamic', preset: '100', min: 0 },
  max_script_fields: { kind: 'integer', scope: 'dynamic', preset: '32', min: 0 },
  max_ngram_diff: { kind: 'integer', scope: 'dynamic', preset: '1', min: 0 },
  max_shingle_diff: { kind: 'integer', scope: 'dynamic', preset: '3', min: 0 },
  max_terms_count: { kind: 'integer', scope: 'dynamic', preset: '65536', min: 1 },
  max_regex_length: { kind: 'integer', scope: 'dynamic', preset: '1000', min: 1 },
  max_adjacency_matrix_filters: { kind: 'integer', scope: 'dynamic', preset: '100', min: 2 },
  max_refresh_listeners: { kind: 'integer', scope: 'dynamic', preset: '1000', min: 0 },
  max_slices_per_scroll: { kind: 'integer', scope: 'dynamic', preset: '1024', min: 1 },
  max_slices_per_pit: { kind: 'integer', scope: 'dynamic', preset: '1024', min: 1 },
  'analyze.max_token_count': { kind: 'integer', scope: 'dynamic', preset: '10000', min: 1 },
  'highlight.max_analyzed_offset': { kind: 'integer', scope: 'dynamic', preset: '1000000', min: 1 },
  'query.default_field': { kind: 'list', scope: 'dynamic', preset: '["*"]' },
  'query.max_nested_depth': { kind: 'integer', scope: 'dynamic', preset: '20', min: 1 },
  'query.parse.allow_unmapped_fields': { kind: 'boolean', scope: 'static', preset: 'true' },
  'query.derived_field.enabled': { kind: 'boolean', scope: 'dynamic', preset: 'true' },
  'query_string.lenient': { kind: 'boolean', scope: 'static', preset: 'false' },
  'mapping.coerce': { kind: 'boolean', scope: 'static', preset: 'false' },
  'mapping.ignore_malformed': { kind: 'boolean', scope: 'static', preset: 'false' },
  'mapping.depth.limit': { kind: 'integer', scope: 'dynamic', preset: '20', min: 1 },
  'mapping.field_name_length.limit': { kind: 'integer', scope: 'dynamic', preset: '50000', min: 1 },
  'mapping.nested_fields.limit': { kind: 'integer', scope: 'dynamic', preset: '50', min: 0 },
  'mapping.nested_objects.limit': { kind: 'integer', scope: 'dynamic', preset: '10000', min: 0 },
  'mapping.total_fields.limit': { kind: 'integer', scope: 'dynamic', preset: '1000', min: 0 },
  'mapper.dynamic': { kind: 'boolean', scope: 'static', preset: 'true' },
  'sort.field': { kind: 'list', scope: 'final', preset: '[]' },
  'sort.order': { kind: 'list', scope: 'final', preset: '[]' },
  'sort.mode': { kind: 'list', scope: 'final', preset: '[]' },
  'sort.missing': { kind: 'list', scope: 'final', preset: '[]' },
  'blocks.read_only': { kind: 'boolean', scope: 'dynamic', preset: 'false' },
  'blocks.read_only_allow_delete': { kind: 'boolean', scope: 'dynamic', preset: 'false' },
  'blocks.read': { kind: 'boolean', scope: 'dynamic', preset: 'false' },
  'blocks.write': { kind: 'boolean', scope: 'dynamic', preset: 'false' },
  'blocks.metadata': { kind: 'boolean', scope: 'dynamic', preset: 'false' },
  'blocks.search_only': { kind: 'boolean', scope: 'dynamic', preset: 'false' },
  'translog.durability': { kind: 'word', scope: 'dynamic', preset: 'REQUEST', words: ['request', 'async'] },
  'translog.sync_interval': { kind: 'time', scope: 'dynamic', preset: '5s' },
  'translog.flush_threshold_size': { kind: 'bytes', scope: 'dynamic', preset: '512mb' },
  'translog.generation_threshold_size': { kind: 'bytes', scope: 'dynamic', preset: '64mb' },
  'translog.retention.age': { kind: 'time', scope: 'dynamic', preset: '-1' },
  'translog.retention.size': { kind: 'bytes', scope: 'dynamic', preset: '-1' },
  flush_after_merge: { kind: 'bytes', scope: 'dynamic', preset: '512mb' },
  gc_deletes: { kind: 'time', scope: 'dynamic', preset: '60s' },
  codec: { kind: 'text', scope: 'static', preset: 'default' },
  'codec.compression_level': { kind: 'integer', scope: 'static', preset: '3', min: 1, max: 22 },
  compound_format: { kind: 'text', scope: 'dynamic', preset: '0.1' },
  use_compound_file: { kind: 'boolean', scope: 'dynamic', preset: 'true' },
  'store.type': { kind: 'text', scope: 'static', preset: '' },
  'store.preload': { kind: 'list', scope: 'static', preset: '[]' },
  'store.fs.fs_lock': { kind: 'text', scope: 'static', preset: 'native' },
  'store.stats_refresh_interval': { kind: 'time', scope: 'static', preset: '10s' },
  'shard.check_on_startup': { kind: 'text', scope: 'static', preset: 'false' },
  'soft_deletes.enabled': { kind: 'boolean', scope: 'final', preset: 'true' },
  'soft_deletes.retention.operations': { kind: 'long', scope: 'dynamic', preset: '0', min: 0 },
  'soft_deletes.retention_lease.period': { kind: 'time', scope: 'dynamic', preset: '12h' },
  'search.idle.after': { kind: 'time', scope: 'dynamic', preset: '30s' },
  'search.throttled': { kind: 'boolean', scope: 'private', preset: 'false' },
  'search.default_pipeline': { kind: 'text', scope: 'dynamic', preset: '_none' },
  'search.concurrent.max_slice_count': { kind: 'integer', scope: 'dynamic', preset: '1', min: 0 },
  'search.concurrent_segment_search.enabled': { kind: 'boolean', scope: 'dynamic', preset: 'false' },
  'search.concurrent_segment_search.mode': { kind: 'text', scope: 'dynamic', preset: 'none' },
  'search.star_tree_index.enabled': { kind: 'boolean', scope: 'dynamic', preset: 'true' },
  'search.slowlog.level': { kind: 'text', scope: 'dynamic', preset: 'TRACE' },
  'search.slowlog.threshold.query.warn': { kind: 'time', scope: 'dynamic', preset: '-1' },
  'search.slowlog.threshold.query.info': { kind: 'time', scope: 'dynamic', preset: '-1' },
  'search.slowlog.threshold.query.debug': { kind: 'time', scope: 'dynamic', preset: '-1' },
  'search.slowlog.threshold.query.trace': { kind: 'time', scope: 'dynamic', preset: '-1' },
  'search.slowlog.threshold.fetch.warn': { kind: 'time', scope: 'dynamic', preset: '-1' },
  'search.slowlog.threshold.fetch.info': { kind: 'time', scope: 'dynamic', preset: '-1' },
  'search.slowlog.threshold.fetch.debug': { kind: 'time', scope: 'dynamic', preset: '-1' },
  'search.slowlog.threshold.fetch.trace': { kind: 'time', scope: 'dynamic', preset: '-1' },
  'indexing.slowlog.level': { kind: 'text', scope: 'dynamic', preset: 'TRACE' },
  'indexing.slowlog.reformat': { kind: 'boolean', scope: 'dynamic', preset: 'true' },
  'indexing.slowlog.source': { kind: 'text', scope: 'dynamic', preset: '1000' },
  'indexing.slowlog.threshold.index.warn': { kind: 'time', scope: 'dynamic', preset: '-1' },
  'indexing.slowlog.threshold.index.info': { kind: 'time', scope: 'dynamic', preset: '-1' },
  'indexing.slowlog.threshold.index.debug': { kind: 'time', scope: 'dynamic', preset: '-1' },
  'indexing.slowlog.threshold.index.trace': { kind: 'time', scope: 'dynamic', preset: '-1' },
  'merge.policy': { kind: 'text', scope: 'dynamic', preset: 'default' },
  'merge.policy.deletes_pct_allowed': { kind: 'number', scope: 'dynamic', preset: '20.0' },
  'merge.policy.expunge_deletes_allowed': { kind: 'number', scope: 'dynamic', preset: '10.0' },
  'merge.policy.floor_segment': { kind: 'bytes', scope: 'dynamic', preset: '16777216b' },
  'merge.policy.max_merge_at_once': { kind: 'integer', scope: 'dynamic', preset: '30', min: 2 },
  'merge.policy.max_merged_segment': { kind: 'bytes', scope: 'dynamic', preset: '5368709120b' },
  'merge.policy.reclaim_deletes_weight': { kind: 'number', scope: 'dynamic', preset: '2.0' },
  'merge.policy.segments_per_tier': { kind: 'number', scope: 'dynamic', preset: '10.0', min: 2 },
  'merge.scheduler.auto_throttle': { kind: 'boolean', scope: 'dynamic', preset: 'true' },
  'merge.scheduler.max_merge_count': { kind: 'integer', scope: 'dynamic', preset: '6', min: 1 },
  'merge.scheduler.max_thread_count': { kind: 'integer', scope: 'dynamic', preset: '1', min: 1 },
  'queries.cache.enabled': { kind: 'boolean', scope: 'static', preset: 'true' },
  'requests.cache.enable': { kind: 'boolean', scope: 'dynamic', preset: 'true' },
  'fielddata.cache': { kind: 'text', scope: 'static', preset: 'node' },
  load_fixed_bitset_filters_eagerly: { kind: 'boolean', scope: 'static', preset: 'true' },
  'warmer.enabled': { kind: 'boolean', scope: 'dynamic', preset: 'true' },
  priority: { kind: 'integer', scope: 'dynamic', preset: '1', min: 0 },
  data_path: { kind: 'text', scope: 'static', preset: '' },
  format: { kind: 'integer', scope: 'static', preset: '0' },
  default_pipeline: { kind: 'text', scope: 'dynamic', preset: '_none' },
  final_pipeline: { kind: 'text', scope: 'dynamic', preset: '_none' },
  'allocation.max_retries': { kind: 'integer', scope: 'dynamic', preset: '5', min: 0 },
  'allocation.existing_shards_allocator': { kind: 'text', scope: 'static', preset: 'gateway_allocator' },
  'routing.allocation.enable': { kind: 'text', scope: 'dynamic', preset: 'all' },
  'routing.allocation.total_shards_per_node': { kind: 'integer', scope: 'dynamic', preset: '-1', min: -1 },
  'routing.allocation.total_primary_shards_per_node': {
    kind: 'integer',
    scope: 'dynamic',
    preset: '-1',
    min: -1,
  },
  'routing.rebalance.enable': { kind: 'text', scope: 'dynamic', preset: 'all' },
  'unassigned.node_left.delayed_timeout': { kind: 'time', scope: 'dynamic', preset: '1m' },
  'write.wait_for_active_shards': { kind: 'text', scope: 'dynamic', preset: '1' },
  'append_only.enabled': { kind: 'boolean', scope: 'final', preset: 'false' },
  optimize_auto_generated_id: { kind: 'boolean', scope: 'dynamic', preset: 'true' },
  'percolator.map_unmapped_fields_as_text': { kind: 'boolean', scope: 'static', preset: 'false' },
  verified_before_close: { kind: 'boolean', scope: 'private', preset: 'false' },
  'replication.type': { kind: 'word', scope: 'final', preset: 'DOCUMENT', words: ['document', 'segment'] },
  provided_name: { kind: 'text', scope: 'private', preset: '' },
  uuid: { kind: 'text', scope: 'private', preset: '' },
  'version.created': { kind: 'text', scope: 'private', preset: '' },
  creation_date: { kind: 'long', scope: 'final', preset: '-1', min: -1 },
};

/** Prefixes below which callers choose names. */
const GROUPS: readonly { prefix: string; scope: SettingSpec['scope'] }[] = [
  { prefix: 'analysis.', scope: 'static' },
  { prefix: 'similarity.', scope: 'static' },
  { prefix: 'routing.allocation.include.', scope: 'dynamic' },
  { prefix: 'routing.allocation.exclude.', scope: 'dynamic' },
  { prefix: 'routing.allocation.require.', scope: 'dynamic' },
];

const GROUP_SETTINGS: Readonly<Record<'static' | 'dynamic', SettingSpec>> = {
  static: { kind: 'text', scope: 'static', preset: '' },
  dynamic: { kind: 'text', scope: 'dynamic', preset: '' },
};

/** The setting of a full key such as `index.number_of_shards`; undefined for an unknown key. */
export function findIndexSetting(key: string): SettingSpec | undefined {
  if (!key.startsWith('index.')) return undefined;
  const name = key.slice('index.'.length);
  if (Object.hasOwn(INDEX_SETTINGS, name)) return INDEX_SETTINGS[name];
  const group = GROUPS.find(({ prefix }) => name.startsWith(prefix) && name.length > prefix.length);
  return group && GROUP_SETTINGS[group.scope === 'dynamic' ? 'dynamic' : 'static'];
}

const TOTAL_FIELDS = 'index.mapping.total_fields.limit';

/**
 * The presets of all settings that are not in `given`, by full key. The preset of total_fields.limit is a
 * limit of the server.
 */
export function unsetDefaults(
  given: Readonly<Record<string, string>>,
  { fieldsPerIndex }: Pick<Limits, 'fieldsPerIndex'>,
): Record<string, string> {
  const out: Record<string, string> = {};
  for (const name of Object.keys(INDEX_SETTINGS)) {
    const { preset, scope } = INDEX_SETTINGS[name]!;
    const isIdentity = scope === 'private' && preset === '';
    if (!isIdentity && !Object.hasOwn(given, `index.${name}`)) out[`index.${name}`] = preset;
  }
  if (Object.hasOwn(out, TOTAL_FIELDS)) out[TOTAL_FIELDS] = String(fieldsPerIndex);
  return out;
}
