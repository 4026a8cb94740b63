// Lists that need no postings of texts, and searches that do, see the same documents, whichever came first.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysis } from '../../analysis/registry.ts';
import { SimulatedDisk } from '../../disk/simulated.ts';
import { readHighlight } from '../../highlight/read-highlight.ts';
import { type Engine, type JsonObject, open, type SearchRequest } from '../../index.ts';
import { parseMapping } from '../../mapping/index-mapping.ts';
import { neededPostings } from './needs-postings.ts';

const indices = ['notes'];

const mapping = parseMapping(
  {
    properties: {
      n: { type: 'long' },
      k: { type: 'keyword' },
      t: { type: 'text', fields: { raw: { type: 'keyword' } } },
      o: { properties: { t: { type: 'text' } } },
      a: { type: 'alias', path: 't' },
    },
  },
  buildAnalysis({}),
);
const isWithoutText = (request: Partial<SearchRequest>): boolean =>
  neededPostings({ indices, ...request }, [mapping]) === 'withoutText';

const MATCH: JsonObject = { match: { t: 'even' } };
const NESTED: JsonObject[] = [{ 'o.n': { nested: { path: 'o', filter: { match: { 'o.t': 'even' } } } } }];
const HIGHLIGHT: JsonObject = { fields: { t: { highlight_query: MATCH } } };

test('a search is without texts if it looks at no words', () => {
  assert.ok(isWithoutText({}));
  assert.ok(isWithoutText({ query: { match_all: {} }, sort: [{ n: 'asc' }] }));
  const withoutText = [
    { term: { k: 'a' } },
    { term: { 't.raw': { value: 'a', boost: 2 } } },
    { terms: { k: ['a', 'b'], boost: 1 } },
    { range: { n: { gte: 1 } } },
    { exists: { field: 'k' } },
    { exists: { field: 'unmapped' } },
    { ids: { values: ['1'] } },
    { constant_score: { filter: { term: { n: 1 } } } },
  ];
  for (const query of withoutText) {
    assert.ok(isWithoutText({ query }), JSON.stringify(query));
    assert.ok(isWithoutText({ postFilter: query, filters: new Map([['notes', query]]) }));
    assert.ok(
      isWithoutText({ query: { bool: { filter: [query], must_not: query, minimum_should_match: 1 } } }),
    );
  }
  const others = [
    { match: { t: 'a' } },
    { match: { k: 'a' } },
    { match_all: {}, match: { t: 'a' } },
    { term: { t: 'a' } },
    { term: { a: 'a' } },
    { terms: { t: ['a'] } },
    { terms: { k: { index: 'other', id: '1', path: 'x' } } },
    { range: { t: { gte: 'a' } } },
    { exists: { field: 't' } },
    { exists: { field: 'o' } },
    { exists: { field: 'k*' } },
    { constant_score: { filter: { match: { t: 'a' } } } },
    { bool: [] },
    {},
  ];
  for (const query of others) {
    assert.ok(!isWithoutText({ query }), JSON.stringify(query));
    assert.ok(!isWithoutText({ postFilter: query }));
    assert.ok(!isWithoutText({ filters: new Map([['notes', query]]) }));
    assert.ok(!isWithoutText({ query: { bool: { filter: [{ match_all: {} }, query] } } }));
  }
  assert.ok(!isWithoutText({ explain: true }));
  assert.ok(!isWithoutText({ highlight: readHighlight(HIGHLIGHT) }));
  assert.ok(isWithoutText({ highlight: readHighlight({ fields: { t: {} } }) }));
  const deep = Array.from({ length: 500 }).reduce<JsonObject>((inner) => ({ bool: { must: inner } }), {
    match_all: {},
  });
  assert.ok(!isWithoutText({ query: deep }));
});

