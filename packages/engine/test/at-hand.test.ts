// Is a page that waits for nothing behind a commit the page that a search gives? And is there one, where everything is ready?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulatedDisk } from '../src/disk/simulated.ts';
import { open } from '../src/engine/open.ts';
import { type Engine, JsonWriter, type SearchRequest, type WriteOp } from '../src/index.ts';

const encoder = new TextEncoder();

async function begin(seed: number, tailDocs = 65_536): Promise<Engine> {
  const engine = await open('', { disk: new SimulatedDisk({ seed }), tailDocs });
  const properties = { k: { type: 'keyword' }, n: { type: 'long' } };
  await engine.indices.create('i', { mappings: { properties } });
  return engine;
}

function random(seed: number): (n: number) => number {
  let s = seed;
  return (n) => {
    s = (Math.imul(s, 1103515245) + 12345) >>> 0;
    return Math.floor((s / 2 ** 32) * n);
  };
}

function put(id: string, n: number): WriteOp {
  const source = encoder.encode(JSON.stringify({ n, k: `k${n % 5}`, t: `word w${n}` }));
  return { kind: 'index', index: 'i', id, source };
}

/** Ids and total of a page at once; undefined where it has to be waited for. */
function pageNow(engine: Engine, request: SearchRequest): { ids: string[]; total: unknown } | undefined {
  const page = engine.searchNow(request);
  if (page === undefined) return undefined;
  const out = new JsonWriter(Buffer.alloc(1_024), 0);
  page.bring(0, page.count, { key: '', put: () => {} });
  for (let hit = 0; hit < page.count; hit++) {
    out.ascii(hit === 0 ? '[' : ',');
    page.putId(hit, out);
  }
  const text = page.count === 0 ? '[]' : `${out.bytes.toString('utf8', 0, out.at)}]`;
  return { ids: JSON.parse(text) as string[], total: page.total?.value };
}

test('the first page behind a commit waits for nothing where its orders are ready', async () => {
  const engine = await begin(1);
  const everything: readonly SearchRequest[] = [
    { indices: ['i'], sort: [{ n: 'desc' }, { k: 'asc' }], shape: {} },
    { indices: ['i'], sort: [{ k: 'desc' }], query: { match_all: {} }, from: 5, shape: {} },
  ];
  const some: SearchRequest = {
    indices: ['i'],
    sort: [{ n: 'desc' }],
    query: { term: { k: 'k1' } },
    shape: {},
  };
  await engine.write(Array.from({ length: 300 }, (_, i) => put(`d${i}`, i)));
  for (const request of [...everything, some]) await engine.search(request);
  await engine.write(Array.from({ length: 100 }, (_, i) => put(`e${i}`, 1_000 + i)));
  for (const request of everything) {
    const found = pageNow(engine, request);
    const { hits, total } = await engine.search({ ...request, shape: {} });
    assert.deepEqual(found, { ids: hits.map(({ id }) => id), total: total?.value });
    // An order that nobody has asked for.
    const other = { ...request, sort: [{ n: 'asc' }], shape: {} };
    assert.equal(pageNow(engine, other), undefined);
  }
  // What matches in the new documents is not known yet.
  assert.equal(pageNow(engine, some), undefined);
  await engine.close();
});

for (const seed of [1, 2, 3])
  test(`commits of all kinds, pages between them (${seed})`, async () => {
    const r = random(seed);
    const engine = await begin(seed, 2_000);
    const requests: readonly SearchRequest[] = [
      { indices: ['i'], sort: [{ n: 'desc' }, { k: 'asc' }], size: 7, shape: {} },
      { indices: ['i'], sort: [{ k: 'asc' }, { n: 'asc' }], size: 7, shape: {} },
      { indices: ['i'], sort: ['_doc'], size: 7, shape: {} },
    ];
    let atOnce = 0;
    for (let commit = 0; commit < 60; commit++) {
      const ops = Array.from({ length: r(4) === 0 ? r(20) : 65 + r(300) }, (): WriteOp => {
        const id = `d${r(4_000)}`;
        return r(8) === 0 ? { kind: 'delete', index: 'i', id } : put(id, r(500));
      });
      await engine.write([put('first', commit), ...ops]);
      if (r(12) === 0) await engine.indices.flush(['i']);
      for (const request of requests) {
        const asked = { ...request, from: r(3) === 0 ? r(3_000) : r(20) };
        const found = pageNow(engine, asked);
        const { hits, total } = await engine.search({ ...asked, shape: {} });
        if (found !== undefined) {
          assert.deepEqual(found, { ids: hits.map(({ id }) => id), total: total?.value });
          atOnce++;
        }
        await engine.search(asked);
      }
    }
    assert.ok(atOnce > 60, `${atOnce} of 180 pages waited for nothing`);
    await engine.close();
  });
