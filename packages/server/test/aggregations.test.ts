// Aggregations over HTTP: where they may stand in a request, how they are printed, and who sees what.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

const { ask } = await server();

before(async () => {
  const properties = {
    n: { type: 'long' },
    f: { type: 'double' },
    k: { type: 'keyword' },
    d: { type: 'date' },
  };
  await ask('PUT /a', { mappings: { properties }, aliases: { few: { filter: { term: { n: 3 } } } } });
  await ask('PUT /b', { mappings: { properties: { k: { type: 'keyword' } } } });
  for (let n = 1; n <= 5; n++)
    await ask(`PUT /a/_doc/${n}`, { n, f: n / 2, k: n % 2 === 0 ? 'even' : 'odd', d: `2024-0${n}-01` });
  await ask('PUT /b/_doc/1', { k: 'odd' });
});

const TERMS = { k: { terms: { field: 'k' } } };

test('the shape of buckets and metrics', onlyEmbedded('its own spelling'), async () => {
  const aggs = {
    t: { terms: { field: 'k', size: 1 }, meta: { x: 1 }, aggs: { s: { sum: { field: 'f' } } } },
  };
  const reply = await ask('POST /a/_search?size=0', { aggs });
  assert.match(
    reply.text,
    /"hits":\[\]\},"aggregations":\{"t":\{"meta":\{"x":1\},"doc_count_error_upper_bound":0,"sum_other_doc_count":2,"buckets":\[\{"key":"odd","doc_count":3,"s":\{"value":4\.5\}\}\]\}\}\}$/,
  );
  const typed = await ask('POST /a/_search?size=0&typed_keys', { aggregations: aggs });
  assert.match(typed.text, /"sterms#t":\{.*"sum#s":\{"value":4\.5\}/);
  const dates = await ask('POST /a/_search?size=0', {
    aggs: { d: { date_histogram: { field: 'd', calendar_interval: 'quarter', keyed: true } } },
  });
  assert.match(
    dates.text,
    /"d":\{"buckets":\{"2024-01-01T00:00:00\.000Z":\{"key_as_string":"2024-01-01T00:00:00\.000Z","key":1704067200000,"doc_count":3\}/,
  );
});

test('several indices, filtered aliases, and the post filter', async () => {
  const counts = async (path: string, body: object = {}): Promise<string> => {
    const { body: reply } = await ask(`POST ${path}`, { size: 0, aggs: TERMS, ...body });
    const { buckets } = reply.aggregations.k;
    return buckets.map((each: { key: string; doc_count: number }) => `${each.key} ${each.doc_count}`).join();
  };
  assert.equal(await counts('/a,b/_search'), 'odd 4,even 2');
  assert.equal(await counts('/few/_search'), 'odd 1');
  assert.equal(await counts('/a/_search', { post_filter: { term: { n: 2 } } }), 'odd 3,even 2');
  assert.equal(await counts('/a/_search', { query: { range: { n: { gte: 4 } } }, size: 3 }), 'even 1,odd 1');
});

test('a global aggregation sees all documents, but none that the alias hides', async () => {
  const aggs = { g: { global: {}, aggs: { c: { value_count: { field: 'n' } } } } };
  const query = { term: { n: 3 } };
  const whole = await ask('POST /a/_search', { size: 0, query, aggs });
  assert.deepEqual(whole.body.aggregations, { g: { doc_count: 5, c: { value: 5 } } });
  const few = await ask('POST /few/_search', { size: 0, aggs });
  assert.deepEqual(few.body.aggregations, { g: { doc_count: 1, c: { value: 1 } } });
});

test(
  'terms without documents are only those that the alias shows',
  onlyEmbedded('its own terms'),
  async () => {
    const aggs = { k: { terms: { field: 'k', min_doc_count: 0 } } };
    const { body } = await ask('POST /few/_search', { size: 0, query: { term: { n: 99 } }, aggs });
    assert.deepEqual(
      body.aggregations.k.buckets.map((each: { key: string; doc_count: number }) => [
        each.key,
        each.doc_count,
      ]),
      [['odd', 0]],
    );
  },
);

test('the first page of a scroll has them, later pages do not; points in time and _msearch do', async () => {
  const first = await ask('POST /a/_search?scroll=1m', { size: 2, aggs: TERMS });
  assert.equal(first.body.aggregations.k.buckets.length, 2);
  const next = await ask('POST /_search/scroll', { scroll: '1m', scroll_id: first.body._scroll_id });
  assert.equal(next.body.hits.hits.length, 2);
  assert.equal(next.body.aggregations, undefined);
  const { body: pit } = await ask('POST /a/_search/point_in_time?keep_alive=1m');
  await ask('PUT /a/_doc/6', { n: 6, k: 'even' });
  const seen = await ask('POST /_search', { size: 0, pit: { id: pit.pit_id }, aggs: TERMS });
  assert.equal(seen.body.aggregations.k.buckets[1].doc_count, 2);
  await ask('DELETE /a/_doc/6');
  const lines = [{ index: 'a' }, { size: 0, aggs: TERMS }].map((line) => JSON.stringify(line));
  const several = await ask('POST /_msearch?typed_keys', `${lines.join('\n')}\n`);
  assert.equal(several.body.responses[0].aggregations['sterms#k'].buckets.length, 2);
});

test('pages of a list have the same aggregations as the whole', async () => {
  const body = { sort: ['n'], size: 2, aggs: TERMS };
  for (const from of [0, 2, 4]) {
    const reply = await ask('POST /a/_search', { ...body, from });
    assert.equal(reply.body.aggregations.k.buckets[0].doc_count, 3);
  }
});

test('hits inside buckets are hits', async () => {
  const aggs = {
    k: {
      terms: { field: 'k' },
      aggs: { h: { top_hits: { size: 1, sort: [{ n: 'desc' }], _source: ['n'] } } },
    },
  };
  const { body } = await ask('POST /a/_search', { size: 0, aggs });
  const [odd, even] = body.aggregations.k.buckets.map(
    (each: { h: { hits: { total: { value: number }; hits: unknown[] } } }) => each.h.hits,
  );
  assert.equal(odd.total.value, 3);
  assert.deepEqual(odd.hits, [{ _index: 'a', _id: '5', _score: null, _source: { n: 5 }, sort: [5] }]);
  assert.deepEqual(even.hits[0].sort, [4]);
});

test('what is wrong is said in the words of the peer', async () => {
  const refused: [object, number, string, RegExp][] = [
    [
      { a: { term: {} } },
      400,
      'parsing_exception',
      /Unknown aggregation type \[term\] did you mean \[terms\]\?/,
    ],
    [{ a: {} }, 400, 'parsing_exception', /Missing definition for aggregation \[a\]/],
    [{ a: 1 }, 400, 'parsing_exception', /Aggregation definition for \[a starts with a \[VALUE_NUMBER\]/],
    [
      { a: { terms: {}, sum: {} } },
      400,
      'illegal_argument_exception|parsing_exception',
      /Required one of fields|two aggregation type/,
    ],
    [{ 'a[': { sum: { field: 'n' } } }, 400, 'parsing_exception', /Invalid aggregation name \[a\[\]/],
    [{ a: { sum: { field: 'k' } } }, 400, 'search_phase_execution_exception', /all shards failed/],
    [
      { a: { terms: { field: 'k', sizes: 1 } } },
      400,
      'x_content_parse_exception',
      /\[terms\] unknown field \[sizes\]/,
    ],
    [
      { a: { terms: { field: 'k', size: {} } } },
      400,
      'x_content_parse_exception',
      /size doesn't support values of type/,
    ],
    [
      { a: { variable_width_histogram: { field: 'n', shard_size: 1e308 } } },
      400,
      'x_content_parse_exception',
      /failed to parse field \[shard_size\]/,
    ],
  ];
  for (const [aggs, status, type, reason] of refused) {
    const { status: found, body } = await ask('POST /a/_search', { aggs });
    assert.equal(found, status, JSON.stringify(aggs));
    assert.match(body.error.type, new RegExp(type));
    assert.match(body.error.reason, reason);
  }
});

test('more buckets than the setting allows are an error', async () => {
  await ask('PUT /_cluster/settings', { transient: { 'search.max_buckets': 1 } });
  const { status, body } = await ask('POST /a/_search', { size: 0, aggs: TERMS });
  assert.equal(status, 503);
  assert.match(JSON.stringify(body), /too_many_buckets_exception/);
  await ask('PUT /_cluster/settings', { transient: { 'search.max_buckets': null } });
  assert.equal((await ask('POST /a/_search', { size: 0, aggs: TERMS })).status, 200);
});

test('levels that multiply documents by their values are bounded', async () => {
  await ask('PUT /deep', { mappings: { properties: { k: { type: 'keyword' } } } });
  const lines = Array.from({ length: 50 }, (_, i) => `{"index":{"_id":"${i}"}}\n{"k":["a","b"]}\n`).join('');
  await ask('POST /deep/_bulk?refresh=true', lines);
  const nested = (levels: number): object => ({
    k: { terms: { field: 'k' }, ...(levels > 1 ? { aggs: nested(levels - 1) } : {}) },
  });
  const small = await ask('POST /deep/_search', { size: 0, aggs: nested(3) });
  assert.equal(small.status, 200, small.text);
  const { status, text } = await ask('POST /deep/_search', { size: 0, aggs: nested(30) });
  assert.ok(status === 429 || status === 503, text.slice(0, 300));
  assert.match(text, /Too much work/);
});
