// `_cat/indices`: one line an index.

import { type IndexInfo, type IndexStats, illegalArgument } from '@octavo/engine';
import { healthOf } from '../cluster/health.ts';
import { statsOf } from '../indices/index-stats.ts';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import { CATALOG_SCOPE, indicesOf, replicasOf, shardsOf } from '../resolve/scope.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { metricColumns, statsColumn } from './metric-columns.ts';
import { printTable, TABLE_PARAMS, type TableColumn } from './table.ts';

interface Row {
  readonly info: IndexInfo;
  readonly stats: IndexStats;
}

/** A closed index has no figures. */
const column = statsColumn<Row>(({ info, stats }) => (info.state === 'open' ? stats : undefined));

const OWN: readonly TableColumn<Row>[] = [
  {
    name: 'health',
    aliases: ['h'],
    meaning: 'green, yellow or red',
    cell: ({ info }) => healthOf(info).status,
  },
  { name: 'status', aliases: ['s'], meaning: 'open or close', cell: ({ info }) => info.state },
  { name: 'index', aliases: ['i', 'idx'], meaning: 'name', cell: ({ info }) => info.name },
  { name: 'uuid', aliases: ['id', 'uuid'], meaning: 'identity of this index', cell: ({ info }) => info.uuid },
  {
    name: 'pri',
    aliases: ['p', 'shards.primary', 'shardsPrimary'],
    meaning: 'primary shards',
    right: true,
    cell: ({ info }) => shardsOf(info),
  },
  {
    name: 'rep',
    aliases: ['r', 'shards.replica', 'shardsReplica'],
    meaning: 'replicas of each shard that are asked for',
    right: true,
    cell: ({ info }) => replicasOf(info),
  },
  column('docs.count', ['dc', 'docsCount'], 'documents', ({ docCount }) => docCount),
  column(
    'docs.deleted',
    ['dd', 'docsDeleted'],
    'older versions and deleted documents not merged away yet',
    ({ deletedCount }) => deletedCount,
  ),
  {
    name: 'creation.date',
    aliases: ['cd'],
    meaning: 'when it was created, in milliseconds since 1970',
    extra: true,
    cell: ({ info }) => info.createdAt,
  },
  {
    name: 'creation.date.string',
    aliases: ['cds'],
    meaning: 'when it was created',
    extra: true,
    cell: ({ info }) => new Date(info.createdAt).toISOString(),
  },
  column('store.size', ['ss', 'storeSize'], 'size on disk', ({ diskBytes }) => ({ bytes: diskBytes })),
  column('pri.store.size', [], 'size on disk of the primaries', ({ diskBytes }) => ({ bytes: diskBytes })),
];

const MORE: readonly TableColumn<Row>[] = [
  ...metricColumns(column, [
    column(
      'segments.memory',
      ['sm', 'segmentsMemory'],
      'memory of segments',
      ({ memoryBytes }) => ({ bytes: memoryBytes }),
      'extra',
    ),
  ]),
  column(
    'memory.total',
    ['tm', 'memoryTotal'],
    'memory of everything',
    ({ memoryBytes }) => ({ bytes: memoryBytes }),
    'extra',
  ),
];

/** Every figure has a column for all copies, and one with `pri.` for the primaries; both are the same here. */
const COLUMNS: readonly TableColumn<Row>[] = [
  ...OWN,
  ...MORE.flatMap((column) => [column, { ...column, name: `pri.${column.name}`, aliases: [] }]),
  {
    name: 'search.throttled',
    aliases: ['sth'],
    meaning: 'whether searches are slowed',
    extra: true,
    cell: () => false,
  },
];

function catIndices(call: Call, services: Services): Promise<Reply> {
  const health = call.params.string('health')?.toLowerCase();
  if (health !== undefined && !['green', 'yellow', 'red'].includes(health)) {
    throw illegalArgument(`unknown cluster health status [${health}]`);
  }
  return printTable(call, COLUMNS, () =>
    indicesOf(call, services, CATALOG_SCOPE)
      .filter((info) => health === undefined || healthOf(info).status === health)
      .map((info) => ({ info, stats: statsOf(services.engine, info) })),
  );
}

const PARAMS = [...TABLE_PARAMS, ...RESOLVE_PARAMS, 'health', 'pri', 'include_unloaded_segments'];

/** The rows of this family. */
export const catIndicesRoutes: readonly Route[] = ['/_cat/indices', '/_cat/indices/{index}'].map(
  (path): Route => ({ methods: ['GET'], path, params: PARAMS, handle: catIndices }),
);
