// Between commits of all kinds, a request with a shape, whose runs are memoized, gives the page of a request
// without one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulatedDisk } from '../src/disk/simulated.ts';
import { open } from '../src/engine/start/open.ts';
import type { Engine, SearchRequest, WriteOp } from '../src/index.ts';

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

for (const seed of [1, 2, 3])
  test(`commits of all kinds, pages between them (${seed})`, async () => {
    const r = random(seed);
    const engine = await begin(seed, 2_000);
    const requests: readonly SearchRequest[] = [
      { indices: ['i'], sort: [{ n: 'desc' }, { k: 'asc' }], size: 7, shape: {} },
      { indices: ['i'], sort: [{ k: 'asc' }, { n: 'asc' }], size: 7, shape: {} },
      { indices: ['i'], sort: ['_doc'], size: 7, shape: {} },
    ];
    for (let commit = 0; commit < 60; commit++) {
      const ops = Array.from({ length: r(4) === 0 ? r(20) : 65 + r(300) }, (): WriteOp => {
        const id = `d${r(4_000)}`;
        return r(8) === 0 ? { kind: 'delete', index: 'i', id } : put(id, r(500));
      });
      await engine.write([put('first', commit), ...ops]);
      if (r(12) === 0) await engine.indices.flush(['i']);
      for (const request of requests) {
        const asked = { ...request, from: r(3) === 0 ? r(3_000) : r(20) };
        const due = await engine.search({ ...asked, shape: {} });
        // Found anew behind the commit, and then from the runs that were kept.
        for (let again = 0; again < 2; again++) {
          const { hits, total } = await engine.search(asked);
          assert.deepEqual(
            hits.map(({ id }) => id),
            due.hits.map(({ id }) => id),
          );
          assert.deepEqual(total, due.total);
        }
      }
    }
    await engine.close();
  });
