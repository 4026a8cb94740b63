// Significant terms have the counts and scores that plain documents give, for each heuristic.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  aggregate,
  checkTwin,
  numbersOf,
  plainResults,
  type TwinDoc,
  type TwinIndex,
} from '../../../../test/aggregation-world.ts';
import { makeView } from '../../../../test/query-world.ts';
import type { JsonObject } from '../../../json/value.ts';

type Score = (own: number, ownTotal: number, all: number, allTotal: number) => number;

const jlh: Score = (own, ownTotal, all, allTotal) => {
  const [here, everywhere] = [own / ownTotal, Math.max(all, 1) / allTotal];
  return here > everywhere ? ((here - everywhere) * here) / everywhere : 0;
};

interface TwinOptions {
  readonly field: 'n' | 'k';
  readonly score: Score;
  readonly size: number;
  readonly least: number;
  readonly inBucket: (doc: TwinDoc) => boolean;
  readonly inBackground: (doc: TwinDoc) => boolean;
}

const bytewise = (a: string | number, b: string | number): number =>
  typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)));

function significant(
  indices: readonly TwinIndex[],
  { field, score, size, least, inBucket, inBackground }: TwinOptions,
): object {
  const mapped = indices.filter(({ view }) => view.mapping.field(field) !== undefined);
  if (mapped.length === 0) return { buckets: [] };
  const docs = mapped.flatMap(({ docs }) => docs);
  const own = docs.filter(inBucket);
  const all = docs.filter(inBackground);
  const valuesOf = (doc: TwinDoc): (string | number)[] =>
    field === 'n' ? numbersOf(doc, 'n') : [...(doc.k ?? [])];
  const countOf = (docs: readonly TwinDoc[], key: string | number): number =>
    docs.filter((doc) => valuesOf(doc).includes(key)).length;
  const buckets = [...new Set(own.flatMap(valuesOf))]
    .map((key) => {
      const [count, background] = [countOf(own, key), countOf(all, key)];
      return {
        key,
        doc_count: count,
        score: score(count, own.length, background, all.length),
        bg_count: background,
      };
    })
    .filter((bucket) => bucket.doc_count >= least && bucket.score > 0)
    .sort((a, b) => (Math.abs(a.score - b.score) < 1e-12 ? 0 : b.score - a.score) || bytewise(a.key, b.key))
    .slice(0, size);
  return { doc_count: own.length, bg_count: all.length, buckets };
}

const isTrue = (doc: TwinDoc): boolean => doc.b === true;
const request = { query: { term: { b: true } } };
const everything = (): boolean => true;

test('significant texts by JLH', async () => {
  const options = {
    field: 'k',
    score: jlh,
    size: 3,
    least: 2,
    inBucket: isTrue,
    inBackground: everything,
  } as const;
  const aggregation = { significant_terms: { field: 'k', size: 3, min_doc_count: 2 } };
  await checkTwin(aggregation, (_, indices) => significant(indices, options), { request });
});

test('significant numbers in several buckets, against a background of their own', async () => {
  const background = (doc: TwinDoc): boolean => doc.f !== undefined;
  await checkTwin(
    {
      filters: { filters: [{ term: { b: true } }, { exists: { field: 'k' } }] },
      aggs: {
        s: {
          significant_terms: { field: 'n', min_doc_count: 1, background_filter: { exists: { field: 'f' } } },
        },
      },
    },
    (docs, indices) => ({
      buckets: [isTrue, (doc: TwinDoc) => doc.k !== undefined].map((inBucket) => ({
        doc_count: docs.filter(inBucket).length,
        s: significant(indices, {
          field: 'n',
          score: jlh,
          size: 10,
          least: 1,
          inBucket,
          inBackground: background,
        }),
      })),
    }),
  );
});

test('terms can be selected', async () => {
  const aggregation = {
    significant_terms: { field: 'k', min_doc_count: 1, percentage: {}, include: ['a', 'b'] },
  };
  await checkTwin(
    aggregation,
    (_, indices) => {
      const result = significant(indices, {
        field: 'k',
        score: (own, _, all) => own / all,
        size: 50,
        least: 1,
        inBucket: isTrue,
        inBackground: everything,
      }) as { buckets: { key: string }[] };
      return { ...result, buckets: result.buckets.filter(({ key }) => key === 'a' || key === 'b') };
    },
    { request },
  );
});

