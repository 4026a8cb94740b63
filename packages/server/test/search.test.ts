// Searches, scrolls and points in time over HTTP.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { nextTokenFrom, searchFingerprint } from '@octavo/paging';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

const { ask, engine } = await server();

before(async () => {
  await ask('PUT /n', {
    mappings: { properties: { n: { type: 'long' }, d: { type: 'double' }, k: { type: 'keyword' } } },
    aliases: { few: { filter: { term: { n: 3 } } }, all: {} },
  });
  for (let i = 1; i <= 5; i++) await ask(`PUT /n/_doc/${i}`, { n: i, d: i, k: `k${i}` });
});

const ids = (body: { hits: { hits: { _id: string }[] } }): string =>
  body.hits.hits.map((hit) => hit._id).join();

test('the shape of a reply', async () => {
  const reply = await ask('GET /n/_search?size=1', { query: { term: { n: 1 } } });
  assert.match(
    reply.text,
    /^\{"took":\d+,"timed_out":false,"_shards":\{"total":1,"successful":1,"skipped":0,"failed":0\},"hits":\{"total":\{"value":1,"relation":"eq"\},"max_score":1\.0,"hits":\[\{"_index":"n","_id":"1","_score":1\.0,"_source":\{"n":1,"d":1,"k":"k1"\}\}\]\}\}$/,
  );
});

test('sorts print doubles with a point and longs without', async () => {
  const reply = await ask('POST /n/_search', { sort: [{ d: 'desc' }, 'n', 'k'], size: 1 });
  assert.match(reply.text, /"max_score":null.*"_score":null.*"sort":\[5\.0,5,"k5"\]/);
});

test('GET, POST and QUERY are the same', async () => {
  const body = { sort: ['n'], from: 1, size: 2 };
  for (const method of ['GET', 'POST', 'QUERY']) {
    assert.equal(ids((await ask(`${method} /n/_search`, body)).body), '2,3');
  }
  assert.equal(ids((await ask('GET /n/_search?sort=n:desc&size=2')).body), '5,4');
  const source = encodeURIComponent(JSON.stringify(body));
  assert.equal(
    ids((await ask(`GET /n/_search?source=${source}&source_content_type=application/json`)).body),
    '2,3',
  );
});

test('pages by number', async () => {
  assert.equal(ids((await ask('GET /n/_search?sort=n&size=2&page=2')).body), '3,4');
  assert.equal(ids((await ask('POST /n/_search', { sort: ['n'], size: 2, page: 3 })).body), '5');
  assert.equal((await ask('GET /n/_search?page=0')).status, 400);
  assert.equal((await ask('GET /n/_search?page=1&from=2')).status, 400);
  assert.equal((await ask('POST /n/_search', { page: 2, search_after: [1], sort: ['n'] })).status, 400);
});

test('names: aliases with filters, wildcards, exclusions, what is missing', async () => {
  assert.equal(ids((await ask('GET /few/_search')).body), '3');
  assert.equal(ids((await ask('GET /few,n/_search?sort=n')).body), '1,2,3,4,5');
  assert.equal((await ask('GET /n*,-n/_search')).body._shards.total, 0);
  assert.equal((await ask('GET /zz*/_search')).body.hits.max_score, 0);
  assert.equal((await ask('GET /zz*/_search?allow_no_indices=false')).status, 404);
  const missing = await ask('GET /zz/_search');
  assert.equal(missing.status, 404);
  assert.deepEqual(missing.body.error.root_cause[0], {
    type: 'index_not_found_exception',
    reason: 'no such index [zz]',
    index: 'zz',
    'resource.id': 'zz',
    'resource.type': 'index_or_alias',
    index_uuid: '_na_',
  });
  assert.equal((await ask('GET /zz,n/_search?ignore_unavailable=true')).status, 200);
  assert.equal((await ask('GET /_foo/_search')).body.error.type, 'invalid_index_name_exception');
});

