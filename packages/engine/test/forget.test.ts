// The log discards data that nothing needs. Repeated overwrites do not make it grow without bound. An index with few writes
// does not retain all later data.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const OPTIONS = { tailDocs: 16, logChunkBytes: 4096, ballastBytes: 0 };
const source = (n: number) => Buffer.from(JSON.stringify({ n, text: 'x'.repeat(200) }));

test('overwritten documents leave the log, though a quiet index has one of the oldest', async () => {
  const disk = new SimulatedDisk();
  const engine = await open('', { ...OPTIONS, disk });
  await engine.write([{ kind: 'index', index: 'quiet', id: 'only', source: source(0) }]);
  let written = 0;
  for (let round = 0; round < 150; round++) {
    const ops = Array.from({ length: 5 }, (_, i) => {
      written += source(round).length;
      return {
        kind: 'index' as const,
        index: 'busy',
        id: `id${(round * 5 + i) % 12}`,
        source: source(round),
      };
    });
    for (const result of await engine.write(ops)) assert.equal(result.error, undefined);
  }
  await engine.indices.forceMerge(['busy'], 1);
  await engine.indices.forceMerge(['quiet'], 1);
  const left = await logBytes(disk);
  assert.ok(written > 150_000, `${written} bytes were written`);
  assert.ok(left < written / 4, `${left} of ${written} bytes are still there`);
  await engine.close();

  const again = await open('', { ...OPTIONS, disk });
  assert.equal(Buffer.from(again.get('quiet', 'only')!.source).toString(), source(0).toString());
  assert.equal(await again.count({ indices: ['busy'] }), 12);
  for (let i = 0; i < 12; i++) assert.ok(again.get('busy', `id${i}`), `id${i}`);
  assert.deepEqual(await again.verify(), []);
  await again.close();
});

test('a lease keeps what it sees, and no more', async () => {
  const engine = await open('', { ...OPTIONS, disk: new SimulatedDisk() });
  for (let n = 0; n < 40; n++)
    await engine.write([{ kind: 'index', index: 'one', id: 'a', source: source(n) }]);
  const lease = engine.openLease({ kind: 'test', keepAliveMs: 60_000 });
  for (let n = 40; n < 80; n++)
    await engine.write([{ kind: 'index', index: 'one', id: 'a', source: source(n) }]);
  await engine.indices.forceMerge(['one'], 1);
  const then = await engine.search({ indices: ['one'], snapshot: lease.snapshot });
  assert.deepEqual(
    then.hits.map((hit) => JSON.parse(Buffer.from(hit.source).toString()).n),
    [39],
  );
  assert.equal(engine.indices.stats('one').deletedCount, 1);
  engine.closeLease(lease.id);
  await engine.indices.forceMerge(['one'], 1);
  assert.equal(engine.indices.stats('one').deletedCount, 0);
  await engine.close();
});

async function logBytes(disk: SimulatedDisk): Promise<number> {
  let sum = 0;
  for (const name of await disk.list('log')) sum += (await disk.read(`log/${name}`)).length;
  return sum;
}
