// Kernels count as their twins do. Random numbers, ranges and deletions, inside and outside an arena, are compared with plain
// counting.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PLACES } from '../../kernels/assembly/order/layout.ts';
import { hasBit, setBit, wordsFor } from '../../kernels/bits.ts';
import { createMemory } from '../../memory/arenas.ts';
import { ALL_KEYS, KeyHistogram, shiftOf, splitKey, subrange } from './key-histogram.ts';

const memory = createMemory({ stepBytes: 1 << 20 });
const key = fc.oneof(fc.bigInt(0n, (1n << 64n) - 1n), fc.bigInt(1n << 63n, (1n << 63n) + 3_000n));

function inArena(words: Uint32Array): Uint32Array {
  const block = memory.alloc(words.byteLength);
  const copy = new Uint32Array(block.buffer, block.ptr, words.length);
  copy.set(words);
  return copy;
}

test('extents and counts are those of plain counting, by kernel and by loop', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ key, dead: fc.boolean() }), { minLength: 1, maxLength: 200 }),
      fc.tuple(key, key),
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      (docs, [a, b], isWhole, hasDead, turned) => {
        const range = isWhole ? ALL_KEYS : a < b ? { low: a, high: b } : { low: b, high: a };
        const flip = turned ? 0xffff_ffff : 0;
        const half = (of: 'hi' | 'lo'): Uint32Array =>
          Uint32Array.from(docs, (doc) => splitKey(doc.key)[of] ^ flip);
        const [hi, lo] = [half('hi'), half('lo')];
        const bits = hasDead ? new Uint32Array(wordsFor(docs.length)) : undefined;
        if (bits !== undefined) for (const [i, { dead }] of docs.entries()) if (!dead) setBit(bits, i);
        const inside = docs.map((doc) => doc.key).filter((k) => k >= range.low && k <= range.high);
        const due = inside.toSorted((x, y) => (x < y ? -1 : x > y ? 1 : 0));
        const n = docs.length;
        for (const own of [
          { hi, lo },
          { hi: inArena(hi), lo: inArena(lo) },
        ]) {
          const tally = new KeyHistogram({ ...own, flip });
          const extent = tally.extent(0, n, range);
          assert.deepEqual(extent, due.length === 0 ? undefined : { low: due[0], high: due.at(-1) });
          const shift = shiftOf(range);
          const counts = new Uint32Array(PLACES);
          tally.count(counts, bits, 0, n, range, shift);
          const wanted = new Uint32Array(PLACES);
          for (const [i, doc] of docs.entries()) {
            const isSeen = bits === undefined || hasBit(bits, i);
            if (!isSeen || doc.key < range.low || doc.key > range.high) continue;
            const place = Number((doc.key - range.low) >> BigInt(shift));
            wanted[place]!++;
            const part = subrange(range, shift, place);
            assert.ok(doc.key >= part.low && doc.key <= part.high);
          }
          assert.deepEqual(counts, wanted);
        }
      },
    ),
    { numRuns: 500 },
  );
});
