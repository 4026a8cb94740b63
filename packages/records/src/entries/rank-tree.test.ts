// The tree over positions: how many levels, which ranges.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countsByRange, rangeOf, treeLevels } from './rank-tree.ts';

test('a level is added when the one at the top has more than 64 ranges', () => {
  const cases: readonly (readonly [number, number])[] = [
    [0, 1],
    [1, 1],
    [4_096, 1],
    [4_097, 2],
    [262_144, 2],
    [262_145, 3],
    [16_777_217, 4],
  ];
  for (const [positions, levels] of cases) {
    assert.equal(treeLevels(positions), levels, String(positions));
    assert.ok(rangeOf(Math.max(0, positions - 1), levels) < 64);
  }
});

test('positions are counted by the range that holds them', () => {
  assert.deepEqual(
    [...countsByRange([0, 63, 64, 4_095, 4_096], 1)],
    [
      [0, 2],
      [1, 1],
      [63, 1],
      [64, 1],
    ],
  );
  assert.deepEqual(
    [...countsByRange([0, 4_095, 4_096], 2)],
    [
      [0, 2],
      [1, 1],
    ],
  );
});
