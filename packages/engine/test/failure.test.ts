// After a permanent disk failure the engine acknowledges nothing, fails all waiting calls, and reports the failure to the
// program once. Closing still completes. The next start finds every acknowledged write.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, type WriteOp } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const put = (n: number): WriteOp => ({
  kind: 'index',
  index: 'i',
  id: `${n}`,
  source: Buffer.from(`{"n":${n}}`),
});

test('a failed sync ends acknowledgements: once told, never retried, and nothing acknowledged is lost', async () => {
  const disk = new SimulatedDisk();
  const told: unknown[] = [];
  const engine = await open('', { disk, ballastBytes: 0, onFailure: (error) => told.push(error) });
  for (let n = 0; n < 5; n++) assert.equal((await engine.write([put(n)]))[0]!.error, undefined);
  // The next operations are the write and the sync of one append.
  disk.faults[disk.operations.length + 1] = 'eio';
  const waiting = await Promise.allSettled([engine.write([put(5)]), engine.write([put(6), put(7)])]);
  for (const outcome of waiting) assert.equal(outcome.status, 'rejected');
  await assert.rejects(engine.write([put(8)]), /disk failed/);
  assert.equal(told.length, 1);
  const syncs = logSyncs(disk);
  // What was acknowledged can still be read, and is what a search sees.
  assert.equal(await engine.count({ indices: ['i'] }), 5);
  assert.equal(engine.get('i', '5'), undefined);
  await engine.close().catch(() => {});
  assert.equal(logSyncs(disk), syncs, 'a sync that failed is not tried again');

  const again = await open('', { disk: disk.crash(1), ballastBytes: 0 });
  for (let n = 0; n < 5; n++) assert.ok(again.get('i', `${n}`), `document ${n}`);
  await again.close();
});

function logSyncs(disk: SimulatedDisk): number {
  return disk.operations.filter((operation) => operation.startsWith('sync log/0')).length;
}
