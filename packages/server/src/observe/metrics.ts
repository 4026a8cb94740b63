// Metrics for Prometheus: requests by route and status, durations, event loop delay, stores. No label
// contains an id, so their number is bounded by the number of routes.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Engine } from '@octavo/engine';
import type { Records } from '@octavo/records';
import type { Metric, Registry } from 'prom-client';
import { type MetricName, SERVER_METRICS } from './metric-names.ts';
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

/** The metrics of one server. */
export interface Metrics {
  count(request: AnsweredRequest): void;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
  close(): void;
}

/** Read at each scrape. */
interface MetricSources {
  readonly engine: Engine;
  /** Set if the documents are in a cluster. */
  readonly cluster?: { readonly figures: ClusterFigures } | undefined;
  readonly records: Records | undefined;
  /** For a cluster: changes whose events wait for the records. */
  readonly eventsWaiting: () => number;
  /** For a cluster: changes whose events are lost. */
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

/** Created at the first scrape, so that a start need not load prom-client. */
async function createRegistry(
  sources: MetricSources,
  counters: RequestCounters,
  delay: ReturnType<typeof monitorEventLoopDelay>,
): Promise<Registry> {
  const { Gauge, Registry: Metrics } = await import('prom-client');
  const registry = new Metrics();
  const registers = [registry];
  register(registry, 'octavo_http_requests_total', () => counters.counts());
  register(registry, 'octavo_http_request_duration_seconds', () =>
    counters.times('octavo_http_request_duration_seconds'),
  );
  for (const [name, read] of singleValues(sources)) {
    if (SERVER_METRICS[name].type === 'counter')
      register(registry, name, () => [{ labels: {}, value: read() }]);
    else
      new Gauge({
        name,
        help: SERVER_METRICS[name].help,
        registers,
        collect() {
          this.set(read());
        },
      });
  }
  const lag: MetricName = 'nodejs_eventloop_lag_seconds';
  new Gauge({
    name: lag,
    help: SERVER_METRICS[lag].help,
    labelNames: [...(SERVER_METRICS[lag].labels ?? [])],
    registers,
    collect() {
      for (const quantile of [50, 90, 99])
        this.set({ quantile: String(quantile / 100) }, delay.percentile(quantile) / 1e9);
      delay.reset();
    },
  });
  return registry;
}

/** Registers a metric whose values are kept here. prom-client calls no more than `get`. */
function register(registry: Registry, name: MetricName, values: () => MetricSample[]): void {
  const { help, type } = SERVER_METRICS[name];
  const own = { name, get: async () => ({ name, help, type, values: values(), aggregator: 'sum' }) };
  registry.registerMetric(own as unknown as Metric);
}

type MetricRow = readonly [name: MetricName, read: () => number];

/** The metrics without labels. */
function singleValues({ engine, cluster, records, connections, ...events }: MetricSources): MetricRow[] {
  const own: MetricRow[] = [
    ['octavo_connections', connections],
    ...(cluster === undefined ? engineRows(engine) : clusterRows(cluster, events)),
    ['process_resident_memory_bytes', () => process.memoryUsage.rss()],
    ['process_cpu_seconds_total', cpuSeconds],
    ['process_start_time_seconds', () => Date.now() / 1000 - process.uptime()],
  ];
  if (records === undefined) return own;
  return [
    ...own,
    ['octavo_records_waiting', () => records.waiting?.() ?? 0],
    ['octavo_records_last_event', () => Number(records.lastEvent())],
  ];
}

function engineRows(engine: Engine): MetricRow[] {
  return [
    ['octavo_indices', () => engine.indices.names().length],
    ['octavo_documents', () => documentsOf(engine)],
    ['octavo_commit', () => engine.snapshot()],
  ];
}

function clusterRows(
  cluster: { readonly figures: ClusterFigures },
  { eventsWaiting, eventsLost }: Pick<MetricSources, 'eventsWaiting' | 'eventsLost'>,
): MetricRow[] {
  return [
    ['octavo_cluster_nodes', () => cluster.figures.nodes],
    ['octavo_cluster_nodes_awake', () => cluster.figures.available],
    ['octavo_cluster_running', () => cluster.figures.running],
    ['octavo_cluster_requests_total', () => cluster.figures.requests],
    ['octavo_cluster_retries_total', () => cluster.figures.retries],
    ['octavo_cluster_events_waiting', eventsWaiting],
    ['octavo_cluster_events_lost_total', eventsLost],
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
