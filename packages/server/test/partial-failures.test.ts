// Searches that fail in some of their indices: the other indices answer, and `_shards.failures` says what failed.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

const { ask } = await server();
const embedded = onlyEmbedded('the cluster reports its own shards');

before(async () => {
  const comments = { type: 'nested', properties: { x: { type: 'integer' } } };
  await ask('PUT /numbers', {
    mappings: { properties: { v: { type: 'integer' }, comments, group: { type: 'keyword' } } },
  });
  await ask('PUT /words', {
    settings: { number_of_shards: 3 },
    mappings: { properties: { v: { type: 'keyword' }, group: { type: 'keyword' } } },
  });
  for (const n of [1, 2, 3]) {
    await ask(`PUT /numbers/_doc/${n}`, { v: n, comments: [{ x: n }], group: 'a' });
    await ask(`PUT /words/_doc/${n}`, { v: `w${n}`, group: 'a' });
  }
  await ask('POST /_refresh');
});

const WORD = { query: { term: { v: 'w2' } } };

test('the indices that can answer do', embedded, async () => {
  const { status, body } = await ask('POST /numbers,words/_search', WORD);
  assert.equal(status, 200);
  const { failures, ...counts } = body._shards;
  assert.deepEqual(counts, { total: 4, successful: 3, skipped: 0, failed: 1 });
  assert.equal(failures.length, 1);
  assert.equal(failures[0].index, 'numbers');
  assert.equal(failures[0].reason.type, 'query_shard_exception');
  assert.equal(failures[0].reason.caused_by.type, 'number_format_exception');
  assert.deepEqual(
    body.hits.hits.map((hit: { _id: string }) => hit._id),
    ['2'],
  );
});

test('queries, sorts, aggregations and windows that do not fit an index', embedded, async () => {
  const failed = async (body: object): Promise<string[]> => {
    const reply = await ask('POST /numbers,words/_search', body);
    assert.equal(reply.status, 200, reply.text);
    return (reply.body._shards.failures ?? []).map((failure: { index: string }) => failure.index);
  };
  assert.deepEqual(await failed({ query: { term: { group: 'a' } } }), []);
  assert.deepEqual(await failed({ query: { nested: { path: 'comments', query: { match_all: {} } } } }), [
    'words',
  ]);
  assert.deepEqual(
    await failed({ sort: [{ 'comments.x': { order: 'asc', nested: { path: 'comments' } } }] }),
    ['words'],
  );
  assert.deepEqual(await failed({ size: 0, aggs: { a: { avg: { field: 'v' } } } }), ['words']);
  assert.deepEqual(await failed({ ...WORD, collapse: { field: 'group', inner_hits: { name: 'all' } } }), [
    'numbers',
  ]);
  const script = "if (doc['v'].value == 'w1') { throw new IllegalArgumentException('no') } return 1";
  assert.deepEqual(await failed({ query: { script_score: { query: { match_all: {} }, script } } }), [
    'words',
  ]);
  await ask('PUT /words/_settings', { 'index.max_result_window': 5 });
  assert.deepEqual(await failed({ from: 2, size: 5 }), ['words']);
  await ask('PUT /words/_settings', { 'index.max_result_window': null });
});

test(
  'a `missing` that is no value of the field in one index, or of the kind that it has without a mapping',
  embedded,
  async () => {
    await ask('PUT /dated', { mappings: { properties: { when: { type: 'date' }, n: { type: 'date' } } } });
    await ask('PUT /undated', { mappings: { properties: { n: { type: 'long' } } } });
    await ask('PUT /dated/_doc/1?refresh=true', { when: '2021-01-01', n: '2021-01-01' });
    await ask('PUT /undated/_doc/1?refresh=true', { n: 4 });
    const failed = async (kind: string, options: object): Promise<unknown> => {
      const reply = await ask('POST /dated,undated/_search', { aggs: { a: { [kind]: options } } });
      const { failures = [] } = reply.body._shards;
      return failures.map((each: { index: string; reason: { type: string } }) => [
        each.index,
        each.reason.type,
      ]);
    };
    const date = { field: 'when', missing: '2020-02-02' };
    const isNoNumber = [['undated', 'number_format_exception']];
    for (const kind of ['max', 'stats', 'percentiles'])
      assert.deepEqual(await failed(kind, date), isNoNumber);
    for (const kind of ['value_count', 'cardinality']) assert.deepEqual(await failed(kind, date), []);
    assert.deepEqual(await failed('date_histogram', { ...date, calendar_interval: 'year' }), []);
    assert.deepEqual(await failed('max', { ...date, value_type: 'date' }), []);
    assert.deepEqual(await failed('max', { field: 'when', missing: 5 }), []);
    for (const kind of ['max', 'value_count'])
      assert.deepEqual(await failed(kind, { ...date, field: 'n' }), isNoNumber);
  },
);

