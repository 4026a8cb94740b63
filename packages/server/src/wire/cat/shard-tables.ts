// `_cat/shards`, `_cat/segments` and `_cat/allocation`: all shards are on this node; replicas have none.

import type { IndexInfo, IndexStats } from '@octavo/engine';
import { statsOf, sumStats } from '../indices/index-stats.ts';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import { HIDDEN_SCOPE, indicesOf, replicasOf, SHARD_SCOPE, shardsOf } from '../resolve/scope.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { metricColumns, statsColumn } from './metric-columns.ts';
import { printTable, TABLE_PARAMS, type TableColumn } from './table.ts';

const EMPTY = sumStats([]);

interface Shard {
  readonly info: IndexInfo;
  readonly shard: number;
  /** Undefined for a replica, which has no node. */
  readonly stats: IndexStats | undefined;
  readonly services: Services;
}

function shardsIn(infos: readonly IndexInfo[], services: Services): Shard[] {
  return infos.flatMap((info) => {
    const figures = statsOf(services.engine, info);
    return Array.from({ length: shardsOf(info) }, (_, shard) => {
      const primary: Shard = { info, shard, stats: shard === 0 ? figures : EMPTY, services };
      const replicas = Array.from({ length: replicasOf(info) }, () => ({ ...primary, stats: undefined }));
      return [primary, ...replicas];
    }).flat();
  });
}

const isHere = ({ stats }: Shard): boolean => stats !== undefined;

const column = statsColumn<Shard>(({ stats }) => stats);

const SHARD_COLUMNS: readonly TableColumn<Shard>[] = [
  { name: 'index', aliases: ['i', 'idx'], meaning: 'index', cell: ({ info }) => info.name },
  { name: 'shard', aliases: ['s', 'sh'], meaning: 'number of the shard', cell: ({ shard }) => shard },
  {
    name: 'prirep',
    aliases: ['p', 'pr', 'primaryOrReplica'],
    meaning: 'p for a primary, r for a replica',
    cell: (row) => (isHere(row) ? 'p' : 'r'),
  },
  {
    name: 'state',
    aliases: ['st'],
    meaning: 'STARTED, or UNASSIGNED where it has no place',
    cell: (row) => (isHere(row) ? 'STARTED' : 'UNASSIGNED'),
  },
  column('docs', ['d', 'dc'], 'documents', ({ docCount }) => docCount),
  column('store', ['sto'], 'size on disk', ({ diskBytes }) => ({ bytes: diskBytes })),
  {
    name: 'ip',
    aliases: [],
    meaning: 'address of the node',
    cell: (row) => (isHere(row) ? '127.0.0.1' : null),
  },
  {
    name: 'id',
    aliases: [],
    meaning: 'id of the node',
    extra: true,
    cell: (row) => (isHere(row) ? row.services.nodeId : null),
  },
  {
    name: 'node',
    aliases: ['n'],
    meaning: 'name of the node',
    cell: (row) => (isHere(row) ? row.services.options.nodeName : null),
  },
  {
    name: 'unassigned.reason',
    aliases: ['ur'],
    meaning: 'why a copy has no place',
    extra: true,
    cell: (row) => (isHere(row) ? null : 'INDEX_CREATED'),
  },
  ...metricColumns(column, []),
  column(
    'docs.deleted',
    ['dd', 'docsDeleted'],
    'older versions and deleted documents',
    ({ deletedCount }) => deletedCount,
    'extra',
  ),
];

