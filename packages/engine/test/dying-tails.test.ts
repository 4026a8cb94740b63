// Documents that are overwritten again and again rarely reach a segment. Leases, crashes and pauses give the same results as
// with segments.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, open, type WriteOp } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const DOCS = 70;
const BATCH = 14;
const OPTIONS = { ballastBytes: 0, tailDocs: 50, onFailure: () => {} };

const batch = (k: number): WriteOp[] =>
  Array.from({ length: BATCH }, (_, i) => {
    const id = (k * BATCH + i) % DOCS;
    const source = Buffer.from(JSON.stringify({ n: k, text: `word${id} round${Math.floor(k / 5)}` }));
    return { kind: 'index', index: 'i', id: `d${id}`, source };
  });

async function contents(engine: Engine, snapshot?: number): Promise<string[]> {
  const { hits } = await engine.search({
    ...{ indices: ['i'], size: 1000, query: { match: { text: 'word1 word2 word69' } } },
    ...(snapshot === undefined ? {} : { snapshot }),
  });
  return hits.map(({ id, source }) => `${id} ${Buffer.from(source!).toString()}`).toSorted();
}

/** The numbers of the segments that there are. */
async function segments(disk: SimulatedDisk): Promise<number[]> {
  const names = (await disk.list('segments')).filter((name) => name.endsWith('.seg'));
  return names.map((name) => Number.parseInt(/(\d+)\.seg$/.exec(name)![1]!, 10));
}

async function writeOver(engine: Engine, from: number, to: number): Promise<void> {
  for (let k = from; k < to; k++)
    for (const { error } of await engine.write(batch(k))) assert.equal(error, undefined);
}

test('tails die unsealed, and a flush seals what is alive', async () => {
  const disk = new SimulatedDisk();
  const engine = await open('', { ...OPTIONS, disk });
  await writeOver(engine, 0, 60);
  await engine.indices.flush(['i']);
  const due = await contents(engine);
  assert.equal(due.length, 3);
  assert.ok(due[0]!.includes('round11'));
  // 840 documents are 16 tails. Of a few segments the numbers are small.
  assert.ok(Math.max(...(await segments(disk))) <= 6, `${await segments(disk)}`);
  assert.equal(engine.indices.stats('i').docCount, DOCS);
  assert.deepEqual(await engine.verify(), []);
  await engine.close();
});

test('a lease goes on to see what it saw, however many tails have gone', async () => {
  const engine = await open('', { ...OPTIONS, disk: new SimulatedDisk() });
  await writeOver(engine, 0, 23);
  const { id, snapshot } = engine.openLease({ kind: 'pit', keepAliveMs: 60_000 });
  const seen = await contents(engine, snapshot);
  assert.equal(seen.length, 3);
  for (let k = 23; k < 60; k += 5) {
    await writeOver(engine, k, k + 5);
    assert.deepEqual(await contents(engine, snapshot), seen);
    assert.equal((await contents(engine)).length, 3);
  }
  await engine.indices.flush(['i']);
  assert.deepEqual(await contents(engine, snapshot), seen);
  engine.closeLease(id);
  await writeOver(engine, 60, 80);
  assert.equal((await contents(engine)).length, 3);
  await engine.close();
});

test('after a crash at any time everything is there, once', async () => {
  for (let k = 1; k < 40; k += 3) {
    const disk = new SimulatedDisk();
    const engine = await open('', { ...OPTIONS, disk });
    await writeOver(engine, 0, k);
    const due = await contents(engine);
    const crashed = await open('', { ...OPTIONS, disk: disk.crash(k) });
    assert.deepEqual(await contents(crashed), due);
    assert.equal(crashed.indices.stats('i').docCount, Math.min(DOCS, k * BATCH));
    await writeOver(crashed, k, k + 10);
    assert.equal((await contents(crashed)).length, 3);
    await crashed.close();
  }
});

test('searches that are under way while tails go see every document', async () => {
  const engine = await open('', { ...OPTIONS, disk: new SimulatedDisk() });
  await writeOver(engine, 0, 10);
  let over = false;
  const searching = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!over) {
        assert.equal(
          await engine.count({ indices: ['i'], query: { match: { text: 'word1 word2 word69' } } }),
          3,
        );
        await new Promise(setImmediate);
      }
    }),
  );
  await writeOver(engine, 10, 80).finally(() => (over = true));
  await searching;
  await engine.close();
});
