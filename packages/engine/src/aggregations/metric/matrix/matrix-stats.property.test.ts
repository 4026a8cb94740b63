// Matrices of statistics equal those that are computed from all values at once, in each bucket.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  aggregate,
  checkTwin,
  numbersOf,
  plainResults,
  type TwinDoc,
} from '../../../../test/aggregation-world.ts';
import { makeView } from '../../../../test/query-world.ts';
import type { JsonObject } from '../../../json/value.ts';

const average = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const printed = (value: number): number | string => (Number.isFinite(value) ? value : String(value));

/** Rounds to 8 digits. Quarters and halves, at which rounding errors would decide, are moved aside first. */
const clean = (value: number): number =>
  Math.abs(value) < 1e-9 ? 0 : Number((value * Math.SQRT2).toPrecision(8));

type Field = 'n' | 'f';
const FIELDS: readonly Field[] = ['f', 'n'];

function matrix(docs: readonly TwinDoc[], oneOf: (doc: TwinDoc, field: Field) => number): object {
  const rows = docs
    .map((doc) => FIELDS.map((field) => oneOf(doc, field)))
    .filter((row) => !row.some(Number.isNaN));
  const count = rows.length;
  if (count === 0) return { doc_count: 0 };
  const means = FIELDS.map((_, i) => average(rows.map((row) => row[i]!)));
  const moment = (i: number, power: number): number =>
    rows.reduce((sum, row) => sum + (row[i]! - means[i]!) ** power, 0);
  const together = (i: number, j: number): number =>
    rows.reduce((sum, row) => sum + (row[i]! - means[i]!) * (row[j]! - means[j]!), 0) / (count - 1);
  const fields = FIELDS.map((name, i) => ({
    name,
    count,
    mean: printed(means[i]!),
    variance: printed(together(i, i)),
    skewness: printed((Math.sqrt(count) * moment(i, 3)) / moment(i, 2) ** 1.5),
    kurtosis: printed((count * moment(i, 4)) / moment(i, 2) ** 2),
    covariance: Object.fromEntries(FIELDS.map((other, j) => [other, printed(together(i, j))])),
    correlation: Object.fromEntries(
      FIELDS.map((other, j) => [
        other,
        i === j ? 1 : printed(together(i, j) / Math.sqrt(together(i, i) * together(j, j))),
      ]),
    ),
  }));
  return { doc_count: count, fields };
}

/** Leaves out what rounding errors decide: moments of equal values. */
function comparable(value: unknown): unknown {
  if (typeof value === 'number') return clean(value);
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const isFlat = 'variance' in value && Number(value.variance) < 1e-9;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      isFlat && name !== 'mean' && name !== 'count' ? null : comparable(each),
    ]),
  );
}

const MODES: Readonly<Record<string, (values: readonly number[]) => number>> = {
  avg: average,
  min: (values) => (values.length === 0 ? Number.NaN : values[0]!),
  max: (values) => values.at(-1) ?? Number.NaN,
  sum: (values) => (values.length === 0 ? Number.NaN : values.reduce((a, b) => a + b, 0)),
  median: (values) => {
    const half = values.length / 2;
    return values.length % 2 === 1 ? values[Math.floor(half)]! : (values[half - 1]! + values[half]!) / 2;
  },
};

for (const [mode, one] of Object.entries(MODES))
  test(`matrix_stats with several values to a document as ${mode}`, async () => {
    await checkMatrix({ fields: ['n', 'f'], mode }, (doc, field) => one(numbersOf(doc, field)));
  });

test('matrix_stats with a missing value', async () => {
  await checkMatrix({ fields: ['n', 'f', 'unmapped'], missing: { n: 7 } }, (doc, field) => {
    const values = numbersOf(doc, field);
    return field === 'n' && values.length === 0 ? 7 : average(values);
  });
});

/** Both fields are mapped: with one alone, the other does not count. */
async function checkMatrix(body: JsonObject, oneOf: (doc: TwinDoc, field: Field) => number): Promise<void> {
  const parts = [(doc: TwinDoc) => doc.b === true, () => true];
  await checkTwin(
    { filters: { filters: [{ term: { b: true } }, { match_all: {} }] }, aggs: { m: { matrix_stats: body } } },
    (docs) => ({
      buckets: parts.map((part) => ({
        doc_count: docs.filter(part).length,
        m: matrix(docs.filter(part), oneOf),
      })),
    }),
    { numRuns: 30, comparable, mapped: ['n', 'f'] },
  );
}

/** Answers of OpenSearch 3.1: several values to a document. */
test('a matrix is that of the peer', async () => {
  const docs = [{ n: [1, 5], f: 2 }, { n: 3, f: [1, 7, 2] }, { n: 4 }, { n: [9, 2], f: 0.5 }];
  const properties = { n: { type: 'long' }, f: { type: 'double' } };
  const view = makeView(
    { properties },
    docs.map((source, i) => ({ id: String(i), source })),
  );
  const run = async (members: JsonObject): Promise<unknown> =>
    plainResults(
      await aggregate([{ view, docs: [] }], { m: { matrix_stats: { fields: ['n', 'f'], ...members } } }),
    )['m'];
  const expected = {
    doc_count: 3,
    fields: [
      {
        name: 'f',
        count: 3,
        mean: 1.9444444444444446,
        variance: 2.00925925925926,
        skewness: -0.07189170149291658,
        kurtosis: 1.4999999999999998,
        covariance: { f: 2.00925925925926, n: -1.8055555555555558 },
        correlation: { f: 1, n: -0.8824975032927697 },
      },
      {
        name: 'n',
        count: 3,
        mean: 3.8333333333333335,
        variance: 2.0833333333333335,
        skewness: 0.7071067811865475,
        kurtosis: 1.5,
        covariance: { f: -1.8055555555555558, n: 2.0833333333333335 },
        correlation: { f: -0.8824975032927697, n: 1 },
      },
    ],
  };
  assert.deepEqual(comparable(await run({})), comparable(expected));
  await assert.rejects(run({ mode: 'xx' }), /Illegal sort mode: xx/);
  await assert.rejects(run({ x: 1 }), /Unexpected token VALUE_NUMBER \[x\] in \[m\]/);
  await assert.rejects(run({ missing: 3 }), /Unexpected token VALUE_NUMBER \[missing\] in \[m\]/);
});
