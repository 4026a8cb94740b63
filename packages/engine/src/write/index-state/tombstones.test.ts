// Tombstones live for exactly one minute, also for documents that are deleted again or whose deletion is rolled back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Tombstones } from './tombstones.ts';

test('what is remembered is what a plain list says', () => {
  const step = fc.record({
    what: fc.constantFrom('put', 'put', 'put', 'remove', 'takeBack'),
    id: fc.nat(12),
    wait: fc.constantFrom(0, 1, 10_000, 30_000, 59_999, 60_000),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const tombstones = new Tombstones();
      const plain = new Map<string, { seqNo: number; at: number }>();
      let [now, seqNo] = [1_000_000, 0];
      for (const { what, id: number, wait } of steps) {
        const id = `id ${number}`;
        now += wait;
        if (what === 'put') {
          tombstones.put(id, 1, ++seqNo, '_doc', now);
          plain.set(id, { seqNo, at: now });
          for (const [each, { at }] of plain) if (at <= now - 60_000) plain.delete(each);
          assert.equal(tombstones.size, plain.size);
        } else if (what === 'remove') {
          tombstones.remove(id);
          plain.delete(id);
        } else {
          tombstones.removeFrom(seqNo);
          for (const [each, known] of plain) if (known.seqNo >= seqNo) plain.delete(each);
        }
        for (let each = 0; each <= 12; each++) {
          const known = plain.get(`id ${each}`);
          const isThere = known !== undefined && known.at > now - 60_000;
          assert.equal(tombstones.get(`id ${each}`, now)?.seqNo, isThere ? known.seqNo : undefined);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('there are so many at most', () => {
  const tombstones = new Tombstones();
  for (let i = 0; i < 100_500; i++) tombstones.put(`id ${i}`, 1, i, '_doc', 5);
  assert.equal(tombstones.size, 100_000);
  assert.equal(tombstones.get('id 499', 5), undefined);
  assert.equal(tombstones.get('id 500', 5)?.seqNo, 500);
});