const SEGMENT_COLUMNS: readonly TableColumn<Shard>[] = [
  ...SHARD_COLUMNS.slice(0, 3),
  { name: 'ip', aliases: [], meaning: 'address of the node', cell: () => '127.0.0.1' },
  {
    name: 'id',
    aliases: [],
    meaning: 'id of the node',
    extra: true,
    cell: ({ services }) => services.nodeId,
  },
  { name: 'segment', aliases: ['seg'], meaning: 'name of the segment', cell: () => '_0' },
  { name: 'generation', aliases: ['g', 'gen'], meaning: 'generation', right: true, cell: () => 0 },
  column('docs.count', ['dc', 'docsCount'], 'documents', ({ docCount }) => docCount),
  column(
    'docs.deleted',
    ['dd', 'docsDeleted'],
    'older versions and deleted documents',
    ({ deletedCount }) => deletedCount,
  ),
  column('size', ['si'], 'size on disk', ({ diskBytes }) => ({ bytes: diskBytes })),
  column('size.memory', ['sm', 'sizeMemory'], 'memory in bytes', ({ memoryBytes }) => memoryBytes),
  { name: 'committed', aliases: ['ic', 'isCommitted'], meaning: 'whether it is on disk', cell: () => true },
  {
    name: 'searchable',
    aliases: ['is', 'isSearchable'],
    meaning: 'whether it is searched',
    cell: () => true,
  },
  { name: 'version', aliases: ['v', 'ver'], meaning: 'version of the format', cell: () => '10.2.1' },
  { name: 'compound', aliases: ['ico', 'isCompound'], meaning: 'whether it is one file', cell: () => false },
];

interface Allocation {
  readonly shards: number;
  readonly bytes: number | undefined;
  readonly node: string;
}

const ALLOCATION_COLUMNS: readonly TableColumn<Allocation>[] = [
  {
    name: 'shards',
    aliases: ['s'],
    meaning: 'shards on the node',
    right: true,
    cell: ({ shards }) => shards,
  },
  {
    name: 'disk.indices',
    aliases: ['di', 'diskIndices'],
    meaning: 'disk used by indices',
    right: true,
    cell: ({ bytes }) => (bytes === undefined ? null : { bytes }),
  },
  ...(['disk.used', 'disk.avail', 'disk.total', 'disk.percent'] as const).map(
    (name): TableColumn<Allocation> => ({
      name,
      aliases: [
        `d${name[5]}`,
        name === 'disk.percent' ? 'diskPercent' : name.replace(/\.(.)/, (_, c: string) => c.toUpperCase()),
      ],
      meaning: 'figures of the whole disk, which this server does not measure',
      right: true,
      cell: () => null,
    }),
  ),
  {
    name: 'host',
    aliases: ['h'],
    meaning: 'host of the node',
    cell: ({ bytes }) => (bytes === undefined ? null : '127.0.0.1'),
  },
  {
    name: 'ip',
    aliases: [],
    meaning: 'address of the node',
    cell: ({ bytes }) => (bytes === undefined ? null : '127.0.0.1'),
  },
  { name: 'node', aliases: ['n'], meaning: 'name of the node', cell: ({ node }) => node },
];

function catShards(call: Call, services: Services): Promise<Reply> {
  return printTable(call, SHARD_COLUMNS, () => shardsIn(indicesOf(call, services, HIDDEN_SCOPE), services));
}

function catSegments(call: Call, services: Services): Promise<Reply> {
  return printTable(call, SEGMENT_COLUMNS, () =>
    shardsIn(indicesOf(call, services, SHARD_SCOPE), services).filter(
      ({ stats }) => (stats?.segments ?? 0) > 0,
    ),
  );
}

function catAllocation(call: Call, services: Services): Promise<Reply> {
  return printTable(call, ALLOCATION_COLUMNS, () => {
    const shards = shardsIn(indicesOf(call, services, HIDDEN_SCOPE), services);
    const here = shards.filter(isHere);
    const bytes = here.reduce((sum, { stats }) => sum + (stats?.diskBytes ?? 0), 0);
    const rows: Allocation[] = [{ shards: here.length, bytes, node: services.options.nodeName }];
    const homeless = shards.length - here.length;
    if (homeless > 0) rows.push({ shards: homeless, bytes: undefined, node: 'UNASSIGNED' });
    return rows;
  });
}

const PARAMS = [...TABLE_PARAMS, ...RESOLVE_PARAMS];

/** The rows of this family. */
export const catShardsRoutes: readonly Route[] = [
  ...['/_cat/shards', '/_cat/shards/{index}'].map(
    (path): Route => ({ methods: ['GET'], path, params: PARAMS, handle: catShards }),
  ),
  ...['/_cat/segments', '/_cat/segments/{index}'].map(
    (path): Route => ({ methods: ['GET'], path, params: PARAMS, handle: catSegments }),
  ),
  ...['/_cat/allocation', '/_cat/allocation/{node}'].map(
    (path): Route => ({ methods: ['GET'], path, params: PARAMS, handle: catAllocation }),
  ),
];
