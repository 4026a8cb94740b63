// Searches under a key with a document filter: no count, bucket, hit or suggestion comes from a hidden document.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';
import { openStore } from './stores.ts';

const records = await openStore();
after(() => records.close());
const { ask } = await server({ records });

test('hidden documents are in no bucket', onlyEmbedded('refuses them under such a key'), async () => {
  const properties = {
    team: { type: 'keyword' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    t: { type: 'text' },
  };
  await ask('PUT /docs', { mappings: { properties } });
  for (const [id, team] of ['a', 'b', 'a', 'b'].entries())
    await ask(`PUT /docs/_doc/${id}`, { team, k: `${team}${id}`, n: id, t: `${team}${id} all` });
  const made = await ask('POST /api/keys', {
    name: 'a',
    scopes: ['search:read'],
    document_filter: { term: { team: 'a' } },
  });
  assert.equal(made.status, 201, made.text);
  const key = { authorization: `Bearer ${made.body.token}` };
  const aggs = {
    terms: { terms: { field: 'k', min_doc_count: 0 } },
    all: { global: {}, aggs: { sum: { sum: { field: 'n' } }, ids: { top_hits: { size: 10 } } } },
    filter: { filter: { term: { team: 'b' } } },
    composite: { composite: { sources: [{ k: { terms: { field: 'k' } } }] } },
    distinct: { cardinality: { field: 'k' } },
    rare: { rare_terms: { field: 'k' } },
    significant: { significant_terms: { field: 'k', min_doc_count: 1, percentage: {} } },
    text: { significant_text: { field: 't', min_doc_count: 1, percentage: {} } },
    sample: { sampler: {}, aggs: { ids: { top_hits: {} } } },
  };
  const { status, body, text } = await ask(
    'POST /docs/_search',
    { size: 0, query: { term: { n: 2 } }, aggs },
    key,
  );
  assert.equal(status, 200, text);
  assert.doesNotMatch(text, /"b\d"/);
  const { terms, all, filter, significant, text: texts, sample } = body.aggregations;
  const keys = terms.buckets.map((each: { key: string; doc_count: number }) => [each.key, each.doc_count]);
  assert.deepEqual(keys, [
    ['a2', 1],
    ['a0', 0],
  ]);
  assert.equal(all.doc_count, 2);
  assert.equal(all.sum.value, 2);
  assert.equal(filter.doc_count, 0);
  // Hidden documents are not in the background either.
  assert.equal(significant.bg_count, 2);
  assert.equal(texts.bg_count, 2);
  const background = texts.buckets.map((each: { key: string; bg_count: number }) => [
    each.key,
    each.bg_count,
  ]);
  assert.deepEqual(background, [
    ['a2', 1],
    ['all', 2],
  ]);
  assert.equal(sample.doc_count, 1);

  // Suggestions of words and the counts of a profile would show the terms of hidden documents.
  for (const suggester of ['term', 'phrase']) {
    const suggest = { s: { text: 'b9', [suggester]: { field: 't' } } };
    const refused = await ask('POST /docs/_search', { size: 0, suggest }, key);
    assert.equal(refused.status, 403, refused.text);
    assert.match(refused.text, new RegExp(`the suggester \\[${suggester}\\] counts documents`));
  }
  const url = 'GET /docs/_search?suggest_field=t&suggest_text=b9';
  assert.equal((await ask(url, undefined, key)).status, 403);
  const profile = await ask('POST /docs/_search', { profile: true, query: { term: { k: 'b1' } } }, key);
  assert.equal(profile.status, 403, profile.text);
  assert.equal((await ask('POST /docs/_search', { profile: false }, key)).status, 200);
});