test('bodies that do not say what they mean', onlyEmbedded('its own words, and aggregations'), async () => {
  const cases: [unknown, string][] = [
    [{ foo: {} }, 'Unknown key for a START_OBJECT in [foo].'],
    [{ foo: 3 }, 'Unknown key for a VALUE_NUMBER in [foo].'],
    [{ size: null }, 'Unknown key for a VALUE_NULL in [size].'],
    [{ size: 'x' }, 'For input string: "x"'],
    [{ size: -1 }, '[size] parameter cannot be negative, found [-1]'],
    [{ query: [] }, 'Unknown key for a START_ARRAY in [query].'],
    [
      { sort: [3] },
      'malformed sort format, within the sort array, an object, or an actual string are allowed',
    ],
    [{ search_after: [] }, 'Values must contains at least one value.'],
    [{ aggs: { a: { term: {} } } }, 'Unknown aggregation type [term] did you mean [terms]?'],
    [[], 'Expected [START_OBJECT] but found [START_ARRAY]'],
    [
      { timeout: 'x' },
      'failed to parse setting [timeout] with value [x] as a time value: unit is missing or unrecognized',
    ],
  ];
  for (const [body, reason] of cases) {
    const reply = await ask('POST /n/_search', body);
    assert.equal(reply.status, 400);
    assert.equal(reply.body.error.reason, reason);
  }
  assert.equal((await ask('POST /n/_search', '{"query":')).status, 400);
  assert.equal((await ask('POST /n/_search', '{"size":1,"size":2}')).status, 400);
});

test('totals', async () => {
  assert.equal((await ask('GET /n/_search?rest_total_hits_as_int=true&size=0')).body.hits.total, 5);
  assert.equal('total' in (await ask('GET /n/_search?track_total_hits=false')).body.hits, false);
  assert.equal((await ask('GET /n/_search?rest_total_hits_as_int=true&track_total_hits=3')).status, 400);
  assert.deepEqual((await ask('GET /n/_count?q=n:3')).body, {
    count: 1,
    _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
  });
  assert.equal(
    (await ask('GET /n/_count', { size: 1 })).body.error.reason,
    'request does not support [size]',
  );
});

test('a scroll walks its snapshot to the end', async () => {
  await ask('PUT /sc/_doc/1', { n: 1 });
  await ask('PUT /sc/_doc/2', { n: 2 });
  await ask('PUT /sc/_doc/3', { n: 3 });
  const first = await ask('GET /sc/_search?scroll=1m', { size: 1, sort: ['n'] });
  const scroll_id = first.body._scroll_id;
  await ask('DELETE /sc/_doc/2');
  await ask('PUT /sc/_doc/3', { n: -1 });
  const walked = [ids(first.body)];
  for (let i = 0; i < 3; i++) {
    walked.push(ids((await ask('POST /_search/scroll', { scroll_id, scroll: '1m' })).body));
  }
  assert.deepEqual(walked, ['1', '2', '3', '']);
  assert.deepEqual((await ask('DELETE /_search/scroll', { scroll_id: [scroll_id] })).body, {
    succeeded: true,
    num_freed: 1,
  });
  const gone = await ask('GET /_search/scroll', { scroll_id, scroll: '1m' });
  assert.equal(gone.status, 404);
  assert.equal(gone.body.error.root_cause[0].type, 'search_context_missing_exception');
});

test('a numbered page of a scroll can be asked for again', async () => {
  const first = await ask('GET /n/_search?scroll=1m&size=2&sort=n&scroll_seq');
  assert.equal(first.body.scroll_seq, 1);
  const id = first.body._scroll_id;
  for (const seq of [2, 2, 3, 2]) {
    const page = await ask(`GET /_search/scroll?scroll=1m&scroll_id=${id}&scroll_seq=${seq}`);
    assert.equal(page.body.scroll_seq, seq);
    assert.equal(ids(page.body), seq === 2 ? '3,4' : '5');
  }
});