for (const [name, request] of Object.entries<Partial<SearchRequest>>({
  query: { query: MATCH },
  'post filter': { postFilter: MATCH },
  highlight: { highlight: readHighlight(HIGHLIGHT) },
  'nested sort': { sort: NESTED },
  aggregation: { aggregations: { a: { filter: MATCH } } },
  'top hits': { aggregations: { a: { top_hits: { highlight: HIGHLIGHT } } } },
  rescore: {
    rescore: [
      { windowSize: 5, query: MATCH, queryWeight: 1, rescoreQueryWeight: 1, scoreMode: 'total' as const },
    ],
  },
  suggest: { suggest: { s: { text: 'evn', term: { field: 't' } } } },
  explain: { explain: { query: MATCH } },
})) {
  test(`a ${name} that is the first to ask for words changes nothing for later searches`, async () => {
    const engine = await open('', { disk: new SimulatedDisk(), ballastBytes: 0 });
    const inner = { properties: { n: { type: 'long' }, t: { type: 'text' } }, type: 'nested' };
    await engine.indices.create('notes', { mappings: { properties: { t: { type: 'text' }, o: inner } } });
    const text = { t: 'even number', o: [{ n: 1, t: 'even' }] };
    await engine.write([
      { kind: 'index', index: 'notes', id: '1', source: Buffer.from(JSON.stringify(text)) },
    ]);
    const first = await engine.search({ indices, ...request });
    assert.equal(first.hits.length, 1);
    if (request.highlight !== undefined)
      assert.deepEqual([...first.hits[0]!.highlights!], [['t', ['<em>even</em> number']]]);
    assert.equal(await engine.count({ indices, query: MATCH }), 1);
    assert.equal(await engine.count({ indices, query: { match: { t: 'odd' } } }), 0);
    await engine.close();
  });
}

test('lists and searches over a tail agree while it grows, loses documents and is sealed', async () => {
  const engine = await open('', { disk: new SimulatedDisk(), ballastBytes: 0, tailDocs: 1_000 });
  const properties = { n: { type: 'long' }, k: { type: 'keyword' }, t: { type: 'text' } };
  await engine.indices.create('notes', { mappings: { properties } });
  const alive = new Map<string, number>();
  let next = 1;
  const random = (below: number): number => (next = (next * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 60; round++) {
    const ops = Array.from({ length: 1 + random(90) }, () => {
      const id = `d${random(600)}`;
      if (random(6) === 0) {
        alive.delete(id);
        return { kind: 'delete', index: 'notes', id } as const;
      }
      const n = random(1_000_000);
      alive.set(id, n);
      const source = Buffer.from(
        JSON.stringify({ n, k: `k${n % 7}`, t: n % 2 === 0 ? 'even number' : 'odd number' }),
      );
      return { kind: 'index', index: 'notes', id, source } as const;
    });
    await engine.write(ops);
    if (round % 20 === 19) await engine.indices.flush(indices);
    const asked = random(3);
    // Sometimes only one of them asks, so that minis of both kinds lie beside each other.
    if (asked !== 0) assert.deepEqual(await list(engine), sorted(alive));
    if (asked !== 1)
      assert.deepEqual(await evens(engine), [...alive.values()].filter((n) => n % 2 === 0).length);
    if (asked !== 2)
      for (const query of FILTERS)
        assert.equal(await engine.count({ indices, query }), [...alive.values()].filter(isFiltered).length);
  }
  assert.deepEqual(await list(engine), sorted(alive));
  await engine.close();
});

/** Looks at no words; the same with some that are in every document. */
const K3 = [{ term: { k: 'k3' } }, { range: { n: { gte: 1_000, lt: 900_000 } } }, { exists: { field: 'n' } }];
const FILTERS = [{ bool: { filter: K3 } }, { bool: { filter: [...K3, { match: { t: 'number' } }] } }];

function isFiltered(n: number): boolean {
  return n % 7 === 3 && n >= 1_000 && n < 900_000;
}

async function list(engine: Engine): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; ; from += 100) {
    const sort = [{ k: 'desc' }, { n: 'asc' }, { _id: 'asc' }];
    const { hits, total } = await engine.search({
      indices,
      query: { match_all: {} },
      sort,
      from,
      size: 100,
      trackTotalHits: true,
    });
    ids.push(...hits.map(({ id }) => id));
    if (hits.length < 100) {
      assert.equal(total?.value, ids.length);
      return ids;
    }
  }
}

function sorted(alive: ReadonlyMap<string, number>): string[] {
  const order = [...alive].sort(([a, n], [b, m]) => (m % 7) - (n % 7) || n - m || (a < b ? -1 : 1));
  return order.map(([id]) => id);
}

async function evens(engine: Engine): Promise<number> {
  return await engine.count({ indices, query: { match: { t: 'even' } } });
}

test('significant texts are looked at, at any depth', () => {
  const text = { t: { significant_text: { field: 't' } } };
  assert.ok(!isWithoutText({ aggregations: text }));
  assert.ok(!isWithoutText({ aggregations: { s: { sampler: {}, aggs: text } } }));
  assert.ok(
    isWithoutText({
      aggregations: { s: { sampler: {}, aggs: { k: { significant_terms: { field: 'k' } } } } },
    }),
  );
});
