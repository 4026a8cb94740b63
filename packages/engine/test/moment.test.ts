// Every page of a walk is computed at the moment that the walk fixes, however long the walk takes. Concurrent walks of other
// moments with the same request do not interfere.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, open, type SearchRequest } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const DOCS = 1_500;
const START = Date.UTC(2026, 0, 1);

const red: JsonObject = { match: { t: 'red' } };
const past: JsonObject = { range: { d: { lte: 'now' } } };
const LISTS: readonly JsonObject[] = [
  { query: past, sort: ['_doc'] },
  { query: { bool: { filter: [past] } }, sort: [{ t2: 'desc' }] },
  { query: past },
  { query: { bool: { must: [red], filter: [past] } } },
  { query: { bool: { must: [red], should: [{ range: { d: { gt: 'now-5m', boost: 3 } } }] } } },
  { query: { bool: { must: [red], filter: [past] } }, sort: ['_score', { t2: 'asc' }] },
  { query: red, postFilter: { range: { d: { gt: 'now' } } } },
];

test('pages of one moment are those of one list, whatever time it is', async (t) => {
  let now = START + 700_000;
  const engine = await open('', { disk: new SimulatedDisk(), ballastBytes: 0, now: () => now });
  t.after(() => engine.close());
  const properties = { t: { type: 'text' }, t2: { type: 'keyword' }, d: { type: 'date' } };
  await engine.indices.create('m', { mappings: { properties } });
  for (let part = 0; part < 2; part++) {
    const ops = Array.from({ length: DOCS / 2 }, (_, i) => {
      const n = part * (DOCS / 2) + i;
      const text = `red ${'x '.repeat(n % 9)}`;
      // Not in the order in which they come.
      const source = { t: text, t2: `k${n % 7}`, d: START + ((n * 617) % DOCS) * 1_000 };
      return {
        ...({ kind: 'index', index: 'm', id: `${n}` } as const),
        source: Buffer.from(JSON.stringify(source)),
      };
    });
    await engine.write(ops);
    await engine.indices.flush(['m']);
  }
  const shapes = LISTS.map(() => ({}));
  const ids = async (request: Omit<SearchRequest, 'indices'>): Promise<string[]> => {
    const { hits, total } = await engine.search({ indices: ['m'], ignoreWindow: true, ...request });
    return [`of ${total?.value}`, ...hits.map(({ id, score }) => `${id} ${score}`)];
  };
  for (const [i, list] of LISTS.entries()) {
    const shape = shapes[i]!;
    const first = now;
    const before = await ids({ ...list, size: 10_000 });
    now += 100_000;
    const second = now;
    const after = await ids({ ...list, size: 10_000 });
    assert.notDeepEqual(after, before, 'it is another list by then');
    const walk = (at: number, from: number) => ids({ ...list, from, size: 90, shape, now: at });
    for (let from = 0; from < 1_530; from += 90) {
      now += 7_000;
      for (const [at, whole] of [
        [first, before],
        [second, after],
      ] as const) {
        const expected = [whole[0], ...whole.slice(1 + from, 1 + from + 90)];
        assert.deepEqual(await walk(at, from), expected, `${JSON.stringify(list)} ${from}`);
      }
    }
    // A search that goes on with no moment is one of this one.
    assert.deepEqual(
      await ids({ ...list, size: 90, shape }),
      (await ids({ ...list, size: 10_000 })).slice(0, 91),
    );
    now = START + 700_000;
  }
});
