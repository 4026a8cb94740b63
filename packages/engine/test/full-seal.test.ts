// If the disk has room for the log but none for a segment, writes are accepted while there is room, and refused afterwards. No
// write waits for a seal that cannot complete.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, type WriteOp } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const TAIL = 10;

const batch = (k: number): WriteOp[] =>
  Array.from({ length: TAIL }, (_, i) => ({
    kind: 'index',
    index: 'i',
    id: `d${k}-${i}`,
    source: Buffer.from(JSON.stringify({ n: i, text: `some words of ${k}` })),
  }));

test('writes behind tails that find no room for their seals are not kept waiting', async () => {
  const disk = new SimulatedDisk();
  const engine = await open('/data', { disk, ballastBytes: 1024, tailDocs: TAIL });
  const first = await engine.write(batch(0));
  assert.ok(first.every(({ error }) => error === undefined));
  await engine.indices.flush(['i']);
  disk.capacity = disk.used() + TAIL * 1_000;
  let written = TAIL;
  let refused = 0;
  for (let k = 1; k < 30 && refused === 0; k++) {
    const results = await engine.write(batch(k));
    refused = results.filter(({ error }) => error !== undefined).length;
    assert.ok(refused === 0 || refused === TAIL);
    written += TAIL - refused;
  }
  assert.equal(refused, TAIL);
  assert.ok(written > 4 * TAIL, `${written} documents`);
  // Deletes pass, and so does everything when there is room again.
  const [gone] = await engine.write([{ kind: 'delete', index: 'i', id: 'd0-0' }]);
  assert.equal(gone?.result, 'deleted');
  disk.capacity = Number.POSITIVE_INFINITY;
  while ((await engine.write(batch(100))).some(({ error }) => error !== undefined))
    await new Promise((resolve) => setTimeout(resolve, 100));
  await engine.indices.flush(['i']);
  assert.equal(await engine.count({ indices: ['i'] }), written + TAIL - 1);
  assert.deepEqual(await engine.verify(), []);
  await engine.close();
});