const DOCS = [
  { k: 'b', n: 4, f: 3.75, b: false },
  { k: 'c', n: 12, f: 3.75, b: false },
  { k: 'a', n: 2, f: 3.75, b: false },
  { k: 'B', n: 11, f: -0.5, b: true },
  { k: 'B', n: 9, f: 3.75, b: false },
  { n: 2, f: 100, b: false },
  { k: 'B', n: 12, f: -2.5, b: true },
  { n: 9, f: 100, b: false },
  { k: 'B', n: 3, f: 1, b: true },
  { k: 'a', n: 9, f: 100, b: false },
  { k: 'c', n: 7, f: -2.5, b: true },
  { k: 'B', n: 8, f: 3.75, b: true },
  { k: 'b', n: 2, f: 0.25, b: false },
  { k: 'b', n: 6, f: 3.75, b: false },
  { n: 4, f: 1, b: true },
  { k: 'B', n: 2, f: 0.25, b: true },
  { k: 'c', n: 6, f: 1, b: false },
  { n: 4, f: -2.5, b: false },
  { n: 4, f: -2.5, b: false },
  { k: 'a', n: 6, f: -0.5, b: false },
  { n: -2, f: 0.25, b: true },
  { n: 9, f: -2.5, b: true },
  { k: 'c', n: -2, f: -2.5, b: false },
  { n: 6, f: 0.25, b: false },
  { k: 'c', n: 8, f: 1, b: false },
  { k: 'b', n: -3, f: -0.5, b: true },
  { n: 5, f: -2.5, b: true },
  { n: 1, f: -0.5, b: false },
  { n: 0, f: 100, b: false },
  { k: 'a', n: 0, f: 3.75, b: true },
  { k: 'B', n: 9, f: 0.25, b: true },
  { k: 'c', n: 2, f: 1, b: false },
  { k: 'B', n: 2, f: -0.5, b: true },
  { k: 'B', n: 5, f: -0.5, b: true },
  { k: 'b', n: 12, f: 100, b: false },
  { n: 11, f: -0.5, b: false },
  { n: -2, f: 0.25, b: true },
  { k: 'B', n: 11, f: 3.75, b: true },
  { k: 'B', n: 7, f: -2.5, b: false },
  { k: 'B', n: 8, f: 1, b: false },
  { k: 'B', n: 8, f: -2.5, b: false },
  { n: 0, f: 3.75, b: false },
  { k: 'c', n: 2, f: 3.75, b: true },
  { n: 8, f: 0.25, b: false },
  { n: 0, f: -0.5, b: true },
  { k: 'b', n: 2, f: 3.75, b: false },
  { n: 6, f: 100, b: false },
  { k: 'b', n: 4, f: 1, b: false },
  { k: 'b', n: 6, f: 100, b: true },
  { k: 'B', n: 7, f: 0.25, b: false },
  { n: 3, f: -2.5, b: false },
  { n: 12, f: 1, b: false },
  { k: 'B', n: -2, f: 100, b: false },
  { k: 'b', n: 1, f: 1, b: true },
  { k: 'a', n: 2, f: -2.5, b: true },
  { k: 'a', n: 4, f: -0.5, b: true },
  { k: 'c', n: 11, f: 0.25, b: false },
  { k: 'a', n: -3, f: -2.5, b: true },
  { n: 12, f: 0.25, b: false },
  { k: 'c', n: 10, f: -2.5, b: true },
];

/**
 * Answers of OpenSearch 3.1 over these documents with b: true: members, and key, count, score and background of buckets,
 * terms of equal scores by key.
 */
