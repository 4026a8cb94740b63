import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { combineChecksums } from './checksum.ts';

test('joined sums are the sum of what is joined', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array({ maxLength: 5_000 }), (a, b) => {
      assert.equal(combineChecksums(crc32(a), crc32(b), b.length), crc32(Buffer.concat([a, b])));
    }),
  );
});

test('also of many bytes', () => {
  const zeros = new Uint8Array(3 << 20);
  for (const length of [1, 255, 65_536, 65_537, 1_000_003, 3 << 20]) {
    const many = zeros.subarray(0, length);
    assert.equal(combineChecksums(crc32('head'), crc32(many), length), crc32(many, crc32('head')));
  }
});
