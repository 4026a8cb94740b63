// Metrics of numbers equal those of plain arrays.

import { test } from 'node:test';
import { checkTwin, isMapped, numbersOf, type TwinDoc } from '../../../test/aggregation-world.ts';

type NumberField = 'n' | 'f' | 'd' | 'b';
const FIELDS: readonly NumberField[] = ['n', 'f', 'd', 'b'];

const all = (docs: readonly TwinDoc[], field: NumberField): number[] =>
  docs.flatMap((doc) => numbersOf(doc, field));
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** Metrics by name, over plain values. */
const TWINS: Readonly<Record<string, (values: readonly number[]) => number | null>> = {
  min: (values) => (values.length === 0 ? null : Math.min(...values)),
  max: (values) => (values.length === 0 ? null : Math.max(...values)),
  sum,
  avg: (values) => (values.length === 0 ? null : sum(values) / values.length),
  value_count: (values) => values.length,
  cardinality: (values) => new Set(values).size,
};

for (const field of ['n', 'f'] as const)
  for (const [name, twin] of Object.entries(TWINS))
    test(`${name} of ${field}`, async () => {
      await checkTwin({ [name]: { field } }, (docs) => ({ value: twin(all(docs, field)) }));
    });

test('a missing value stands for documents without one', async () => {
  await checkTwin({ sum: { field: 'n', missing: 7 } }, (docs) => ({
    value: sum(docs.flatMap((doc) => (doc.n === undefined ? [7] : numbersOf(doc, 'n')))),
  }));
});

test('stats of numbers', async () => {
  await checkTwin({ stats: { field: 'f' } }, (docs) => {
    const values = all(docs, 'f');
    return {
      count: values.length,
      min: TWINS['min']!(values),
      max: TWINS['max']!(values),
      avg: TWINS['avg']!(values),
      sum: sum(values),
    };
  });
});

test('a number of dates and booleans is counted in each bucket of a level above', async () => {
  for (const field of FIELDS)
    await checkTwin(
      { filters: { filters: [{ term: { b: true } }, { match_all: {} }] }, aggs: { s: { sum: { field } } } },
      (docs, indices) => {
        const parts = [docs.filter((doc) => doc.b === true), docs];
        return {
          buckets: parts.map((part) => ({
            doc_count: part.length,
            s: isMapped(indices, field) ? sumOf(all(part, field), field) : { value: 0 },
          })),
        };
      },
      { numRuns: 15 },
    );
});

function sumOf(values: readonly number[], field: NumberField): Record<string, unknown> {
  const value = sum(values);
  if (field === 'b') return { value, value_as_string: value === 0 ? 'false' : 'true' };
  return field === 'd' ? { value, value_as_string: new Date(value).toISOString() } : { value };
}
