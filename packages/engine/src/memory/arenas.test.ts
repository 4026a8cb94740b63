// The allocator at its edges: the budget, the end of an arena, pointers above 2 GiB.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../errors.ts';
import { arenaOf } from './arena.ts';
import { createMemory } from './arenas.ts';
import { sharedMemory } from './wasm.ts';

test('over the budget is a circuit_breaking_exception, and changes nothing', () => {
  const memory = createMemory({ budgetBytes: 1_000_000, stepBytes: 65_536 });
  const first = memory.alloc(600_000);
  assert.throws(
    () => memory.alloc(600_000),
    (error) =>
      error instanceof EngineError && error.type === 'circuit_breaking_exception' && error.status === 429,
  );
  const leave = memory.beginReading();
  memory.free(first);
  assert.equal(memory.usage().waiting, 600_000);
  assert.throws(() => memory.alloc(600_000), EngineError, 'what waits for readers counts');
  leave();
  memory.free(memory.alloc(600_000));
});

test('more than an arena can hold is refused', () => {
  assert.throws(() => createMemory().alloc(2 ** 32), EngineError);
  assert.throws(() => createMemory().alloc(Number.NaN), RangeError);
});

test('a reader who came after a free does not hold it back', () => {
  const memory = createMemory({ stepBytes: 65_536 });
  const block = memory.alloc(64);
  const older = memory.beginReading();
  memory.free(block);
  const younger = memory.beginReading();
  assert.equal(memory.usage().waiting, 64);
  older();
  assert.equal(memory.usage().waiting, 0);
  younger();
});

test('blocks go on in the next arena, and old buffers stay valid when an arena grows', () => {
  const memory = createMemory({ stepBytes: 65_536, arenaBytes: 131_072 });
  const first = memory.alloc(60_000);
  const view = new Uint8Array(first.buffer, first.ptr, first.bytes).fill(7);
  const blocks = [first, ...Array.from({ length: 5 }, () => memory.alloc(60_000))];
  assert.deepEqual(
    blocks.map((block) => block.arena),
    [0, 0, 1, 1, 2, 2],
  );
  assert.ok(view.every((byte) => byte === 7));
  assert.equal(new Uint8Array(memory.arenas[0]!.buffer, first.ptr, 1)[0], 7);
});

test('an arena is known by its buffers, also when another memory of the thread has grown', () => {
  const memory = createMemory({ stepBytes: 65_536 });
  const before = memory.alloc(64);
  const arena = arenaOf(before.buffer);
  const other = sharedMemory(1, 8);
  other.grow(1);
  assert.equal(arenaOf(memory.arenas[0]!.buffer), arena);
  other.grow(1);
  const block = memory.alloc(64);
  other.grow(1);
  assert.equal(arenaOf(block.buffer), arena);
  assert.equal(arenaOf(before.buffer), arena);
  assert.equal(arenaOf(other.buffer), undefined);
  assert.ok(arena !== undefined);
});

test('pointers above 2 GiB are plain positive numbers', () => {
  const memory = createMemory();
  const low = memory.alloc(2 ** 31);
  const high = memory.alloc(1_000);
  assert.equal(high.arena, 0);
  assert.ok(high.ptr >= 2 ** 31);
  new Uint8Array(high.buffer, high.ptr, high.bytes).fill(9);
  assert.equal(new Uint8Array(memory.arenas[0]!.buffer, high.ptr, 1)[0], 9);
  assert.equal(new Uint8Array(low.buffer, low.ptr, low.bytes).at(-1), 0);
});
