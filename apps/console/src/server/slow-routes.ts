// The times of requests by route, from the histograms of the metrics.

/** The requests of one route since the start of the server. */
export interface RouteTimes {
  readonly route: string;
  readonly count: number;
  readonly meanMs: number;
  /** The bound of the bucket that 99 of 100 requests are within; infinite behind the last bucket. */
  readonly p99Ms: number;
}

interface Histogram {
  count: number;
  seconds: number;
  /** Requests within a bound, of all methods and surfaces together. */
  readonly within: Map<number, number>;
}

const LINE = /^octavo_http_request_duration_seconds_(bucket|sum|count)\{(.*)\} (\S+)$/;
const LABEL = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g;

/** All routes, the one with the slowest requests first. */
export function routeTimes(text: string): RouteTimes[] {
  const routes = new Map<string, Histogram>();
  for (const line of text.split('\n')) {
    const [, kind, labels = '', value] = LINE.exec(line) ?? [];
    if (kind === undefined) continue;
    const named = new Map([...labels.matchAll(LABEL)].map(([, name, label]) => [name, label]));
    const route = named.get('route') ?? '';
    const found = routes.get(route) ?? { count: 0, seconds: 0, within: new Map() };
    routes.set(route, found);
    if (kind === 'count') found.count += Number(value);
    else if (kind === 'sum') found.seconds += Number(value);
    else {
      const bound = Number(named.get('le')?.replace('+Inf', 'Infinity'));
      found.within.set(bound, (found.within.get(bound) ?? 0) + Number(value));
    }
  }
  return [...routes].map(timesOf).sort((a, b) => b.p99Ms - a.p99Ms || b.meanMs - a.meanMs);
}

function timesOf([route, { count, seconds, within }]: readonly [string, Histogram]): RouteTimes {
  const bounds = [...within].sort(([a], [b]) => a - b);
  const p99 = bounds.find(([, requests]) => requests >= 0.99 * count)?.[0] ?? 0;
  return { route, count, meanMs: (1_000 * seconds) / Math.max(1, count), p99Ms: 1_000 * p99 };
}
