// Pipelines along the intervals of a histogram: `cumulative_sum`, `derivative` and `serial_diff`.

import type { AggregationBucket, MetricResult } from '../../api.ts';
import { illegalArgument } from '../../errors.ts';
import { fixedLength } from '../../mapping/dates/fixed-length.ts';
import { parsingError } from '../../query/errors.ts';
import type { PipelineKind } from '../kind.ts';
import { singleMetric } from '../metric/numeric-metric.ts';
import { Members } from '../request/members.ts';
import { bucketNumber, splitPath } from './buckets-path.ts';
import { needsHistogram, type PathOptions, readPathOptions } from './pipeline-members.ts';

interface SequenceOptions extends PathOptions {
  /** Of `serial_diff`. */
  readonly lag: number;
  /** Of `derivative`, in ms. */
  readonly unit: number | undefined;
}

/** The value that a pipeline adds to a bucket; undefined adds none. */
type Step = (value: number, before: readonly number[], options: SequenceOptions) => number | undefined;

/** Buckets between two yields. */
const BUCKETS_AT_ONCE = 64;

/** What the kinds share, without how they change the buckets. */
function alongHistogram(name: string): Omit<PipelineKind<SequenceOptions>, 'change'> {
  return {
    role: 'parent pipeline',
    name,
    parse: (body, own) => {
      const members = new Members(name, body);
      const lag = name === 'serial_diff' ? readLag(members, own) : 1;
      const unit = name === 'derivative' ? readUnit(members) : undefined;
      const options = { ...readPathOptions(members, own), lag, unit };
      members.end();
      return options;
    },
    paths: ({ path }) => [path],
    check: (_options, own, parent) => needsHistogram(name, own, parent),
  };
}

/** A kind that computes a value from that of a bucket and those before it. */
function sequence(
  name: string,
  step: Step,
  result: (
    value: number | null,
    options: SequenceOptions,
    bucket: AggregationBucket,
    before: AggregationBucket | undefined,
  ) => MetricResult,
): PipelineKind<SequenceOptions> {
  return {
    ...alongHistogram(name),
    *change(options, { buckets }, { name: own, meta, parent }) {
      const path = splitPath(options.path);
      const before: number[] = [];
      for (const [i, bucket] of buckets.entries()) {
        const value = bucketNumber(parent!.name, bucket, path, options.policy);
        const added = step(value, before, options);
        before.push(value);
        if (i % BUCKETS_AT_ONCE === 0) yield;
        if (added === undefined) continue;
        const number = Number.isFinite(added) ? added : null;
        bucket.aggregations.set(own, { ...result(number, options, bucket, buckets[i - 1]), meta });
      }
    },
  };
}

const simpleValue = (value: number | null, { format }: SequenceOptions): MetricResult =>
  singleMetric('simple_value', undefined, value, format);

export const SERIAL_DIFF: PipelineKind<SequenceOptions> = sequence(
  'serial_diff',
  (value, before, { lag }) => {
    const other = before.at(-lag);
    return before.length < lag || Number.isNaN(value) || Number.isNaN(other) ? undefined : value - other!;
  },
  simpleValue,
);

export const DERIVATIVE: PipelineKind<SequenceOptions> = sequence(
  'derivative',
  (value, before) => (before.length === 0 ? undefined : value - before.at(-1)!),
  (value, { format, unit }, bucket, before) => {
    const plain = singleMetric('derivative', undefined, value, format);
    if (unit === undefined) return plain;
    const factor = (Number(bucket.key) - Number(before!.key)) / unit;
    const normalized = value === null ? null : value / factor;
    return {
      ...plain,
      members: {
        ...plain.members,
        normalized_value: normalized,
        normalized_value_as_string: normalized === null || format.isRaw ? undefined : format.text(normalized),
      },
      numbers: new Map([...plain.numbers, ['normalized_value', normalized]]),
    };
  },
);

export const CUMULATIVE_SUM: PipelineKind<SequenceOptions> = {
  ...alongHistogram('cumulative_sum'),
  *change(options, { buckets }, { name, meta, parent }) {
    const path = splitPath(options.path);
    let sum = 0;
    for (const [i, bucket] of buckets.entries()) {
      sum += bucketNumber(parent!.name, bucket, path, 'insert_zeros');
      bucket.aggregations.set(name, { ...simpleValue(sum, options), meta });
      if (i % BUCKETS_AT_ONCE === 0) yield;
    }
  },
};

function readLag(members: Members, name: string): number {
  const lag = members.integer('lag') ?? 1;
  if (lag > 0) return lag;
  throw parsingError(
    `Lag must be a positive, non-zero integer.  Value supplied was${lag} in [${name}]: [lag].`,
  );
}

const UNITS: Readonly<Record<string, number>> = {
  ...{ '1s': 1_000, second: 1_000, '1m': 60_000, minute: 60_000, '1h': 3_600_000, hour: 3_600_000 },
  ...{ '1d': 86_400_000, day: 86_400_000, '1w': 604_800_000, week: 604_800_000 },
  ...{ '1M': 2_629_746_000, month: 2_629_746_000, '1q': 7_889_238_000, quarter: 7_889_238_000 },
  ...{ '1y': 31_556_952_000, year: 31_556_952_000 },
};

function readUnit(members: Members): number | undefined {
  const text = members.text('unit');
  if (text === undefined) return undefined;
  const unit = Object.hasOwn(UNITS, text) ? UNITS[text] : fixedLength(text);
  if (unit !== undefined && unit > 0) return unit;
  throw illegalArgument(
    `failed to parse setting [DerivativePipelineAggregationBuilder.units] with value [${text}]`,
  );
}
