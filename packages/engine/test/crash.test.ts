// Every acknowledged write is there, whole, after a power cut at any moment. The scripted life of life.ts
// runs on the simulated disk and ends at each of its operations; what was not synced is kept, lost or torn.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open } from '@octavo/engine';
import { DiskFailure, DiskFullError } from '../src/disk/failure.ts';
import { type FaultKind, PowerCut, SimulatedDisk } from '../src/disk/simulated.ts';
import { contents, Ledger, live, SMALL } from './life.ts';
import { sampled } from './sampled.ts';

const SEEDS = Number(process.env['OCTAVO_CRASH_SEEDS'] ?? 1);
/** Lives until something rejects; returns what was known then. */
async function lifeOn(disk: SimulatedDisk): Promise<Ledger> {
  const ledger = new Ledger();
  try {
    const engine = await open('', { ...SMALL, disk });
    await live(engine, ledger);
    await engine.close();
  } catch (error) {
    // The cut, or what follows from it: the ledger stands as it is.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const ends = error instanceof PowerCut || error instanceof DiskFailure || error instanceof DiskFullError;
    assert.ok(ends || code === 'EIO' || code === 'ENOSPC', String(error));
  }
  return ledger;
}

async function checkAfter(disk: SimulatedDisk, ledger: Ledger, what: string): Promise<void> {
  const engine = await open('', { ...SMALL, disk });
  const found = await contents(engine);
  if (ledger.indexAcknowledged) assert.ok(engine.indices.info('life'), `${what}: the index is gone`);
  assert.ok(
    ledger.allows(found),
    `${what}: found ${[...found.keys()]}, acknowledged ${[...ledger.acknowledged.keys()]}`,
  );
  assert.deepEqual(await engine.verify(), [], what);
  // It goes on: a write after the crash is kept as well.
  const [result] = await engine.write([
    { kind: 'index', index: 'life', id: 'after', source: new TextEncoder().encode('{"n":1}') },
  ]);
  assert.equal(result!.error, undefined, what);
  await engine.close();
  const again = await open('', { ...SMALL, disk });
  assert.equal((await contents(again)).size, found.size + (found.has('after') ? 0 : 1), what);
  await again.close();
}

test('a life without faults ends as it should, and is there again after a restart', async () => {
  const disk = new SimulatedDisk();
  const ledger = await lifeOn(disk);
  assert.equal(ledger.pending, undefined);
  assert.ok(ledger.acknowledged.size > 5);
  await checkAfter(disk, ledger, 'no fault');
});

for (const fault of ['crash', 'eio'] as const satisfies readonly FaultKind[]) {
  test(`${fault} at every operation: acknowledged writes are there, nothing by halves`, async () => {
    const clean = new SimulatedDisk();
    await lifeOn(clean);
    const count = clean.operations.length;
    assert.ok(count > 100, `only ${count} operations`);
    for (const number of sampled(count, 4)) {
      for (let seed = 1; seed <= SEEDS; seed++) {
        const disk = new SimulatedDisk({ faults: { [number]: fault }, seed });
        const ledger = await lifeOn(disk);
        const what = `${fault} at ${number} (${disk.operations[number]}), seed ${seed}`;
        await checkAfter(disk.crash(seed), ledger, what);
      }
    }
  });
}

for (const fault of ['enospc', 'short'] as const satisfies readonly FaultKind[]) {
  test(`${fault} at every operation: refused writes have not happened, the rest goes on`, async () => {
    const clean = new SimulatedDisk();
    await lifeOn(clean);
    for (const number of sampled(clean.operations.length, 4)) {
      const disk = new SimulatedDisk({ faults: { [number]: fault } });
      const ledger = await lifeOn(disk);
      await checkAfter(disk.crash(number), ledger, `${fault} at ${number} (${disk.operations[number]})`);
    }
  });
}

test('a full disk refuses documents, lets deletes through and reads go on; with space again all is well', async () => {
  const disk = new SimulatedDisk();
  const engine = await open('', { ...SMALL, disk });
  const ledger = new Ledger();
  await live(engine, ledger);
  disk.capacity = disk.used();
  const big = new TextEncoder().encode(JSON.stringify({ text: 'y'.repeat(3000) }));
  const [refused] = await engine.write([{ kind: 'index', index: 'life', id: 'big', source: big }]);
  assert.equal(refused!.error?.type, 'cluster_block_exception');
  assert.equal((await contents(engine)).size, ledger.acknowledged.size);
  const [gone] = await engine.write([{ kind: 'delete', index: 'life', id: 'z' }]);
  assert.equal(gone!.result, 'deleted');
  disk.capacity = Number.POSITIVE_INFINITY;
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const [written] = await engine.write([{ kind: 'index', index: 'life', id: 'big', source: big }]);
  assert.equal(written!.error, undefined);
  await engine.close();
});

test('a damaged segment is found and made again from the log', async () => {
  const disk = new SimulatedDisk();
  const ledger = await lifeOn(disk);
  const segments = (await disk.list('segments')).filter((name) => name.endsWith('.seg'));
  assert.ok(segments.length > 0);
  const places = await Promise.all(
    segments.map(async (name) => {
      const bytes = await disk.read(`segments/${name}`);
      // The header, the section table, and the first byte of a section in the middle.
      const entry = new DataView(bytes.buffer, bytes.byteOffset + 64 + 16 * 9, 16);
      return [0, 20, 64 + 6, entry.getUint32(4, true)];
    }),
  );
  for (const [i, name] of segments.entries()) {
    for (const place of places[i]!) {
      const copy = disk.crash(1);
      copy.damage(`segments/${name}`, place);
      const notes: string[] = [];
      const engine = await open('', { ...SMALL, disk: copy, onNote: (line) => notes.push(line) });
      assert.ok(ledger.allows(await contents(engine)), `${name} damaged at ${place}`);
      assert.equal(notes.length, 1, `${name} damaged at ${place}: ${notes}`);
      assert.deepEqual(await engine.verify(), []);
      await engine.close();
    }
  }
});
