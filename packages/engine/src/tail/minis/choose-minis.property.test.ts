// Merging minis stays cheap, and their number stays small, whatever the sizes of commits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chooseMinis } from './choose-minis.ts';

const LIMIT = 65_536;
const LARGEST = 16_384;

/** Commits of the given sizes, over and over; returns rewrites per document, the most minis, and those of the full tail. */
function fill(commits: readonly number[]): { rewrites: number; most: number; last: number } {
  const sizes: number[] = [];
  let docs = 0;
  let work = 0;
  let most = 0;
  for (let i = 0; ; i++) {
    const size = commits[i % commits.length]!;
    const isLast = docs + size >= LIMIT;
    sizes.push(isLast ? LIMIT - docs : size);
    docs += sizes.at(-1)!;
    const kept = chooseMinis(sizes, LARGEST, isLast);
    assert.ok(kept >= 0 && kept < sizes.length);
    const merged = sizes.splice(kept).reduce((a, b) => a + b, 0);
    assert.ok(merged <= Math.max(LARGEST, size));
    sizes.push(merged);
    work += merged;
    if (isLast) return { rewrites: work / docs, most, last: sizes.length };
    most = Math.max(most, sizes.length);
  }
}

test('commits of equal size', () => {
  for (const size of [1, 7, 10, 37, 100, 500, 1000, 3000, 8000, 20_000]) {
    const { rewrites, most, last } = fill([size]);
    assert.ok(rewrites < 5.5, `${rewrites} rewrites at ${size}`);
    assert.ok(most <= 34, `${most} minis at ${size}`);
    assert.ok(last <= 8, `${last} minis of the full tail at ${size}`);
  }
});

test('what becomes one when the tail is full is not larger than any other', () => {
  const sizes = [4_000, 60, 50, 40, 30];
  assert.equal(chooseMinis(sizes, 1_000, true), 1);
  assert.equal(chooseMinis(sizes, 100, true), 3);
});

test('commits of any sizes', () => {
  const size = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3000 }));
  fc.assert(
    fc.property(fc.array(size, { minLength: 1, maxLength: 30 }), (commits) => {
      const { rewrites, most, last } = fill(commits);
      assert.ok(rewrites < 12 && most <= 60, `${rewrites} rewrites, ${most} minis`);
      assert.ok(last <= 16, `${last} minis of the full tail`);
    }),
    { numRuns: 40 },
  );
});
