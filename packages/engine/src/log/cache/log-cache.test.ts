// The cache returns the bytes of the chunk wherever they begin and end, and does not read a chunk again for
// bytes it has.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chunk } from '../chunk/chunk.ts';
import { LogCache } from './log-cache.ts';

const refuse = (): never => assert.fail('nothing is damaged');

const REGION = 16_384;
const REGIONS = 12;
const END = REGIONS * REGION + 100;

/** A chunk of bytes that tell where they are, and how often it was read. */
function chunkOf(): { readonly chunk: Chunk; readonly reads: { at: number; length: number }[] } {
  const reads: { at: number; length: number }[] = [];
  const file = {
    name: 'log/1',
    readSync(into: Uint8Array, at: number): number {
      reads.push({ at, length: into.length });
      into.set(bytesAt(at, into.length));
      return into.length;
    },
  };
  return { chunk: { number: 1, end: END, file } as unknown as Chunk, reads };
}

const ALL = Uint8Array.from({ length: END }, (_, i) => (i * 31) ^ (i >>> 8));
const bytesAt = (from: number, length: number): Uint8Array => ALL.slice(from, from + length);

/** Documents of 900 bytes, some of which lie across borders; two that are longer than a region. */
const RANGES = [
  ...Array.from({ length: Math.floor(END / 900) }, (_, i) => ({ offset: i * 900, length: 900 })),
  { offset: 10, length: REGION },
  { offset: 20, length: 2 * REGION },
  { offset: REGION, length: REGION },
  { offset: END - 50, length: 50 },
];

for (const budget of [0, REGION, ...[3, 4, 5, 6, 8].map((regions) => regions * REGION), 1 << 20]) {
  test(`bytes are those of the chunk, with ${budget} bytes of memory`, () => {
    const cache = new LogCache(budget, 1_024, refuse);
    const { chunk } = chunkOf();
    const shown: { bytes: Uint8Array; offset: number }[] = [];
    for (let round = 0; round < 3; round++) {
      for (const { offset, length } of RANGES) {
        const bytes = cache.find(1, offset, length) ?? cache.read(chunk, offset, length);
        assert.deepEqual(bytes, bytesAt(offset, length));
        assert.ok(cache.bytes <= budget);
        shown.push({ bytes, offset });
      }
    }
    // What was handed out is nobody else's memory.
    for (const { bytes, offset } of shown) assert.deepEqual(bytes, bytesAt(offset, bytes.length));
  });

  test(`what is copied is the same, with ${budget} bytes of memory`, () => {
    const cache = new LogCache(budget, 1_024, refuse);
    const { chunk } = chunkOf();
    const shown: { bytes: Uint8Array; offset: number }[] = [];
    for (let round = 0; round < 6; round++) {
      for (const { offset, length } of RANGES) {
        const into = new Uint8Array(length + 5);
        if (!cache.copy(1, offset, length, into, 3)) cache.readInto(chunk, offset, length, into, 3);
        assert.deepEqual(into.subarray(3, 3 + length), bytesAt(offset, length));
        assert.ok(cache.bytes <= budget);
        // Some are looked at for longer meanwhile.
        if ((offset + round) % 3 !== 0) continue;
        shown.push({ bytes: cache.find(1, offset, length) ?? cache.read(chunk, offset, length), offset });
      }
    }
    for (const { bytes, offset } of shown) assert.deepEqual(bytes, bytesAt(offset, bytes.length));
  });
}

test('what lies across a border of regions is put together from both, and not read again', () => {
  const cache = new LogCache(1 << 20, 1_024, refuse);
  const { chunk, reads } = chunkOf();
  const readAll = (): void => {
    for (const { offset, length } of RANGES)
      if (length <= REGION && offset + length <= REGIONS * REGION)
        assert.deepEqual(
          cache.find(1, offset, length) ?? cache.read(chunk, offset, length),
          bytesAt(offset, length),
        );
  };
  readAll();
  assert.deepEqual(
    reads,
    Array.from({ length: REGIONS }, (_, n) => ({ at: n * REGION, length: REGION })),
  );
  readAll();
  assert.equal(reads.length, REGIONS);
});

test('a slab of which hardly anything lives is forgotten with the next append, not before it is durable itself', () => {
  const cache = new LogCache(1 << 20, 1_000, refuse);
  const slabs = [0, 1_000, 2_000].map((start) => {
    const slab = cache.slab(1, start, 1_000);
    slab.end = start + 1_000;
    return slab;
  });
  const isHere = (): boolean[] => slabs.map(({ start }) => cache.find(1, start, 10) !== undefined);
  const die = (start: number): void => {
    for (let at = start; at < start + 900; at += 100) cache.markDead(1, at, 68);
  };
  die(0);
  assert.deepEqual(isHere(), [true, true, true]);
  // The first two are durable, the last one is being built.
  cache.settle(1, 2_000, slabs[2]);
  assert.deepEqual(isHere(), [false, true, true]);
  die(1_000);
  die(2_000);
  assert.deepEqual(isHere(), [false, true, true]);
  cache.settle(1, 2_000, slabs[2]);
  assert.deepEqual(isHere(), [false, false, true]);
  cache.settle(1, 3_000, undefined);
  assert.deepEqual(isHere(), [false, false, false]);
  // What is told of places that are not here does no harm.
  die(1_000);
  cache.markDead(7, 0, 100);
  cache.settle(1, 3_000, undefined);
});
