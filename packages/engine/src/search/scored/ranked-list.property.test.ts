// A page selected from unordered matches equals the page of a full ranking.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pickRange, rankByScore } from './ranked-list.ts';

function result<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

test('a picked page is a part of the ranked list', () => {
  const score = fc.oneof(
    fc.float({ min: 0, noNaN: true }),
    fc.constantFrom(0, 1, 1.5, 1.5000001, Number.POSITIVE_INFINITY),
    fc.float({ min: 1, max: Math.fround(1.01), noNaN: true }),
    fc.float({ min: -3, max: 0, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(score, { maxLength: 300 }), fc.nat(310), fc.nat(40), (all, from, size) => {
      const list = {
        positions: Float64Array.from(all, (_, i) => i * 3),
        scores: Float32Array.from(all),
      };
      const ranked = result(rankByScore(list.positions, list.scores));
      const [start, end] = [Math.min(from, all.length), Math.min(from + size, all.length)];
      const page = result(pickRange(list, start, end));
      assert.deepEqual(page.positions, ranked.positions.slice(start, end));
      assert.deepEqual(page.scores, ranked.scores.slice(start, end));
    }),
    { numRuns: 2_000 },
  );
});

test('few and many are ranked alike, ties as they came', () => {
  for (const n of [0, 1, 4_096, 4_097, 9_000]) {
    const scores = Float32Array.from({ length: n }, (_, i) => ((i * 7_919) % 1_000) / 7);
    const list = result(
      rankByScore(
        Float64Array.from(scores, (_, i) => i),
        scores,
      ),
    );
    const expected = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b);
    assert.deepEqual([...list.positions], expected);
    assert.deepEqual(
      list.scores,
      Float32Array.from(expected, (i) => scores[i]!),
    );
  }
});
