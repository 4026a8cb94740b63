// `_cat/nodes`, `_cat/cluster_manager`, `_cat/plugins` and `_cat/thread_pool`: tables with the one node.

import { versionNumber } from '../cluster/identity.ts';
import { type Machine, percent, readMachine, round } from '../cluster/machine.ts';
import { requestAddress, rolesOf } from '../cluster/nodes.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { printTable, TABLE_PARAMS, type TableColumn } from './table.ts';

interface Node {
  readonly services: Services;
  readonly address: string;
  readonly now: Machine;
}

function nodes(call: Call, services: Services): Node[] {
  return [{ services, address: requestAddress(call), now: readMachine() }];
}

const used = ({ now }: Node): number => now.memoryTotal - now.memoryFree;

const NODE_COLUMNS: readonly TableColumn<Node>[] = [
  {
    name: 'id',
    aliases: ['id', 'nodeId'],
    meaning: 'id of the node',
    extra: true,
    // Four characters, as with the peer.
    cell: ({ services }) => services.nodeId.slice(0, 4),
  },
  { name: 'pid', aliases: ['p'], meaning: 'process id', extra: true, cell: () => process.pid },
  { name: 'ip', aliases: ['i'], meaning: 'address', cell: () => '127.0.0.1' },
  { name: 'port', aliases: ['po'], meaning: 'port between nodes', extra: true, cell: () => 9300 },
  {
    name: 'http_address',
    aliases: ['http'],
    meaning: 'address of HTTP',
    extra: true,
    cell: ({ address }) => address,
  },
  {
    name: 'version',
    aliases: ['v'],
    meaning: 'version',
    extra: true,
    cell: ({ services }) => versionNumber(services.options.compat),
  },
  { name: 'type', aliases: ['t'], meaning: 'kind of build', extra: true, cell: () => 'tar' },
  { name: 'build', aliases: ['b'], meaning: 'hash of the build', extra: true, cell: () => 'unknown' },
  {
    name: 'heap.current',
    aliases: ['hc', 'heapCurrent'],
    meaning: 'heap in use',
    right: true,
    extra: true,
    cell: ({ now }) => ({ bytes: now.heapUsed }),
  },
  {
    name: 'heap.percent',
    aliases: ['hp', 'heapPercent'],
    meaning: 'heap in use, in percent',
    right: true,
    cell: ({ now }) => percent(now.heapUsed, now.heapTotal),
  },
  {
    name: 'heap.max',
    aliases: ['hm', 'heapMax'],
    meaning: 'heap there is',
    right: true,
    extra: true,
    cell: ({ now }) => ({ bytes: now.heapTotal }),
  },
  {
    name: 'ram.current',
    aliases: ['rc', 'ramCurrent'],
    meaning: 'memory of the machine in use',
    right: true,
    extra: true,
    cell: (row) => ({ bytes: used(row) }),
  },
  {
    name: 'ram.percent',
    aliases: ['rp', 'ramPercent'],
    meaning: 'memory of the machine in use, in percent',
    right: true,
    cell: (row) => percent(used(row), row.now.memoryTotal),
  },
  {
    name: 'ram.max',
    aliases: ['rm', 'ramMax'],
    meaning: 'memory of the machine',
    right: true,
    extra: true,
    cell: ({ now }) => ({ bytes: now.memoryTotal }),
  },
  {
    name: 'cpu',
    aliases: ['cpu'],
    meaning: 'load in percent of the processors',
    right: true,
    cell: ({ now }) => Math.min(100, percent(now.load[0], now.processors)),
  },
  ...([1, 5, 15] as const).map(
    (minutes, at): TableColumn<Node> => ({
      name: `load_${minutes}m`,
      aliases: ['l'],
      meaning: `load over ${minutes} minutes`,
      right: true,
      cell: ({ now }) => round(now.load[at]!).toFixed(2),
    }),
  ),
  {
    name: 'uptime',
    aliases: ['u'],
    meaning: 'time since the start',
    right: true,
    extra: true,
    cell: ({ now }) => ({ millis: now.uptimeMillis }),
  },
  { name: 'node.role', aliases: ['r', 'role', 'nodeRole'], meaning: 'd: data, m: manager', cell: () => 'dm' },
  {
    name: 'node.roles',
    aliases: ['rs', 'allroles'],
    meaning: 'roles',
    cell: ({ services }) => rolesOf(services.options.compat).join(','),
  },
  { name: 'cluster_manager', aliases: ['cm', 'm', 'master'], meaning: '* for the manager', cell: () => '*' },
  { name: 'name', aliases: ['n'], meaning: 'name', cell: ({ services }) => services.options.nodeName },
];

/** The columns of a product: Elasticsearch has one for the roles, and its own name for the manager. */
function nodeColumns({ options }: Services): readonly TableColumn<Node>[] {
  if (options.compat === 'opensearch') return NODE_COLUMNS;
  return NODE_COLUMNS.filter(({ name }) => name !== 'node.roles').map((column) =>
    column.name === 'cluster_manager' ? { ...column, name: 'master', aliases: ['m'] } : column,
  );
}

