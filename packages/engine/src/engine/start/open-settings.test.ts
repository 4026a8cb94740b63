// Settings opened without documents are kept for the engine, and do not hide that a directory has lost its
// catalog.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulatedDisk } from '../../disk/simulated.ts';
import { open } from './open.ts';
import { openSettings } from './open-settings.ts';

const encoder = new TextEncoder();

test('what is put before there are documents is there with them, and after them', async () => {
  const disk = new SimulatedDisk();
  const alone = await openSettings('', disk);
  await alone.settings.put('records', 'note', { n: 1 });
  await assert.rejects(openSettings('', disk), /in use|locked|open/);
  await alone.close();
  const engine = await open('', { disk, ballastBytes: 0 });
  assert.equal(JSON.stringify(engine.settings.get('records', 'note')), '{"n":1}');
  await engine.write([{ kind: 'index', index: 'a', id: '1', source: encoder.encode('{}') }]);
  await engine.close();
  const again = await openSettings('', disk);
  assert.equal(JSON.stringify(again.settings.get('records', 'note')), '{"n":1}');
  await again.close();
});

test('beside documents a lost catalog is refused, and none is made', async () => {
  const disk = new SimulatedDisk();
  const engine = await open('', { disk, ballastBytes: 0 });
  await engine.write([{ kind: 'index', index: 'a', id: '1', source: encoder.encode('{}') }]);
  await engine.close();
  await disk.remove('catalog/manifest');
  await assert.rejects(openSettings('', disk), /catalog\/manifest is missing/);
  assert.deepEqual(await disk.list('catalog'), ['manifest.mark']);
  // Without documents the mark alone tells.
  for (const folder of ['log', 'segments'])
    for (const name of await disk.list(folder)) await disk.remove(`${folder}/${name}`);
  await assert.rejects(openSettings('', disk), /catalog\/manifest is missing/);
  await assert.rejects(open('', { disk, ballastBytes: 0 }), /catalog\/manifest is missing/);
});
