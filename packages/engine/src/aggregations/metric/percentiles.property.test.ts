// Percentiles, ranks, deviations and weighted means equal those of sorted arrays; long lists are sorted in steps.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkTwin, numbersOf, type TwinDoc } from '../../../test/aggregation-world.ts';
import { runToEnd } from '../../turn.ts';
import { HdrSteps } from './hdr.ts';
import { sortInSteps } from './value-lists.ts';

const sorted = (docs: readonly TwinDoc[], field: 'n' | 'f'): number[] =>
  docs.flatMap((doc) => numbersOf(doc, field)).sort((a, b) => a - b);
const at = (values: readonly number[], percent: number): number | null =>
  values.length === 0
    ? null
    : values[Math.min(values.length - 1, Math.floor((percent / 100) * values.length))]!;

test('percentiles', async () => {
  await checkTwin({ percentiles: { field: 'n', percents: [90, 0, 50, 100] } }, (docs) => {
    const values = sorted(docs, 'n');
    return {
      values: Object.fromEntries([0, 50, 90, 100].map((p) => [`${p}.0`, at(values, p)])),
    };
  });
});

test('percentile ranks', async () => {
  await checkTwin({ percentile_ranks: { field: 'f', values: [1, -3, 500] } }, (docs) => {
    const values = sorted(docs, 'f');
    const below = (limit: number): number => values.filter((value) => value < limit).length;
    const rank = (limit: number): number =>
      (100 * (below(limit) + values.filter((value) => value === limit).length / 2)) / values.length;
    const keys = [-3, 1, 500];
    return {
      values: Object.fromEntries(keys.map((key) => [`${key}.0`, values.length === 0 ? null : rank(key)])),
    };
  });
});

test('median absolute deviation', async () => {
  await checkTwin({ median_absolute_deviation: { field: 'f' } }, (docs) => {
    const values = sorted(docs, 'f');
    const median = at(values, 50);
    const far = values.map((value) => Math.abs(value - median!)).sort((a, b) => a - b);
    return { value: at(far, 50) };
  });
});

test('weighted mean', async () => {
  await checkTwin({ weighted_avg: { value: { field: 'n' }, weight: { field: 'b', missing: 3 } } }, (docs) => {
    let [sum, weights] = [0, 0];
    for (const doc of docs)
      for (const n of numbersOf(doc, 'n')) {
        const weight = doc.b === undefined ? 3 : doc.b ? 1 : 0;
        sum += n * weight;
        weights += weight;
      }
    return { value: weights === 0 ? null : sum / weights };
  });
});

test('long lists are sorted in steps', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 0, max: 60_000 }), (seed, length) => {
      let state = seed;
      const values = Float64Array.from({ length }, () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return state % 1000;
      });
      const due = values.slice().sort();
      runToEnd(sortInSteps(values));
      assert.deepEqual(values, due);
    }),
    { numRuns: 20 },
  );
});

test('a step of an HDR histogram ends at most its width behind the value', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-3, max: 1e9, noNaN: true }),
      fc.integer({ min: 1, max: 5 }),
      (value, digits) => {
        const end = new HdrSteps(digits, 1e-3).end(value);
        assert.ok(end >= value * (1 - 10 ** -digits) && end <= value * (1 + 10 ** -digits));
      },
    ),
  );
});
