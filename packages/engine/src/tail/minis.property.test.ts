// Does merging minis stay cheap and their number small, whatever the sizes of commits?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chooseMinis } from './minis.ts';

const LIMIT = 65_536;
const LARGEST = 16_384;

/** Commits of the given sizes, over and over; returns rewrites per document and the most minis. */
function fill(commits: readonly number[]): { rewrites: number; most: number } {
  const sizes: number[] = [];
  let docs = 0;
  let work = 0;
  let most = 0;
  for (let i = 0; ; i++) {
    const size = commits[i % commits.length]!;
    if (docs + size > LIMIT) break;
    docs += size;
    sizes.push(size);
    const kept = chooseMinis(sizes, LARGEST);
    assert.ok(kept >= 0 && kept < sizes.length);
    const merged = sizes.splice(kept).reduce((a, b) => a + b, 0);
    assert.ok(merged <= Math.max(LARGEST, size));
    sizes.push(merged);
    work += merged;
    most = Math.max(most, sizes.length);
  }
  return { rewrites: work / Math.max(1, docs), most };
}

test('commits of equal size', () => {
  for (const size of [1, 7, 10, 37, 100, 500, 1000, 3000, 8000, 20_000]) {
    const { rewrites, most } = fill([size]);
    assert.ok(rewrites < 5.5, `${rewrites} rewrites at ${size}`);
    assert.ok(most <= 34, `${most} minis at ${size}`);
  }
});

test('commits of any sizes', () => {
  const size = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3000 }));
  fc.assert(
    fc.property(fc.array(size, { minLength: 1, maxLength: 30 }), (commits) => {
      const { rewrites, most } = fill(commits);
      assert.ok(rewrites < 12 && most <= 60, `${rewrites} rewrites, ${most} minis`);
    }),
    { numRuns: 40 },
  );
});
