// Pipelines give what the buckets around them give when they are computed by hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { aggregate, plainResults, twinIndices } from '../../../test/aggregation-world.ts';
import { EngineError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { parseAggregations } from '../parse.ts';

interface Interval {
  readonly key: number;
  readonly doc_count: number;
  readonly s: { readonly value: number };
  readonly [name: string]: unknown;
}

const histogram = (aggs: JsonObject): JsonObject => ({
  h: { histogram: { field: 'n', interval: 3 }, aggs: { s: { sum: { field: 'f' } }, ...aggs } },
});

async function intervals(aggs: JsonObject, check: (buckets: Interval[]) => void): Promise<void> {
  await fc.assert(
    fc.asyncProperty(twinIndices, async (indices) => {
      const { h } = plainResults(await aggregate(indices, histogram(aggs))) as { h: { buckets: Interval[] } };
      check(h.buckets);
    }),
    { numRuns: 40 },
  );
}

const near = (a: unknown, b: number): void => assert.ok(Math.abs(Number(a) - b) < 1e-6, `${a} ${b}`);

test('running sums, differences and derivatives', async () => {
  const aggs = {
    c: { cumulative_sum: { buckets_path: 's' } },
    d: { derivative: { buckets_path: '_count' } },
    l: { serial_diff: { buckets_path: '_count', lag: 2 } },
    dd: { derivative: { buckets_path: 'c' } },
  };
  await intervals(aggs, (buckets) => {
    let sum = 0;
    buckets.forEach((bucket, i) => {
      sum += bucket.s.value;
      near((bucket['c'] as { value: number }).value, sum);
      const diff = (lag: number): number => bucket.doc_count - buckets[i - lag]!.doc_count;
      assert.deepEqual(bucket['d'], i === 0 ? undefined : { value: diff(1) });
      assert.deepEqual(bucket['l'], i < 2 ? undefined : { value: diff(2) });
    });
  });
});

test('buckets are sorted and cut', async () => {
  await intervals({ b: { bucket_sort: { sort: [{ _count: 'desc' }], from: 1, size: 2 } } }, (buckets) => {
    assert.ok(buckets.length <= 2);
    for (let i = 1; i < buckets.length; i++) assert.ok(buckets[i - 1]!.doc_count >= buckets[i]!.doc_count);
  });
});

test('metrics over the buckets of a neighbour', async () => {
  await fc.assert(
    fc.asyncProperty(twinIndices, async (indices) => {
      const of = (kind: string): JsonObject => ({ [kind]: { buckets_path: 'h>_count' } });
      const aggs = {
        ...histogram({}),
        ...{ sum: of('sum_bucket'), avg: of('avg_bucket'), max: of('max_bucket') },
        ...{ stats: of('stats_bucket'), percentiles: of('percentiles_bucket') },
      };
      const found = plainResults(await aggregate(indices, aggs)) as Record<string, Record<string, unknown>>;
      const buckets = found['h']!['buckets'] as Interval[];
      const counts = buckets.map((bucket) => bucket.doc_count);
      const sum = counts.reduce((a, b) => a + b, 0);
      assert.deepEqual(found['sum'], { value: sum });
      assert.deepEqual(found['avg'], { value: counts.length === 0 ? null : sum / counts.length });
      const most = Math.max(...counts);
      assert.deepEqual(found['max'], {
        value: counts.length === 0 ? null : most,
        keys: buckets.filter((bucket) => bucket.doc_count === most).map(({ key }) => `${key}.0`),
      });
      assert.equal(found['stats']!['count'], counts.length);
    }),
    { numRuns: 40 },
  );
});

test('pipelines in the wrong place are refused in the words of the peer', () => {
  const refused: [JsonObject, RegExp][] = [
    [{ b: { bucket_sort: { size: 1 } } }, /bucket_sort aggregation \[b\] must be declared inside of another/],
    [{ s: { sum_bucket: { buckets_path: 'x' } } }, /No aggregation found for path \[x\]/],
    [{ s: { sum_bucket: {} } }, /Missing required field \[buckets_path\] for aggregation \[s\]/],
    [
      { t: { terms: { field: 'k' }, aggs: { d: { derivative: { buckets_path: '_count' } } } } },
      /derivative aggregation \[d\] must have a histogram, date_histogram or auto_date_histogram as parent/,
    ],
  ];
  for (const [aggs, reason] of refused)
    assert.throws(
      () => parseAggregations(aggs),
      (error) => error instanceof EngineError && error.status === 400 && reason.test(error.message),
    );
});