const ANSWERS: readonly (readonly [JsonObject, readonly (readonly (string | number)[])[]])[] = [
  [
    { jlh: {} },
    [
      ['B', 9, 0.15839999999999999, 15],
      ['a', 4, 0.05942857142857143, 7],
    ],
  ],
  [
    { mutual_information: {} },
    [
      ['B', 9, 0.03293210010188954, 15],
      ['a', 4, 0.009240170555563676, 7],
    ],
  ],
  [
    { mutual_information: { include_negatives: true } },
    [
      ['B', 9, 0.03293210010188954, 15],
      ['a', 4, 0.009240170555563676, 7],
      ['b', 3, 0.0037119153458770072, 9],
      ['c', 3, 0.0037119153458770072, 9],
    ],
  ],
  [
    { chi_square: { include_negatives: true } },
    [
      ['B', 9, 2.7657142857142856, 15],
      ['a', 4, 0.7809010396611474, 7],
      ['b', 3, 0.3025210084033613, 9],
      ['c', 3, 0.3025210084033613, 9],
    ],
  ],
  [
    { chi_square: {} },
    [
      ['B', 9, 2.7657142857142856, 15],
      ['a', 4, 0.7809010396611474, 7],
    ],
  ],
  [
    { gnd: {} },
    [
      ['B', 9, 0.47856387153461555, 15],
      ['a', 4, 0.42614117207234153, 7],
      ['b', 3, 0.3270565242778685, 9],
      ['c', 3, 0.3270565242778685, 9],
    ],
  ],
  [
    { percentage: {} },
    [
      ['B', 9, 0.6, 15],
      ['a', 4, 0.5714285714285714, 7],
      ['b', 3, 0.3333333333333333, 9],
      ['c', 3, 0.3333333333333333, 9],
    ],
  ],
  [
    { gnd: { background_is_superset: false }, background_filter: { range: { n: { gt: 4 } } } },
    [
      ['a', 4, 0.4402274489753293, 2],
      ['b', 3, 0.3870266620507501, 3],
      ['B', 9, 0.37073748536941925, 11],
      ['c', 3, 0.31354859108687394, 6],
    ],
  ],
  [
    {
      mutual_information: { background_is_superset: false, include_negatives: true },
      background_filter: { range: { n: { gt: 4 } } },
    },
    [
      ['a', 4, 0.01701634844383876, 2],
      ['c', 3, 0.007302626569890654, 6],
      ['b', 3, 0.0010001644243179683, 3],
      ['B', 9, 2.0679195221680906e-5, 11],
    ],
  ],
  [
    { jlh: {}, background_filter: { range: { n: { gt: 4 } } } },
    [
      ['a', 4, 0.2368, 2],
      ['b', 3, 0.0288, 3],
      ['B', 9, 0.005236363636363604, 11],
    ],
  ],
];

const indices = [
  {
    view: makeView(
      {
        properties: {
          k: { type: 'keyword' },
          n: { type: 'long' },
          f: { type: 'double' },
          b: { type: 'boolean' },
        },
      },
      DOCS.map((source, i) => ({ id: String(i), source })),
      [-20, 9],
    ),
    docs: [],
  },
];

/** Logarithms differ in their last digit. */
const rounded = (row: readonly (string | number)[]): unknown[] =>
  row.map((value) => (typeof value === 'number' ? value.toPrecision(12) : value));

test('scores are those of the peer', async () => {
  for (const [members, expected] of ANSWERS) {
    const results = await aggregate(
      indices,
      { a: { significant_terms: { field: 'k', min_doc_count: 1, ...members } } },
      request,
    );
    const { a } = plainResults(results) as {
      a: { buckets: { key: string; doc_count: number; score: number; bg_count: number }[] };
    };
    const rows = a.buckets.map((each) => [each.key, each.doc_count, each.score, each.bg_count]);
    assert.deepEqual(rows.map(rounded), expected.map(rounded));
  }
});

test('what cannot be compared is refused', async () => {
  const run = (members: JsonObject): Promise<unknown> =>
    aggregate(indices, { a: { significant_terms: { field: 'k', min_doc_count: 1, ...members } } }, request);
  await assert.rejects(run({ field: 'f' }), /No support for examining floating point numerics/);
  await assert.rejects(
    run({ chi_square: {}, background_filter: { range: { n: { gt: 4 } } } }),
    /does your background filter not include/,
  );
  await assert.rejects(
    run({ gnd: { include_negatives: true } }),
    /\[gnd\] unknown field \[include_negatives\]/,
  );
  await assert.rejects(
    run({ jlp: {} }),
    /\[significant_terms\] unknown field \[jlp\] did you mean \[jlh\]\?/,
  );
  await assert.rejects(run({ script_heuristic: { script: 'x' } }), /needs scripts/);
});
