// The simulated disk loses unsynced data, preserves synced data, and fails at the requested operation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diskConformance } from './conformance.ts';
import type { Disk } from './disk.ts';
import { PowerCut, SimulatedDisk } from './simulated.ts';

diskConformance('simulated disk', async () => ({ disk: new SimulatedDisk(), dispose: async () => {} }));

const filled = (byte: number, length: number): Uint8Array => new Uint8Array(length).fill(byte);

async function put(disk: Disk, name: string, content: Uint8Array): Promise<void> {
  const file = await disk.open(name, { create: true });
  await file.write([content], 0);
  await file.sync();
}

async function contents(disk: Disk, name: string): Promise<Uint8Array | undefined> {
  return disk.read(name).catch(() => undefined);
}

test('a synced file in a synced folder survives every power cut', async () => {
  for (let seed = 0; seed < 50; seed++) {
    const disk = new SimulatedDisk();
    await put(disk, 'a/b', filled(1, 5_000));
    await disk.syncFolder('a');
    assert.deepEqual(await contents(disk.crash(seed), 'a/b'), filled(1, 5_000));
  }
});

test('unsynced sectors are kept, lost and torn; unsynced names are there or not', async () => {
  const seen = { missing: 0, empty: 0, whole: 0, mixed: 0, torn: 0 };
  for (let seed = 0; seed < 300; seed++) {
    const disk = new SimulatedDisk();
    const file = await disk.open('f', { create: true });
    await file.write([filled(1, 4_096)], 0);
    const left = await contents(disk.crash(seed), 'f');
    if (left === undefined) seen.missing++;
    else if (left.every((byte) => byte === 0)) seen.empty++;
    else if (left.length === 4_096 && left.every((byte) => byte === 1)) seen.whole++;
    else seen.mixed++;
    if (left !== undefined)
      for (let sector = 0; sector + 512 <= left.length; sector += 512)
        if (new Set(left.subarray(sector, sector + 512)).size > 1) seen.torn++;
  }
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 5, `${what}: ${count}`);
});

test('an unsynced truncation or rename may or may not have happened', async () => {
  const lengths = new Set<number | undefined>();
  const names = new Set<string>();
  for (let seed = 0; seed < 50; seed++) {
    const disk = new SimulatedDisk();
    await put(disk, 'old', filled(1, 100));
    await disk.syncFolder('');
    await (await disk.open('old')).truncate(10);
    await disk.rename('old', 'new');
    const after = disk.crash(seed);
    names.add((await after.list('')).join());
    lengths.add((await contents(after, 'old'))?.length ?? (await contents(after, 'new'))?.length);
  }
  assert.deepEqual([...names].sort(), ['new', 'old']);
  assert.deepEqual([...lengths].sort(), [10, 100]);
});

test('a rename of a synced file over another leaves one of the two, whole', async () => {
  for (let seed = 0; seed < 50; seed++) {
    const disk = new SimulatedDisk();
    await put(disk, 'x', filled(1, 2_000));
    await disk.syncFolder('');
    await put(disk, 'x.tmp', filled(2, 3_000));
    await disk.rename('x.tmp', 'x');
    const left = (await contents(disk.crash(seed), 'x'))!;
    assert.ok(
      left.length === 2_000
        ? left.every((b) => b === 1)
        : left.length === 3_000 && left.every((b) => b === 2),
    );
  }
});

test('faults hit the operation they name', async () => {
  const run = async (disk: SimulatedDisk): Promise<string> => {
    try {
      const file = await disk.open('f', { create: true });
      const count = await file.write([filled(1, 1_000)], 0);
      await file.sync();
      return String(count);
    } catch (error) {
      return error instanceof PowerCut ? 'cut' : (error as { code: string }).code;
    }
  };
  assert.deepEqual(await run(new SimulatedDisk()), '1000');
  assert.deepEqual(await run(new SimulatedDisk({ faults: { 1: 'short' } })), '500');
  assert.deepEqual(await run(new SimulatedDisk({ faults: { 1: 'enospc' } })), 'ENOSPC');
  assert.deepEqual(await run(new SimulatedDisk({ faults: { 2: 'eio' } })), 'EIO');
  assert.deepEqual(await run(new SimulatedDisk({ faults: { 0: 'crash' } })), 'cut');
  const disk = new SimulatedDisk({ faults: { 2: 'crash' } });
  assert.deepEqual(await run(disk), 'cut');
  await assert.rejects(disk.read('f'), PowerCut);
  assert.deepEqual(disk.operations, ['create f', 'write f 0+1000', 'sync f']);
});

test('after a failed sync, a later sync repairs nothing', async () => {
  let lost = 0;
  for (let seed = 0; seed < 50; seed++) {
    const disk = new SimulatedDisk({ faults: { 3: 'eio' }, seed });
    const file = await disk.open('f', { create: true });
    await disk.syncFolder('');
    await file.write([filled(1, 2_000)], 0);
    await assert.rejects(file.sync(), { code: 'EIO' });
    await file.sync();
    assert.deepEqual(await contents(disk, 'f'), filled(1, 2_000));
    const left = (await contents(disk.crash(seed), 'f'))!;
    if (left.length < 2_000 || left.includes(0)) lost++;
  }
  assert.ok(lost > 20);
});

test('a full disk takes what fits, then nothing, until there is space', async () => {
  const disk = new SimulatedDisk({ capacity: 1_500 });
  const file = await disk.open('f', { create: true });
  assert.equal(await file.write([filled(1, 1_000)], 0), 1_000);
  assert.equal(await file.write([filled(1, 1_000)], 1_000), 500);
  await assert.rejects(file.write([filled(1, 1_000)], 1_500), { code: 'ENOSPC' });
  assert.equal(await file.write([filled(2, 1_500)], 0), 1_500);
  await file.truncate(100);
  assert.equal(await file.write([filled(1, 1_000)], 100), 1_000);
});