const MANAGER_COLUMNS: readonly TableColumn<Node>[] = [
  { name: 'id', aliases: [], meaning: 'id of the node', cell: ({ services }) => services.nodeId },
  { name: 'host', aliases: ['h'], meaning: 'host', cell: () => '127.0.0.1' },
  { name: 'ip', aliases: [], meaning: 'address', cell: () => '127.0.0.1' },
  {
    name: 'node',
    aliases: ['n'],
    meaning: 'name of the node',
    cell: ({ services }) => services.options.nodeName,
  },
];

/** The columns of an empty table: there are no plugins. */
const PLUGIN_COLUMNS: readonly TableColumn<Node>[] = [
  { name: 'id', aliases: [], meaning: 'id of the node', extra: true, cell: () => '' },
  { name: 'name', aliases: ['n'], meaning: 'name of the node', cell: () => '' },
  { name: 'component', aliases: ['c'], meaning: 'plugin', cell: () => '' },
  { name: 'version', aliases: ['v'], meaning: 'version of the plugin', cell: () => '' },
  { name: 'description', aliases: ['d'], meaning: 'what the plugin does', extra: true, cell: () => '' },
];

const POOLS = [
  'analyze',
  'flush',
  'force_merge',
  'generic',
  'get',
  'management',
  'refresh',
  'search',
  'write',
];

interface Pool {
  readonly name: string;
  readonly services: Services;
}

const POOL_COLUMNS: readonly TableColumn<Pool>[] = [
  {
    name: 'node_name',
    aliases: ['nn'],
    meaning: 'name of the node',
    cell: ({ services }) => services.options.nodeName,
  },
  {
    name: 'node_id',
    aliases: ['id'],
    meaning: 'id of the node',
    extra: true,
    cell: ({ services }) => services.nodeId,
  },
  { name: 'pid', aliases: ['p'], meaning: 'process id', extra: true, cell: () => process.pid },
  { name: 'host', aliases: ['h'], meaning: 'host', extra: true, cell: () => '127.0.0.1' },
  { name: 'ip', aliases: ['i'], meaning: 'address', extra: true, cell: () => '127.0.0.1' },
  { name: 'port', aliases: ['po'], meaning: 'port between nodes', extra: true, cell: () => 9300 },
  { name: 'name', aliases: ['n'], meaning: 'kind of work', cell: ({ name }) => name },
  { name: 'type', aliases: ['t'], meaning: 'kind of pool', extra: true, cell: () => 'fixed' },
  ...(
    [
      ['active', 'a', 'threads at work', false],
      ['pool_size', 'psz', 'threads', true],
      ['queue', 'q', 'requests that wait', false],
      ['queue_size', 'qs', 'requests that may wait', true],
      ['rejected', 'r', 'requests refused', false],
      ['largest', 'l', 'most threads ever at work', true],
      ['completed', 'c', 'requests done', true],
    ] as const
  ).map(
    ([name, short, meaning, isExtra]): TableColumn<Pool> => ({
      name,
      aliases: [short],
      meaning,
      right: true,
      ...(isExtra && { extra: true }),
      cell: () => 0,
    }),
  ),
];

function catPools(call: Call, services: Services): Promise<Reply> {
  const requested = call.path['pools']?.split(',');
  return printTable(call, POOL_COLUMNS, () =>
    POOLS.filter((name) => requested === undefined || requested.includes(name)).map((name) => ({
      name,
      services,
    })),
  );
}

function catNodes(columns: readonly TableColumn<Node>[], rows: typeof nodes) {
  return (call: Call, services: Services): Promise<Reply> =>
    printTable(call, columns, () => rows(call, services));
}

const NODE_PARAMS = [...TABLE_PARAMS, 'full_id', 'timeout'];

/** The rows of this family. */
export const catNodesRoutes: readonly Route[] = [
  {
    methods: ['GET'],
    path: '/_cat/nodes',
    params: NODE_PARAMS,
    handle: (call, services) => catNodes(nodeColumns(services), nodes)(call, services),
  },
  ...['/_cat/cluster_manager', '/_cat/master'].map(
    (path): Route => ({
      methods: ['GET'],
      path,
      params: TABLE_PARAMS,
      handle: catNodes(MANAGER_COLUMNS, nodes),
    }),
  ),
  {
    methods: ['GET'],
    path: '/_cat/plugins',
    params: TABLE_PARAMS,
    handle: catNodes(PLUGIN_COLUMNS, () => []),
  },
  ...['/_cat/thread_pool', '/_cat/thread_pool/{pools}'].map(
    (path): Route => ({ methods: ['GET'], path, params: TABLE_PARAMS, handle: catPools }),
  ),
];
