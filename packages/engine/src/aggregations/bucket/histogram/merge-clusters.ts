// Merges the clusters of all indices until there are no more than wanted, always the two with the nearest means,
// and draws the bounds between those that overlap.

import type { Steps } from '../../../query/steps.ts';
import type { Cluster } from './value-clusters.ts';

/** Clusters that are shown as one bucket. */
export interface MergedCluster {
  min: number;
  max: number;
  readonly mean: number;
  readonly count: number;
  /** Place of the index and number in it of each cluster. */
  readonly parts: readonly { readonly index: number; readonly number: number }[];
}

/** A run of neighbours while they are merged. */
interface Run {
  readonly from: number;
  to: number;
  mean: number;
  count: number;
  before: Run | undefined;
  after: Run | undefined;
  /** Counts changes, so that older distances in the heap are known as such. */
  version: number;
}

/** A pair of neighbours, at the time of two versions. */
interface Pair {
  readonly distance: number;
  readonly left: Run;
  readonly versions: number;
}

/** Merges the clusters of each index. */
export function* mergeClusters(
  indices: readonly (readonly Cluster[])[],
  wanted: number,
): Steps<MergedCluster[]> {
  const all = indices
    .flatMap((clusters, index) => clusters.map((cluster) => ({ index, ...cluster })))
    .sort((a, b) => a.mean - b.mean)
    .map(({ index, number, min, max, mean, count }) => ({
      min,
      max,
      mean,
      count,
      parts: [{ index, number }],
    }));
  yield;
  const distinct = joined(all, (a, b) => a.mean === b.mean);
  const near = mergedRuns(distinct, yield* nearestRuns(distinct, wanted));
  const shown = joined(near, (a, b) => a.min === b.min);
  for (const [i, own] of shown.entries()) {
    const before = shown[i - 1];
    if (before === undefined || own.min >= before.max) continue;
    own.min = (before.max + own.min) / 2;
    before.max = own.min;
  }
  return shown;
}

/** Merges neighbours that are alike. */
function joined(
  clusters: readonly MergedCluster[],
  alike: (a: MergedCluster, b: MergedCluster) => boolean,
): MergedCluster[] {
  const starts: number[] = [];
  for (const [i, cluster] of clusters.entries())
    if (i === 0 || !alike(clusters[i - 1]!, cluster)) starts.push(i);
  return mergedRuns(clusters, starts);
}

/** Merges runs of clusters, given by the places where they start. */
function mergedRuns(clusters: readonly MergedCluster[], starts: readonly number[]): MergedCluster[] {
  return starts.map((from, i) => {
    const run = clusters.slice(from, starts[i + 1]);
    if (run.length === 1) return run[0]!;
    const count = run.reduce((sum, each) => sum + each.count, 0);
    return {
      min: run.reduce((least, { min }) => Math.min(least, min), Number.POSITIVE_INFINITY),
      max: run.reduce((most, { max }) => Math.max(most, max), Number.NEGATIVE_INFINITY),
      mean: run.reduceRight((sum, each) => sum + each.count * each.mean, 0) / count,
      count,
      parts: run.flatMap(({ parts }) => parts),
    };
  });
}

/** Where the runs start that remain when the nearest are merged. O(n log n). */
function* nearestRuns(clusters: readonly MergedCluster[], wanted: number): Steps<number[]> {
  const runs = clusters.map(({ mean, count }, from): Run => {
    return { from, to: from, mean, count, before: undefined, after: undefined, version: 0 };
  });
  const heap: Pair[] = [];
  for (const [i, run] of runs.entries()) {
    run.before = runs[i - 1];
    run.after = runs[i + 1];
    push(heap, pairOf(run));
  }
  let count = runs.length;
  for (let looked = 1; count > wanted; looked++) {
    if (looked % 1024 === 0) yield;
    const { left, versions } = pop(heap);
    const right = left.after;
    if (right === undefined || versions !== left.version + right.version) continue;
    const sum = left.count + right.count;
    left.mean = (left.mean * left.count + right.mean * right.count) / sum;
    left.count = sum;
    left.to = right.to;
    left.version += right.version + 1;
    left.after = right.after;
    if (left.after !== undefined) left.after.before = left;
    // Its own pair in the heap is void.
    right.after = undefined;
    count--;
    push(heap, pairOf(left));
    if (left.before !== undefined) push(heap, pairOf(left.before));
  }
  const starts: number[] = [];
  for (let run: Run | undefined = runs[0]; run !== undefined; run = run.after) starts.push(run.from);
  return starts;
}

function pairOf(left: Run): Pair | undefined {
  const right = left.after;
  if (right === undefined) return undefined;
  return { distance: right.mean - left.mean, left, versions: left.version + right.version };
}

/** Whether a pair is merged before another: the nearer, or else the first. */
function precedes(a: Pair, b: Pair): boolean {
  return a.distance < b.distance || (a.distance === b.distance && a.left.from < b.left.from);
}

function push(heap: Pair[], pair: Pair | undefined): void {
  if (pair === undefined) return;
  let at = heap.push(pair) - 1;
  for (let up = (at - 1) >> 1; at > 0 && precedes(pair, heap[up]!); up = (at - 1) >> 1) {
    heap[at] = heap[up]!;
    at = up;
  }
  heap[at] = pair;
}

function pop(heap: Pair[]): Pair {
  const first = heap[0]!;
  const last = heap.pop()!;
  if (heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let down = 2 * at + 1;
    if (down + 1 < heap.length && precedes(heap[down + 1]!, heap[down]!)) down++;
    if (down >= heap.length || !precedes(heap[down]!, last)) break;
    heap[at] = heap[down]!;
    at = down;
  }
  heap[at] = last;
  return first;
}
