// A case that takes ten percent more is found to do so, whatever the speed of the machine does meanwhile.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costRatio } from './figures-compared.ts';
import { pairedRatio } from './paired-ratio.ts';
import { quantile } from './quantile.ts';

test('the speed of the machine does not change the ratio of two cases', () => {
  // Half of the pieces are slow for both cases, and one more for each: the two medians fall on different sides.
  const slow = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2];
  const first = slow.map((by) => 100 * by);
  const second = slow.map((by, at) => (at === 4 ? 220 : 110 * by));
  assert.equal(pairedRatio(second, first), 1.1);
  assert.ok(quantile(second, 0.4) / quantile(first, 0.4) > 2);
});

test('a claim about two cases uses paired ratios if there are some', () => {
  const row = (name: string, median: number, beside?: Record<string, number>) =>
    ({ name, unit: 'µs', figures: { octavo: { median, ...(beside && { beside }) } } }) as const;
  const first = row('page 1', 100);
  assert.equal(costRatio([first, row('page 9', 150, { 'page 1': 1.1 })], 'page 9', 'page 1').measured, 1.1);
  assert.equal(costRatio([first, row('page 9', 150)], 'page 9', 'page 1').measured, 1.5);
});
