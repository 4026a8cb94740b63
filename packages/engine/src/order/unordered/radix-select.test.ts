// A page far from the start is right before there is any order. Against a plain sort: ties, several leaves,
// deletes, keys that differ in their last bits only, ranks at the edges of buckets, and ranks beyond the end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { executeSearch } from '../../../test/execute-search.ts';
import { World, worldServices } from '../../../test/search-world.ts';

const DOCS = 5_500;

/** Numbers in [0, 1) from a seed (Lehmer). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

interface Row {
  readonly id: string;
  readonly n: number;
  readonly k: string;
}

function worldOf(numberOf: (random: () => number, at: number) => number): { world: World; rows: Row[] } {
  const world = new World('w');
  const random = randomFrom(7);
  const rows = new Map<string, Row>();
  for (let batch = 0; batch < 5; batch++) {
    const ops = Array.from({ length: DOCS / 5 }, (_, i) => {
      const at = batch * (DOCS / 5) + i;
      const row = { id: `d${at}`, n: numberOf(random, at), k: `k${Math.floor(random() * 40)}` };
      rows.set(row.id, row);
      return { id: row.id, doc: { n: [row.n], k: [row.k] } };
    });
    world.write(ops);
    if (batch % 2 === 1) world.seal();
  }
  for (let at = 0; at < 60; at++) {
    const id = `d${Math.floor(random() * DOCS)}`;
    world.write([{ id, doc: undefined }]);
    rows.delete(id);
  }
  return { world, rows: [...rows.values()] };
}

const SPREADS: Readonly<Record<string, (random: () => number, at: number) => number>> = {
  'over all bits': (random) => Math.floor((random() - 0.5) * 2 ** 52),
  'in the last bits': (random) => Math.floor(random() * 200_000),
  'in a few values': (random) => Math.floor(random() * 5) * 70_000,
  'in one value': () => 12,
  ascending: (_, at) => at * 65_537 - 3_000 * 65_536,
};

for (const [name, numberOf] of Object.entries(SPREADS))
  test(`numbers that lie ${name}`, async () => {
    const { world, rows } = worldOf(numberOf);
    const view = world.view();
    for (const direction of ['asc', 'desc'] as const) {
      const sign = direction === 'asc' ? 1 : -1;
      const due = rows.toSorted(
        (a, b) => sign * (a.n - b.n) || (a.k < b.k ? 1 : a.k > b.k ? -1 : 0) || (a.id < b.id ? -1 : 1),
      );
      for (const [from, size] of [
        [4_103, 100],
        [4_700, 1_500],
        [due.length - 5, 20],
        [due.length + 7, 10],
      ] as const) {
        // Nothing is kept from one page to the next: each has services of its own.
        const services = worldServices(0);
        const sort = [{ n: direction }, { k: 'desc' }];
        const request = { indices: ['w'], sort, from, size, trackTotalHits: true } as never;
        const { hits, total } = await executeSearch([view], request, services, world.commit);
        const what = `${direction} from ${from}, ${size}`;
        assert.deepEqual(
          hits.map(({ id }) => id),
          due.slice(from, from + size).map(({ id }) => id),
          what,
        );
        assert.equal(total?.value, due.length, what);
        assert.equal(services.work.pending > 0, true, 'orders are built when the answer is there');
      }
    }
  });

test('filters count, and pages stay the same when orders are there', async () => {
  const { world, rows } = worldOf((random) => Math.floor(random() * 1_000));
  const services = worldServices(0);
  const view = world.view();
  const query = { range: { n: { gte: 100 } } };
  const due = rows.filter(({ n }) => n >= 100).toSorted((a, b) => b.n - a.n || (a.id < b.id ? -1 : 1));
  const page = async (from: number): Promise<(string | undefined)[]> => {
    const request = { indices: ['w'], query, sort: [{ n: 'desc' }], from, size: 15 } as never;
    return (await executeSearch([view], request, services, world.commit)).hits.map(({ id }) => id);
  };
  const wanted = due.slice(4_500, 4_515).map(({ id }) => id);
  assert.deepEqual(await page(4_500), wanted);
  while (services.work.pending > 0) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(await page(4_500), wanted);
});
