// Boundaries that are found as far as they are asked for are those of the whole text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Boundaries } from './boundaries.ts';

const PARTS = [
  'One',
  ' two',
  '. ',
  '.',
  '! ',
  '?',
  'No. 5',
  ' e-mail',
  '\u2029',
  '\n',
  '“',
  'ß',
  '。',
  ' "',
  '(a)',
  '𝒳 ',
];
const texts = fc
  .tuple(fc.array(fc.constantFrom(...PARTS), { maxLength: 30 }), fc.constantFrom(1, 60))
  .map(([parts, times]) => parts.join('').repeat(times));

/** All boundaries, found from the first one on. */
function all(text: string, unit: 'sentence' | 'word'): number[] {
  const boundaries = new Boundaries(text, unit);
  const found = [0];
  for (;;) {
    const next = boundaries.following(found.at(-1)!);
    if (next === undefined) return found;
    found.push(next);
  }
}

test('the boundaries around an offset are the nearest ones of the text', () => {
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom('sentence', 'word'),
      fc.array(fc.nat(6_000), { minLength: 5 }),
      (text, unit, offsets) => {
        const expected = all(text, unit);
        assert.equal(expected.at(-1), text.length);
        const boundaries = new Boundaries(text, unit);
        for (const offset of offsets) {
          assert.equal(boundaries.preceding(offset), expected.findLast((at) => at < offset) ?? 0);
          assert.equal(
            boundaries.following(offset),
            expected.find((at) => at > offset),
          );
        }
      },
    ),
  );
});

test('a sentence ends at marks before what can begin another', () => {
  assert.deepEqual(all('A b. C d! e. f No. 5? Yes', 'sentence'), [0, 5, 10, 22, 25]);
  assert.deepEqual(all('no mark at all', 'sentence'), [0, 14]);
});
