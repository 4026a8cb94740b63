// Scripts that give the values of a field have the results of the field, on every level and in every layout.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { aggregate, plainResults, type TwinDoc, twinIndices } from '../../../test/aggregation-world.ts';
import type { JsonObject } from '../../json/value.ts';

/** The values of a field that one of the indices may not have. */
const valuesOf = (field: string): string => `doc.containsKey('${field}') ? doc['${field}'] : null`;

/** Aggregations over sources of values: fields, or scripts that read them. */
function aggregations(source: (field: string) => JsonObject): JsonObject {
  const metrics = {
    stats: { stats: source('f') },
    count: { value_count: source('k') },
    distinct: { cardinality: source('k') },
  };
  return {
    ...metrics,
    terms: { terms: { ...source('k'), size: 100 }, aggs: metrics },
    numbers: { terms: { ...source('n'), value_type: 'long', size: 100, missing: 7 }, aggs: metrics },
    steps: { histogram: { ...source('n'), interval: 4 }, aggs: { terms: { terms: source('k') } } },
    days: { date_histogram: { ...source('d'), calendar_interval: 'month' }, aggs: metrics },
    none: { missing: source('b'), aggs: metrics },
    fields: { terms: { field: 'k' }, aggs: { max: { max: source('n') } } },
  };
}

test('scripts over fields give what the fields give', async () => {
  await fc.assert(
    fc.asyncProperty(twinIndices, async (indices) => {
      const plain = await aggregate(
        indices,
        aggregations((field) => ({ field })),
      );
      const scripted = await aggregate(
        indices,
        aggregations((field) => ({ script: valuesOf(field) })),
      );
      assert.deepEqual(plainResults(scripted), plainResults(plain));
    }),
    { numRuns: 60 },
  );
});

test('a script that computes is its naive twin', async () => {
  const script =
    "def sum = 0.0; if (doc.containsKey('f')) { for (x in doc['f']) { sum += x * params.by } } return sum";
  const twin = ({ f = [] }: TwinDoc): number => f.reduce((sum, x) => sum + x * 2, 0);
  await fc.assert(
    fc.asyncProperty(twinIndices, async (indices) => {
      const aggs = { s: { sum: { script: { source: script, params: { by: 2 } } } } };
      const { s } = plainResults(await aggregate(indices, aggs)) as { s: { value: number } };
      const wanted = indices.flatMap(({ docs }) => docs).reduce((sum, doc) => sum + twin(doc), 0);
      assert.ok(Math.abs(s.value - wanted) < 1e-9);
    }),
    { numRuns: 60 },
  );
});
