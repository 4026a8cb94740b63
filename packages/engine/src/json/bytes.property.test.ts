// Conversions between UTF-8 and strings agree with TextEncoder and TextDecoder.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesOf } from './bytes.ts';

const encoder = new TextEncoder();

test('bytes of texts, short or long, plain or not, are those of the encoder', () => {
  const unit = fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 0, max: 0x7f }) },
    { weight: 1, arbitrary: fc.integer({ min: 0x80, max: 0xffff }) },
  );
  const text = fc.array(unit, { maxLength: 130, size: 'max' }).map((units) => String.fromCharCode(...units));
  fc.assert(
    fc.property(text, (text) => {
      assert.deepEqual(bytesOf(text), encoder.encode(text));
    }),
    { numRuns: 2_000 },
  );
});