test('what a scroll refuses', async () => {
  const cases: [string, unknown, RegExp][] = [
    ['GET /n/_search?scroll=1m&size=0', undefined, /\[size\] cannot be \[0\] in a scroll context/],
    ['GET /n/_search?scroll=1m&from=1', undefined, /using \[from\] is not allowed in a scroll context/],
    ['GET /n/_search?scroll=25h', undefined, /all shards failed|Keep alive/],
    ['GET /n/_search?scroll=1m', { sort: ['n'], search_after: [1] }, /all shards failed|search_after/],
    ['GET /_search/scroll', { scroll_id: 'abc', scroll: '1m' }, /Cannot parse scroll id/],
    ['GET /_search/scroll', { foo: 'abc' }, /Unknown parameter \[foo\] in request body/],
    ['GET /_search/scroll', undefined, /scrollId is missing/],
    ['DELETE /_search/scroll', undefined, /no scroll ids specified/],
  ];
  for (const [line, body, reason] of cases) {
    const reply = await ask(line, body);
    assert.equal(reply.status, 400, line);
    assert.match(reply.body.error.reason, reason);
  }
});

test(
  'points in time, in both dialects',
  onlyEmbedded('ties and listing; see cluster-lists.test.ts'),
  async () => {
    await ask('PUT /p/_doc/1', { n: 1 });
    const opened = await ask('POST /p/_search/point_in_time?keep_alive=1m');
    const elastic = await ask('POST /p/_pit?keep_alive=1m');
    await ask('PUT /p/_doc/2', { n: 2 });
    const found = await ask('POST /_search', {
      pit: { id: opened.body.pit_id, keep_alive: '2m' },
      sort: ['n'],
    });
    assert.equal(ids(found.body), '1');
    assert.equal(found.body.pit_id, opened.body.pit_id);
    assert.equal(found.body.hits.hits[0].sort.length, 2);
    const tied = await ask('POST /_search', { pit: { id: elastic.body.id }, sort: ['n'] });
    assert.equal(tied.body.hits.hits[0].sort.length, 2);
    const all = await ask('GET /_search/point_in_time/_all');
    assert.equal(all.body.pits.length, 2);
    assert.equal(all.body.pits[0].keep_alive, 120_000);
    assert.equal((await ask('POST /p/_search', { pit: { id: opened.body.pit_id } })).status, 400);
    assert.deepEqual((await ask('DELETE /_pit', { id: elastic.body.id })).body, {
      succeeded: true,
      num_freed: 1,
    });
    const closed = await ask('DELETE /_search/point_in_time', { pit_id: [opened.body.pit_id] });
    assert.deepEqual(closed.body.pits, [{ successful: true, pit_id: opened.body.pit_id }]);
    assert.equal((await ask('POST /_search', { pit: { id: opened.body.pit_id } })).status, 404);
    assert.equal((await ask('POST /_search', { pit: { id: 'abc' } })).status, 400);
    assert.equal((await ask('POST /p/_search/point_in_time?keep_alive=30h')).status, 400);
  },
);

test('by query', async () => {
  for (let i = 0; i < 4; i++) await ask(`PUT /q/_doc/${i}`, { n: i % 2 });
  const gone = await ask('POST /q/_delete_by_query?scroll_size=1', { query: { term: { n: 1 } } });
  assert.deepEqual([gone.body.total, gone.body.deleted, gone.body.batches], [2, 2, 2]);
  const again = await ask('POST /q/_update_by_query');
  assert.deepEqual([again.body.updated, again.body.failures], [2, []]);
  assert.equal(
    (await ask('POST /q/_delete_by_query', {})).body.error.reason,
    'Validation Failed: 1: query is missing;',
  );
  const capped = await ask('POST /q/_delete_by_query?max_docs=1', { query: { match_all: {} } });
  assert.equal(capped.body.deleted, 1);
});

