// A program can follow the changes of documents. The feed returns every committed change in order, over restarts and merges,
// without those of deleted indices. It calls a listener when there are more changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Change, type ChangePosition, type Engine, open } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const OPTIONS = { tailDocs: 16, logChunkBytes: 4096, ballastBytes: 0 };
const source = (n: number) => Buffer.from(JSON.stringify({ n, text: 'x'.repeat(200) }));
const put = (index: string, id: string, n = 0) => ({ kind: 'index' as const, index, id, source: source(n) });

async function follow(engine: Engine, from: number | ChangePosition = 0, limit = 7): Promise<Change[]> {
  const all: Change[] = [];
  for (let after = from; ; ) {
    const batch = await engine.changes(after, { limit });
    all.push(...batch.changes);
    if (!batch.more) return all;
    after = batch.next;
  }
}

const brief = (changes: readonly Change[]) =>
  changes.map(({ kind, index, id, version }) => `${kind} ${index}/${id} v${version}`);

test('changes come in order, with their versions, and resume anywhere', async () => {
  const engine = await open('', { ...OPTIONS, disk: new SimulatedDisk() });
  const heard: number[] = [];
  const stop = engine.onCommit((commit) => heard.push(commit));
  await engine.write([put('a', '1'), put('a', '2'), put('b', '1')]);
  await engine.write([put('a', '1'), { kind: 'delete', index: 'a', id: '2' }]);
  await engine.write([{ ...put('b', '9'), type: 'post' }]);
  const all = await follow(engine, 0, 1);
  assert.deepEqual(brief(all), [
    'index a/1 v1',
    'index b/1 v1',
    'index a/2 v1',
    'index a/1 v2',
    'delete a/2 v2',
    'index b/9 v1',
  ]);
  assert.equal(all.at(-1)!.type, 'post');
  for (const [at, { commit, item }] of all.entries()) {
    const rest = all.slice(at + 1).filter((change) => change.commit !== commit || change.item > item);
    assert.deepEqual(await follow(engine, { commit, item }), rest);
    assert.deepEqual(
      await follow(engine, commit),
      all.filter((change) => change.commit > commit),
    );
  }
  assert.deepEqual(heard, [...new Set(all.map(({ commit }) => commit))]);
  assert.equal(heard.at(-1), engine.snapshot());
  stop();
  await engine.write([put('a', '3')]);
  assert.equal(heard.includes(engine.snapshot()), false);
  assert.deepEqual(await engine.changes(engine.snapshot()), {
    changes: [],
    next: { commit: engine.snapshot() },
    more: false,
    completeFrom: 1,
  });
  assert.deepEqual((await engine.changes(10_000)).next, { commit: 10_000 });
  await engine.close();
});

test('a listener that is told finds the change, and one that fails disturbs nobody', async () => {
  const engine = await open('', { ...OPTIONS, disk: new SimulatedDisk() });
  const found: Promise<unknown>[] = [];
  engine.onCommit((commit) => {
    found.push(engine.changes(commit - 1).then(({ changes }) => changes[0]?.id));
    assert.equal(engine.get('a', String(found.length))?.version, 1);
  });
  for (let n = 1; n <= 5; n++) await engine.write([put('a', String(n))]);
  assert.deepEqual(await Promise.all(found), ['1', '2', '3', '4', '5']);
  await engine.close();
});

test('indices that are gone leave no changes; the place moves on over them', async () => {
  const engine = await open('', { ...OPTIONS, disk: new SimulatedDisk() });
  for (let n = 0; n < 30; n++) await engine.write([put(n % 3 === 0 ? 'kept' : 'gone', `${n}`)]);
  await engine.indices.delete(['gone']);
  const all = await follow(engine, 0, 2);
  assert.deepEqual(
    all.map(({ id }) => id),
    Array.from({ length: 10 }, (_, at) => `${at * 3}`),
  );
  await engine.write([put('gone', 'again')]);
  assert.deepEqual(brief(await follow(engine)).at(-1), 'index gone/again v1');
  await engine.close();
});

test('after restarts and rewritten chunks the newest change of every living document is there', async () => {
  const disk = new SimulatedDisk();
  let engine = await open('', { ...OPTIONS, disk });
  const versions = new Map<string, number>();
  for (let round = 0; round < 120; round++) {
    const ids = Array.from({ length: 4 }, (_, at) => `id${(round * 4 + at * 5) % 23}`);
    for (const id of ids) versions.set(id, (versions.get(id) ?? 0) + 1);
    await engine.write(ids.map((id) => put('a', id, round)));
    if (round % 40 === 39) {
      await engine.close();
      engine = await open('', { ...OPTIONS, disk });
    }
  }
  await engine.indices.forceMerge(['a'], 1);
  await engine.close();
  engine = await open('', { ...OPTIONS, disk });
  const all = await follow(engine);
  const newest = new Map(all.map((change) => [change.id, change]));
  assert.deepEqual(new Map([...newest].map(([id, { version }]) => [id, version])), versions);
  const { completeFrom } = await engine.changes(0);
  assert.ok(completeFrom > 1 && completeFrom <= 121, `complete from ${completeFrom}`);
  const complete = all.filter(({ commit }) => commit >= completeFrom);
  assert.equal(complete.length, (121 - completeFrom) * 4);
  for (let at = 1; at < all.length; at++) assert.ok(all[at]!.seqNo > all[at - 1]!.seqNo);
  await engine.close();
});

test('what is no position is refused', async () => {
  const engine = await open('', { ...OPTIONS, disk: new SimulatedDisk() });
  for (const after of [-1, 1.5, Number.NaN, { commit: -1 }, { commit: 1, item: -1 }])
    await assert.rejects(engine.changes(after), { type: 'illegal_argument_exception' });
  for (const limit of [0, -1, 10_001, 2.5])
    await assert.rejects(engine.changes(0, { limit }), { type: 'illegal_argument_exception' });
  await engine.close();
});
