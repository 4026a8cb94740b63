// Do kernels do what their twins do, and touch nothing else? Random bytes between guards, in an arena.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { arenaOf } from '../memory/arena.ts';
import { createMemory } from '../memory/arenas.ts';
import type { Memory } from '../memory/memory.ts';
import { andInto, andNotInto, countAnd, countBits, orInto } from './bits.ts';
import { Kernels } from './load.ts';

const GUARD = 64;
const FILL = 0xa5;

/** A run of random words with guards around it. */
function guarded(memory: Memory, words: readonly number[]): { words: Uint32Array; intact(): boolean } {
  const block = memory.alloc(words.length * 4 + 2 * GUARD);
  const bytes = new Uint8Array(block.buffer, block.ptr, words.length * 4 + 2 * GUARD).fill(FILL);
  const view = new Uint32Array(block.buffer, block.ptr + GUARD, words.length);
  view.set(words);
  const isGuard = (_: number, at: number): boolean => at < GUARD || at >= bytes.length - GUARD;
  return { words: view, intact: () => bytes.filter(isGuard).every((byte) => byte === FILL) };
}

const memory = createMemory({ stepBytes: 1 << 20 });
const arena = arenaOf(memory.alloc(64).buffer)!;
const search = new Kernels('search').over(arena)!;
const skip = search === undefined && 'no kernels: this machine has no SIMD, or OCTAVO_KERNELS is set';
const word = fc.integer({ min: 0, max: 0xffffffff });
const pairs = fc
  .integer({ min: 0, max: 40 })
  .chain((n) => fc.tuple(...[0, 1].map(() => fc.array(word, { minLength: 4 * n, maxLength: 4 * n }))));

test('bitmaps combine and are counted as their twins do it', { skip }, () => {
  const steps = [
    ['and', andInto],
    ['or', orInto],
    ['andNot', andNotInto],
  ] as const;
  fc.assert(
    fc.property(pairs, ([one, other]) => {
      const a = guarded(memory, one!);
      const b = guarded(memory, other!);
      const bytes = a.words.byteLength;
      assert.equal(search['count']!(a.words.byteOffset, bytes), countBits(a.words, 0, bytes * 8));
      assert.equal(
        search['countAnd']!(a.words.byteOffset, b.words.byteOffset, bytes),
        countAnd(a.words, b.words),
      );
      for (const [name, twin] of steps) {
        const due = Uint32Array.from(one!);
        a.words.set(one!);
        twin(due, b.words);
        search[name]!(a.words.byteOffset, b.words.byteOffset, bytes);
        assert.deepEqual([...a.words], [...due], name);
      }
      assert.deepEqual([...b.words], other);
      assert.ok(a.intact() && b.intact(), 'guards');
    }),
  );
});

test('an arena that has grown is still known by the buffers that it had', () => {
  const small = createMemory({ stepBytes: 1 << 16 });
  const before = small.alloc(1 << 10);
  const after = small.alloc(1 << 20);
  assert.notEqual(before.buffer, after.buffer);
  assert.equal(arenaOf(before.buffer), arenaOf(after.buffer));
  const beside = arenaOf(before.buffer)!.alloc(1 << 12)!;
  assert.equal(beside.arena, before.arena);
  assert.equal(arenaOf(new ArrayBuffer(8)), undefined);
});
