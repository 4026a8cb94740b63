// The overlay is a disk like any other, and the disk below it stays as it is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diskConformance } from './conformance.ts';
import type { Disk } from './disk.ts';
import { OverlayDisk } from './overlay.ts';
import { SimulatedDisk } from './simulated.ts';

/** The lock is that of the disk below. */
function locked(overlay: OverlayDisk, below: Disk): Disk {
  return Object.assign(overlay, { lock: () => below.lock() });
}

diskConformance('overlay', async () => {
  const below = new SimulatedDisk();
  return { disk: locked(new OverlayDisk(below), below), dispose: async () => {} };
});

const encoder = new TextEncoder();
const text = async (disk: Disk, name: string): Promise<string> =>
  new TextDecoder().decode(await disk.read(name));

test('files of the disk below are read, changed, renamed and removed above it only', async () => {
  const below = new SimulatedDisk();
  for (const name of ['kept', 'written', 'cut', 'renamed', 'replaced', 'removed']) {
    const file = await below.open(`a/${name}`, { create: true });
    await file.write([encoder.encode(name)], 0);
  }
  const { length } = below.operations;
  const overlay = new OverlayDisk(below);
  const [kept, written, again] = [
    await overlay.open('a/kept'),
    await overlay.open('a/written'),
    await overlay.open('a/written'),
  ];
  await written.write([encoder.encode('W')], 0);
  const into = new Uint8Array(7);
  // Both handles are of one file.
  assert.equal(again.readSync(into, 0), 7);
  assert.equal(new TextDecoder().decode(into), 'Written');
  await again.write([encoder.encode('!')], 7);
  assert.equal(written.size(), 8);
  await (await overlay.open('a/cut')).truncate(1);
  await overlay.rename('a/renamed', 'a/replaced');
  await overlay.remove('a/removed');
  assert.equal(kept.size(), 4);
  await (await overlay.open('a/new', { create: true })).write([encoder.encode('new')], 0);
  assert.deepEqual((await overlay.list('a')).sort(), ['cut', 'kept', 'new', 'replaced', 'written']);
  assert.deepEqual(
    await Promise.all(
      ['kept', 'written', 'cut', 'replaced', 'new'].map((name) => text(overlay, `a/${name}`)),
    ),
    ['kept', 'Written!', 'c', 'renamed', 'new'],
  );
  for (const name of ['renamed', 'removed'])
    await assert.rejects(overlay.open(`a/${name}`), { code: 'ENOENT' });
  assert.deepEqual(
    overlay.changed,
    ['cut', 'removed', 'renamed', 'replaced', 'written'].map((name) => `a/${name}`),
  );
  assert.deepEqual(below.operations.slice(length), []);
  assert.equal(await text(below, 'a/written'), 'written');
});
