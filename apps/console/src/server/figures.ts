// The figures of the server, as they are read from its metrics.

/** One reading. */
export interface Reading {
  /** In seconds. */
  readonly time: number;
  readonly requests: number;
  readonly cpuSeconds: number;
  readonly documents: number | undefined;
  readonly commit: number | undefined;
  readonly memory: number | undefined;
  readonly connections: number | undefined;
  readonly lag: number | undefined;
}

export interface FigurePoint {
  readonly time: number;
  readonly requestRate: number;
  readonly commitRate: number;
  readonly cpu: number;
}

/** Sums and values of the text format of Prometheus, by name without labels. */
export function readMetrics(text: string, time: number): Reading {
  const sums = new Map<string, number>();
  let lag: number | undefined;
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = /^([a-z_]+)(\{.*\})? (\S+)/i.exec(line) ?? [];
    if (name === undefined) continue;
    sums.set(name, (sums.get(name) ?? 0) + Number(value));
    if (name === 'nodejs_eventloop_lag_seconds' && labels.includes('"0.99"')) lag = Number(value);
  }
  return {
    time,
    requests: sums.get('octavo_http_requests_total') ?? 0,
    cpuSeconds: sums.get('process_cpu_seconds_total') ?? 0,
    documents: sums.get('octavo_documents'),
    commit: sums.get('octavo_commit'),
    memory: sums.get('process_resident_memory_bytes'),
    connections: sums.get('octavo_connections'),
    lag,
  };
}

/** What has changed between two readings, per second. */
export function pointBetween(before: Reading, now: Reading): FigurePoint {
  const seconds = Math.max(0.001, now.time - before.time);
  const rate = (from: number, to: number): number => Math.max(0, to - from) / seconds;
  return {
    time: now.time,
    requestRate: rate(before.requests, now.requests),
    commitRate: rate(before.commit ?? 0, now.commit ?? 0),
    cpu: rate(before.cpuSeconds, now.cpuSeconds),
  };
}

/** Bytes for people, in units of 1,024. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let unit = 0;
  let value = bytes;
  for (; value >= 1_024 && unit < units.length - 1; unit++) value /= 1_024;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
