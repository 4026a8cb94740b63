// Do kernels do what their twins do, and touch nothing else? Random bytes between guards, in an arena.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { arenaOf } from '../memory/arena.ts';
import { createMemory } from '../memory/arenas.ts';
import type { Memory } from '../memory/memory.ts';
import { compileModule } from '../memory/wasm.ts';
import { noKernels } from './absent.testing.ts';
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
/** A module of one function, which needs SIMD. */
const SIMD = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 0x41, 0, 0xfd, 15, 0xfd, 98, 11],
);
const word = fc.integer({ min: 0, max: 0xffffffff });
const pairs = fc
  .integer({ min: 0, max: 40 })
  .chain((n) => fc.tuple(...[0, 1].map(() => fc.array(word, { minLength: 4 * n, maxLength: 4 * n }))));

test('bitmaps combine and are counted as their twins do it', { skip: noKernels }, () => {
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

test('kernels are there unless they are turned off or the machine has no SIMD', () => {
  assert.equal(
    noKernels === false,
    process.env['OCTAVO_KERNELS'] !== 'ts' && compileModule(SIMD) !== undefined,
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
