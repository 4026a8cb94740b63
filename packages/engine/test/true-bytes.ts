// Compares the memory that a cache takes with the bytes that it reports. The memory is the heap after a collection, external
// memory, and the blocks of the arenas.

import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Memory } from '../src/memory/memory.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Heap and what is off it. What an earlier test has left goes a little later. */
export async function inUse(): Promise<number> {
  for (let last = Number.POSITIVE_INFINITY; ; ) {
    collect();
    await setTimeout(5);
    const { heapUsed, external } = process.memoryUsage();
    if (heapUsed + external > last * 0.999) return heapUsed + external;
    last = heapUsed + external;
  }
}

/** Fills something with `count` entries, and holds what it says against what it takes. */
export async function sameBytes(
  memory: Pick<Memory, 'usage'>,
  said: () => number,
  count: number,
  fill: (i: number) => void,
): Promise<void> {
  // What the first ones bring into being is not theirs.
  for (let i = 0; i < 200; i++) fill(-1 - i);
  const now = async (): Promise<[number, number]> => [(await inUse()) + memory.usage().used, said()];
  const [before, saidBefore] = await now();
  for (let i = 0; i < count; i++) fill(i);
  const [after, saidAfter] = await now();
  const [is, says] = [(after - before) / count, (saidAfter - saidBefore) / count];
  const figures = `an entry takes ${is.toFixed(0)} bytes and says ${says.toFixed(0)}`;
  assert.ok(is < 1.3 * says && says < 1.6 * is, figures);
}

/** A key as searches make them: of pieces. */
export function keyOf(i: number): string {
  let key = 'bool(';
  for (const part of ['filter', 'term', 'n', String(i)]) key += `${part}:`;
  return `${key})`;
}