test(
  'an index that does not map a field of the order, unless the list is walked by tokens',
  embedded,
  async () => {
    await ask('PUT /numbers/_mapping', { properties: { only: { type: 'keyword' } } });
    const top = { top_hits: { sort: ['only'] } };
    const bodies = [
      { sort: ['only'] },
      { collapse: { field: 'only' } },
      { size: 0, aggs: { top } },
      { sort: [{ only: { order: 'asc', unmapped_type: 'keyword' } }] },
      { sort: ['only'], tokens: true },
    ];
    const found: [string[], number][] = [];
    for (const body of bodies) {
      const reply = await ask('POST /numbers,words/_search', body);
      assert.equal(reply.status, 200, reply.text);
      const failures: { index: string }[] = reply.body._shards.failures ?? [];
      found.push([failures.map(({ index }) => index), reply.body.hits.total.value]);
    }
    assert.deepEqual(found, [
      [['words'], 3],
      [['words'], 3],
      [['words'], 3],
      [[], 6],
      [[], 6],
    ]);
  },
);

test('the groups of collapse, whose own sort an index does not map', embedded, async () => {
  await ask('PUT /other', {
    mappings: { properties: { v: { type: 'integer' }, group: { type: 'keyword' } } },
  });
  await ask('PUT /other/_doc/1?refresh=true', { v: 9, group: 'a' });
  const search = (inner: string, tokens: boolean): ReturnType<typeof ask> =>
    ask('POST /numbers,other/_search', {
      sort: ['v'],
      collapse: { field: 'group', inner_hits: { name: 'all', sort: [inner] } },
      ...(tokens ? { tokens } : {}),
    });
  for (const [tokens, total] of [
    [false, 3],
    [true, 4],
  ] as const) {
    const { status, text, body } = await search('only', tokens);
    assert.equal(status, 200, text);
    assert.equal(body.hits.hits[0].inner_hits.all.hits.total.value, total);
  }
});

test('counts, searches of a list, scrolls and points in time', embedded, async () => {
  const count = await ask('POST /numbers,words/_count', WORD);
  assert.equal(count.body.count, 1);
  assert.equal(count.body._shards.failures[0].index, 'numbers');

  const lines = [{}, WORD, { allow_partial_search_results: false }, WORD].map((line) => JSON.stringify(line));
  const several = await ask('POST /numbers,words/_msearch', `${lines.join('\n')}\n`);
  assert.equal(several.body.responses[0]._shards.failed, 1);
  assert.equal(several.body.responses[1].error.reason, 'Partial shards failure');

  const scroll = await ask('POST /numbers,words/_search?scroll=1m', WORD);
  assert.equal(scroll.body._shards.failed, 1);
  const next = await ask('POST /_search/scroll', { scroll_id: scroll.body._scroll_id });
  assert.deepEqual(next.body._shards, { total: 3, successful: 3, skipped: 0, failed: 0 });

  const pit = await ask('POST /numbers,words/_search/point_in_time?keep_alive=1m');
  const inPit = await ask('POST /_search', { ...WORD, pit: { id: pit.body.pit_id } });
  assert.equal(inPit.body._shards.failed, 1);
});

