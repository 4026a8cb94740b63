// Radix sorts are stable and sort as comparing does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runToEnd } from '../../turn.ts';
import { identity, radixSort } from './radix-sort.ts';

/** Keys of n documents, of which some are alike, by a seed. */
function keysOf(n: number, seed: number, bits: number): Uint32Array {
  let state = seed | 1;
  return Uint32Array.from({ length: n }, () => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    return (state ^ (state >>> 15)) >>> (32 - bits);
  });
}

const sizes = fc.oneof(fc.nat(300), fc.constantFrom(1_000, 16_383, 16_384, 16_385, 40_000));

test('sorted by digits, wide or narrow, is sorted by comparing, stably', () => {
  fc.assert(
    fc.property(
      sizes,
      fc.nat(),
      fc.constantFrom(1, 9, 20, 27, 32),
      fc.boolean(),
      (n, seed, bits, descending) => {
        const keys = keysOf(n, seed, bits);
        const expected = identity(n).current.sort((a, b) =>
          descending ? keys[b]! - keys[a]! || a - b : keys[a]! - keys[b]! || a - b,
        );
        const p = identity(n);
        runToEnd(radixSort(p, keys, descending));
        assert.deepEqual(p.current, expected);
      },
    ),
    { numRuns: 60 },
  );
});
