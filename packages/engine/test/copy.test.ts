// A copy taken during writes, seals and merges is a valid data directory. It opens with exactly the documents at the copy's
// commit, and needs no repair.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DataCopy, Engine, WriteOp } from '@octavo/engine';
import { open } from '@octavo/engine';
import type { Disk } from '../src/disk/disk.ts';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const encoder = new TextEncoder();

test('an engine opened on a copy holds what there was at the commit of the copy', async () => {
  const engine = await open('', small(new SimulatedDisk()));
  await engine.indices.create('books', { aliases: { library: {} } });
  await engine.settings.put('template', 'a', { n: 1 });
  for (let round = 0; round < 12; round++) await engine.write(batch(round));
  await engine.indices.flush(['books']);
  await engine.write(batch(3));
  const lease = engine.openLease({ kind: 'test', keepAliveMs: 60_000 });
  const copy = await engine.copy();
  assert.equal(copy.commit, lease.snapshot);
  const before = await contents(engine, lease.snapshot);
  // Merges remove what the copy is made of, and it is still there to be read.
  for (let round = 20; round < 40; round++) await engine.write(batch(round));
  await engine.indices.forceMerge(['books'], 1);
  const disk = new SimulatedDisk();
  await writeTo(disk, copy);
  await engine.close();

  const notes: string[] = [];
  const second = await open('', { ...small(disk), onNote: (note) => notes.push(note) });
  assert.deepEqual(notes, []);
  assert.deepEqual(await second.verify(), []);
  assert.equal(second.snapshot(), copy.commit);
  assert.deepEqual(await contents(second), before);
  assert.deepEqual(Object.keys(second.indices.info('books')!.aliases), ['library']);
  assert.deepEqual(second.settings.get('template', 'a'), Object.assign(Object.create(null), { n: 1 }));
  await second.write(batch(99));
  await second.close();
});

test('copies taken one after the other under writes, seals and merges all open and hold whole commits', async () => {
  const engine = await open('', small(new SimulatedDisk()));
  await engine.indices.create('books', {});
  let stop = false;
  let round = 0;
  const writing = (async () => {
    while (!stop) {
      await engine.write(batch(round++));
      if (round % 7 === 0) await engine.indices.flush(['books']);
      if (round % 19 === 0) await engine.indices.forceMerge(['books'], 1);
    }
  })();
  let most = 0;
  for (let number = 0; number < 12; number++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const copy = await engine.copy();
    const disk = new SimulatedDisk();
    await writeTo(disk, copy);
    const notes: string[] = [];
    const second = await open('', { ...small(disk), onNote: (note) => notes.push(note) });
    assert.deepEqual(notes, []);
    assert.equal(second.snapshot(), copy.commit);
    // Every batch says in all its documents which one it is: a torn one would show.
    const found = await contents(second);
    const rounds = [...found.values()].map((source) => (JSON.parse(source) as { round: number }).round);
    const newest = Math.max(-1, ...rounds);
    assert.equal(rounds.filter((value) => value === newest).length, newest < 0 ? 0 : 10);
    most = Math.max(most, rounds.length);
    await second.close();
  }
  stop = true;
  await writing;
  assert.ok(most > 10, `${most} documents in a copy`);
  await engine.close();
});

function small(disk: Disk): Parameters<typeof open>[1] {
  return { disk, logChunkBytes: 4_096, tailDocs: 64, ballastBytes: 0 };
}

/** Ten documents, some of them again and again; every third batch also deletes one of another. */
function batch(round: number): WriteOp[] {
  const ops: WriteOp[] = Array.from({ length: 10 }, (_, i) => ({
    kind: 'index',
    index: 'books',
    id: `${(round % 5) * 10 + i}`,
    source: encoder.encode(JSON.stringify({ round, text: `the ${i} words of round ${round}` })),
  }));
  if (round % 3 === 0) ops.push({ kind: 'delete', index: 'books', id: `${((round + 1) % 5) * 10}` });
  return ops;
}

async function writeTo(disk: Disk, copy: DataCopy): Promise<void> {
  for (const { name, bytes, read } of copy.files) {
    const file = await disk.open(name, { create: true });
    let at = 0;
    for (const piece of read()) at += await file.write([piece], at);
    assert.equal(at, bytes);
    await file.sync();
    await file.close();
  }
  await copy.close();
  for (const folder of ['log', 'segments', 'catalog']) await disk.syncFolder(folder);
}

async function contents(engine: Engine, snapshot?: number): Promise<Map<string, string>> {
  const result = await engine.search({
    indices: ['books'],
    size: 1_000,
    ...(snapshot === undefined ? {} : { snapshot }),
  });
  const decoder = new TextDecoder();
  const hits = result.hits.map((hit): [string, string] => [hit.id, decoder.decode(hit.source)]);
  return new Map(hits.sort(([a], [b]) => (a < b ? -1 : 1)));
}
