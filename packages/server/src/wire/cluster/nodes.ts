// The `_nodes`, `_nodes/stats` and `_cluster/stats` endpoints: one node, with the sections that clients and
// benchmark tools read.

import { platform } from 'node:os';
import { illegalArgument } from '@octavo/engine';
import { double } from '../../json/number-text.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { matchesAnyWildcard } from '../../patterns/wildcard.ts';
import { METRICS, statsOf, statsSections, sumStats } from '../indices/index-stats.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { analysisUsage } from './analysis-usage.ts';
import { healthOfAll } from './health.ts';
import { clusterUuid, versionNumber } from './identity.ts';
import {
  heapStats,
  type Machine,
  memorySection,
  osInfo,
  osStats,
  processStats,
  readMachine,
} from './machine.ts';

/** Roles of the node, as the product calls them. */
export function rolesOf(compat: 'opensearch' | 'elasticsearch'): string[] {
  return compat === 'opensearch' ? ['cluster_manager', 'data'] : ['data', 'master'];
}

/** Host and port of the request. */
export function requestAddress(call: Call): string {
  const host = call.headers['host'];
  return typeof host === 'string' && host !== '' ? host : '127.0.0.1:9200';
}

type Section = (call: Call, services: Services, now: Machine) => ReplyObject;

const INFO: Readonly<Record<string, Section>> = {
  settings: (_, { options }) => ({
    cluster: {
      name: options.clusterName,
      ...(options.compat === 'elasticsearch' && { election: { strategy: 'single-node' } }),
    },
    http: { type: 'node' },
    transport: { type: 'none' },
    node: { name: options.nodeName, roles: rolesOf(options.compat), attr: {} },
    path: { home: '.', logs: '.' },
    client: { type: 'node' },
  }),
  os: (_call, _services, now) => osInfo(now),
  process: () => ({ refresh_interval_in_millis: 1000, id: process.pid, mlockall: false }),
  jvm: (_call, _services, now) => ({
    pid: process.pid,
    version: process.version.slice(1),
    vm_name: 'node',
    vm_version: process.versions.v8,
    vm_vendor: 'Node.js',
    bundled_jdk: false,
    using_bundled_jdk: false,
    start_time_in_millis: Date.now() - now.uptimeMillis,
    mem: {
      heap_init_in_bytes: now.heapTotal,
      heap_max_in_bytes: now.heapTotal,
      non_heap_init_in_bytes: 0,
      non_heap_max_in_bytes: 0,
      direct_max_in_bytes: 0,
    },
    gc_collectors: [],
    memory_pools: [],
    input_arguments: [],
  }),
  thread_pool: () => ({}),
  transport: () => ({ bound_address: ['127.0.0.1:9300'], publish_address: '127.0.0.1:9300', profiles: {} }),
  http: (call, { limits }) => ({
    bound_address: [requestAddress(call)],
    publish_address: requestAddress(call),
    max_content_length_in_bytes: limits.bodyBytes,
  }),
  plugins: () => ({}),
  ingest: () => ({ processors: [] }),
  aggregations: () => ({}),
  indices: () => ({}),
};

const STATS: Readonly<Record<string, Section>> = {
  indices: (call, { engine, options }) => {
    const all = engine.indices.names().flatMap((name) => {
      const info = engine.indices.info(name);
      return info === undefined ? [] : [statsOf(engine, info)];
    });
    return statsSections(sumStats(all), indexMetricsOf(call), options.compat);
  },
  os: (_call, _services, now) => osStats(now),
  process: (_call, _services, now) => processStats(now),
  jvm: (_call, _services, now) => heapStats(now),
  thread_pool: () =>
    Object.fromEntries(
      ['search', 'write', 'get', 'generic', 'management', 'refresh', 'flush', 'force_merge'].map((name) => [
        name,
        { threads: 1, queue: 0, active: 0, rejected: 0, largest: 1, completed: 0 },
      ]),
    ),
  fs: () => ({
    timestamp: Date.now(),
    total: { total_in_bytes: 0, free_in_bytes: 0, available_in_bytes: 0 },
    data: [],
  }),
  transport: () => ({
    server_open: 0,
    rx_count: 0,
    rx_size_in_bytes: 0,
    tx_count: 0,
    tx_size_in_bytes: 0,
  }),
  http: (_call, { connections: { counts } }) => ({
    current_open: counts.open,
    total_opened: counts.opened,
    dropped: counts.dropped,
  }),
  breaker: () => ({}),
  script: () => ({ compilations: 0, cache_evictions: 0, compilation_limit_triggered: 0 }),
  discovery: () => ({}),
  ingest: () => ({ total: { count: 0, time_in_millis: 0, current: 0, failed: 0 }, pipelines: {} }),
  adaptive_selection: () => ({}),
};

