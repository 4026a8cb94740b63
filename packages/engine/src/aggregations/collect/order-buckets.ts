// Orders buckets by count, key, or numbers of their sub-aggregations, and picks the first of them.

import { EngineError } from '../../errors.ts';
import type { Steps } from '../../query/steps.ts';
import type { BucketOrder } from '../request/bucket-order.ts';
import type { SubAggregators } from './sub-aggregators.ts';

/** Compares two buckets by their numbers. */
type BucketCompare = (a: number, b: number) => number;

/** A path of an order: `a>b.c` or `a>b[c]`. */
interface OrderPath {
  readonly names: readonly string[];
  readonly key: string;
}

/** What orders compare of a bucket, by its number or its place in a list. */
interface OrderedBuckets {
  docCount(bucket: number): number;
  compareKeys(a: number, b: number): number;
  /** The number that sub-aggregations know a bucket by, where buckets are compared by another one. */
  numberOf?(bucket: number): number;
}

/** The comparison that an order describes. Throws for paths that name no number. */
export function bucketComparison(
  order: readonly BucketOrder[],
  subs: SubAggregators,
  buckets: OrderedBuckets,
): BucketCompare {
  const steps = order.map(({ by, descending }): BucketCompare => {
    const sign = descending ? -1 : 1;
    if (by === '_count') return (a, b) => sign * (buckets.docCount(a) - buckets.docCount(b));
    if (by === '_key') return (a, b) => sign * buckets.compareKeys(a, b);
    const { names, key } = orderPath(by, subs);
    const values = new Map<number, number>();
    const metricOf = (bucket: number): number => {
      let value = values.get(bucket);
      if (value === undefined) {
        value = subs.number(buckets.numberOf?.(bucket) ?? bucket, names, key)!;
        values.set(bucket, value);
      }
      return value;
    };
    return (a, b) => compareNumbers(metricOf(a), metricOf(b), descending);
  });
  return steps.reduceRight((next, step) => (a, b) => step(a, b) || next(a, b));
}

/** NaN, the value of nothing, comes last. */
function compareNumbers(a: number, b: number, descending: boolean): number {
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1;
  if (Number.isNaN(b)) return -1;
  const order = a < b ? -1 : a > b ? 1 : 0;
  return descending ? -order : order;
}

/** Numbers of metrics that have several. */
const SEVERAL: readonly string[] = ['count'];

function orderPath(text: string, subs: SubAggregators): OrderPath {
  const names = text.split('>');
  const last = names.pop()!;
  const bracket = /^(.*)\[([^\]]*)\]$/.exec(last);
  const dot = last.lastIndexOf('.');
  const known = (name: string): boolean => subs.list.some((each) => each.name === name);
  let [name, key] = [last, ''];
  if (bracket !== null) [name, key] = [bracket[1]!, bracket[2]!];
  else if (dot > 0 && !(names.length === 0 && known(last))) {
    [name, key] = [last.slice(0, dot), last.slice(dot + 1)];
  }
  const path = { names: [...names, name], key };
  if (!known(path.names[0]!)) {
    throw invalidOrder(
      `Invalid aggregation order path [${text}]. The provided aggregation [${path.names[0]}] either does not exist, or is ` +
        'a pipeline aggregation and cannot be used to sort the buckets.',
    );
  }
  const isSeveral = path.key === '' && SEVERAL.some((key) => subs.number(-1, path.names, key) !== undefined);
  if (isSeveral && subs.number(-1, path.names, '') === undefined)
    throw invalidOrder(
      `Invalid aggregation order path [${text}]. When ordering on a multi-value metrics aggregation a metric name must be specified.`,
    );
  if (subs.number(-1, path.names, path.key) === undefined) {
    throw invalidOrder(
      `Invalid aggregation order path [${text}]. Buckets can only be sorted on a sub-aggregator path that is built out ` +
        'of zero or more single-bucket aggregations within the path and a final single-bucket or a metrics aggregation at the path end.',
    );
  }
  return path;
}

function invalidOrder(reason: string): EngineError {
  return new EngineError('aggregation_execution_exception', reason);
}

/** Buckets that are sorted, merged or compared between two yields. */
const BUCKETS_AT_ONCE = 4_096;

/** The first `size` of some buckets, in order. O(n log size). */
export function* firstBuckets(
  buckets: ArrayLike<number>,
  size: number,
  compare: BucketCompare,
): Steps<number[]> {
  if (buckets.length <= size * 4) return (yield* sorted(Array.from(buckets), compare)).slice(0, size);
  // A heap of the best so far, the last of them on top.
  const heap: number[] = [];
  for (let i = 0; i < buckets.length; i++) {
    if (i % BUCKETS_AT_ONCE === BUCKETS_AT_ONCE - 1) yield;
    const bucket = buckets[i]!;
    if (heap.length < size) {
      heap.push(bucket);
      if (heap.length === size) for (let at = (size >> 1) - 1; at >= 0; at--) sink(heap, at, compare);
    } else if (size > 0 && compare(bucket, heap[0]!) < 0) {
      heap[0] = bucket;
      sink(heap, 0, compare);
    }
  }
  return yield* sorted(heap, compare);
}

/** Sorts as `Array.sort` does, in steps: parts of the list, which are then merged. */
function* sorted(list: number[], compare: BucketCompare): Steps<number[]> {
  if (list.length <= BUCKETS_AT_ONCE) return list.sort(compare);
  const middle = list.length >> 1;
  const a = yield* sorted(list.slice(0, middle), compare);
  yield;
  const b = yield* sorted(list.slice(middle), compare);
  let [i, j] = [0, 0];
  for (let at = 0; at < list.length; at++) {
    if (at % BUCKETS_AT_ONCE === 0) yield;
    list[at] = j === b.length || (i < a.length && compare(a[i]!, b[j]!) <= 0) ? a[i++]! : b[j++]!;
  }
  return list;
}

function sink(heap: number[], from: number, compare: BucketCompare): void {
  for (let at = from; ; ) {
    const left = 2 * at + 1;
    const right = left + 1;
    let worst = at;
    if (left < heap.length && compare(heap[left]!, heap[worst]!) > 0) worst = left;
    if (right < heap.length && compare(heap[right]!, heap[worst]!) > 0) worst = right;
    if (worst === at) return;
    [heap[at], heap[worst]] = [heap[worst]!, heap[at]!];
    at = worst;
  }
}
