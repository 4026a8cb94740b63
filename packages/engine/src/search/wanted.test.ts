// Do lists that look at no words, and searches that do, see the same documents, whichever of them came first?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulatedDisk } from '../disk/simulated.ts';
import { type Engine, open } from '../index.ts';
import { wantedOf } from './wanted.ts';

const indices = ['notes'];

test('only a list of everything is plain', () => {
  assert.equal(wantedOf({ indices }), 'plain');
  assert.equal(wantedOf({ indices, query: { match_all: {} }, sort: [{ n: 'asc' }] }), 'plain');
  assert.equal(wantedOf({ indices, query: { match: { t: 'a' } } }), 'all');
  assert.equal(wantedOf({ indices, query: { match_all: {}, match: { t: 'a' } } }), 'all');
  assert.equal(wantedOf({ indices, query: { bool: { filter: { match: { t: 'a' } } } } }), 'all');
  assert.equal(wantedOf({ indices, postFilter: { match: { t: 'a' } } }), 'all');
  assert.equal(wantedOf({ indices, filters: new Map([['notes', { match: { t: 'a' } }]]) }), 'all');
});

test('lists and searches over a tail agree while it grows, loses documents and is sealed', async () => {
  const engine = await open('', { disk: new SimulatedDisk(), ballastBytes: 0, tailDocs: 1_000 });
  const properties = { n: { type: 'long' }, k: { type: 'keyword' }, t: { type: 'text' } };
  await engine.indices.create('notes', { mappings: { properties } });
  const alive = new Map<string, number>();
  let next = 1;
  const random = (below: number): number => (next = (next * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 60; round++) {
    const ops = Array.from({ length: 1 + random(90) }, () => {
      const id = `d${random(600)}`;
      if (random(6) === 0) {
        alive.delete(id);
        return { kind: 'delete', index: 'notes', id } as const;
      }
      const n = random(1_000_000);
      alive.set(id, n);
      const source = Buffer.from(
        JSON.stringify({ n, k: `k${n % 7}`, t: n % 2 === 0 ? 'even number' : 'odd number' }),
      );
      return { kind: 'index', index: 'notes', id, source } as const;
    });
    await engine.write(ops);
    if (round % 20 === 19) await engine.indices.flush(indices);
    const asked = random(3);
    // Sometimes only one of them asks, so that minis of both kinds lie beside each other.
    if (asked !== 0) assert.deepEqual(await list(engine), sorted(alive));
    if (asked !== 1)
      assert.deepEqual(await evens(engine), [...alive.values()].filter((n) => n % 2 === 0).length);
  }
  assert.deepEqual(await list(engine), sorted(alive));
  await engine.close();
});

async function list(engine: Engine): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; ; from += 100) {
    const sort = [{ k: 'desc' }, { n: 'asc' }, { _id: 'asc' }];
    const { hits, total } = await engine.search({
      indices,
      query: { match_all: {} },
      sort,
      from,
      size: 100,
      trackTotalHits: true,
    });
    ids.push(...hits.map(({ id }) => id));
    if (hits.length < 100) {
      assert.equal(total?.value, ids.length);
      return ids;
    }
  }
}

function sorted(alive: ReadonlyMap<string, number>): string[] {
  const order = [...alive].sort(([a, n], [b, m]) => (m % 7) - (n % 7) || n - m || (a < b ? -1 : 1));
  return order.map(([id]) => id);
}

async function evens(engine: Engine): Promise<number> {
  return await engine.count({ indices, query: { match: { t: 'even' } } });
}
