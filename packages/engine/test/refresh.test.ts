// Where refreshes are held back (refresh_interval -1), searches see the last refresh, and a lease keeps the
// snapshot it was taken of, whatever others refresh, change and merge meanwhile.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, open } from '@octavo/engine';
import fc from 'fast-check';
import { SimulatedDisk } from '../src/disk/simulated.ts';
import { RefreshHistory } from '../src/write/leases/refresh-history.ts';

const HELD = { settings: { 'index.refresh_interval': '-1' } };
const put = (id: string, n: number) => ({
  kind: 'index' as const,
  index: 'a',
  id,
  source: Buffer.from(`{"n":${n}}`),
});

async function seen(engine: Engine, snapshot?: number): Promise<string> {
  const request = { indices: ['a'], sort: ['_id'], size: 100 };
  const { hits } = await engine.search(snapshot === undefined ? request : { ...request, snapshot });
  return hits.map(({ id, source }) => `${id}=${JSON.parse(Buffer.from(source).toString()).n}`).join(' ');
}

test('a lease taken between refreshes keeps what it saw', async () => {
  const engine = await open('', { disk: new SimulatedDisk(), tailDocs: 4, ballastBytes: 0 });
  await engine.indices.create('a', HELD);
  await engine.write([put('1', 1), put('2', 1)]);
  await engine.indices.refresh(['a']);
  await engine.write([put('1', 2), put('3', 2)]);
  const lease = engine.openLease({ kind: 'pit', keepAliveMs: 60_000 });
  assert.equal(await seen(engine, lease.snapshot), '1=1 2=1');
  await engine.indices.refresh(['a']);
  const later = engine.openLease({ kind: 'pit', keepAliveMs: 60_000 });
  for (let n = 3; n < 30; n++) await engine.write([put('1', n), put('2', n)]);
  await engine.indices.refresh(['a']);
  await engine.indices.forceMerge(['a'], 1);
  assert.equal(await seen(engine), '1=29 2=29 3=2');
  assert.equal(await seen(engine, lease.snapshot), '1=1 2=1');
  assert.equal(await seen(engine, later.snapshot), '1=2 2=1 3=2');
  await engine.indices.putSettings({ a: { 'index.refresh_interval': null } });
  await engine.write([put('2', 99)]);
  assert.equal(await seen(engine), '1=29 2=99 3=2');
  assert.equal(await seen(engine, lease.snapshot), '1=1 2=1');
  await engine.indices.putSettings({ a: HELD.settings });
  await engine.write([put('3', 100)]);
  assert.equal(await seen(engine), '1=29 2=99 3=2');
  await engine.close();
});

test('a refresh shows what was acknowledged before it, and takes no commit where there is nothing to show', async () => {
  const engine = await open('', { disk: new SimulatedDisk(), ballastBytes: 0 });
  await engine.indices.create('a', HELD);
  await engine.write([put('1', 1)]);
  await Promise.all([engine.indices.refresh(['a']), engine.write([put('2', 1)])]);
  assert.match(await seen(engine), /^1=1( 2=1)?$/);
  await engine.indices.refresh(['a']);
  assert.equal(await seen(engine), '1=1 2=1');
  const before = engine.snapshot();
  await engine.indices.refresh(['a']);
  assert.equal(engine.snapshot(), before);
  await engine.close();
});

test('a start shows everything', async () => {
  const disk = new SimulatedDisk();
  const engine = await open('', { disk, ballastBytes: 0 });
  await engine.indices.create('a', HELD);
  await engine.write([put('1', 1)]);
  assert.equal(await seen(engine), '');
  await engine.close();
  const again = await open('', { disk, ballastBytes: 0 });
  assert.equal(await seen(again), '1=1');
  await again.write([put('2', 1)]);
  assert.equal(await seen(again), '1=1');
  await again.close();
});

test('what a snapshot sees never changes, and old refreshes are forgotten', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ commits: fc.integer({ min: 1, max: 3 }), own: fc.boolean(), lease: fc.boolean() }),
      ),
      (steps) => {
        const refreshes = new RefreshHistory(0);
        const saw = new Map<number, number>();
        let published = 0;
        for (const { commits, own, lease } of steps) {
          if (lease && !saw.has(published)) saw.set(published, refreshes.visibleCommit(published));
          published += commits;
          refreshes.record(published, own ? 'own' : 'refreshed', Math.min(Infinity, ...saw.keys()));
          assert.equal(refreshes.visibleCommit(published), published);
          assert.equal(refreshes.visibleCommit(published + 1), own ? published + 1 : published);
          for (const [snapshot, sees] of saw) assert.equal(refreshes.visibleCommit(snapshot), sees);
          if (saw.size === 0) assert.ok(refreshes.size <= 2);
        }
      },
    ),
  );
});
