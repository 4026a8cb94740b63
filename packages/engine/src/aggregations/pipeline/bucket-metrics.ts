// Metrics over the buckets of a neighbour: `avg_bucket`, `sum_bucket`, `min_bucket`, `max_bucket`, `stats_bucket`,
// `extended_stats_bucket` and `percentiles_bucket`.

import type { AggregationResult } from '../../api.ts';
import type { PipelineKind, PipelinePlace } from '../kind.ts';
import { singleMetric } from '../metric/numeric-metric.ts';
import { percentilesResult, readPercents } from '../metric/percentiles.ts';
import { readSigma, statsResult } from '../metric/stats.ts';
import { Members } from '../request/members.ts';
import { bucketNumber, splitPath } from './buckets-path.ts';
import { type PathOptions, readPathOptions } from './pipeline-members.ts';

/** A number of a bucket, with its name. */
interface NamedNumber {
  readonly name: string;
  readonly value: number;
}

interface BucketMetricOptions extends PathOptions {
  readonly sigma: number;
  readonly percents: readonly number[];
  readonly keyed: boolean;
}

/** Makes the result from the numbers of the buckets. */
type Compute = (
  found: readonly NamedNumber[],
  options: BucketMetricOptions,
  own: PipelinePlace,
) => AggregationResult;

function bucketMetric(name: string, compute: Compute): PipelineKind<BucketMetricOptions> {
  return {
    role: 'sibling pipeline',
    name,
    parse: (body, own) => {
      const members = new Members(name, body);
      const sigma = name === 'extended_stats_bucket' ? readSigma(members, own) : 2;
      const isPercentiles = name === 'percentiles_bucket';
      const percents = isPercentiles ? readPercents(members, own) : [];
      const keyed = isPercentiles ? (members.flag('keyed') ?? true) : true;
      const options = { ...readPathOptions(members, own), sigma, percents, keyed };
      members.end();
      return options;
    },
    paths: ({ path }) => [path],
    check: ({ path }, own, _parent, siblings) => {
      const [first] = path.split(/[>.]/);
      const neighbour = siblings.find((each) => each.name === first || each.name === path);
      if (neighbour === undefined) return undefined;
      if (neighbour.kind.role === 'bucket' && !SINGLE.has(neighbour.kind.name)) return undefined;
      return (
        'The first aggregation in buckets_path must be a multi-bucket ' +
        `aggregation for aggregation [${own}] found :${neighbour.kind.name} for buckets path: ${path}`
      );
    },
    compute: (options, neighbours, own) => {
      const [first, ...path] = splitPath(options.path);
      const result = neighbours.get(first!);
      const found: NamedNumber[] = [];
      if (result?.shape === 'buckets') {
        for (const bucket of result.buckets) {
          const value = bucketNumber(first!, bucket, path, options.policy);
          if (!Number.isNaN(value)) found.push({ name: bucket.name, value });
        }
      }
      return compute(found, options, own);
    },
  };
}

/** Kinds of one bucket. */
const SINGLE: ReadonlySet<string> = new Set([
  ...['filter', 'global', 'missing', 'nested', 'reverse_nested', 'sampler', 'diversified_sampler'],
]);

const sumOf = (found: readonly NamedNumber[]): number => found.reduce((sum, { value }) => sum + value, 0);

export const AVG_BUCKET: PipelineKind<BucketMetricOptions> = bucketMetric(
  'avg_bucket',
  (found, { format }, { meta }) =>
    singleMetric('simple_value', meta, found.length === 0 ? null : sumOf(found) / found.length, format),
);

export const SUM_BUCKET: PipelineKind<BucketMetricOptions> = bucketMetric(
  'sum_bucket',
  (found, { format }, { meta }) => singleMetric('simple_value', meta, sumOf(found), format),
);

/** The least or greatest number, with the names of its buckets. */
function extreme(isBetter: (a: number, b: number) => boolean): Compute {
  return (found, { format }, { meta }) => {
    let best: number | null = null;
    let keys: string[] = [];
    for (const { name, value } of found) {
      if (best === null || isBetter(value, best)) {
        best = value;
        keys = [name];
      } else if (value === best) keys.push(name);
    }
    const result = singleMetric('bucket_metric_value', meta, best, format);
    return { ...result, members: { ...result.members, keys } };
  };
}

export const MIN_BUCKET: PipelineKind<BucketMetricOptions> = bucketMetric(
  'min_bucket',
  extreme((a, b) => a < b),
);
export const MAX_BUCKET: PipelineKind<BucketMetricOptions> = bucketMetric(
  'max_bucket',
  extreme((a, b) => a > b),
);

function figuresOf(found: readonly NamedNumber[], sigma: number): Parameters<typeof statsResult>[2] {
  const values = found.map(({ value }) => value);
  return {
    count: values.length,
    sum: sumOf(found),
    squares: values.reduce((sum, value) => sum + value * value, 0),
    min: values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    max: values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
    sigma,
  };
}

export const STATS_BUCKET: PipelineKind<BucketMetricOptions> = bucketMetric(
  'stats_bucket',
  (found, { format, sigma }, { meta }) => statsResult('stats_bucket', meta, figuresOf(found, sigma), format),
);

export const EXTENDED_STATS_BUCKET: PipelineKind<BucketMetricOptions> = bucketMetric(
  'extended_stats_bucket',
  (found, { format, sigma }, { meta }) =>
    statsResult('extended_stats_bucket', meta, figuresOf(found, sigma), format),
);

export const PERCENTILES_BUCKET: PipelineKind<BucketMetricOptions> = bucketMetric(
  'percentiles_bucket',
  (found, { format, percents, keyed }, { meta }) => {
    const sorted = found.map(({ value }) => value).sort((a, b) => a - b);
    const values = percents.map((percent) =>
      sorted.length === 0 ? null : sorted[Math.round((percent / 100) * (sorted.length - 1))]!,
    );
    return percentilesResult('percentiles_bucket', meta, percents, values, keyed, format);
  },
);
