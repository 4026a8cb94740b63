// Pages of a composite aggregation over more combinations than are kept: those that cannot be on the page are dropped while
// documents are collected.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { open } from '@octavo/engine';
import { SimulatedDisk } from '../../../disk/simulated.ts';
import type { JsonObject } from '../../../json/value.ts';

const engine = await open('', { disk: new SimulatedDisk(), ballastBytes: 0 });
after(() => engine.close());

const DOCS = 12_000;
const docs = Array.from({ length: DOCS }, (_, i) => ({ a: (i * 7_919) % 90, b: (i * i + 3 * i) % 211 }));

interface Page {
  readonly buckets: readonly { readonly key: JsonObject; readonly docCount: number }[];
}

test('pages of all sizes are the sorted combinations', async () => {
  await engine.indices.create('c', {
    mappings: { properties: { a: { type: 'integer' }, b: { type: 'integer' } } },
  });
  await engine.write(
    docs.map((doc, i) => ({
      kind: 'index' as const,
      index: 'c',
      id: String(i),
      source: Buffer.from(JSON.stringify(doc)),
    })),
  );
  const counts = new Map<string, { a: number; b: number; count: number }>();
  for (const { a, b } of docs) {
    const found = counts.get(`${a} ${b}`);
    if (found === undefined) counts.set(`${a} ${b}`, { a, b, count: 1 });
    else found.count++;
  }
  const due = [...counts.values()].sort((x, y) => y.a - x.a || x.b - y.b);
  assert.ok(due.length > 6_000, `${due.length} combinations`);
  const sources = [{ a: { terms: { field: 'a', order: 'desc' } } }, { b: { terms: { field: 'b' } } }];
  for (const size of [5, 1_500, 4_000, 20_000]) {
    for (const from of [0, 2_500]) {
      const last = due[from - 1];
      const composite: JsonObject = { size, sources };
      if (last !== undefined) composite['after'] = { a: last.a, b: last.b };
      const { aggregations } = await engine.search({
        indices: ['c'],
        query: { range: { a: { gte: 0 } } },
        size: 0,
        aggregations: { c: { composite } },
      });
      const { buckets } = aggregations!.get('c') as unknown as Page;
      const shown = buckets.map(({ key, docCount: count }) => ({
        a: Number(key['a']),
        b: Number(key['b']),
        count,
      }));
      assert.deepEqual(shown, due.slice(from, from + size), `size ${size} from ${from}`);
    }
  }
});

test('it stands only where one bucket is above it, however far above', async () => {
  await engine.indices.create('p', { mappings: { properties: { a: { type: 'integer' } } } });
  const composite = { c: { composite: { sources: [{ a: { terms: { field: 'a' } } }] } } };
  const filtered = { f: { filter: { match_all: {} }, aggs: composite } };
  const below = (aggregations: JsonObject): Promise<unknown> =>
    engine.search({ indices: ['p'], size: 0, aggregations });
  await below(filtered);
  await below({ f: { filter: { match_all: {} }, aggs: filtered } });
  await assert.rejects(
    below({ t: { terms: { field: 'a' }, aggs: filtered } }),
    /\[composite\] aggregation cannot be used with a parent aggregation of type: \[TermsAggregatorFactory\]/,
  );
});
