// Columns about work by index. What this engine does not count exists, so that scripts which ask for it get a number, and is
// 0.

import type { IndexStats } from '@octavo/engine';
import { contextsOf } from '../indices/index-stats.ts';
import type { Cell, Column } from './table.ts';

type Kind = 'n' | 'b' | 't';

/** name, short alias, kind (number, bytes, time), meaning. */
const ROWS: readonly (readonly [string, string, Kind, string])[] = [
  ['completion.size', 'cs', 'b', 'memory of completion suggesters'],
  ['fielddata.memory_size', 'fm', 'b', 'memory of field data'],
  ['fielddata.evictions', 'fe', 'n', 'field data evicted'],
  ['query_cache.memory_size', 'qcm', 'b', 'memory of cached filters'],
  ['query_cache.evictions', 'qce', 'n', 'filters evicted'],
  ['request_cache.memory_size', 'rcm', 'b', 'memory of cached replies'],
  ['request_cache.evictions', 'rce', 'n', 'replies evicted'],
  ['request_cache.hit_count', 'rchc', 'n', 'replies found in the cache'],
  ['request_cache.miss_count', 'rcmc', 'n', 'replies not found in the cache'],
  ['flush.total', 'ft', 'n', 'flushes'],
  ['flush.total_time', 'ftt', 't', 'time spent on flushes'],
  ['get.current', 'gc', 'n', 'gets going on'],
  ['get.time', 'gti', 't', 'time spent on gets'],
  ['get.total', 'gto', 'n', 'gets'],
  ['get.exists_time', 'geti', 't', 'time spent on gets that found'],
  ['get.exists_total', 'geto', 'n', 'gets that found'],
  ['get.missing_time', 'gmti', 't', 'time spent on gets that missed'],
  ['get.missing_total', 'gmto', 'n', 'gets that missed'],
  ['indexing.delete_current', 'idc', 'n', 'deletes going on'],
  ['indexing.delete_time', 'idti', 't', 'time spent on deletes'],
  ['indexing.delete_total', 'idto', 'n', 'deletes'],
  ['indexing.index_current', 'iic', 'n', 'writes going on'],
  ['indexing.index_time', 'iiti', 't', 'time spent on writes'],
  ['indexing.index_total', 'iito', 'n', 'writes'],
  ['indexing.index_failed', 'iif', 'n', 'writes that failed'],
  ['merges.current', 'mc', 'n', 'merges going on'],
  ['merges.current_docs', 'mcd', 'n', 'documents in merges going on'],
  ['merges.current_size', 'mcs', 'b', 'size of merges going on'],
  ['merges.total', 'mt', 'n', 'merges'],
  ['merges.total_docs', 'mtd', 'n', 'documents merged'],
  ['merges.total_size', 'mts', 'b', 'size merged'],
  ['merges.total_time', 'mtt', 't', 'time spent on merges'],
  ['refresh.total', 'rto', 'n', 'refreshes'],
  ['refresh.time', 'rti', 't', 'time spent on refreshes'],
  ['refresh.external_total', 'rto', 'n', 'refreshes asked for'],
  ['refresh.external_time', 'rti', 't', 'time spent on refreshes asked for'],
  ['refresh.listeners', 'rli', 'n', 'writes waiting for a refresh'],
  ['search.fetch_current', 'sfc', 'n', 'fetches going on'],
  ['search.fetch_time', 'sfti', 't', 'time spent on fetches'],
  ['search.fetch_total', 'sfto', 'n', 'fetches'],
  ['search.open_contexts', 'so', 'n', 'open search contexts'],
  ['search.query_current', 'sqc', 'n', 'queries going on'],
  ['search.query_time', 'sqti', 't', 'time spent on queries'],
  ['search.query_total', 'sqto', 'n', 'queries'],
  ['search.scroll_current', 'scc', 'n', 'open scrolls'],
  ['search.scroll_time', 'scti', 't', 'time that scrolls were open'],
  ['search.scroll_total', 'scto', 'n', 'scrolls'],
  ['search.point_in_time_current', 'spc', 'n', 'open points in time'],
  ['search.point_in_time_time', 'spti', 't', 'time that points in time were open'],
  ['search.point_in_time_total', 'spto', 'n', 'points in time'],
];

const LATE: readonly (readonly [string, string, Kind, string])[] = [
  ['segments.index_writer_memory', 'siwm', 'b', 'memory of the writer'],
  ['segments.version_map_memory', 'svmm', 'b', 'memory of the version map'],
  ['segments.fixed_bitset_memory', 'sfbm', 'b', 'memory of fixed bit sets'],
  ['warmer.current', 'wc', 'n', 'warmers going on'],
  ['warmer.total', 'wto', 'n', 'warmers'],
  ['warmer.total_time', 'wtt', 't', 'time spent on warmers'],
  ['suggest.current', 'suc', 'n', 'suggestions going on'],
  ['suggest.time', 'suti', 't', 'time spent on suggestions'],
  ['suggest.total', 'suto', 'n', 'suggestions'],
];

const ZEROS: Readonly<Record<Kind, Cell>> = { n: 0, b: { bytes: 0 }, t: { millis: 0 } };

function column<R>(
  [name, short, kind, meaning]: readonly [string, string, Kind, string],
  cell: (row: R, zero: Cell) => Cell,
): Column<R> {
  return {
    name,
    aliases: [short, camel(name)],
    meaning,
    right: true,
    extra: true,
    cell: (row) => cell(row, ZEROS[kind]),
  };
}

/** `query_cache.memory_size` → `queryCacheMemorySize`. */
function camel(name: string): string {
  return name.replace(/[._](.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Those that are counted. */
const COUNTED: Readonly<Record<string, (stats: IndexStats) => number>> = {
  'search.open_contexts': (stats) => contextsOf(stats).all,
  'search.scroll_current': (stats) => contextsOf(stats).scrolls,
  'search.point_in_time_current': (stats) => contextsOf(stats).pits,
};

/** The columns before those about segments, and after. `figures` are those of a row; undefined where it has none. */
export function metricColumns<R>(
  part: 'early' | 'late',
  figures: (row: R) => IndexStats | undefined,
): Column<R>[] {
  const rows = part === 'early' ? ROWS : LATE;
  return rows.map((row) => {
    const counted = COUNTED[row[0]];
    return column<R>(row, (of, zero) => {
      const stats = figures(of);
      return stats === undefined ? null : (counted?.(stats) ?? zero);
    });
  });
}
