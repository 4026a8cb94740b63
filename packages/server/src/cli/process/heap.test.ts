import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { collectAtRest } from './heap.ts';

const MIB = 1 << 20;
const ROUNDS = 6;

function busyFor(ms: number): void {
  for (const end = process.cpuUsage().user + ms * 1_000; process.cpuUsage().user < end; ) Math.sqrt(2);
}

test('what a busy server has left behind is given back when it rests', async () => {
  collectAtRest(500, assert.fail);
  // Garbage that nobody looks for: nothing is made after it. Its pages are touched, and so is the processor, for a second.
  const buffers = Array.from({ length: 48 }, () => new Uint8Array(MIB).fill(1));
  busyFor(1_000);
  const before = process.memoryUsage().arrayBuffers;
  assert.ok(before >= 48 * MIB);
  buffers.length = 0;
  while (process.memoryUsage().arrayBuffers > before - 40 * MIB) await wait(200);
});

test('where garbage cannot be collected that is told once, and not tried again', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let user = 0;
  t.mock.method(process, 'cpuUsage', () => ({ user, system: 0 }));
  const told: string[] = [];
  let tries = 0;
  const collect = async (): Promise<void> => {
    tries++;
    throw new Error('no such function');
  };
  collectAtRest(1_000, (why) => told.push(why), collect);
  for (let round = 0; round < 3; round++) {
    user += 1_000_000;
    // Busy, then at rest.
    for (let looks = 0; looks < 2; looks++) t.mock.timers.tick(1_000);
    await wait(0);
  }
  assert.deepEqual([told, tries], [['no such function'], 1]);
});

test('code stays compiled for objects of which there are none while garbage is collected', () => {
  const code = `
    import { setTimeout as wait } from 'node:timers/promises';
    import { collectGarbage } from ${JSON.stringify(new URL('./heap.ts', import.meta.url))};
    class Point { constructor(x) { this.x = x; this.y = 1; } }
    function sum(point) { return point.x + point.y; }
    let all = 0;
    const busy = setInterval(() => {}, 1000);
    for (let round = 0; round < ${ROUNDS}; round++) {
      for (let i = 0; i < 1e6; i++) all += sum(new Point(i));
      await wait(50);
      await collectGarbage();
    }
    clearInterval(busy);`;
  const args = ['--trace-deopt', '--input-type=module', '-e', code];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  assert.equal(status, 0, stderr);
  assert.equal(stderr, '', 'no warnings');
  // A collection that V8 had begun is ended at once, as `gc` does it, by which it is lost twice here: once is no wonder.
  const lost = stdout.match(/\bsum>.*weak objects cleared/g) ?? [];
  assert.ok(lost.length < 2, `${lost.length} times`);
});
