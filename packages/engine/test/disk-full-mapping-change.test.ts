// When the disk is full while one batch is being written and the next one adds a field, both are refused, and
// the engine goes on once there is space.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { open, type WriteOp } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';
import { withGate } from './gate.ts';

/** So much does not wait for the append before it. */
const LARGE = 'x'.repeat(300_000);

for (const isAppendRefused of [true, false])
  test(`a mapping finds no room, the append before it ${isAppendRefused ? 'neither' : 'does'}`, async () => {
    const disk = new SimulatedDisk();
    let gate: PromiseWithResolvers<void> | undefined;
    const engine = await open('', { disk: withGate(disk, () => gate?.promise), ballastBytes: 0 });
    const put = (id: string, source: object): Promise<string> => {
      const op: WriteOp = { kind: 'index', index: 'a', id, source: Buffer.from(JSON.stringify(source)) };
      return engine.write([op]).then(([result]) => result!.error?.type ?? result!.result);
    };
    await put('first', { text: 'one' });
    gate = Promise.withResolvers();
    const before = put('before', { text: 'two' });
    for (let turns = 0; turns < 20; turns++) await turn();
    // Under way: there is room for it, or there will be none.
    disk.capacity = disk.used() + (isAppendRefused ? 0 : 400);
    const wider = put('wider', { text: LARGE, [`field-${'y'.repeat(500)}`]: 1 });
    const above = put('above', { text: LARGE });
    for (let turns = 0; turns < 50; turns++) await turn();
    gate.resolve();
    gate = undefined;
    const refused = 'cluster_block_exception';
    assert.deepEqual(await Promise.all([before, wider, above]), [
      isAppendRefused ? refused : 'created',
      refused,
      refused,
    ]);
    disk.capacity = Number.POSITIVE_INFINITY;
    assert.equal(await put('wider', { text: LARGE, [`field-${'y'.repeat(500)}`]: 1 }), 'created');
    assert.equal(await put('after', { text: 'three' }), 'created');
    const { hits } = await engine.search({ indices: ['a'], size: 10 });
    const expected = ['first', ...(isAppendRefused ? [] : ['before']), 'wider', 'after'];
    assert.deepEqual(hits.map(({ id }) => id).sort(), expected.sort());
    await engine.close();
  });
