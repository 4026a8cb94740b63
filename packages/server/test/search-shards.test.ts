// What a search would visit (`_search_shards`), whether a query is valid on every shard (`_validate/query`), and terms that begin
// with a text (`_terms_enum`).

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';
import { openStore } from './stores.ts';

const records = await openStore();
after(() => records.close());
const { ask } = await server({ records });
let as: Record<string, string> = {};
const embedded = onlyEmbedded('a cluster answers itself');

before(async () => {
  const made = await ask('POST /api/keys', { name: 'admin', scopes: ['*'] });
  as = { authorization: `Bearer ${made.body.token}` };
  const properties = { t: { type: 'keyword' }, n: { type: 'integer' }, x: { type: 'text' } };
  const range = { range: { n: { gte: 2, lt: 5 } } };
  const aliases = {
    a1: { filter: { term: { t: 'x' } } },
    a2: {},
    a3: { filter: { bool: { must: [range], must_not: { exists: { field: 'q' } } } } },
  };
  await ask('PUT /s1', { mappings: { properties }, aliases }, as);
  await ask('PUT /s2', { settings: { number_of_shards: 2 }, aliases: { a2: {} } }, as);
  for (const [id, t] of Object.entries({ 1: 'Apple', 2: 'apricot', 3: ['banana', 'apple'], 4: 'a.b*' }))
    await ask(`PUT /s1/_doc/${id}?refresh=true`, { t }, as);
});

interface Shard {
  index: string;
  shard: number;
  state: string;
  primary: boolean;
}

async function shards(path: string): Promise<{ indices: object; shards: string[] }> {
  const { status, body, text } = await ask(`GET ${path}/_search_shards`, undefined, as);
  assert.equal(status, 200, text);
  const listed: Shard[][] = body.shards;
  assert.ok(listed.flat().every(({ state, primary }) => state === 'STARTED' && primary));
  assert.equal(Object.keys(body.nodes).length, listed.length === 0 ? 0 : 1);
  return { indices: body.indices, shards: listed.map(([one]) => `${one!.index}/${one!.shard}`) };
}

test('shards of indices, and the filters of aliases as queries with their defaults', embedded, async () => {
  const term = { term: { t: { value: 'x', boost: 1 } } };
  assert.deepEqual(await shards('/s2,s1'), { indices: { s1: {}, s2: {} }, shards: ['s1/0', 's2/0', 's2/1'] });
  assert.deepEqual((await shards('/a1')).indices, { s1: { aliases: ['a1'], filter: term } });
  const bounds = { from: 2, to: 5, include_lower: true, include_upper: false, boost: 1 };
  const three = {
    bool: {
      must: [{ range: { n: bounds } }],
      must_not: [{ exists: { field: 'q', boost: 1 } }],
      ...{ adjust_pure_negative: true, boost: 1 },
    },
  };
  const both = { bool: { should: [term, three], adjust_pure_negative: true, boost: 1 } };
  assert.deepEqual((await shards('/a1,a3')).indices, { s1: { aliases: ['a1', 'a3'], filter: both } });
  assert.deepEqual((await shards('/a1,a2')).indices, {
    s1: { aliases: ['a1', 'a2'] },
    s2: { aliases: ['a2'] },
  });
  assert.deepEqual(await shards('/none'), { indices: {}, shards: [] });
  assert.equal((await ask('POST /s1/_search_shards', { foo: 1 }, as)).status, 400);
});

test('a query is checked on one shard of each index, or on all', embedded, async () => {
  const all = { query: { match_all: {} } };
  const one = await ask('POST /s1,s2/_validate/query', all, as);
  assert.deepEqual(one.body, { _shards: { total: 2, successful: 2, failed: 0 }, valid: true });
  const every = await ask('POST /s1,s2/_validate/query?all_shards=true', all, as);
  assert.deepEqual(
    every.body.explanations.map((each: Shard) => `${each.index}/${each.shard}`),
    ['s1/0', 's2/0', 's2/1'],
  );
  const empty = await ask('POST /s1/_validate/query', {}, as);
  assert.match(empty.body.error.reason, /1: query cannot be null;/);
  assert.equal((await ask('POST /s1/_validate/query', undefined, as)).body.valid, true);
});

async function terms(body: object, headers = as): Promise<string[]> {
  const answer = await ask('POST /s1/_terms_enum', { field: 't', ...body }, headers);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.complete, true);
  return answer.body.terms;
}

test('terms that begin with a text, ascending by bytes', embedded, async () => {
  assert.deepEqual(await terms({}), ['Apple', 'a.b*', 'apple', 'apricot', 'banana']);
  assert.deepEqual(await terms({ string: 'ap' }), ['apple', 'apricot']);
  assert.deepEqual(await terms({ string: 'AP', case_insensitive: true }), ['Apple', 'apple', 'apricot']);
  assert.deepEqual(await terms({ string: 'a.b*' }), ['a.b*']);
  assert.deepEqual(await terms({ size: 2, search_after: 'a.b*' }), ['apple', 'apricot']);
  assert.deepEqual(await terms({ index_filter: { term: { t: 'banana' } } }), ['apple', 'banana']);
  assert.deepEqual(await terms({ field: 'none' }), []);
  for (const wrong of [{ field: 'x' }, { foo: 1 }, { size: 0 }, { field: undefined }])
    assert.equal((await ask('POST /s1/_terms_enum', { field: 't', ...wrong }, as)).status, 400);
});

test('a key sees its indices and documents only', embedded, async () => {
  const key = async (rights: object): Promise<Record<string, string>> => {
    const made = await ask('POST /api/keys', { name: 'k', scopes: ['search:read'], ...rights }, as);
    return { authorization: `Bearer ${made.body.token}` };
  };
  const filtered = await key({ document_filter: { term: { t: 'banana' } } });
  assert.deepEqual(await terms({}, filtered), ['apple', 'banana']);
  const other = await key({ index_patterns: ['s2'] });
  assert.equal((await ask('POST /s1/_terms_enum', { field: 't' }, other)).status, 403);
  const seen = await ask('GET /_search_shards', undefined, other);
  assert.deepEqual(Object.keys(seen.body.indices), ['s2']);
});
