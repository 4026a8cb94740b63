// Do the choices of the policy lead somewhere: few segments, each document rewritten a few times, the dead gone?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chooseMerge, type MergeLimits, type SegmentSize } from './policy.ts';

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

test('seals of equal size end in few segments, each document rewritten a few times', () => {
  const segments: SegmentSize[] = [];
  let rewritten = 0;
  const seals = 400;
  for (let i = 0; i < seals; i++) {
    segments.push(sized(65_536));
    rewritten += settle(segments, {});
    assert.ok(segments.length <= 24);
  }
  assert.ok(rewritten / (seals * 65_536) < 4, `${rewritten / (seals * 65_536)} rewrites a document`);
});

test('minis of the tail do not force segments together', () => {
  const segments = Array.from({ length: 7 }, () => sized(1_000_000));
  assert.equal(chooseMerge(segments, { minis: 60 }), undefined);
});

test('a segment more than a third dead is rewritten', () => {
  assert.deepEqual(chooseMerge([sized(900_000), sized(900_000, 590_000)]), { from: 1, to: 2 });
  assert.equal(chooseMerge([sized(900_000), sized(900_000, 610_000)]), undefined);
  assert.deepEqual(chooseMerge([sized(900, 0)]), { from: 0, to: 1 });
});

test('any sizes settle within the limit', () => {
  const size = fc.tuple(fc.integer({ min: 1, max: 5_000_000 }), fc.nat(100));
  fc.assert(
    fc.property(fc.array(size, { maxLength: 60 }), fc.nat(40), (sizes, minis) => {
      const segments = sizes.map(([docs, share]) => sized(docs, Math.ceil((docs * share) / 100)));
      settle(segments, { minis });
      assert.ok(segments.length <= Math.max(24 - minis, 12));
    }),
  );
});
