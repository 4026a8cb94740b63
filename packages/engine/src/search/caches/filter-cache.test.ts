// Bitmaps of filters stay within their budget, the least recently used are evicted first, and they are never
// mixed up.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchingBits } from '../../../test/matching-bits.ts';
import { createMemory } from '../../memory/arenas.ts';
import type { Plan } from '../../query/matcher.ts';
import { CHUNK_WORDS, type Leaf } from '../../segment/leaf.ts';
import { FilterCache } from './filter-cache.ts';

function leafOf(uid: number, docCount = 70_000): Leaf {
  return { uid, docCount } as unknown as Leaf;
}

/** A plan that sets one bit in each chunk, and counts how often it runs. */
function planOf(key: string, bit: number, runs: { count: number }): Plan {
  return {
    scoring: false,
    key,
    matchesAll: false,
    matchesNone: false,
    matcher: () => ({
      cost: 1,
      match(chunk, bits) {
        if (chunk === 0) runs.count++;
        bits.fill(0);
        bits[bit >>> 5]! |= 1 << (bit & 31);
        return true;
      },
      score() {},
    }),
  };
}

test('a bitmap is computed once for a leaf and a query', () => {
  const cache = new FilterCache(createMemory(), 1_000_000);
  const runs = { count: 0 };
  const bits = matchingBits(cache, planOf('a', 7, runs), leafOf(1));
  assert.equal(bits.length, 2 * CHUNK_WORDS);
  assert.equal(bits[0], 1 << 7);
  assert.equal(bits[CHUNK_WORDS], 1 << 7);
  assert.equal(matchingBits(cache, planOf('a', 9, runs), leafOf(1)), bits);
  assert.equal(runs.count, 1);
  matchingBits(cache, planOf('a', 7, runs), leafOf(2));
  matchingBits(cache, planOf('b', 7, runs), leafOf(1));
  assert.equal(runs.count, 3);
  assert.deepEqual({ ...cache.usage, bytes: 0 }, { bytes: 0, entries: 3, hits: 1, misses: 3 });
});

test('the budget is kept, the least recently used goes first', () => {
  const cache = new FilterCache(createMemory(), 160_000);
  const runs = { count: 0 };
  for (let i = 0; i < 9; i++) matchingBits(cache, planOf(`q${i}`, i, runs), leafOf(1));
  assert.equal(cache.usage.entries, 9);
  matchingBits(cache, planOf('q0', 0, runs), leafOf(1));
  matchingBits(cache, planOf('q9', 9, runs), leafOf(1));
  assert.ok(cache.usage.bytes <= 160_000);
  const before = runs.count;
  matchingBits(cache, planOf('q0', 0, runs), leafOf(1));
  assert.equal(runs.count, before, 'q0 was used lately');
  matchingBits(cache, planOf('q1', 1, runs), leafOf(1));
  assert.equal(runs.count, before + 1, 'q1 was not');
});
