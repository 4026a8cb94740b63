// Is a case that takes a tenth more found to do so, whatever the machine does meanwhile?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timesBeside } from './beside.ts';
import { costs } from './compare.ts';
import { quantile } from './quantile.ts';

test('a machine that is fast now and slow then does not move what two cases take beside each other', () => {
  // Slow for both in half of the pieces, and in one more for either: their medians fall on different sides.
  const slow = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2];
  const first = slow.map((by) => 100 * by);
  const second = slow.map((by, at) => (at === 4 ? 220 : 110 * by));
  assert.equal(timesBeside(second, first), 1.1);
  assert.ok(quantile(second, 0.4) / quantile(first, 0.4) > 2);
});

test('a claim about two cases goes by their pieces where there are some', () => {
  const row = (name: string, median: number, beside?: Record<string, number>) =>
    ({ name, unit: 'µs', figures: { octavo: { median, ...(beside && { beside }) } } }) as const;
  const first = row('page 1', 100);
  assert.equal(costs([first, row('page 9', 150, { 'page 1': 1.1 })], 'page 9', 'page 1').measured, 1.1);
  assert.equal(costs([first, row('page 9', 150)], 'page 9', 'page 1').measured, 1.5);
});