test(
  'a scroll goes on without the indices that failed by the aggregations of its first page',
  embedded,
  async () => {
    const aggs = { a: { avg: { field: 'v' } } };
    const first = await ask('POST /numbers,words/_search?scroll=1m', { size: 2, sort: ['group'], aggs });
    assert.equal(first.body._shards.failures[0].index, 'words');
    const ids: string[] = [];
    for (let page = first.body; page.hits.hits.length > 0; ) {
      assert.equal(page.hits.total.value, 3);
      for (const { _index, _id } of page.hits.hits) ids.push(`${_index} ${_id}`);
      page = (await ask('POST /_search/scroll', { scroll: '1m', scroll_id: first.body._scroll_id })).body;
    }
    assert.deepEqual(ids, ['numbers 1', 'numbers 2', 'numbers 3']);
  },
);

test('a failure of all indices names each of them', embedded, async () => {
  const { status, body } = await ask('POST /numbers,words/_search', { sort: ['absent'] });
  assert.equal(status, 400);
  assert.equal(body.error.reason, 'all shards failed');
  assert.deepEqual(
    body.error.failed_shards.map((failure: { index: string }) => failure.index),
    ['numbers', 'words'],
  );
});

test('a failure that only the indices together have is not blamed on one of them', embedded, async () => {
  const { status, body } = await ask('POST /numbers,words/_search', { sort: ['v'] });
  assert.equal(status, 400);
  assert.match(body.error.root_cause[0].reason, /sort across indices/);
});

test('lists that have to be complete, and changes, fail as a whole', embedded, async () => {
  const refused = async (path: string, body: object): Promise<void> => {
    const reply = await ask(`POST ${path}`, body);
    assert.equal(reply.status, 400, reply.text);
    assert.equal(reply.body.error.reason, 'Partial shards failure');
    // The cause is within the failures only.
    assert.equal(reply.body.error.caused_by, undefined);
  };
  await refused('/numbers,words/_search?allow_partial_search_results=false', WORD);
  await refused('/numbers,words/_search', { ...WORD, tokens: true });
  await refused('/numbers,words/_search?allow_partial_search_results=false', {
    aggs: { a: { avg: { field: 'v' } } },
  });
  await refused('/numbers,words/_delete_by_query', WORD);
  await refused('/numbers,words/_update_by_query', WORD);
  assert.equal((await ask('POST /words/_count', WORD)).body.count, 1);
  const asked = await ask('POST /numbers,words/_search?allow_partial_search_results=true', {
    ...WORD,
    tokens: true,
  });
  assert.equal(asked.body._shards.failed, 1);
});

test('a mistake of the request is no failure of an index', embedded, async () => {
  const { status, body } = await ask('POST /numbers,words/_search', { query: { trem: { v: 1 } } });
  assert.equal(status, 400);
  assert.equal(body.error.type, 'parsing_exception');
});

test('a reply without some indices has no tag, because a setting may let them answer', embedded, async () => {
  const path = '/numbers,words/_search';
  const query = encodeURIComponent(JSON.stringify(WORD));
  const whole = await ask(
    `GET ${path}?source=${encodeURIComponent('{}')}&source_content_type=application/json`,
  );
  assert.ok(whole.headers['etag']);
  const partial = await ask(`GET ${path}?source=${query}&source_content_type=application/json`);
  assert.equal(partial.body._shards.failed, 1);
  assert.equal(partial.headers['etag'], undefined);
});

test(
  'an error of the other indices together is one of shards, beside those that failed alone',
  embedded,
  async () => {
    for (const [name, s] of [
      ['texts', 'keyword'],
      ['whole', 'integer'],
    ] as const)
      await ask(`PUT /${name}`, { mappings: { properties: { v: { type: 'keyword' }, s: { type: s } } } });
    await ask('PUT /texts/_doc/1', { v: 'w2', s: 'a' });
    await ask('PUT /whole/_doc/1', { v: 'w2', s: 1 });
    const { status, body } = await ask('POST /numbers,texts,whole/_search', { ...WORD, sort: ['s'] });
    assert.equal(status, 400);
    assert.equal(body.error.type, 'search_phase_execution_exception');
    assert.equal(body.error.failed_shards[0].index, 'numbers');
  },
);
