// `_cat/aliases`, `_cat/templates`, `_cat/count` and `_cat/health`.

import { type IndexInfo, illegalArgument, isObject, plainText } from '@octavo/engine';
import { matchesAnyWildcard } from '../../patterns/wildcard.ts';
import { type FoundAlias, findAliases } from '../aliases/get-aliases.ts';
import { activePercent, type Health, healthOfAll } from '../cluster/health.ts';
import { statsOf } from '../indices/index-stats.ts';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import { HIDDEN_SCOPE, indicesOf, SHARD_SCOPE } from '../resolve/scope.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { COMPOSABLE_KIND, LEGACY_KIND, stringList } from '../templates/template-store.ts';
import { printTable, TABLE_PARAMS, type TableColumn } from './table.ts';

const ALIAS_COLUMNS: readonly TableColumn<FoundAlias>[] = [
  { name: 'alias', aliases: ['a'], meaning: 'name of the alias', cell: ({ alias }) => alias },
  { name: 'index', aliases: ['i', 'idx'], meaning: 'index it stands for', cell: ({ info }) => info.name },
  {
    name: 'filter',
    aliases: ['f', 'fi'],
    meaning: '* where it filters',
    cell: ({ spec }) => (spec.filter === undefined ? '-' : '*'),
  },
  {
    name: 'routing.index',
    aliases: ['ri', 'routingIndex'],
    meaning: 'routing of writes',
    cell: ({ spec }) => spec.indexRouting ?? '-',
  },
  {
    name: 'routing.search',
    aliases: ['rs', 'routingSearch'],
    meaning: 'routing of searches',
    cell: ({ spec }) => spec.searchRouting ?? '-',
  },
  {
    name: 'is_write_index',
    aliases: ['w', 'isWriteIndex'],
    meaning: 'whether writes go to this index',
    cell: ({ spec }) => (spec.isWriteIndex === undefined ? '-' : String(spec.isWriteIndex)),
  },
];

function catAliases(call: Call, services: Services): Promise<Reply> {
  return printTable(call, ALIAS_COLUMNS, () =>
    findAliases(indicesOf(call, services, HIDDEN_SCOPE), call.path['name']?.split(',')),
  );
}

interface TemplateRow {
  readonly name: string;
  readonly patterns: readonly string[];
  readonly order: string;
  readonly version: string | null;
  readonly composedOf: string;
}

const TEMPLATE_COLUMNS: readonly TableColumn<TemplateRow>[] = [
  { name: 'name', aliases: ['n'], meaning: 'name of the template', cell: ({ name }) => name },
  {
    name: 'index_patterns',
    aliases: ['t'],
    meaning: 'names of indices that it fits',
    cell: ({ patterns }) => `[${patterns.join(', ')}]`,
  },
  { name: 'order', aliases: ['o', 'p'], meaning: 'order or priority', cell: ({ order }) => order },
  {
    name: 'version',
    aliases: ['v'],
    meaning: 'version that its author gave',
    cell: ({ version }) => version,
  },
  {
    name: 'composed_of',
    aliases: ['c'],
    meaning: 'component templates',
    cell: ({ composedOf }) => composedOf,
  },
];

function catTemplates(call: Call, { engine }: Services): Promise<Reply> {
  const patterns = call.path['name']?.split(',');
  const rowsOf = (kind: string, orderKey: string): TemplateRow[] =>
    [...engine.settings.list(kind)].flatMap(([name, stored]) => {
      if (!isObject(stored) || (patterns !== undefined && !matchesAnyWildcard(patterns, name))) return [];
      return {
        name,
        patterns: stringList(stored['index_patterns']),
        order: plainText(stored[orderKey] ?? (kind === LEGACY_KIND ? 0 : '')),
        version: stored['version'] === undefined ? null : plainText(stored['version']),
        composedOf: kind === LEGACY_KIND ? '' : `[${stringList(stored['composed_of']).join(', ')}]`,
      };
    });
  return printTable(call, TEMPLATE_COLUMNS, () => [
    ...rowsOf(LEGACY_KIND, 'order'),
    ...rowsOf(COMPOSABLE_KIND, 'priority'),
  ]);
}

/** A row with its time. */
interface Stamped {
  readonly at: Date;
}

const STAMP: readonly TableColumn<Stamped>[] = [
  {
    name: 'epoch',
    aliases: ['t', 'time'],
    meaning: 'seconds since 1970',
    cell: ({ at }) => Math.floor(at.getTime() / 1000),
  },
  {
    name: 'timestamp',
    aliases: ['ts', 'hms', 'hhmmss'],
    meaning: 'time of day, UTC',
    cell: ({ at }) => at.toISOString().slice(11, 19),
  },
];

