import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeNumbers, encodeNumbers } from './numbers-file.ts';

test('sequence numbers survive a file, and damage is seen', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 2 ** 31 - 1 })), fc.nat(), (gaps, place) => {
      let sum = 0;
      const numbers = Float64Array.from(gaps, (gap) => (sum += gap * 1000));
      const bytes = encodeNumbers(numbers);
      assert.deepEqual(decodeNumbers(bytes), numbers);
      assert.equal(decodeNumbers(bytes.subarray(0, bytes.length - 1)), undefined);
      const damaged = bytes.slice();
      // Bytes 12 to 15 are not used.
      const at = place % bytes.length;
      damaged[at]! ^= 1;
      if (at < 4 || at >= 16) assert.equal(decodeNumbers(damaged), undefined);
    }),
  );
});
