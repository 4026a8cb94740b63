// The map of free runs agrees with one bit per unit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ALIGNMENT, FreeSpace } from './free-space.ts';

const UNITS = 512;

test('takes and frees agree with a bitmap, neighbours are joined', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 60 }), fc.nat()), { maxLength: 300 }),
      (steps) => {
        const space = new FreeSpace();
        space.add(ALIGNMENT, UNITS * ALIGNMENT);
        const taken = new Uint8Array(UNITS);
        const blocks: [start: number, units: number][] = [];
        for (const [take, units, pick] of steps) {
          if (take) {
            const start = space.take(units * ALIGNMENT);
            if (start < 0) {
              assert.ok(!hasRun(taken, units), 'a free run was overlooked');
              continue;
            }
            const first = start / ALIGNMENT - 1;
            assert.ok(
              taken.subarray(first, first + units).every((bit) => bit === 0) && first + units <= UNITS,
            );
            taken.fill(1, first, first + units);
            blocks.push([first, units]);
          } else if (blocks.length > 0) {
            const [[first, units]] = blocks.splice(pick % blocks.length, 1) as [[number, number]];
            taken.fill(0, first, first + units);
            space.add((first + 1) * ALIGNMENT, units * ALIGNMENT);
          }
        }
        assert.deepEqual(
          space
            .runs()
            .map(([start, length]) => [start / ALIGNMENT - 1, length / ALIGNMENT])
            .sort((a, b) => a[0]! - b[0]!),
          runs(taken),
        );
      },
    ),
    { numRuns: 300 },
  );
});

function runs(taken: Uint8Array): number[][] {
  const found: number[][] = [];
  for (let at = 0; at < taken.length; at++) {
    if (taken[at] === 1) continue;
    if (at > 0 && taken[at - 1] === 0) found.at(-1)![1]!++;
    else found.push([at, 1]);
  }
  return found;
}

function hasRun(taken: Uint8Array, units: number): boolean {
  return runs(taken).some(([, length]) => length! >= units);
}
