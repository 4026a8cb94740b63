// Pages of match_all equal those of a plain array of the live documents. The leaves have bitmaps or none. Some bitmaps have
// words of deleted documents only, or extend beyond the snapshot.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Side } from '../../order/compare.ts';
import { matchAllPage } from './match-all.ts';

/** Runs of documents that live or do not. */
const stretch = fc.record({ lives: fc.boolean(), length: fc.integer({ min: 1, max: 70 }) });
const leaf = fc.record({
  stretches: fc.array(stretch, { minLength: 1, maxLength: 6 }),
  unseen: fc.nat(40),
  isWhole: fc.boolean(),
});

test('pages of everything are those of a plain array', () => {
  fc.assert(
    fc.property(
      fc.array(leaf, { maxLength: 5 }),
      fc.nat(300),
      fc.integer({ min: 1, max: 200 }),
      (leaves, from, size) => {
        const all: { side: Side; doc: number; score: number }[] = [];
        const seen: Parameters<typeof matchAllPage>[0][number][] = [];
        const sides: Side[] = [];
        for (const { stretches, unseen, isWhole } of leaves) {
          const lives = stretches.flatMap(({ lives, length }) =>
            Array<boolean>(length).fill(lives || isWhole),
          );
          const live = new Uint32Array((lives.length + unseen + 31) >>> 5);
          const side = { place: sides.length } as Side;
          lives.forEach((does, doc) => {
            if (!does) return;
            live[doc >>> 5]! |= 1 << (doc & 31);
            all.push({ side, doc, score: 2 });
          });
          // What came behind the snapshot.
          for (let doc = lives.length; doc < lives.length + unseen; doc++)
            live[doc >>> 5]! |= 1 << (doc & 31);
          const liveCount = lives.filter(Boolean).length;
          const view = { live: isWhole ? undefined : live, liveCount, docCount: lives.length };
          seen.push({ view });
          sides.push(side);
        }
        const page = matchAllPage(seen, sides, 2, from, size);
        assert.deepEqual(page.docs, all.slice(from, from + size));
        assert.equal(page.total, all.length);
        assert.equal(page.before, from > 0 && all.length > 0);
        assert.equal(page.after, from + page.docs.length < all.length);
      },
    ),
    { numRuns: 500 },
  );
});
