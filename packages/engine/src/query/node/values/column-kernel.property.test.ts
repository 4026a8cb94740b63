// The bitmap of a range is that of comparing each key, by kernel and by its twin.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { setBit, wordsFor } from '../../../kernels/bits.ts';
import { createMemory } from '../../../memory/arenas.ts';
import { CHUNK_WORDS, type Leaf, type NumericColumn } from '../../../segment/leaf.ts';
import { NumericRangeNode } from './numeric-range-node.ts';

const memory = createMemory({ stepBytes: 1 << 20 });
const half = fc.oneof(
  fc.constantFrom(0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff),
  fc.integer({ min: 0, max: 3 }),
);
const key = fc.record({ hi: half, lo: half });

function inArena(words: Uint32Array): Uint32Array {
  const block = memory.alloc(words.byteLength);
  const copy = new Uint32Array(block.buffer, block.ptr, words.length);
  copy.set(words);
  return copy;
}

test('ranges of keys are those of plain comparing, in an arena and outside', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ key, isThere: fc.nat(9).map((n) => n > 0) }), { minLength: 1, maxLength: 140 }),
      key,
      key,
      (docs, min, max) => {
        const present = new Uint32Array(wordsFor(docs.length));
        for (const [i, { isThere }] of docs.entries()) if (isThere) setBit(present, i);
        const hi = Uint32Array.from(docs, (doc) => doc.key.hi);
        const lo = Uint32Array.from(docs, (doc) => doc.key.lo);
        const big = (each: { hi: number; lo: number }): bigint => (BigInt(each.hi) << 32n) | BigInt(each.lo);
        const due = new Uint32Array(CHUNK_WORDS);
        for (const [i, doc] of docs.entries())
          if (doc.isThere && big(doc.key) >= big(min) && big(doc.key) <= big(max)) setBit(due, i);
        for (const place of [(words: Uint32Array) => words, inArena]) {
          const column: NumericColumn = {
            kind: 'numeric',
            starts: undefined,
            hi: place(hi),
            lo: place(lo),
            present: place(present),
          };
          const leaf = { docCount: docs.length, column: () => column } as unknown as Leaf;
          const bits = new Uint32Array(CHUNK_WORDS).fill(0xffff_ffff);
          const any = new NumericRangeNode('n', min, max, 1).matcher(leaf).match(0, bits);
          assert.deepEqual(bits, due);
          assert.equal(
            any,
            due.some((word) => word !== 0),
          );
        }
      },
    ),
    { numRuns: 300 },
  );
});
