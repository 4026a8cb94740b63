// The memory of slabs is reused, and a view that was handed out never changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogCache } from './log-cache.ts';
import { SpareSlabs } from './spare-slabs.ts';

const refuse = (): never => assert.fail('nothing is damaged');

const SLAB = 4_096;

test('memory serves for as much as it has, or somewhat less', () => {
  const spares = new SpareSlabs(10_000);
  const bytes = new Uint8Array(1_000);
  spares.put(bytes);
  assert.equal(spares.take(1_001), undefined);
  assert.equal(spares.take(799), undefined);
  assert.equal(spares.take(800), bytes);
  assert.equal(spares.take(800), undefined, 'it is not there twice');
  assert.equal(spares.bytes, 0);
});

test('what fits best is taken, and what was kept longest goes', () => {
  const spares = new SpareSlabs(3_000);
  const all = [1_000, 900, 1_100].map((length) => new Uint8Array(length));
  for (const bytes of all) spares.put(bytes);
  assert.equal(spares.bytes, 3_000);
  assert.equal(spares.take(900), all[1]);
  spares.put(new Uint8Array(1_900));
  assert.equal(spares.bytes, 3_000);
  assert.equal(spares.take(1_000), all[2], 'the first one went');
  spares.put(new Uint8Array(3_001));
  assert.equal(spares.bytes, 1_900, 'what is larger than everything is not kept');
});

test('what is not needed any more does not wait for the collector', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const spares = new SpareSlabs(300_000);
  const all = [100_000, 200_000, 150_000].map((length) => new Uint8Array(length));
  for (const bytes of all) spares.put(bytes);
  const lengths = (): number[] => all.map(({ length }) => length);
  assert.deepEqual(lengths(), [0, 0, 150_000], 'there was no room for these');
  t.mock.timers.tick(9_999);
  assert.deepEqual(lengths(), [0, 0, 150_000]);
  t.mock.timers.tick(1);
  assert.deepEqual([lengths(), spares.bytes], [[0, 0, 0], 0]);
});

test('slabs that nobody has read lie in memory that was used before', () => {
  const cache = new LogCache(64 * SLAB, SLAB, refuse);
  const first = cache.slab(1, 0, SLAB);
  first.end = SLAB;
  cache.settle(1, SLAB, undefined);
  cache.drop(1);
  assert.equal(cache.slab(2, 0, SLAB).bytes, first.bytes);
});

test('a view that was handed out stays as it is', () => {
  // A generator of numbers with a seed: what fails can be looked at again.
  let seed = 20_261_122;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const cache = new LogCache(24 * SLAB, SLAB, refuse);
  const views: { readonly view: Uint8Array; readonly was: Uint8Array }[] = [];
  const memories = new Set<ArrayBufferLike>();
  let slabs = 0;
  for (let chunk = 1; chunk <= 60; chunk++) {
    const ends: number[] = [];
    let end = 0;
    for (let i = 0; i < 10; i++) {
      const slab = cache.slab(chunk, end, SLAB);
      slabs++;
      memories.add(slab.bytes.buffer);
      slab.bytes.fill(random(256));
      slab.end = end += SLAB;
      ends.push(end);
      if (random(3) > 0) cache.settle(chunk, end, undefined);
      if (random(20) === 0) {
        cache.reset(chunk, (end = ends.at(-2) ?? 0));
        if (end === 0) break;
        ends.pop();
      }
      if (random(3) > 0) continue;
      const view = cache.find(chunk, random(ends.length) * SLAB + random(SLAB - 64), 64);
      if (view !== undefined) views.push({ view, was: view.slice() });
    }
    cache.settle(chunk, end, undefined);
    assert.ok(cache.bytes <= 24 * SLAB);
    if (random(2) === 0) cache.drop(chunk - random(3));
  }
  assert.ok(views.length > 100 && memories.size < slabs * 0.8, 'both happen here');
  for (const { view, was } of views) assert.deepEqual(view, was);
});