test('tokens walk to the end and back, under changes', async () => {
  for (let i = 1; i <= 5; i++) await ask(`PUT /tok/_doc/${i}`, { n: i % 2 });
  const seen: string[] = [];
  let page = (await ask('POST /tok/_search', { size: 2, sort: ['n'], tokens: true })).body;
  assert.equal('prev_token' in page, false);
  seen.push(ids(page));
  await ask('PUT /tok/_doc/4', { n: 7 });
  while (page.next_token !== undefined) {
    page = (await ask('POST /tok/_search', { size: 2, sort: ['n'], next_token: page.next_token })).body;
    seen.push(ids(page));
  }
  assert.deepEqual(seen, ['2,4', '1,3', '5,4']);
  assert.equal('next_token' in page, false);
  const back = { size: 2, sort: ['n'] };
  assert.equal(
    ids((await ask('POST /tok/_search', { ...back, prevToken: page.prev_token })).body),
    ids((await ask(`POST /tok/_search?prevToken=${page.prev_token}`, back)).body),
  );
  const other = await ask('POST /tok/_search', { size: 2, sort: ['k'], next_token: page.prev_token });
  assert.deepEqual(
    [other.status, other.body.error.type, other.body.error.changed],
    [400, 'cursor_mismatch', ['sort']],
  );
  for (const bad of ['x', 'v1.k1.AAAA', `${page.prev_token}A`]) {
    const refused = await ask('POST /tok/_search', { size: 2, sort: ['n'], next_token: bad });
    assert.deepEqual([refused.status, refused.body.error.type], [400, 'cursor_invalid']);
  }
});

test('a token that the caller built', async () => {
  const token = nextTokenFrom(
    { sort: [0], id: '2' },
    { fingerprint: searchFingerprint({ index: 'tok', sort: ['n'] }) },
  );
  const reply = await ask('POST /tok/_search', { size: 2, sort: ['n'], next_token: token });
  assert.equal(ids(reply.body), '1,3');
  const list = {
    query: { match_all: {} },
    post_filter: { term: { n: 1 } },
    min_score: 0,
    sort: [{ n: 'asc' }],
  };
  const { query, sort } = list;
  const filtered = nextTokenFrom(
    { sort: [0], id: '2' },
    {
      fingerprint: searchFingerprint({
        index: ['tok', 'tok'],
        query,
        postFilter: list.post_filter,
        minScore: 0,
        sort,
      }),
    },
  );
  assert.equal(ids((await ask('POST /tok/_search', { ...list, next_token: filtered })).body), '1,3,5');
  const other = await ask('POST /tok/_search', { ...list, min_score: 1, next_token: filtered });
  assert.deepEqual([other.status, other.body.error.changed], [400, ['query']]);
  const strict = await server({ openTokens: false });
  await strict.ask('PUT /tok/_doc/1', { n: 1 });
  assert.equal((await strict.ask('POST /tok/_search', { sort: ['n'], next_token: token })).status, 400);
});

test('as_of needs a snapshot that is kept', onlyEmbedded('no commits'), async () => {
  const now = engine.snapshot();
  assert.equal((await ask(`GET /n/_search?as_of=${now}`)).status, 200);
  assert.equal((await ask(`GET /n/_search?as_of=${now + 1}`)).status, 400);
  assert.equal((await ask('GET /n/_search?as_of=0')).status, 410);
});

test('terms from a document', async () => {
  await ask('PUT /list/_doc/1', { wanted: ['k1', 'k4'] });
  const query = { bool: { filter: [{ terms: { k: { index: 'list', id: '1', path: 'wanted' } } }] } };
  assert.equal(ids((await ask('POST /n/_search', { query, sort: ['n'] })).body), '1,4');
  assert.equal((await ask('POST /n/_count', { query })).body.count, 2);
  const missing = { terms: { k: { index: 'none', id: '1', path: 'wanted' } } };
  assert.equal((await ask('POST /n/_search', { query: missing })).status, 404);
});
