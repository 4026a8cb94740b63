// Counts answered requests and their durations. A request costs one lookup; the two Prometheus metrics are
// built at each scrape.

/** The surface that answered. */
type Surface = 'wire' | 'api';

/** An answered request. */
export interface AnsweredRequest {
  readonly surface: Surface;
  /** The pattern of the path, such as `/api/chats/:chat`; never the path itself. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** A sample of a metric, in prom-client's form. */
export interface MetricSample {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

interface RequestCounter {
  readonly labels: Pick<AnsweredRequest, 'surface' | 'route' | 'method' | 'status'>;
  count: number;
  seconds: number;
  /** Answers by the first bucket they fit; those above all bounds last. */
  readonly within: number[];
}

/** Answered requests by surface, route, method and status. */
export class RequestCounters {
  readonly #bounds: readonly number[];
  readonly #counters = new Map<string, RequestCounter>();
  /** The counter of the last answer: the next one is usually of the same kind. */
  #last: RequestCounter | undefined;

  /** `bounds` of the histogram, in seconds, ascending. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  add({ surface, route, method, status, milliseconds }: AnsweredRequest): void {
    let counter = this.#last;
    const labels = counter?.labels;
    if (
      counter === undefined ||
      labels?.status !== status ||
      labels.route !== route ||
      labels.method !== method ||
      labels.surface !== surface
    )
      this.#last = counter = this.#find(surface, route, method, status);
    const seconds = milliseconds / 1000;
    counter.count++;
    counter.seconds += seconds;
    let b = 0;
    while (b < this.#bounds.length && seconds > this.#bounds[b]!) b++;
    counter.within[b]!++;
  }

  #find(surface: AnsweredRequest['surface'], route: string, method: string, status: number): RequestCounter {
    const key = `${surface} ${method} ${status} ${route}`;
    let counter = this.#counters.get(key);
    if (counter === undefined) {
      const within = new Array<number>(this.#bounds.length + 1).fill(0);
      counter = { labels: { surface, route, method, status }, count: 0, seconds: 0, within };
      this.#counters.set(key, counter);
    }
    return counter;
  }

  /** Requests by all labels. */
  counts(): MetricSample[] {
    return [...this.#counters.values()].map(({ labels, count }) => ({ labels: { ...labels }, value: count }));
  }

  /** Durations by surface and route: cumulative buckets, sum and count, named after the metric. */
  times(name: string): MetricSample[] {
    const groups = Map.groupBy(this.#counters.values(), ({ labels }) => `${labels.surface} ${labels.route}`);
    return [...groups.values()].flatMap((group) => {
      const { surface, route } = group[0]!.labels;
      const figures: MetricSample[] = [];
      let sum = 0;
      for (let b = 0; b <= this.#bounds.length; b++) {
        for (const { within } of group) sum += within[b]!;
        const le = this.#bounds[b] ?? '+Inf';
        figures.push({ metricName: `${name}_bucket`, labels: { le, surface, route }, value: sum });
      }
      const seconds = group.reduce((total, counter) => total + counter.seconds, 0);
      figures.push({ metricName: `${name}_sum`, labels: { surface, route }, value: seconds });
      figures.push({ metricName: `${name}_count`, labels: { surface, route }, value: sum });
      return figures;
    });
  }
}
