// An auto_date_histogram has no more buckets than wanted; they follow each other without gaps, and hold the
// documents of their time with what is below them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  aggregate,
  docsOf,
  numbersOf,
  plainResults,
  type TwinDoc,
  twinIndices,
} from '../../../../test/aggregation-world.ts';
import { makeView } from '../../../../test/query-world.ts';
import type { JsonObject } from '../../../json/value.ts';

interface Shown {
  readonly interval: string;
  readonly buckets: readonly {
    readonly key: number;
    readonly doc_count: number;
    readonly s: { readonly value: number };
  }[];
}

/** The start of the interval `n` behind the one of an instant. */
function startOf(ms: number, unit: string, n: number): number {
  const date = new Date(ms);
  const [y, m, d, h, min] = [
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
  ];
  if (unit === 'y') return Date.UTC(y + n, 0);
  if (unit === 'M') return Date.UTC(y, m + n);
  if (unit === 'd') return Date.UTC(y, m, d + n);
  if (unit === 'h') return Date.UTC(y, m, d, h + n);
  if (unit === 'm') return Date.UTC(y, m, d, h, min + n);
  return Math.floor(ms / 1000) * 1000 + n * 1000;
}

/** The distinct starts of the intervals of a document's dates. */
const startsOf = (doc: TwinDoc, unit: string): number[] => [
  ...new Set(numbersOf(doc, 'd').map((ms) => startOf(ms, unit, 0))),
];

function checkShown({ interval, buckets }: Shown, docs: readonly TwinDoc[], wanted: number): void {
  const unit = interval.at(-1)!;
  const multiple = Number(interval.slice(0, -1));
  assert.ok(buckets.length <= wanted, `${buckets.length} buckets`);
  const starts = docs.flatMap((doc) => startsOf(doc, unit));
  if (starts.length === 0) {
    assert.deepEqual(buckets, []);
    return;
  }
  assert.equal(buckets[0]!.key, Math.min(...starts));
  for (const [i, { key, doc_count: count, s }] of buckets.entries()) {
    const end = startOf(key, unit, multiple);
    if (i + 1 < buckets.length) assert.equal(buckets[i + 1]!.key, end);
    const own = docs.filter((doc) => startsOf(doc, unit).some((start) => start >= key && start < end));
    assert.equal(count, own.length);
    const sum = own.flatMap((doc) => numbersOf(doc, 'n')).reduce((a, b) => a + b, 0);
    assert.equal(s.value, sum);
  }
}

const SUM: JsonObject = { s: { sum: { field: 'n' } } };

test('the buckets of an auto_date_histogram cover its documents', async () => {
  await fc.assert(
    fc.asyncProperty(twinIndices, fc.constantFrom(1, 2, 5, 12, 80), async (indices, wanted) => {
      const auto = { auto_date_histogram: { field: 'd', buckets: wanted }, aggs: SUM };
      const filters = { filters: { filters: [{ term: { b: true } }, { match_all: {} }] }, aggs: { auto } };
      const results = plainResults(await aggregate(indices, { auto, filters })) as Record<string, unknown>;
      const docs = docsOf(indices);
      checkShown(results['auto'] as Shown, docs, wanted);
      const { buckets } = results['filters'] as { buckets: { auto: Shown }[] };
      checkShown(
        buckets[0]!.auto,
        docs.filter((doc) => doc.b === true),
        wanted,
      );
      checkShown(buckets[1]!.auto, docs, wanted);
    }),
    { numRuns: 60 },
  );
});

/** Answers of OpenSearch 3.1: dates, buckets wanted, other members, interval and keys with counts. */
const ANSWERS: readonly (readonly [
  readonly string[],
  JsonObject,
  string,
  readonly (readonly [string, number])[],
])[] = [
  [
    ['2024-01-01T00:00:00Z', '2024-01-01T00:00:02Z'],
    { buckets: 3 },
    '1s',
    [
      ['2024-01-01T00:00:00.000Z', 1],
      ['2024-01-01T00:00:01.000Z', 0],
      ['2024-01-01T00:00:02.000Z', 1],
    ],
  ],
  [
    ['2023-11-14', '2023-11-28', '2024-02-10'],
    { buckets: 3 },
    '3M',
    [
      ['2023-11-01T00:00:00.000Z', 2],
      ['2024-02-01T00:00:00.000Z', 1],
    ],
  ],
  [
    ['2023-11-14', '2024-02-10'],
    { buckets: 1, minimum_interval: 'day' },
    '5y',
    [['2023-01-01T00:00:00.000Z', 2]],
  ],
  [
    ['2024-01-01T00:00:00Z', '2024-01-01T00:00:02Z'],
    { buckets: 3, minimum_interval: 'hour' },
    '1h',
    [['2024-01-01T00:00:00.000Z', 2]],
  ],
  [
    ['2023-11-14', '2023-11-22'],
    { buckets: 5, time_zone: 'Europe/Berlin' },
    '7d',
    [
      ['2023-11-14T00:00:00.000+01:00', 1],
      ['2023-11-21T00:00:00.000+01:00', 1],
    ],
  ],
];

test('intervals are those of the peer', async () => {
  for (const [dates, members, interval, buckets] of ANSWERS) {
    const view = makeView(
      { properties: { d: { type: 'date' } } },
      dates.map((d, i) => ({ id: String(i), source: { d } })),
      [1],
    );
    const results = await aggregate([{ view, docs: [] }], {
      a: { auto_date_histogram: { field: 'd', ...members } },
    });
    const { a } = plainResults(results) as {
      a: { interval: string; buckets: { key_as_string: string; doc_count: number }[] };
    };
    assert.equal(a.interval, interval);
    assert.deepEqual(
      a.buckets.map((bucket) => [bucket.key_as_string, bucket.doc_count]),
      buckets,
    );
  }
});

test('members that make no sense are refused', async () => {
  const view = makeView({ properties: { d: { type: 'date' } } }, [], []);
  const run = (members: JsonObject): Promise<unknown> =>
    aggregate([{ view, docs: [] }], { a: { auto_date_histogram: { field: 'd', ...members } } });
  await assert.rejects(run({ buckets: 50_000 }), /buckets must be less than 2184/);
  await assert.rejects(run({ buckets: 0 }), (error: Error) =>
    /failed to parse field \[buckets\]/.test(error.message),
  );
  await assert.rejects(run({ minimum_interval: 'week' }), /failed to parse field \[minimum_interval\]/);
  await assert.rejects(run({ interval: 'day' }), /unknown field \[interval\]/);
});
