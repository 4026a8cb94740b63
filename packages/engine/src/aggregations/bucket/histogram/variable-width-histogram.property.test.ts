// A variable_width_histogram has the clusters of the peer, no more than wanted, and each holds the documents of its
// values with what is below it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  aggregate,
  docsOf,
  numbersOf,
  plainResults,
  twinIndices,
} from '../../../../test/aggregation-world.ts';
import { makeView } from '../../../../test/query-world.ts';
import type { JsonObject } from '../../../json/value.ts';

interface Bucket {
  readonly min: number;
  readonly key: number;
  readonly max: number;
  readonly doc_count: number;
  readonly s: { readonly count: number; readonly sum: number };
}

async function bucketsOf(indices: Parameters<typeof aggregate>[0], members: JsonObject): Promise<Bucket[]> {
  const aggs = { s: { stats: { field: members['field']! } } };
  const results = await aggregate(indices, { a: { variable_width_histogram: members, aggs } });
  return (plainResults(results)['a'] as { buckets: Bucket[] }).buckets;
}

const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9 * Math.max(1, Math.abs(a));

test('clusters hold all values, and their documents are those of the buckets below', async () => {
  const sizes = fc.constantFrom(
    {},
    { shard_size: 8, initial_buffer: 7 },
    { shard_size: 7, initial_buffer: 30 },
  );
  await fc.assert(
    fc.asyncProperty(twinIndices, fc.constantFrom(1, 2, 5), sizes, async (indices, wanted, members) => {
      const buckets = await bucketsOf(indices, { field: 'f', buckets: wanted, ...members });
      const values = docsOf(indices).flatMap((doc) => [...new Set(numbersOf(doc, 'f'))]);
      assert.ok(buckets.length <= wanted);
      assert.equal(
        buckets.reduce((sum, bucket) => sum + bucket.doc_count, 0),
        values.length,
      );
      const sum = buckets.reduce((sum, { key, doc_count: count }) => sum + key * count, 0);
      assert.ok(
        near(
          sum,
          values.reduce((a, b) => a + b, 0),
        ),
      );
      for (const [i, { min, max }] of buckets.entries()) {
        assert.ok(min <= max);
        if (i > 0) assert.ok(min >= buckets[i - 1]!.max);
      }
    }),
    { numRuns: 60 },
  );
});

test('with one value to a document, what is below a cluster has its values', async () => {
  const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(values, fc.constantFrom(5, 40, 300), async (values, buffer) => {
      const view = indexOf(values);
      const members = { field: 'n', buckets: 5, shard_size: 12, initial_buffer: buffer };
      for (const { key, doc_count: count, s } of await bucketsOf([{ view, docs: [] }], members)) {
        assert.equal(s.count, count);
        assert.ok(near(s.sum, key * count));
      }
    }),
    { numRuns: 60 },
  );
});

function indexOf(values: readonly number[]): ReturnType<typeof makeView> {
  const docs = values.map((n, i) => ({ id: String(i), source: { n } }));
  return makeView({ properties: { n: { type: 'long' } } }, docs, [-20, 7]);
}

const VALUES = [
  4, 12, 2, 11, 9, 2, 12, 9, 3, 9, 7, 8, 2, 6, 4, 2, 6, 4, 4, 6, -2, 9, -2, 6, 8, -3, 5, 1, 0, 0, 9, 2, 2, 5,
  12, 11, -2, 11, 7, 8, 8, 0, 2, 8, 0, 2, 6, 4, 6, 7, 3, 12, -2, 1, 2, 4, 11, -3, 12, 10,
];

/** Answers of OpenSearch 3.1 over these values: members, and min, key, max and count of each bucket. */
const ANSWERS: readonly (readonly [JsonObject, readonly (readonly number[])[]])[] = [
  [
    { buckets: 4 },
    [
      [-3.0, -2.3333333333333335, -2.0, 6],
      [0.0, 1.5294117647058822, 3.0, 17],
      [4.0, 5.352941176470588, 7.0, 17],
      [8.0, 9.95, 12.0, 20],
    ],
  ],
  [
    { buckets: 4, shard_size: 6, initial_buffer: 8 },
    [
      [-3.0, 0.9230769230769236, 4.0, 26],
      [4.0, 6.0, 8.5, 16],
      [8.5, 8.9, 11.0, 10],
      [11.0, 11.625, 12.0, 8],
    ],
  ],
  [
    { buckets: 3, shard_size: 9, initial_buffer: 5 },
    [
      [-3.0, 0.2857142857142857, 2.0, 21],
      [3.0, 6.275862068965517, 9.0, 29],
      [10.0, 11.4, 12.0, 10],
    ],
  ],
  [
    { buckets: 2, shard_size: 4, initial_buffer: 100 },
    [
      [-3.0, 2.5750000000000006, 7.0, 40],
      [8.0, 9.950000000000001, 12.0, 20],
    ],
  ],
];

test('clusters are those of the peer', async () => {
  const view = indexOf(VALUES);
  for (const [members, expected] of ANSWERS) {
    const buckets = await bucketsOf([{ view, docs: [] }], { field: 'n', ...members });
    const rows = buckets.map(({ min, key, max, doc_count: count }) => [min, key, max, count]);
    assert.deepEqual(rows, expected);
  }
});

test('members that make no sense are refused', async () => {
  const view = indexOf(VALUES);
  const run = (members: JsonObject): Promise<unknown> =>
    bucketsOf([{ view, docs: [] }], { field: 'n', ...members });
  await assert.rejects(run({ buckets: 0 }), /failed to parse field \[buckets\]/);
  await assert.rejects(
    run({ buckets: 4, shard_size: 5 }),
    /3\/4 of shard_size must be at least buckets but was \[3<4\]/,
  );
  await assert.rejects(
    run({ buckets: 4, initial_buffer: 1 }),
    /initial_buffer must be at least buckets but was \[1<4\]/,
  );
  const inner = { q: { variable_width_histogram: { field: 'n' } } };
  await assert.rejects(
    aggregate([{ view, docs: [] }], { a: { terms: { field: 'n' }, aggs: inner } }),
    /cannot be nested inside an aggregation that collects more than a single bucket/,
  );
});
