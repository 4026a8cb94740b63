// The figures of an index, in the sections of `_stats` and `_nodes/stats`. Figures that this engine does not
// count are 0, so that programs that read them find a number.

import type { Engine, IndexInfo, IndexStats } from '@octavo/engine';
import { double } from '../../json/number-text.ts';
import type { ReplyObject } from '../../json/reply-value.ts';

const NONE: IndexStats = {
  docCount: 0,
  deletedCount: 0,
  segments: 0,
  sourceBytes: 0,
  diskBytes: 0,
  memoryBytes: 0,
  leases: {},
};

/** The figures of an index; zeros for a closed one. */
export function statsOf(engine: Engine, info: IndexInfo): IndexStats {
  return info.state === 'open' ? engine.indices.stats(info.name) : NONE;
}

/** The sum over indices. */
export function sumStats(all: readonly IndexStats[]): IndexStats {
  return all.reduce<IndexStats>(
    (sum, each) => ({
      docCount: sum.docCount + each.docCount,
      deletedCount: sum.deletedCount + each.deletedCount,
      segments: sum.segments + each.segments,
      sourceBytes: sum.sourceBytes + each.sourceBytes,
      diskBytes: sum.diskBytes + each.diskBytes,
      memoryBytes: sum.memoryBytes + each.memoryBytes,
      leases: sumLeases(sum.leases, each.leases),
    }),
    NONE,
  );
}

function sumLeases(a: IndexStats['leases'], b: IndexStats['leases']): IndexStats['leases'] {
  const sum = { ...a };
  for (const kind of Object.keys(b)) sum[kind] = (sum[kind] ?? 0) + b[kind]!;
  return sum;
}

/**
 * The open scrolls and points in time of an index, as the peer counts them: a scroll over three indices
 * counts in each.
 */
export function openContexts({ leases }: IndexStats): { scrolls: number; pits: number; all: number } {
  const [scrolls, pits] = [leases['scroll'] ?? 0, leases['pit'] ?? 0];
  return { scrolls, pits, all: scrolls + pits };
}

type Product = 'opensearch' | 'elasticsearch';

/** Makes a section from the figures. */
type Section = (stats: IndexStats, compat: Product) => ReplyObject;

/** Sections by the name of their metric; in the reply `merge` is `merges`. */
const SECTIONS: Readonly<Record<string, Section>> = {
  docs: ({ docCount, deletedCount, diskBytes }, compat) => ({
    count: docCount,
    deleted: deletedCount,
    ...(compat === 'elasticsearch' && { total_size_in_bytes: diskBytes }),
  }),
  store: ({ diskBytes }) => ({ size_in_bytes: diskBytes, reserved_in_bytes: 0 }),
  indexing: (_, compat) => ({
    ...zeros('index_total', 'index_time_in_millis', 'index_current', 'index_failed'),
    ...(compat === 'elasticsearch' && zeros('index_failed_due_to_version_conflict')),
    ...zeros('delete_total', 'delete_time_in_millis', 'delete_current', 'noop_update_total'),
    is_throttled: false,
    throttle_time_in_millis: 0,
    doc_status: {},
  }),
  get: () => ({
    total: 0,
    getTime: '0s',
    ...zeros(
      'time_in_millis',
      'exists_total',
      'exists_time_in_millis',
      'missing_total',
      'missing_time_in_millis',
    ),
    current: 0,
  }),
  search: (stats, compat) => ({
    open_contexts: openContexts(stats).all,
    ...zeros('query_total', 'query_time_in_millis', 'query_current'),
    ...zeros('concurrent_query_total', 'concurrent_query_time_in_millis', 'concurrent_query_current'),
    concurrent_avg_slice_count: double(0),
    ...zeros('fetch_total', 'fetch_time_in_millis', 'fetch_current'),
    ...zeros('scroll_total', 'scroll_time_in_millis'),
    scroll_current: openContexts(stats).scrolls,
    ...zeros('point_in_time_total', 'point_in_time_time_in_millis'),
    point_in_time_current: openContexts(stats).pits,
    ...zeros('suggest_total', 'suggest_time_in_millis', 'suggest_current'),
    search_idle_reactivate_count_total: 0,
    ...(compat === 'elasticsearch' && zeros('query_failure', 'fetch_failure')),
  }),
  merge: () => ({
    ...zeros(
      'current',
      'current_docs',
      'current_size_in_bytes',
      'total',
      'total_time_in_millis',
      'total_docs',
    ),
    ...zeros('total_size_in_bytes', 'total_stopped_time_in_millis', 'total_throttled_time_in_millis'),
    ...zeros('total_auto_throttle_in_bytes', 'unreferenced_file_cleanups_performed'),
  }),
  refresh: () =>
    zeros('total', 'total_time_in_millis', 'external_total', 'external_total_time_in_millis', 'listeners'),
  flush: (_, compat) => ({
    ...zeros('total', 'periodic', 'total_time_in_millis'),
    ...(compat === 'elasticsearch' && zeros('total_time_excluding_waiting_on_lock_in_millis')),
  }),
  warmer: () => zeros('current', 'total', 'total_time_in_millis'),
  query_cache: () =>
    zeros(
      'memory_size_in_bytes',
      'total_count',
      'hit_count',
      'miss_count',
      'cache_size',
      'cache_count',
      'evictions',
    ),
  fielddata: (_, compat) => ({
    ...zeros('memory_size_in_bytes', 'evictions'),
    ...(compat === 'elasticsearch' && { global_ordinals: zeros('build_time_in_millis') }),
  }),
  completion: () => zeros('size_in_bytes'),
  segments: ({ segments, memoryBytes }) => ({
    count: segments,
    memory_in_bytes: memoryBytes,
    ...zeros('terms_memory_in_bytes', 'stored_fields_memory_in_bytes', 'term_vectors_memory_in_bytes'),
    ...zeros('norms_memory_in_bytes', 'points_memory_in_bytes', 'doc_values_memory_in_bytes'),
    ...zeros('index_writer_memory_in_bytes', 'version_map_memory_in_bytes', 'fixed_bit_set_memory_in_bytes'),
    max_unsafe_auto_id_timestamp: -1,
    file_sizes: {},
  }),
  translog: ({ sourceBytes }) => ({
    operations: 0,
    size_in_bytes: sourceBytes,
    ...zeros('uncommitted_operations', 'uncommitted_size_in_bytes', 'earliest_last_modified_age'),
  }),
  request_cache: () => zeros('memory_size_in_bytes', 'evictions', 'hit_count', 'miss_count'),
  recovery: () => zeros('current_as_source', 'current_as_target', 'throttle_time_in_millis'),
};

/** The names of all metrics. `suggest` is a part of `search`. */
export const METRICS: readonly string[] = [...Object.keys(SECTIONS), 'suggest'];

/** The sections of the metrics; all sections if `metrics` is undefined. */
export function statsSections(
  stats: IndexStats,
  metrics: ReadonlySet<string> | undefined,
  compat: Product,
): ReplyObject {
  const out: ReplyObject = {};
  for (const name of Object.keys(SECTIONS)) {
    if (metrics === undefined || metrics.has(name))
      out[name === 'merge' ? 'merges' : name] = SECTIONS[name]!(stats, compat);
  }
  return out;
}

function zeros(...names: readonly string[]): ReplyObject {
  const out: ReplyObject = {};
  for (const name of names) out[name] = 0;
  return out;
}
