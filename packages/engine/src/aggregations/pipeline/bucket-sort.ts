// `bucket_sort`: sorts the buckets of the aggregation around it, and cuts a page out of them.

import type { AggregationBucket, AggregationValue } from '../../api.ts';
import { illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { parsingError } from '../../query/errors.ts';
import { isObject } from '../../query/parameters.ts';
import type { PipelineKind } from '../kind.ts';
import { Members } from '../request/members.ts';
import { bucketNumber, type GapPolicy, splitPath } from './buckets-path.ts';
import { needsParent, readGapPolicy } from './pipeline-members.ts';

interface SortStep {
  readonly path: string;
  readonly descending: boolean;
}

interface BucketSortOptions {
  readonly sort: readonly SortStep[];
  readonly from: number;
  readonly size: number | undefined;
  readonly policy: GapPolicy;
}

function readSortStep(value: JsonValue): SortStep {
  if (typeof value === 'string') return { path: value, descending: value === '_score' };
  const [path] = isObject(value) ? Object.keys(value) : [];
  if (!isObject(value) || path === undefined) throw parsingError('[bucket_sort] malformed [sort]');
  const own = value[path]!;
  const order = isObject(own) ? own['order'] : own;
  if (order !== undefined && order !== 'asc' && order !== 'desc')
    throw parsingError(`[bucket_sort] order of [${path}] must be [asc] or [desc]`);
  return { path, descending: order === 'desc' };
}

/** A bucket with the values that it is sorted by; NaN where it has none. */
interface SortedBucket {
  readonly bucket: AggregationBucket;
  readonly values: readonly SortKey[];
}

/** A key of several sources is compared source by source. */
type SortKey = number | string | readonly (number | string)[];

function keyOf(key: AggregationValue | undefined): number | string {
  return typeof key === 'bigint' ? Number(key) : typeof key === 'number' ? key : String(key);
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b ? 0 : a < b ? -1 : 1;
  const differs = a.findIndex((each, i) => each !== b[i]);
  return differs < 0 ? 0 : a[differs]! < b[differs]! ? -1 : 1;
}

function compareBuckets(a: SortedBucket, b: SortedBucket, sort: readonly SortStep[]): number {
  for (const [i, { descending }] of sort.entries()) {
    const [x, y] = [a.values[i]!, b.values[i]!];
    const [isGap, isOtherGap] = [Number.isNaN(x), Number.isNaN(y)];
    if (isGap || isOtherGap) {
      if (isGap !== isOtherGap) return isGap ? 1 : -1;
      continue;
    }
    const order = compareKeys(x, y);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

export const BUCKET_SORT: PipelineKind<BucketSortOptions> = {
  role: 'parent pipeline',
  name: 'bucket_sort',
  parse: (body) => {
    const members = new Members('bucket_sort', body);
    const sort = members.list('sort')?.map(readSortStep) ?? [];
    const from = members.integer('from') ?? 0;
    if (from < 0) throw illegalArgument(`[from] must be a non-negative integer: [${from}]`);
    const size = members.integer('size');
    if (size !== undefined && size <= 0)
      throw illegalArgument(`[size] must be a positive integer: [${size}]`);
    const policy = readGapPolicy(members);
    members.end();
    return { sort, from, size, policy };
  },
  paths: ({ sort }) => sort.map(({ path }) => path),
  check: ({ sort, from, size }, name, parent) =>
    sort.length === 0 && size === undefined && from === 0
      ? `[${name}] is configured to perform nothing. Please set either of [sort, size, from] to use bucket_sort`
      : needsParent('bucket_sort', name, parent),
  change: ({ sort, from, size, policy }, result, { parent }) => {
    const sortValueOf = (bucket: AggregationBucket, path: string): SortKey => {
      const { key } = bucket;
      if (path === '_key')
        return typeof key === 'object' && key !== null ? Object.values(key).map(keyOf) : keyOf(key);
      return bucketNumber(parent!.name, bucket, splitPath(path), policy);
    };
    const all = result.buckets.map((bucket) => ({
      bucket,
      values: sort.map(({ path }) => sortValueOf(bucket, path)),
    }));
    const known = all.filter(({ values }) => sort.length === 0 || values.some((each) => !Number.isNaN(each)));
    const sorted = sort.length === 0 ? known : known.sort((a, b) => compareBuckets(a, b, sort));
    const end = size === undefined ? undefined : from + size;
    result.buckets = sorted.slice(from, end).map(({ bucket }) => bucket);
  },
};
