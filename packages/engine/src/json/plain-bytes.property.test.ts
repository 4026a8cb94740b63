// Skipping plain bytes agrees with a look at each byte, wherever a string begins and ends in its buffer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { skipPlainBytes } from './plain-bytes.ts';

const isSpecial = (byte: number): boolean => byte < 32 || byte >= 128 || byte === 34 || byte === 92;

test('every byte, at every place of a text', () => {
  for (let byte = 0; byte < 256; byte++)
    for (let at = 0; at < 44; at++) {
      const bytes = new Uint8Array(44).fill(0x7f);
      bytes[at] = byte;
      const found = skipPlainBytes(bytes, 0, 44);
      assert.equal(found, isSpecial(byte) ? at : 44);
    }
});

test('any bytes, looked at from any place up to any other', () => {
  const byte = fc.oneof(
    { weight: 60, arbitrary: fc.integer({ min: 97, max: 122 }) },
    { weight: 5, arbitrary: fc.constantFrom(32, 33, 35, 91, 93, 126, 127) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) },
  );
  fc.assert(
    fc.property(
      fc.array(byte, { maxLength: 120, size: 'max' }),
      fc.nat(20),
      fc.nat(120),
      fc.nat(120),
      (values, before, x, y) => {
        const whole = new Uint8Array(before + values.length + 3).fill(34);
        whole.set(values, before);
        const bytes = whole.subarray(before, before + values.length);
        const [from, end] = [x, y].map((n) => Math.min(n, values.length)).sort((a, b) => a - b) as [
          number,
          number,
        ];
        const expected = values.findIndex((value, i) => i >= from && i < end && isSpecial(value));
        assert.equal(skipPlainBytes(bytes, from, end), expected < 0 ? end : expected);
      },
    ),
    { numRuns: 2_000 },
  );
});
