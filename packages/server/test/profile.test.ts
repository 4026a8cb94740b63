// A profile says what a search did, and changes nothing about its answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';

interface Profiled {
  readonly type: string;
  readonly description: string;
  readonly time_in_nanos: number;
  readonly breakdown: Readonly<Record<string, number>>;
  readonly debug?: Readonly<Record<string, unknown>>;
  readonly children?: readonly Profiled[];
}

test('a profile has the parts of the query and the aggregations with true counts', async () => {
  const { ask } = await server();
  await ask('PUT /p', { mappings: { properties: { t: { type: 'text' }, n: { type: 'long' } } } });
  const words = ['red fox', 'red dog', 'blue dog', 'green'];
  for (const [n, t] of words.entries()) await ask(`PUT /p/_doc/${n}`, { t, n });
  const search = {
    query: { bool: { must: [{ match: { t: 'red dog' } }], filter: [{ range: { n: { lt: 3 } } }] } },
    aggs: { n: { terms: { field: 'n' }, aggs: { most: { max: { field: 'n' } } } } },
  };
  const plain = await ask('POST /p/_search', search);
  const profiled = await ask('POST /p/_search', { ...search, profile: true });
  const { profile, ...answer } = profiled.body as unknown as {
    readonly took: number;
    readonly profile: {
      readonly shards: readonly {
        readonly searches: readonly { readonly query: readonly Profiled[] }[];
        readonly aggregations: readonly Profiled[];
      }[];
    };
  };
  assert.deepEqual({ ...answer, took: 0 }, { ...plain.body, took: 0 });
  const [shard, ...others] = profile.shards;
  assert.equal(others.length, 0);
  const query = shard!.searches[0]!.query[0]!;
  assert.equal(query.type, 'BooleanQuery');
  assert.equal(query.breakdown['next_doc_count'], 3);
  const types = query.children!.map(({ type }) => type).sort();
  assert.deepEqual(types, ['BooleanQuery', 'PointRangeQuery']);
  assert.ok(query.time_in_nanos > 0);
  const terms = shard!.aggregations[0]!;
  assert.deepEqual([terms.type, terms.description], ['NumericTermsAggregator', 'n']);
  assert.equal(terms.breakdown['collect_count'], 3);
  assert.deepEqual(terms.debug, { result_strategy: 'long_terms', total_buckets: 3 });
  assert.equal(terms.children![0]!.type, 'MaxAggregator');
});

test('a profile of several indices is one of each, and a flag of another type is refused', async () => {
  const { ask } = await server();
  for (const index of ['a', 'b']) await ask(`PUT /${index}/_doc/1`, { k: index });
  const { body } = await ask('POST /a,b/_search', { profile: true, query: { match: { k: 'a' } } });
  const { shards } = body['profile'] as unknown as { readonly shards: readonly { readonly id: string }[] };
  assert.deepEqual(
    shards.map(({ id }) => id.replace(/^\[[^\]]*\]/, '')),
    ['[a][0]', '[b][0]'],
  );
  const refused = await ask('POST /a/_search', { profile: 'often' });
  assert.equal(refused.status, 400);
});
