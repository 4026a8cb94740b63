// A deep page of best matches reflects the current time, mapping and index names, although its list is cached.

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

const wrapped = (query: JsonObject): JsonObject => ({
  wrapper: { query: Buffer.from(JSON.stringify(query)).toString('base64') },
});
const red: JsonObject = { match: { t: 'red' } };
const past: JsonObject = { range: { d: { lte: 'now' } } };

test('so does what says now in other words', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: START + 1_199_500 });
  const engine = await filled(t);
  const queries: readonly JsonObject[] = [
    { bool: { must: [red], filter: [wrapped(past)] } },
    wrapped({ bool: { must: [red], filter: [past] } }),
    { query_string: { query: 't:red AND d:[* TO n\\ow]' } },
    { bool: { must: [red], filter: [{ query_string: { query: 'd:<n\\ow' } }] } },
    wrapped(past),
  ];
  const shapes = queries.map(() => ({}));
  for (const expected of [1_200, 1_250, 1_300]) {
    for (const [i, query] of queries.entries()) {
      const shown = JSON.stringify(query);
      assert.deepEqual(await totals(engine, query), [expected, expected, expected], shown);
      // Twice each: what was planned or prepared for one would serve the next.
      for (const sort of [undefined, ['_doc'], [{ d: 'asc' }]]) {
        for (let again = 0; again < 2; again++) {
          const { total } = await engine.search({ indices: ['s'], query, size: 5, ...(sort && { sort }) });
          assert.equal(total?.value, expected, shown);
          const kept = { indices: ['s'], query, size: 5, sort: sort ?? [], shape: shapes[i]! };
          if (sort?.[0] === '_doc') assert.equal((await engine.search(kept)).total?.value, expected, shown);
        }
      }
      assert.equal(await engine.count({ indices: ['s'], query }), expected, shown);
    }
    t.mock.timers.tick(50_000);
  }
});

test('what is asked of an alias is that of the indices that have it', async (t) => {
  const engine = await filled(t);
  const add = { index: 's', alias: 'moving', spec: {} };
  const remove = { index: 's', alias: 'moving' };
  const named: JsonObject = { term: { _index: 'moving' } };
  const queries: readonly JsonObject[] = [
    { bool: { must: [red], filter: [named] } },
    { bool: { must: [red], filter: [wrapped(named)] } },
    { bool: { must: [red], filter: [{ prefix: { _index: 'mov' } }] } },
    wrapped(named),
  ];
  for (const expected of [DOCS, 0, DOCS]) {
    await engine.indices.updateAliases(expected === 0 ? [{ remove }] : [{ add }]);
    for (const query of queries) {
      assert.deepEqual(await totals(engine, query), [expected, expected, expected], JSON.stringify(query));
      for (let again = 0; again < 2; again++)
        assert.equal((await engine.search({ indices: ['s'], query, size: 5 })).total?.value, expected);
    }
  }
});

test('a field that is mapped behind the first page is looked at for the next', async (t) => {
  const engine = await filled(t);
  const query = { bool: { must: [{ match: { t: 'red' } }], must_not: [{ match: { other: 'w7' } }] } };
  assert.deepEqual(await totals(engine, query), [DOCS, DOCS, DOCS]);
  await engine.indices.putMapping(['s'], { properties: { other: { type: 'alias', path: 't' } } });
  assert.deepEqual(await totals(engine, query), [DOCS - 1, DOCS - 1, DOCS - 1]);
});
