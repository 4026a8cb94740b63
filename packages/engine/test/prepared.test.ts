// A prepared search over merged runs gives the result of a new search. Requests of one shape repeat between writes, deletes,
// seals, merges and evictions. They are compared with requests without a shape, whose runs are collected again, and with a
// plain sort of all documents.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type JsonObject, open, type SearchRequest, type SearchResult } from '../src/index.ts';

const dir = await mkdtemp(join(tmpdir(), 'octavo-prepared-'));
const engine = await open(dir, { ballastBytes: 0 });
after(async () => {
  await engine.close();
  await rm(dir, { recursive: true, force: true });
});

let seed = 7;
const random = (n: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((seed / 2 ** 32) * n);
};

interface Doc {
  readonly id: string;
  readonly n?: number;
  readonly k: string;
}
const alive = new Map<string, Doc>();
const encoder = new TextEncoder();

async function put(count: number): Promise<void> {
  const ops = Array.from({ length: count }, () => {
    const id = `d${random(20_000)}`;
    const doc: Doc = { id, k: `k${random(9)}`, ...(random(5) === 0 ? {} : { n: random(50) - 25 }) };
    alive.delete(id);
    alive.set(id, doc);
    return { kind: 'index', index: 'p', id, source: encoder.encode(JSON.stringify(doc)) } as const;
  });
  await engine.write(ops);
}

async function remove(count: number): Promise<void> {
  const ids = [...alive.keys()].filter((_, i) => i % Math.ceil(alive.size / count) === 0);
  for (const id of ids) alive.delete(id);
  await engine.write(ids.map((id) => ({ kind: 'delete', index: 'p', id }) as const));
}

const LISTS: readonly { readonly shape: object; readonly request: JsonObject }[] = [
  { sort: [{ n: 'desc' }, { k: 'asc' }] },
  { sort: [{ n: { order: 'asc', missing: '_first' } }] },
  { sort: [{ k: 'desc' }], query: { range: { n: { gte: -3 } } } },
  { sort: [{ id: 'asc' }], query: { term: { k: 'k3' } } },
  { query: { term: { k: 'k4' } } },
  { sort: ['_doc'] },
  { sort: [{ n: 'asc' }], query: { bool: { filter: [{ term: { k: 'nowhere' } }] } } },
].map((request) => ({ shape: {}, request: request as JsonObject }));

const shown = (result: SearchResult): unknown => ({
  hits: result.hits.map(({ id, sort, score }) => [id, sort, score]),
  total: result.total,
  more: result.more,
  before: result.moreBefore,
  max: result.maxScore,
});

async function compareAll(): Promise<void> {
  for (const { shape, request } of LISTS) {
    const base = { indices: ['p'], size: 7, ...request };
    const total = (await engine.search({ ...base, from: 0 })).total!.value;
    for (const from of [0, 3, random(total + 1), Math.max(0, total - 4), total + 5]) {
      const again = await engine.search({ ...base, from, shape });
      const fresh = await engine.search({ ...base, from });
      assert.deepEqual(shown(again), shown(fresh), JSON.stringify({ ...request, from }));
      const searchAfter = again.hits.at(-1)?.sort;
      if (searchAfter === undefined) continue;
      for (const backwards of [false, true]) {
        const walk: SearchRequest = { ...base, searchAfter, searchAfterId: again.hits.at(-1)!.id, backwards };
        assert.deepEqual(
          shown(await engine.search({ ...walk, shape })),
          shown(await engine.search(walk)),
          JSON.stringify({ ...request, searchAfter, backwards }),
        );
      }
    }
  }
  const { shape, request } = LISTS[0]!;
  const all = await engine.search({ indices: ['p'], ...request, shape, size: 10_000 });
  const expected = [...alive.values()].sort(
    (a, b) =>
      (b.n ?? -Infinity) - (a.n ?? -Infinity) ||
      (a.k < b.k ? -1 : a.k > b.k ? 1 : 0) ||
      (a.id < b.id ? -1 : 1),
  );
  assert.deepEqual(
    all.hits.map(({ id }) => id),
    expected.map(({ id }) => id),
  );
}

/** Lets what runs behind the scenes come to its end. */
async function settle(): Promise<void> {
  for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve));
}

test('pages of prepared searches are those of new ones, whatever happens between them', async () => {
  await engine.indices.create('p', {
    mappings: { properties: { id: { type: 'keyword' }, n: { type: 'integer' }, k: { type: 'keyword' } } },
  });
  for (let segment = 0; segment < 4; segment++) {
    await put(1_500);
    await engine.indices.flush(['p']);
  }
  await compareAll();
  await settle(); // hot by now: runs are merged
  await compareAll();
  await remove(300);
  await compareAll();
  await put(40); // a tail beside
  await compareAll();
  for (let segment = 0; segment < 3; segment++) {
    await put(1_900);
    await engine.indices.flush(['p']);
    await compareAll();
    await settle();
  }
  const lease = engine.openLease({ kind: 'test', keepAliveMs: 60_000 });
  const { shape, request } = LISTS[0]!;
  const older = { indices: ['p'], ...request, size: 50, from: 100, snapshot: lease.snapshot };
  const before = shown(await engine.search({ ...older, shape }));
  await remove(500);
  await put(200);
  assert.deepEqual(shown(await engine.search({ ...older, shape })), before);
  await compareAll();
  await engine.indices.forceMerge(['p'], 2);
  assert.deepEqual(shown(await engine.search({ ...older, shape })), before);
  engine.closeLease(lease.id);
  await compareAll();
  await settle();
  await engine.indices.putMapping(['p'], { properties: { more: { type: 'long' } } });
  await compareAll();
});
