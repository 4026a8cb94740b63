// All metrics with their types and explanations. /api/metrics prints the explanations, and docs/reference/metrics.md is made from
// them.

export interface MetricInfo {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** The label names, if there are any. */
  readonly labels?: readonly string[];
  /** The servers that have it; absent: all. */
  readonly only?: 'embedded documents' | 'documents in a cluster' | 'records';
}

export type MetricName =
  | 'octavo_http_requests_total'
  | 'octavo_http_request_duration_seconds'
  | 'octavo_connections'
  | 'octavo_indices'
  | 'octavo_documents'
  | 'octavo_commit'
  | 'octavo_cluster_nodes'
  | 'octavo_cluster_nodes_awake'
  | 'octavo_cluster_running'
  | 'octavo_cluster_requests_total'
  | 'octavo_cluster_retries_total'
  | 'octavo_cluster_events_waiting'
  | 'octavo_cluster_events_lost_total'
  | 'process_resident_memory_bytes'
  | 'process_cpu_seconds_total'
  | 'process_start_time_seconds'
  | 'octavo_records_waiting'
  | 'octavo_records_last_event'
  | 'nodejs_eventloop_lag_seconds';

export const SERVER_METRICS: Readonly<Record<MetricName, MetricInfo>> = {
  octavo_http_requests_total: {
    type: 'counter',
    help: 'Requests with a reply.',
    labels: ['surface', 'route', 'method', 'status'],
  },
  octavo_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from the headers of the request to the last byte of the reply.',
    labels: ['surface', 'route', 'method', 'status'],
  },
  octavo_connections: { type: 'gauge', help: 'Open connections.' },
  octavo_indices: { type: 'gauge', help: 'Indices.', only: 'embedded documents' },
  octavo_documents: {
    type: 'gauge',
    help: 'Documents in all indices, without deleted ones.',
    only: 'embedded documents',
  },
  octavo_commit: {
    type: 'gauge',
    help: 'Number of the last commit of documents; its rate is the commits per second.',
    only: 'embedded documents',
  },
  octavo_cluster_nodes: {
    type: 'gauge',
    help: 'Configured nodes of the cluster.',
    only: 'documents in a cluster',
  },
  octavo_cluster_nodes_awake: {
    type: 'gauge',
    help: 'Nodes that get requests. A node gets none for a while after it fails.',
    only: 'documents in a cluster',
  },
  octavo_cluster_running: {
    type: 'gauge',
    help: 'Requests to the cluster that are running or waiting.',
    only: 'documents in a cluster',
  },
  octavo_cluster_requests_total: {
    type: 'counter',
    help: 'Requests to the cluster.',
    only: 'documents in a cluster',
  },
  octavo_cluster_retries_total: {
    type: 'counter',
    help: 'Requests that were sent again to another node.',
    only: 'documents in a cluster',
  },
  octavo_cluster_events_waiting: {
    type: 'gauge',
    help: 'Writes whose events wait for the records.',
    only: 'documents in a cluster',
  },
  octavo_cluster_events_lost_total: {
    type: 'counter',
    help: 'Writes without an event, because the records had moved.',
    only: 'documents in a cluster',
  },
  process_resident_memory_bytes: { type: 'gauge', help: 'Resident memory of the process.' },
  process_cpu_seconds_total: { type: 'counter', help: 'CPU time of all threads, user and system.' },
  process_start_time_seconds: {
    type: 'gauge',
    help: 'Start of the process, in seconds since 1970.',
  },
  octavo_records_waiting: {
    type: 'gauge',
    help: 'Calls that wait for the records store (feeds, chats, accounts, keys, events).',
    only: 'records',
  },
  octavo_records_last_event: {
    type: 'gauge',
    help: 'Position of the last event; its rate is the events per second.',
    only: 'records',
  },
  nodejs_eventloop_lag_seconds: {
    type: 'gauge',
    help: 'Delay of the event loop since the last scrape, by quantile. The resolution is 0.02 s.',
    labels: ['quantile'],
  },
};