const COUNT_COLUMNS: readonly TableColumn<Stamped & { readonly count: number }>[] = [
  ...STAMP,
  {
    name: 'count',
    aliases: ['dc', 'docs.count', 'docsCount'],
    meaning: 'documents',
    cell: ({ count }) => count,
  },
];

function catCount(call: Call, services: Services): Promise<Reply> {
  if (call.hasBody)
    throw illegalArgument(`request [${call.method} ${call.uri}] does not support having a body`);
  return printTable(call, COUNT_COLUMNS, () => {
    const infos: readonly IndexInfo[] = indicesOf(call, services, SHARD_SCOPE);
    const count = infos.reduce((sum, info) => sum + statsOf(services.engine, info).docCount, 0);
    return [{ at: new Date(), count }];
  });
}

interface HealthRow extends Stamped {
  readonly health: Health;
  readonly cluster: string;
}

/** A column of numbers. */
function number(
  name: string,
  aliases: readonly string[],
  meaning: string,
  cell: TableColumn<HealthRow>['cell'],
): TableColumn<HealthRow> {
  return { name, aliases, meaning, right: true, cell };
}

const HEALTH_COLUMNS: readonly TableColumn<HealthRow>[] = [
  { name: 'cluster', aliases: ['cl'], meaning: 'name of the cluster', cell: ({ cluster }) => cluster },
  { name: 'status', aliases: ['st'], meaning: 'green, yellow or red', cell: ({ health }) => health.status },
  number('node.total', ['nt', 'nodeTotal'], 'nodes', () => 1),
  number('node.data', ['nd', 'nodeData'], 'nodes that hold data', () => 1),
  number(
    'discovered_cluster_manager',
    ['dcm', 'dm', 'discovered_master'],
    'whether there is a manager',
    () => true,
  ),
  number(
    'shards',
    ['t', 'sh', 'shards.total', 'shardsTotal'],
    'shards that are there',
    ({ health }) => health.primaries,
  ),
  number('pri', ['p', 'shards.primary', 'shardsPrimary'], 'primary shards', ({ health }) => health.primaries),
  number('relo', ['r', 'shards.relocating', 'shardsRelocating'], 'shards that move', () => 0),
  number('init', ['i', 'shards.initializing', 'shardsInitializing'], 'shards that start', () => 0),
  number(
    'unassign',
    ['u', 'shards.unassigned', 'shardsUnassigned'],
    'copies without a place',
    ({ health }) => health.unassigned,
  ),
  number('pending_tasks', ['pt', 'pendingTasks'], 'tasks that wait', () => 0),
  number('max_task_wait_time', ['mtwt', 'maxTaskWaitTime'], 'longest wait of a task', () => '-'),
  number(
    'active_shards_percent',
    ['asp', 'activeShardsPercent'],
    'shards that are there, in percent of those asked for',
    ({ health }) => `${activePercent(health).toFixed(1)}%`,
  ),
];

function catHealth(call: Call, services: Services): Promise<Reply> {
  const stamp = call.params.boolean('ts') === false ? [] : STAMP;
  const isOpenSearch = services.options.compat === 'opensearch';
  const columns = [...stamp, ...HEALTH_COLUMNS].filter(
    ({ name }) => isOpenSearch || name !== 'discovered_cluster_manager',
  );
  return printTable(call, columns, () => {
    const health = healthOfAll(indicesOf(call, services, HIDDEN_SCOPE));
    return [{ at: new Date(), health, cluster: services.options.clusterName }];
  });
}

const PARAMS = [...TABLE_PARAMS, ...RESOLVE_PARAMS];

/** The rows of this family. */
export const catCatalogRoutes: readonly Route[] = [
  ...['/_cat/aliases', '/_cat/aliases/{name}'].map(
    (path): Route => ({ methods: ['GET'], path, params: PARAMS, handle: catAliases }),
  ),
  ...['/_cat/templates', '/_cat/templates/{name}'].map(
    (path): Route => ({ methods: ['GET'], path, params: TABLE_PARAMS, handle: catTemplates }),
  ),
  ...['/_cat/count', '/_cat/count/{index}'].map(
    // The clients of Elasticsearch 9.3 and later send POST.
    (path): Route => ({ methods: ['GET', 'POST'], path, params: PARAMS, handle: catCount }),
  ),
  { methods: ['GET'], path: '/_cat/health', params: TABLE_PARAMS, handle: catHealth },
];
