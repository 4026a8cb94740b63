// Numbers of any count are sorted as pairs of unsigned words, from a position on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { GrowableWords } from '../terms/growable.ts';
import { sortNumbers } from './sort-values.ts';

const words = (list: readonly number[]): GrowableWords =>
  ({ view: Uint32Array.from(list), length: list.length }) as unknown as GrowableWords;

test('numbers are sorted by both words', () => {
  const word = fc.oneof(fc.nat(3), fc.integer({ min: 0x7fff_fff0, max: 0xffff_ffff }));
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { maxLength: 100 }), fc.nat(5), (pairs, skipped) => {
      const from = Math.min(skipped, pairs.length);
      const [high, low] = [words(pairs.map(([hi]) => hi)), words(pairs.map(([, lo]) => lo))];
      sortNumbers(high, low, from);
      const sorted = [
        ...pairs.slice(0, from),
        ...pairs.slice(from).sort((a, b) => a[0] - b[0] || a[1] - b[1]),
      ];
      assert.deepEqual(
        [...high.view].map((hi, i) => [hi, low.view[i]]),
        sorted,
      );
    }),
  );
});
