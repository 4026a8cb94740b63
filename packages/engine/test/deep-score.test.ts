// Is a page far behind the best matches one of this moment and of this mapping, though its list is kept?

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Engine, type JsonObject, open } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const DOCS = 1_300;
const START = Date.UTC(2026, 0, 1);

async function filled(t: TestContext): Promise<Engine> {
  const engine = await open('', { disk: new SimulatedDisk(), ballastBytes: 0 });
  t.after(() => engine.close());
  await engine.indices.create('s', {
    mappings: { properties: { t: { type: 'text' }, d: { type: 'date' } } },
  });
  const ops = Array.from({ length: DOCS }, (_, n) => ({
    ...({ kind: 'index', index: 's', id: `${n}` } as const),
    source: Buffer.from(JSON.stringify({ t: `red w${n}`, d: START + n * 1_000 })),
  }));
  await engine.write(ops);
  await engine.indices.flush(['s']);
  return engine;
}

async function totals(engine: Engine, query: JsonObject): Promise<(number | undefined)[]> {
  const seen: (number | undefined)[] = [];
  // The first page of a list is found in another way than the next ones.
  for (const from of [1_100, 1_100, 1_150])
    seen.push((await engine.search({ indices: ['s'], query, from, size: 5 })).total?.value);
  return seen;
}

test('what is before now grows as time goes on', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: START + 1_199_500 });
  const engine = await filled(t);
  const query = { bool: { must: [{ match: { t: 'red' } }], filter: [{ range: { d: { lte: 'now' } } }] } };
  assert.deepEqual(await totals(engine, query), [1_200, 1_200, 1_200]);
  t.mock.timers.tick(50_000);
  assert.deepEqual(await totals(engine, query), [1_250, 1_250, 1_250]);
});

test('a field that is mapped behind the first page is looked at for the next', async (t) => {
  const engine = await filled(t);
  const query = { bool: { must: [{ match: { t: 'red' } }], must_not: [{ match: { other: 'w7' } }] } };
  assert.deepEqual(await totals(engine, query), [DOCS, DOCS, DOCS]);
  await engine.indices.putMapping('s', { properties: { other: { type: 'alias', path: 't' } } });
  assert.deepEqual(await totals(engine, query), [DOCS - 1, DOCS - 1, DOCS - 1]);
});
