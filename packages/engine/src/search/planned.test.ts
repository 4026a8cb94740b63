// Is a plan only found again where it would be the same?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeView } from '../../test/query-world.ts';
import { worldServices } from '../../test/search-world.ts';
import type { JsonObject } from '../json/value.ts';
import { DEFAULT_LIMITS } from '../query/limits.ts';
import { executeSearch } from './execute.ts';
import { planKey } from './planned.ts';

const circumstances = { scores: true, compat: 'opensearch' as const, limits: DEFAULT_LIMITS };

test('different queries have different keys, long ones and those of the moment none', () => {
  const json = fc.jsonValue({ maxDepth: 3 }).map((q) => ({ q })) as fc.Arbitrary<JsonObject>;
  fc.assert(
    fc.property(json, json, (a, b) => {
      const same = JSON.stringify(a) === JSON.stringify(b);
      const [one, other] = [a, b].map((query) => planKey(query, circumstances));
      if (one !== undefined && other !== undefined && !same) {
        assert.ok(one !== other || Object.is(JSON.stringify(a), JSON.stringify(b)));
      }
    }),
  );
  const pairs: [JsonObject, JsonObject][] = [
    [{ a: 'b', c: 1 }, { a: 'b,c:1' }],
    [{ a: ['b', 'c'] }, { a: ['bc'] }],
    [{ a: 1 }, { a: '1' }],
    [{ a: 0 }, { a: -0 }],
    [{ a: 1n }, { a: 1 }],
    [{ a: null }, { a: 'null' }],
    [{ a: [] }, { a: {} }],
  ];
  for (const [a, b] of pairs) assert.notEqual(planKey(a, circumstances), planKey(b, circumstances));
  assert.notEqual(planKey({ a: 1 }, circumstances), planKey({ a: 1 }, { ...circumstances, scores: false }));
  assert.equal(planKey({ range: { d: { gte: 'now-1d' } } }, circumstances), undefined);
  assert.equal(planKey({ term: { _index: 'alias' } }, circumstances), undefined);
  assert.equal(planKey({ terms: { a: Array.from({ length: 2_000 }, () => 'x') } }, circumstances), undefined);
  let deep: JsonObject = {};
  for (let i = 0; i < 5_000; i++) deep = { bool: deep };
  assert.equal(planKey(deep, circumstances), undefined);
});

test('a plan is made anew when the mapping, the settings or the leaves are others', async () => {
  const docs = Array.from({ length: 30 }, (_, i) => ({ id: `d${i}`, source: { t: `Ab x${i % 3}` } }));
  const view = makeView({ properties: { t: { type: 'text' } } }, docs, [-20, 10]);
  const services = worldServices();
  const total = async (own: typeof view, query: JsonObject): Promise<number> => {
    const { total } = await executeSearch([own], { indices: ['world'], query }, services, 0);
    return total!.value;
  };
  const query = { match: { t: 'x1' } };
  for (let again = 0; again < 3; again++) assert.equal(await total(view, query), 10);
  const leaves = view.leaves.slice(0, 1);
  assert.equal(await total({ ...view, leaves }, query), 7);
  const bare = makeView({ properties: {} }, []);
  assert.equal(await total({ ...view, mapping: bare.mapping }, query), 0);
  assert.equal(await total(view, query), 10);
});
