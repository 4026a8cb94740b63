// Columns over the figures of an index, shared by `_cat/indices` and `_cat/shards`. Figures that this engine
// does not count are 0, so that scripts that ask for them get a number.

import type { IndexStats } from '@octavo/engine';
import { openContexts } from '../indices/index-stats.ts';
import type { Cell, TableColumn } from './table.ts';

type Kind = 'n' | 'b' | 't';

/** Name, short alias, kind (number, bytes, time), meaning. */
type Row = readonly [string, string, Kind, string];

/** Before the columns about segments. */
const ROWS: readonly Row[] = [
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

/** After them. */
const LATE: readonly Row[] = [
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

/** The metrics that this engine counts. */
const COUNTED: Readonly<Record<string, (stats: IndexStats) => number>> = {
  'search.open_contexts': (stats) => openContexts(stats).all,
  'search.scroll_current': (stats) => openContexts(stats).scrolls,
  'search.point_in_time_current': (stats) => openContexts(stats).pits,
};

/** Makes a column over figures. */
type StatsColumn<R> = (
  name: string,
  aliases: readonly string[],
  meaning: string,
  of: (stats: IndexStats) => Cell,
  extra?: 'extra',
) => TableColumn<R>;

/** Makes columns over the figures of a row. `figures` is undefined for a row that has none; its cells are empty. */
export function statsColumn<R>(figures: (row: R) => IndexStats | undefined): StatsColumn<R> {
  return (name, aliases, meaning, of, extra) => ({
    name,
    aliases,
    meaning,
    right: true,
    ...(extra !== undefined && { extra: true }),
    cell: (row) => {
      const stats = figures(row);
      return stats === undefined ? null : of(stats);
    },
  });
}

/** The columns about work, with those about segments given by the caller in their middle. */
export function metricColumns<R>(
  column: StatsColumn<R>,
  segments: readonly TableColumn<R>[],
): TableColumn<R>[] {
  const made = ([name, short, kind, meaning]: Row): TableColumn<R> =>
    column(name, [short, camel(name)], meaning, COUNTED[name] ?? (() => ZEROS[kind]), 'extra');
  return [
    ...ROWS.map(made),
    column('segments.count', ['sc', 'segmentsCount'], 'segments', ({ segments }) => segments, 'extra'),
    ...segments,
    ...LATE.map(made),
  ];
}

/** `query_cache.memory_size` → `queryCacheMemorySize`. */
function camel(name: string): string {
  return name.replace(/[._](.)/g, (_, letter: string) => letter.toUpperCase());
}
