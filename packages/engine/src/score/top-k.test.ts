// The heap retains the best matches in order, with ties by document.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TopK } from './top-k.ts';

test('the heap keeps what a full sort would', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 60 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 12 }), fc.boolean(), (list, k, backwards) => {
      const pairs = list.map((score, doc) => ({ score, doc }));
      const top = new TopK(k);
      for (const { score, doc } of backwards ? [...pairs].reverse() : pairs) {
        const before = top.threshold;
        const kept = top.offer(score, doc);
        if (!backwards) assert.equal(kept, score > before, 'a later document has to beat the threshold');
      }
      const expected = pairs.sort((a, b) => b.score - a.score || a.doc - b.doc).slice(0, k);
      assert.equal(top.size, expected.length);
      const { scores: s, docs: d } = top.drain();
      assert.deepEqual(
        [...s],
        expected.map((e) => e.score),
      );
      assert.deepEqual(
        [...d],
        expected.map((e) => e.doc),
      );
      assert.equal(top.size, 0);
    }),
  );
});
