// A plan is found in the memo only where planning again would give the same plan.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { executeSearch } from '../../../test/execute-search.ts';
import { makeView } from '../../../test/query-world.ts';
import { worldServices } from '../../../test/search-world.ts';
import type { JsonObject } from '../../json/value.ts';
import { parseQuery } from '../../query/parse.ts';
import { VolatileInputs } from '../../query/plan/volatile-inputs.ts';
import { planQuery } from '../../query/plan-query.ts';
import { isSameJson, queryHash } from './plan-memo.ts';

test('queries are the same where every value is, have the same hash then, and long ones none', () => {
  const json = fc.jsonValue({ maxDepth: 3 }).map((q) => ({ q })) as fc.Arbitrary<JsonObject>;
  fc.assert(
    fc.property(json, (a) => {
      const twin = JSON.parse(JSON.stringify(a)) as JsonObject;
      // JSON has no -0.
      if (isSameJson(a, twin)) assert.equal(queryHash(a), queryHash(twin));
      else assert.match(Object.is(JSON.stringify(a), JSON.stringify(twin)) ? '-0' : 'other', /-0/);
    }),
  );
  // Of few values, so that many pairs are the same, and many nearly.
  const { any } = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom(0, 1, '0', 'a', '', null, true),
      fc.array(tie('any'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b'), tie('any'), { maxKeys: 2, noNullPrototype: true }),
    ),
  }));
  const few = any.map((q) => ({ q })) as fc.Arbitrary<JsonObject>;
  let same = 0;
  fc.assert(
    fc.property(few, few, (a, b) => {
      assert.equal(isSameJson(a, b), isDeepStrictEqual(a, b));
      assert.equal(isSameJson(b, a), isSameJson(a, b));
      if (isSameJson(a, b)) same++;
    }),
    { numRuns: 2_000 },
  );
  assert.ok(same > 50 && same < 1_950, `${same} pairs are the same`);
  const pairs: [JsonObject, JsonObject][] = [
    [{ a: 'b', c: 1 }, { a: 'b,c:1' }],
    [{ a: ['b', 'c'] }, { a: ['bc'] }],
    [{ a: 1 }, { a: '1' }],
    [{ a: 0 }, { a: -0 }],
    [{ a: 1n }, { a: 1 }],
    [{ a: null }, { a: 'null' }],
    [{ a: [] }, { a: {} }],
    [{ a: {} }, { a: { b: 1 } }],
    [{}, { toString: null }],
  ];
  for (const [a, b] of pairs) assert.ok(!isSameJson(a, b) && !isSameJson(b, a) && isSameJson(a, { ...a }));
  assert.equal(queryHash({ terms: { a: Array.from({ length: 2_000 }, () => 'x') } }), -1);
  let deep: JsonObject = {};
  for (let i = 0; i < 5_000; i++) deep = { bool: deep };
  assert.equal(queryHash(deep), -1);
});

test('planning says what it asks for that passes, in whatever words, and of nothing else', () => {
  const properties = {
    t: { type: 'text' },
    n: { type: 'long' },
    d: { type: 'date' },
    o: { type: 'date_nanos' },
  };
  const view = makeView({ properties }, [{ id: '1', source: { t: 'now _index', n: 1, d: 0, o: 0 } }]);
  const asked = (query: JsonObject, namedScores = false): string => {
    const inputs = new VolatileInputs();
    planQuery(parseQuery(query), view, { now: 0, scores: true, inputs, named: [], namedScores });
    return `${inputs.asksNow ? 'now' : ''} ${inputs.asksNames ? 'names' : ''}`.trim();
  };
  const wrapped = (query: JsonObject): JsonObject => ({
    wrapper: { query: Buffer.from(JSON.stringify(query)).toString('base64') },
  });
  const ofNow: readonly JsonObject[] = [
    { range: { d: { gte: 'now-1d' } } },
    { range: { o: { lt: 'now/d' } } },
    { term: { d: 'now' } },
    { terms: { d: ['2020-01-01', 'now/d'] } },
    { match: { d: 'now/d' } },
    { query_string: { query: 'd:[* TO n\\ow]' } },
    { query_string: { query: 'd:<n\\ow' } },
    { multi_match: { query: 'now', fields: ['d', 't'] } },
    {
      dis_max: {
        queries: [{ match_all: {} }, { constant_score: { filter: { range: { d: { lte: 'now' } } } } }],
      },
    },
  ];
  const ofNames: readonly JsonObject[] = [
    { term: { _index: 'alias' } },
    { terms: { _index: ['alias'] } },
    { prefix: { _index: 'al' } },
    { wildcard: { _index: 'al*' } },
    { query_string: { query: '_inde\\x:alias' } },
  ];
  const ofNothing: readonly JsonObject[] = [
    { match: { t: 'now' } },
    { term: { n: 1 } },
    { terms: { n: [1, 2] } },
    { range: { d: { gte: '2020-01-01||-1d/d', lt: 1_600_000_000_000 } } },
    { terms: { d: ['2020-01-01'] } },
    { exists: { field: '_index' } },
    { query_string: { query: 't:now AND n:>0' } },
  ];
  for (const [queries, expected] of [
    [ofNow, 'now'],
    [ofNames, 'names'],
    [ofNothing, ''],
  ] as const) {
    for (const query of queries) {
      const shown = JSON.stringify(query);
      assert.equal(asked(query), expected, shown);
      assert.equal(asked({ bool: { must_not: [query], should: [{ match_all: {} }] } }), expected, shown);
      assert.equal(asked(wrapped(wrapped(query))), expected, shown);
      assert.equal(asked({ bool: { must: [query], _name: 'x' } }, true), expected, shown);
    }
  }
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
