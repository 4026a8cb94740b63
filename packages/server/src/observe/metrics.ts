// How busy is the server? Counters for Prometheus: requests by route and status, times, the event loop, the stores. No
// label ever holds an id, so that their number is bounded by the number of routes.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Engine } from '@octavo/engine';
import type { Records } from '@octavo/records';
import type { Metric, Registry } from 'prom-client';
import { type AnsweredRequest, type MetricSample, RequestCounters } from './request-counters.ts';

/** Counters of the client of a cluster since the start. */
export interface ClusterFigures {
  readonly nodes: number;
  readonly available: number;
  readonly running: number;
  readonly requests: number;
  /** Requests that were repeated on another node. */
  readonly retries: number;
  /** Bytes of answers being received. */
  readonly bufferedBytes: number;
}

/** Figures of one server. */
export interface Metrics {
  count(request: AnsweredRequest): void;
  /** All figures in the text format of Prometheus. */
  text(): Promise<string>;
  close(): void;
}

/** What is asked when somebody scrapes. */
export interface MetricSources {
  readonly engine: Engine;
  /** Where the documents are, if not in the engine. */
  readonly cluster?: { readonly figures: ClusterFigures } | undefined;
  readonly records: Records | undefined;
  /** Over a cluster: writes whose events the records do not take now. */
  readonly eventsWaiting: () => number;
  /** Over a cluster: writes whose events will never be told. */
  readonly eventsLost: () => number;
  readonly connections: () => number;
}

const SECONDS: number[] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'QUERY',
]);

/** The figures of a server; close them with it. */
export function createMetrics(sources: MetricSources): Metrics {
  const counters = new RequestCounters(SECONDS);
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let registry: Promise<Registry> | undefined;
  return {
    count: (request) => counters.add(METHODS.has(request.method) ? request : { ...request, method: 'other' }),
    text: async () => await (await (registry ??= createRegistry(sources, counters, delay))).metrics(),
    close: () => void delay.disable(),
  };
}

/** The metrics behind the text: made when somebody scrapes, because a start can do without prom-client. */
async function createRegistry(
  sources: MetricSources,
  counters: RequestCounters,
  delay: ReturnType<typeof monitorEventLoopDelay>,
): Promise<Registry> {
  const { Gauge, Registry: Metrics } = await import('prom-client');
  const registry = new Metrics();
  const registers = [registry];
  register(registry, {
    name: 'octavo_http_requests_total',
    help: 'Answered requests.',
    type: 'counter',
    values: () => counters.counts(),
  });
  register(registry, {
    name: 'octavo_http_request_duration_seconds',
    help: 'From the first byte of the request to the last of the answer.',
    type: 'histogram',
    values: () => counters.times('octavo_http_request_duration_seconds'),
  });
  for (const [name, help, read] of gauges(sources)) {
    // What only ever grows is a counter, and its name says so.
    if (name.endsWith('_total'))
      register(registry, { name, help, type: 'counter', values: () => [{ labels: {}, value: read() }] });
    else
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
  }
  new Gauge({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'Delay of the event loop since the last scrape, by quantile.',
    labelNames: ['quantile'],
    registers,
    collect() {
      for (const quantile of [50, 90, 99])
        this.set({ quantile: String(quantile / 100) }, delay.percentile(quantile) / 1e9);
      delay.reset();
    },
  });
  return registry;
}

/** Adds a metric whose figures are kept here. prom-client asks metrics for no more than `get`. */
function register(
  registry: Registry,
  metric: { name: string; help: string; type: string; values: () => MetricSample[] },
): void {
  const { name, help, type, values } = metric;
  const own = { name, get: async () => ({ name, help, type, values: values(), aggregator: 'sum' }) };
  registry.registerMetric(own as unknown as Metric);
}

/** A figure by its name in Prometheus. */
type MetricRow = readonly [name: string, help: string, read: () => number];

function gauges({ engine, cluster, records, connections, ...events }: MetricSources): MetricRow[] {
  const own: MetricRow[] = [
    ['octavo_connections', 'Open connections.', connections],
    ...(cluster === undefined ? engineRows(engine) : clusterRows(cluster, events)),
    ['process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss()],
    ['process_cpu_seconds_total', 'User and system time.', cpuSeconds],
    ['process_start_time_seconds', 'When the process started.', () => Date.now() / 1000 - process.uptime()],
  ];
  if (records === undefined) return own;
  return [
    ...own,
    ['octavo_records_waiting', 'Calls that wait for the records.', () => records.waiting?.() ?? 0],
    ['octavo_records_last_event', 'The position of the last event.', () => Number(records.lastEvent())],
  ];
}

function engineRows(engine: Engine): MetricRow[] {
  return [
    ['octavo_indices', 'Indices.', () => engine.indices.names().length],
    ['octavo_documents', 'Living documents of all indices.', () => documentsOf(engine)],
    ['octavo_commit', 'The number of the last commit of documents.', () => engine.snapshot()],
  ];
}

function clusterRows(
  cluster: { readonly figures: ClusterFigures },
  { eventsWaiting, eventsLost }: Pick<MetricSources, 'eventsWaiting' | 'eventsLost'>,
): MetricRow[] {
  return [
    ['octavo_cluster_nodes', 'Nodes of the cluster that were named.', () => cluster.figures.nodes],
    ['octavo_cluster_nodes_awake', 'Those that are not set aside.', () => cluster.figures.available],
    ['octavo_cluster_running', 'Requests to the cluster that run or wait.', () => cluster.figures.running],
    ['octavo_cluster_requests_total', 'Requests to the cluster.', () => cluster.figures.requests],
    ['octavo_cluster_retries_total', 'Those that were sent to another node.', () => cluster.figures.retries],
    ['octavo_cluster_events_waiting', 'Writes whose events the records do not take now.', eventsWaiting],
    ['octavo_cluster_events_lost_total', 'Writes that nobody is told of: the records had moved.', eventsLost],
  ];
}

function documentsOf(engine: Engine): number {
  let sum = 0;
  for (const name of engine.indices.names()) sum += engine.indices.stats(name).docCount;
  return sum;
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