/** What an Elasticsearch says of its build beside its version. */
const ELASTIC_BUILD: ReplyObject = {
  build_flavor: 'default',
  component_versions: {},
  transport_version: 8_000_000,
  index_version: 8_000_000,
};

/** Metrics that are lists in the reply of `_nodes`. */
const LISTS = new Set(['plugins']);

/** Metrics of the peer that do not apply to this server; they are left out of the reply. */
const SILENT = new Set([
  ...[
    'script_cache',
    'indexing_pressure',
    'shard_indexing_pressure',
    'search_backpressure',
    'cluster_manager_throttling',
  ],
  ...[
    'weighted_routing',
    'file_cache',
    'task_cancellation',
    'search_pipelines',
    'resource_usage_stats',
    'repositories',
  ],
  ...['admission_control', 'caches', 'segment_replication_backpressure', 'remote_store'],
]);

/** True if a node expression (`_local`, id, name, `_all`, patterns, roles) names this node. */
function namesThisNode(expression: string | undefined, { nodeId, options }: Services): boolean {
  if (expression === undefined) return true;
  return expression.split(',').some((part) => {
    if (['_all', '_local', '_master', '_cluster_manager', '*'].includes(part)) return true;
    if (['data:true', 'master:true', 'cluster_manager:true'].includes(part)) return true;
    return (
      matchesAnyWildcard([part], nodeId) ||
      matchesAnyWildcard([part], options.nodeName) ||
      part === '127.0.0.1'
    );
  });
}

function reply(services: Services, node: ReplyObject | undefined): Reply {
  const count = node === undefined ? 0 : 1;
  return {
    body: {
      _nodes: { total: count, successful: count, failed: 0 },
      cluster_name: services.options.clusterName,
      nodes: node === undefined ? {} : { [services.nodeId]: node },
    },
  };
}

function metricsOf(call: Call, known: Readonly<Record<string, Section>>): string[] {
  const requested = call.path['metric']?.split(',');
  if (requested === undefined || requested.includes('_all')) return Object.keys(known);
  const unknown = requested.find((name) => !Object.hasOwn(known, name) && !SILENT.has(name));
  if (unknown !== undefined)
    throw illegalArgument(`request [${call.uri}] contains unrecognized metric: [${unknown}]`);
  return requested.filter((name) => Object.hasOwn(known, name));
}

/** The requested sections of `indices`; undefined for all sections. */
function indexMetricsOf({ path, uri }: Call): ReadonlySet<string> | undefined {
  const requested = path['index_metric']?.split(',');
  if (requested === undefined || requested.includes('_all')) return undefined;
  const unknown = requested.find((name) => !METRICS.includes(name));
  if (unknown !== undefined)
    throw illegalArgument(`request [${uri}] contains unrecognized index metric: [${unknown}]`);
  return new Set(requested);
}

function nodesInfo(call: Call, services: Services): Reply {
  // `/_nodes/{x}`: a metric where x is one, a node expression otherwise.
  const single = call.path['either'];
  const isMetric = single?.split(',').every((part) => Object.hasOwn(INFO, part)) === true;
  const requested =
    single === undefined || !isMetric ? call : { ...call, uri: call.uri, path: { metric: single } };
  const metrics = single !== undefined && !isMetric ? Object.keys(INFO) : metricsOf(requested, INFO);
  if (!namesThisNode(isMetric ? undefined : (single ?? call.path['node']), services))
    return reply(services, undefined);
  const now = readMachine();
  const { options } = services;
  const node: ReplyObject = {
    name: options.nodeName,
    transport_address: '127.0.0.1:9300',
    host: '127.0.0.1',
    ip: '127.0.0.1',
    version: versionNumber(options.compat),
    build_type: 'tar',
    build_hash: 'unknown',
    ...(options.compat === 'elasticsearch' && ELASTIC_BUILD),
    ...(showsIndexingBuffer(requested) ? { total_indexing_buffer_in_bytes: 0 } : {}),
    roles: rolesOf(options.compat),
    attributes: {},
  };
  for (const name of metrics) node[name] = LISTS.has(name) ? [] : INFO[name]!(call, services, now);
  return reply(services, node);
}

