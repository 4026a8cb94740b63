// Copies between memories of all kinds equal `set`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createMemory } from './arenas.ts';
import { copyBytes } from './copy.ts';

const SIZE = 300;
const memory = createMemory({ stepBytes: 1 << 20 });
const kinds: readonly (() => Uint8Array)[] = [
  () => new Uint8Array(SIZE),
  () => new Uint8Array(new SharedArrayBuffer(SIZE)),
  () => {
    const { buffer, ptr } = memory.alloc(SIZE);
    return new Uint8Array(buffer, ptr, SIZE);
  },
];

test('what `set` would be', () => {
  const kind = fc.constantFrom(...kinds);
  const place = fc.integer({ min: -2, max: SIZE + 2 });
  fc.assert(
    fc.property(kind, kind, place, place, place, (from, to, start, end, at) => {
      const source = from();
      for (let i = 0; i < SIZE; i++) source[i] = i * 7 + 1;
      const [target, expected] = [to(), new Uint8Array(SIZE)];
      target.fill(9);
      expected.fill(9);
      if (start < 0 || end > SIZE || start > end || at < 0 || at + end - start > SIZE) {
        assert.throws(() => copyBytes(source, start, end, target, at), RangeError);
      } else {
        copyBytes(source, start, end, target, at);
        expected.set(source.subarray(start, end), at);
      }
      assert.deepEqual(Array.from(target), Array.from(expected));
    }),
    { numRuns: 1_000, examples: kinds.map((each) => [each, kinds[1]!, 0, SIZE, 0]) },
  );
});
