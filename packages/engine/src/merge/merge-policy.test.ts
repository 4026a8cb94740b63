// The choices of the policy converge: few segments, each document rewritten a few times, dead documents
// dropped.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chooseMerge, type MergeLimits, mergeLimitsOf, type SegmentSize } from './merge-policy.ts';

const sized = (docCount: number, liveCount: number = docCount): SegmentSize => ({
  docCount,
  liveCount,
  bytes: docCount * 600,
});

/** Merges as chosen until nothing is left to do; returns the segments and the documents rewritten. */
function settle(segments: SegmentSize[], limits: MergeLimits): number {
  let rewritten = 0;
  for (let step = 0; ; step++) {
    assert.ok(step < 1000, 'the policy comes to an end');
    const run = chooseMerge(segments, limits);
    if (run === undefined) return rewritten;
    assert.ok(run.from >= 0 && run.to <= segments.length && run.from < run.to);
    const live = segments.slice(run.from, run.to).reduce((sum, one) => sum + one.liveCount, 0);
    rewritten += live;
    segments.splice(run.from, run.to - run.from, ...(live > 0 ? [sized(live)] : []));
  }
}

/**
 * Rewrites a document at the end, the most segments there were, and the largest merge as a share of all there
 * was then, once that was much.
 */
function growth(seals: readonly SegmentSize[]): { rewrites: number; most: number; largest: number } {
  const segments: SegmentSize[] = [];
  let [written, rewritten, most, largest] = [0, 0, 0, 0];
  for (const seal of seals) {
    segments.push(seal);
    written += seal.docCount;
    const again = settle(segments, {});
    rewritten += again;
    if (written > 2_000_000) largest = Math.max(largest, again / written);
    most = Math.max(most, segments.length);
  }
  return { rewrites: rewritten / written, most, largest };
}

test('seals end in few segments, each document rewritten a few times, never many more than a quarter of all at once', () => {
  const seals: [number, number, (i: number) => number][] = [
    [16, 0, () => 65_536],
    [20, 0.9, () => 65_536],
    [20, 0.9, (i) => (i % 2 === 0 ? 65_536 : 34_464)],
    [100, 1.5, () => 65_536],
    [400, 3, () => 65_536],
    [400, 3, (i) => 5_000 + ((i * 7_919) % 100) * 600],
  ];
  for (const [count, rewrites, docs] of seals) {
    const grown = growth(Array.from({ length: count }, (_, i) => sized(docs(i))));
    assert.ok(grown.most <= 16);
    assert.ok(grown.rewrites <= rewrites, `${grown.rewrites} rewrites a document after ${count} seals`);
    assert.ok(grown.largest <= 0.3, `a merge took ${grown.largest} of all after ${count} seals`);
  }
});

test('small segments become one as soon as there are eight', () => {
  const segments = Array.from({ length: 8 }, () => sized(5_000));
  assert.deepEqual(chooseMerge(segments), { from: 0, to: 8 });
  assert.equal(chooseMerge(segments.slice(1)), undefined);
  assert.equal(chooseMerge(Array.from({ length: 16 }, () => sized(1_000_000))), undefined);
});

test('a segment more than a third dead is rewritten', () => {
  assert.deepEqual(chooseMerge([sized(900_000), sized(900_000, 590_000)]), { from: 1, to: 2 });
  assert.equal(chooseMerge([sized(900_000), sized(900_000, 610_000)]), undefined);
  assert.deepEqual(chooseMerge([sized(900, 0)]), { from: 0, to: 1 });
});

test('what is wholly dead goes before anything is merged, and what is dying is left alone', () => {
  const eight = Array.from({ length: 8 }, (_, i) => sized(5_000, i === 3 ? 0 : 5_000));
  assert.deepEqual(chooseMerge(eight), { from: 3, to: 4 });
  const dying = eight.map((one) => ({ ...sized(one.docCount, 4_000), isDying: one.liveCount === 0 }));
  assert.equal(chooseMerge(dying), undefined);
  assert.deepEqual(chooseMerge([...dying, ...eight.slice(4), sized(5_000)]), { from: 4, to: 12 });
});

test('any sizes settle within the limit', () => {
  const size = fc.tuple(fc.integer({ min: 1, max: 5_000_000 }), fc.nat(100));
  fc.assert(
    fc.property(fc.array(size, { maxLength: 60 }), (sizes) => {
      const segments = sizes.map(([docs, share]) => sized(docs, Math.ceil((docs * share) / 100)));
      settle(segments, {});
      assert.ok(segments.length <= 16);
    }),
  );
});

test('an index may say how many small segments it keeps', () => {
  const ten = Array.from({ length: 10 }, () => sized(10_000));
  const settings = (perTier: string) => ({ 'index.merge.policy.segments_per_tier': perTier });
  assert.deepEqual(chooseMerge(ten, mergeLimitsOf({})), { from: 0, to: 8 });
  assert.deepEqual(chooseMerge(ten, mergeLimitsOf(settings('4.0'))), { from: 0, to: 4 });
  assert.equal(chooseMerge(ten, mergeLimitsOf(settings('11'))), undefined);
  const many = Array.from({ length: 17 }, () => sized(10_000));
  assert.notEqual(
    chooseMerge(many, mergeLimitsOf(settings('100'))),
    undefined,
    'a search meets so many at most',
  );
  assert.deepEqual(mergeLimitsOf(settings('1')), {});
});