/** The buffer belongs to the metric `indices`. */
function showsIndexingBuffer({ path }: Call): boolean {
  const metrics = path['metric']?.split(',');
  return metrics === undefined || metrics.includes('_all') || metrics.includes('indices');
}

function nodesStats(call: Call, services: Services): Reply {
  const metrics = metricsOf(call, STATS);
  const { index_metric: part } = call.path;
  if (part !== undefined && !metrics.includes('indices'))
    throw illegalArgument(
      `request [${call.uri}] contains index metrics [${part}] but indices stats not requested`,
    );
  if (!namesThisNode(call.path['node'], services)) return reply(services, undefined);
  const now = readMachine();
  const node: ReplyObject = {
    timestamp: Date.now(),
    name: services.options.nodeName,
    transport_address: '127.0.0.1:9300',
    host: '127.0.0.1',
    ip: '127.0.0.1:9300',
    roles: rolesOf(services.options.compat),
    attributes: {},
  };
  for (const name of metrics)
    node[name === 'breaker' ? 'breakers' : name] = STATS[name]!(call, services, now);
  return reply(services, node);
}

function clusterStats(_: Call, services: Services): Reply {
  const { engine, options } = services;
  const infos = engine.indices.names().flatMap((name) => engine.indices.info(name) ?? []);
  const sum = sumStats(infos.map((info) => statsOf(engine, info)));
  const now = readMachine();
  const health = healthOfAll(infos);
  return {
    body: {
      _nodes: { total: 1, successful: 1, failed: 0 },
      cluster_name: options.clusterName,
      cluster_uuid: clusterUuid(services),
      timestamp: Date.now(),
      status: health.status,
      indices: {
        count: infos.length,
        shards: { total: health.primaries, primaries: health.primaries, replication: double(0) },
        ...statsSections(
          sum,
          new Set(['docs', 'store', 'fielddata', 'query_cache', 'completion', 'segments']),
          options.compat,
        ),
        analysis: {
          ...analysisUsage(infos),
          ...(options.compat === 'elasticsearch' && { synonyms: {} }),
        },
      },
      nodes: {
        count: {
          total: 1,
          ...(options.compat === 'opensearch' && { cluster_manager: 1 }),
          coordinating_only: 0,
          data: 1,
          ingest: 0,
          master: 1,
          remote_cluster_client: 0,
        },
        versions: [versionNumber(options.compat)],
        os: {
          available_processors: now.processors,
          allocated_processors: now.processors,
          names: [{ name: platform(), count: 1 }],
          pretty_names: [{ pretty_name: platform(), count: 1 }],
          mem: memorySection(now),
        },
        jvm: {
          max_uptime_in_millis: now.uptimeMillis,
          mem: { heap_used_in_bytes: now.heapUsed, heap_max_in_bytes: now.heapTotal },
          threads: 1,
        },
        plugins: [],
      },
    },
  };
}

const NODE_PARAMS = ['timeout', 'flat_settings'];
const STATS_PARAMS = [
  'timeout',
  'level',
  'types',
  'groups',
  'fields',
  'completion_fields',
  'fielddata_fields',
  'include_segment_file_sizes',
];

/** The rows of this family. */
export const nodeRoutes: readonly Route[] = [
  ...['/_nodes', '/_nodes/{either}', '/_nodes/{node}/{metric}'].map(
    (path): Route => ({ methods: ['GET'], path, params: NODE_PARAMS, handle: nodesInfo }),
  ),
  ...['/_nodes/stats', '/_nodes/{node}/stats'].flatMap((path) =>
    [path, `${path}/{metric}`, `${path}/{metric}/{index_metric}`].map(
      (path): Route => ({ methods: ['GET'], path, params: STATS_PARAMS, handle: nodesStats }),
    ),
  ),
  ...['/_cluster/stats', '/_cluster/stats/nodes/{node}'].map(
    (path): Route => ({ methods: ['GET'], path, params: ['timeout', 'flat_settings'], handle: clusterStats }),
  ),
];
