// Blocks never overlap, lose their contents, or return to the allocator while a reader uses them. Random lives run against a
// naive model.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createMemory } from './arenas.ts';
import type { Block } from './memory.ts';

type Step =
  | { kind: 'alloc'; bytes: number }
  | { kind: 'free'; pick: number }
  | { kind: 'enter' }
  | { kind: 'leave'; pick: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('alloc' as const), bytes: fc.integer({ min: 0, max: 9_000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('alloc' as const),
      bytes: fc.integer({ min: 0, max: 200_000 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('free' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'enter' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), pick: fc.nat() }) },
);

/** Fills a block with bytes that only this block has. */
function paint(block: Block, colour: number): void {
  new Uint32Array(block.buffer, block.ptr, block.bytes / 4).fill(colour);
}

function isPainted(block: Block, colour: number): boolean {
  return new Uint32Array(block.buffer, block.ptr, block.bytes / 4).every((word) => word === colour);
}

test('blocks keep their contents, also after free while an older reader is there', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const memory = createMemory({ stepBytes: 65_536, arenaBytes: 1 << 20 });
      let colour = 1;
      const live: { block: Block; colour: number }[] = [];
      const readers: { leave: () => void; sees: { block: Block; colour: number }[] }[] = [];
      for (const step of steps) {
        if (step.kind === 'alloc') {
          const block = memory.alloc(step.bytes);
          assert.ok(
            block.bytes >= step.bytes && block.bytes % 64 === 0 && block.ptr % 64 === 0 && block.ptr > 0,
          );
          paint(block, ++colour);
          live.push({ block, colour });
        } else if (step.kind === 'free' && live.length > 0) {
          const [gone] = live.splice(step.pick % live.length, 1);
          memory.free(gone!.block);
          assert.throws(() => memory.free(gone!.block), /freed twice/);
        } else if (step.kind === 'enter') {
          readers.push({ leave: memory.beginReading(), sees: [...live] });
        } else if (step.kind === 'leave' && readers.length > 0) {
          const [reader] = readers.splice(step.pick % readers.length, 1);
          for (const seen of reader!.sees)
            assert.ok(isPainted(seen.block, seen.colour), 'reused under a reader');
          reader!.leave();
          reader!.leave();
        }
        assert.equal(
          memory.usage().used,
          live.reduce((sum, { block }) => sum + block.bytes, 0),
        );
      }
      for (const held of live) assert.ok(isPainted(held.block, held.colour), 'overwritten');
      for (const reader of readers)
        for (const seen of reader.sees) assert.ok(isPainted(seen.block, seen.colour));
      for (const reader of readers) reader.leave();
      for (const { block } of live) memory.free(block);
      const { used, waiting, reserved } = memory.usage();
      assert.deepEqual({ used, waiting }, { used: 0, waiting: 0 });
      assert.equal(
        reserved,
        memory.arenas.reduce((sum, arena) => sum + arena.buffer.byteLength, 0),
      );
    }),
    { numRuns: 150 },
  );
});
