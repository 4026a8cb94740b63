// Verification does not report data as missing while a write to the disk is in progress.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { open } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';
import { withGate } from './gate.ts';

test('nothing is missing while a write is on its way to the disk', async () => {
  let gate: PromiseWithResolvers<void> | undefined;
  const engine = await open('', {
    disk: withGate(new SimulatedDisk(), () => gate?.promise),
    ballastBytes: 0,
  });
  const put = (id: string) =>
    engine.write([{ kind: 'index', index: 'a', id, source: Buffer.from('{"n":1}') }]);
  await put('before');
  gate = Promise.withResolvers();
  const writing = put('beside');
  for (let turns = 0; turns < 50; turns++) await turn();
  assert.deepEqual(await engine.verify(), []);
  gate.resolve();
  assert.equal((await writing)[0]!.error, undefined);
  assert.deepEqual(await engine.verify(), []);
  await engine.close();
});
