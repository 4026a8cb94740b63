// The scores of named queries, as the peer gives them: each query by itself, also in filters, without boosts
// around it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';

const { ask } = await server();
await ask('PUT /a', {
  mappings: {
    properties: { t: { type: 'text' }, u: { type: 'text' }, n: { type: 'long' }, k: { type: 'keyword' } },
  },
});
await ask('PUT /a/_doc/1?refresh=true', { t: 'red fox', u: 'blue bird', n: 1, k: 'a' });

const red = { match: { t: { query: 'red', _name: 'one' } } };
const CASES: readonly [body: object, matched: Record<string, number>][] = [
  [
    {
      query: {
        bool: {
          should: [red, { match: { u: { query: 'bird', boost: 2, _name: 'two' } } }],
          filter: [{ term: { n: { value: 1, _name: 'three' } } }],
          must_not: [{ term: { n: { value: 9, _name: 'four' } } }],
        },
      },
    },
    { one: 0.13076457, two: 0.26152915, three: 1 },
  ],
  [{ query: { constant_score: { boost: 3, filter: red, _name: 'cs' } } }, { cs: 3, one: 0.13076457 }],
  [
    {
      sort: ['n'],
      query: { dis_max: { _name: 'dm', queries: [{ match: { t: { query: 'red fox', _name: 'one' } } }] } },
      post_filter: { term: { k: { value: 'a', _name: 'pf' } } },
    },
    { pf: 1, one: 0.26152915, dm: 0.26152915 },
  ],
  [{ query: { bool: { boost: 2, must: red } } }, { one: 0.13076457 }],
];

test('include_named_queries_score gives the scores of the peer', async () => {
  for (const [body, matched] of CASES) {
    const path = 'POST /a/_search?include_named_queries_score=true';
    const { hits } = (await ask(path, body)).body.hits;
    assert.deepEqual(hits[0].matched_queries, matched);
    const names = (await ask('POST /a/_search', body)).body.hits.hits[0].matched_queries;
    assert.deepEqual([...names].sort(), Object.keys(matched).sort());
  }
});

test('without named queries there is nothing to show', async () => {
  const { hits } = (await ask('GET /a/_search?include_named_queries_score=true')).body.hits;
  assert.equal('matched_queries' in hits[0], false);
});

test('clauses of span queries have names, too', async () => {
  const term = (value: string): object => ({ span_term: { t: { value, _name: value } } });
  const or = { span_or: { _name: 'or', clauses: [term('fox'), term('cat')] } };
  const query = { span_near: { _name: 'near', clauses: [term('red'), or] } };
  const { hits } = (await ask('POST /a/_search', { query })).body.hits;
  assert.deepEqual(hits[0].matched_queries.sort(), ['fox', 'near', 'or', 'red']);
});
