import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { collectAtRest } from './heap.ts';

const MIB = 1 << 20;

test('what a busy server has left behind is given back when it rests', async () => {
  collectAtRest(500);
  // Garbage that nobody looks for: nothing is made after it. Its pages are touched, and so is the processor, for a second.
  const buffers = Array.from({ length: 48 }, () => new Uint8Array(MIB).fill(1));
  for (const end = process.cpuUsage().user + 1_000_000; process.cpuUsage().user < end; ) Math.sqrt(2);
  const before = process.memoryUsage().arrayBuffers;
  assert.ok(before >= 48 * MIB);
  buffers.length = 0;
  while (process.memoryUsage().arrayBuffers > before - 40 * MIB) await wait(200);
});
