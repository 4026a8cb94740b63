// What of a request reaches the cluster: the indices that a caller may use, by their own names, and nothing
// about the caller. Unknown routes are not forwarded.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parseClusterAddress } from '../src/proxy/client/address.ts';
import { createEmptyEngine } from '../src/proxy/empty-engine.ts';
import { openCluster } from '../src/serve.ts';
import { askOver } from './ask.ts';
import { fakeNode, type Heard } from './fake-cluster.ts';
import { openStore } from './stores.ts';

const index = (aliases: object = {}): object => ({
  aliases,
  mappings: { properties: { a: { type: 'keyword' } } },
  settings: { 'index.uuid': 'u', 'index.number_of_shards': '1' },
});
const CATALOG = {
  'logs-1': index({ logs: {}, mixed: { filter: { term: { a: 'x' } } } }),
  'logs-2': index({ logs: { is_write_index: true } }),
  secret: index({ mixed: {}, 'logs-alias': {} }),
  'routed-1': index({ routed: { index_routing: 'z', search_routing: 'z' } }),
};

const node = await fakeNode(({ line }) => {
  if (line.startsWith('GET /_all?')) return CATALOG;
  return { took: 1, hits: { hits: [] }, items: [], docs: [], errors: false };
});
const records = await openStore();
after(() => records.close());
const cluster = await openCluster(parseClusterAddress(node.url.replace('://', '://boss:pw@')));
const { ask } = await askOver(createEmptyEngine(), { records, cluster, logLevel: 'silent' });
const keyOf = async (grant: object, by?: string): Promise<Record<string, string>> => {
  const as = by === undefined ? {} : { authorization: `Bearer ${by}` };
  const made = await ask('POST /api/keys', { name: 'k', ...grant }, as);
  assert.equal(made.status, 201, made.text);
  return { authorization: `Bearer ${made.body.token}` };
};
const admin = await keyOf({ scopes: ['*'] });
const token = admin['authorization']!.slice(7);
const logs = await keyOf({ scopes: ['search:write'], index_patterns: ['logs*'] }, token);
const routed = await keyOf({ scopes: ['search:write'], index_patterns: ['routed*'] }, token);
const reader = await keyOf({ scopes: ['search:read'], index_patterns: ['logs*'] }, token);
const filtered = await keyOf({ scopes: ['search:read'], document_filter: { term: { a: 'x' } } }, token);

/** What the node was asked by a request, but for the catalog. */
async function asked(
  line: string,
  body: unknown,
  as: Record<string, string>,
): Promise<{ status: number; heard: Heard[]; text: string }> {
  node.heard.length = 0;
  const { status, text } = await ask(line, body, as);
  return { status, text, heard: node.heard.filter(({ line: each }) => !each.startsWith('GET /_all?')) };
}

test('who may see all asks as it asks; its credentials stay here, ours go there', async () => {
  const { heard } = await asked(
    'POST /a,b*/_search?size=1&pretty',
    { query: { match_all: {} }, aggs: {} },
    admin,
  );
  assert.deepEqual(
    heard.map(({ line, body }) => [line, body]),
    [['POST /a,b*/_search?size=1', '{"query":{"match_all":{}},"aggs":{}}']],
  );
  assert.equal(heard[0]!.headers.authorization, `Basic ${Buffer.from('boss:pw').toString('base64')}`);
  const cat = async (query: string): Promise<string> =>
    (await asked(`GET /_cat/indices?${query}`, undefined, admin)).heard[0]!.line;
  assert.equal(await cat('v'), 'GET /_cat/indices?v');
  assert.equal(await cat('format=json&h=index'), 'GET /_cat/indices?h=index&format=json');
});

test('wildcards, aliases and no index at all reach what a key may touch, and no more', async () => {
  const lines = async (line: string, body?: unknown): Promise<string[]> =>
    (await asked(line, body, reader)).heard.map((each) => each.line);
  assert.deepEqual(await lines('GET /_search'), ['GET /logs-1,logs-2/_search']);
  assert.deepEqual(await lines('GET /*/_search?q=x'), ['GET /logs-1,logs-2/_search']);
  assert.deepEqual(await lines('GET /_all/_count'), ['GET /logs-1,logs-2/_count']);
  assert.deepEqual(await lines('GET /logs/_search'), ['GET /logs-1,logs-2/_search']);
  assert.deepEqual(await lines('GET /*,-logs-2/_search'), ['GET /logs-1/_search']);
  assert.deepEqual(await lines('GET /nothing*/_search'), ['GET /*,-*/_search']);
  assert.deepEqual(await lines('GET /_mapping'), ['GET /logs-1,logs-2/_mapping']);
  assert.deepEqual(await lines('GET /logs-1/_doc/7'), ['GET /logs-1/_doc/7']);
  assert.deepEqual(await lines('GET /'), ['GET /']);
});

test('an alias that leads elsewhere as well gives what is allowed, with its filter', async () => {
  const { heard } = await asked('POST /mixed/_search', { query: { term: { a: 'y' } } }, reader);
  assert.equal(heard[0]!.line, 'POST /logs-1/_search');
  const { query } = JSON.parse(heard[0]!.body);
  assert.deepEqual(query.bool.must, [{ term: { a: 'y' } }]);
  assert.match(JSON.stringify(query.bool.filter), /"a":"x"/);
});

test('what a key may not touch is refused here, and never asked there', async () => {
  for (const line of [
    'GET /secret/_search',
    'GET /secret/_doc/1',
    'GET /logs-1,secret/_search',
    'GET /secret/_mapping',
    'PUT /logs-1/_doc/1',
    'DELETE /logs-1',
    'GET /_cat/indices',
    'GET /_cluster/state',
    'GET /_nodes',
    'POST /logs-1/_delete_by_query',
    'GET /_template',
    'GET /_tasks',
    'POST /_tasks/n:1/_cancel',
    'POST /logs-1/_termvectors/1',
    'POST /logs-1/_rank_eval',
    'POST /logs-1/_terms_enum',
    'GET /logs-1/_search_shards',
    'POST /_reindex',
    'POST /logs-1/_rollover',
    'PUT /logs-1/_clone/logs-2',
  ]) {
    const { status, heard } = await asked(line, line.startsWith('PUT') ? {} : undefined, reader);
    assert.deepEqual([status, heard.length], [403, 0], line);
  }
});

test('an index that a parameter names is held to the same as one of the path', async () => {
  const body = { analyzer: 'mine', text: 'x' };
  const { status, heard } = await asked('POST /_analyze?index=secret', body, reader);
  assert.deepEqual([status, heard.length], [403, 0]);
  const lines = async (line: string): Promise<string[]> =>
    (await asked(line, body, reader)).heard.map((each) => each.line);
  assert.deepEqual(await lines('POST /_analyze?index=logs-1'), ['POST /logs-1/_analyze']);
  assert.deepEqual(await lines('POST /_analyze'), ['POST /_analyze']);
});

test('aliases of what a key sees are at the path that the clusters have for them', async () => {
  const { heard } = await asked('GET /_aliases', undefined, reader);
  assert.equal(heard[0]!.line, 'GET /logs-1,logs-2/_alias');
});

test('an alias with a routing names no document: its index alone would be another place', async () => {
  for (const line of ['PUT /routed/_doc/1', 'GET /routed/_doc/1']) {
    const { status, heard, text } = await asked(line, line.startsWith('PUT') ? {} : undefined, routed);
    assert.deepEqual([status, heard.length], [400, 0], line);
    assert.match(text, /has a routing: name its index/);
  }
  const bulk = '{"index":{"_index":"routed","_id":"1"}}\n{}\n';
  assert.equal((await asked('POST /_bulk', bulk, routed)).heard.length, 0);
  const { heard } = await asked('PUT /routed-1/_doc/1?routing=z', {}, routed);
  assert.equal(heard[0]!.line, 'PUT /routed-1/_doc/1?routing=z');
});

test('dates in names are those of today', async () => {
  const { text } = await asked('GET /%3Clogs-%7Bnow%2Fd%7D%3E,logs-1/_search', undefined, reader);
  assert.match(text, new RegExp(`no such index \\[logs-${new Date().getUTCFullYear()}`));
});

test('queries that read other documents are refused to who may not see all', async () => {
  for (const query of [
    { terms: { a: { index: 'secret', id: '1', path: 'a' } } },
    { bool: { filter: [{ terms: { a: { index: 'secret', id: '1', path: 'a' } } }] } },
    { more_like_this: { like: [{ _index: 'secret', _id: '1' }] } },
    { wrapper: { query: 'e30=' } },
    { percolate: { field: 'q', index: 'secret', id: '1' } },
  ]) {
    const { status, heard } = await asked('POST /logs-1/_search', { query }, reader);
    assert.deepEqual([status, heard.length], [400, 0], JSON.stringify(query));
  }
  const inAggs = { aggs: { a: { filter: { terms: { a: { index: 'secret', id: '1', path: 'a' } } } } } };
  assert.equal((await asked('POST /logs-1/_search', inAggs, reader)).heard.length, 0);
  assert.equal((await asked('POST /logs-1/_search', { suggest: {} }, reader)).heard.length, 0);
});

test('a document filter goes into every search; what it cannot be kept in is refused', async () => {
  const { heard } = await asked('POST /logs-1/_search?q=z', {}, filtered);
  assert.deepEqual(JSON.parse(heard[0]!.body).query.bool.filter, [{ term: { a: 'x' } }]);
  assert.equal(heard[0]!.line, 'POST /logs-1/_search');
  const { heard: counted } = await asked('GET /_count', undefined, filtered);
  assert.deepEqual(JSON.parse(counted[0]!.body).query.bool.filter, [{ term: { a: 'x' } }]);
  for (const [line, body] of [
    ['POST /logs-1/_search', { aggs: { a: { global: {} } } }],
    ['POST /logs-1/_search', { suggest: {} }],
    ['GET /logs-1/_explain/1', { query: { match_all: {} } }],
    ['GET /logs-1/_field_caps?fields=*', undefined],
    ['GET /_stats', undefined],
  ] as const) {
    const asked1 = await asked(line, body, filtered);
    assert.ok([400, 403].includes(asked1.status), line);
    assert.equal(asked1.heard.length, 0, line);
  }
});

test('lines of bulk and mget have their indices resolved, and fail alone', async () => {
  const lines = [
    '{"index":{"_index":"logs","_id":"1"}}',
    '{"a":1}',
    '{"delete":{"_index":"secret","_id":"1"}}',
    '',
  ];
  node.say = ({ line }) =>
    line.startsWith('GET /_all?')
      ? CATALOG
      : { took: 1, errors: false, items: [{ index: { _index: 'logs-2', _id: '1', status: 201 } }] };
  node.heard.length = 0;
  const bulk = await ask('POST /_bulk', lines.join('\n'), logs);
  const sent = node.heard.filter(({ line }) => line.startsWith('POST'));
  assert.equal(sent[0]!.body, '{"index":{"_index":"logs-2","_id":"1"}}\n{"a":1}\n');
  assert.equal(bulk.body.errors, true);
  assert.deepEqual([bulk.body.items[0].index.status, bulk.body.items[1].delete.status], [201, 403]);
  node.say = ({ line }) =>
    line.startsWith('GET /_all?') ? CATALOG : { docs: [{ _index: 'logs-1', _id: '1', found: true }] };
  const docs = [
    { _index: 'secret', _id: '1' },
    { _index: 'logs-1', _id: '1' },
  ];
  const got = await ask('POST /_mget', { docs }, reader);
  assert.equal(got.body.docs[0].error.type, 'security_exception');
  assert.equal(got.body.docs[1].found, true);
});

test('a line of a bulk is what the cluster takes it for: blank ones between actions, kinds that are said twice', async () => {
  node.say = ({ line }) =>
    line.startsWith('GET /_all?')
      ? CATALOG
      : { took: 1, errors: false, items: [{ index: { status: 201 } }, { create: { status: 201 } }] };
  const lines = [
    ...['', '{"index":{"_index":"logs","_id":"1"}}', '{"a":1}', ' ', ''],
    // Its source is blank: it fails alone, and the line behind it is an action, not a source.
    ...['{"index":{"_index":"logs","_id":"2"}}', ''],
    ...['{"index":{"_index":"logs-1","_id":"3","op_type":"create"}}', '{"a":3}\r'],
  ];
  const { text, heard } = await asked('POST /secret/_bulk', `${lines.join('\n')}\n`, logs);
  assert.equal(
    heard[0]!.body,
    '{"index":{"_index":"logs-2","_id":"1"}}\n{"a":1}\n' +
      '{"index":{"_index":"logs-1","_id":"3","op_type":"create"}}\n{"a":3}\r\n',
  );
  assert.deepEqual(
    JSON.parse(text).items.map((item: object) => Object.entries(item)[0]![1].status),
    [201, 400, 201],
  );
});

test('byte order marks before lines of a bulk stay here', async () => {
  const mark = '\ufeff';
  const lines = [
    '{"index":{"_index":"logs-1","_id":"1"}}',
    '{"a":"x"}',
    '{"delete":{"_index":"logs-1","_id":"2"}}',
  ];
  const marked = lines.map((line) => `${mark}${line}\n`).join('');
  for (const as of [admin, logs]) {
    const { heard } = await asked('POST /_bulk', marked, as);
    const [, written] = heard.find(({ line }) => line.startsWith('POST /_bulk'))!.body.split('\n');
    assert.equal(written, lines[1]);
    assert.ok(heard.every(({ body }) => !body.includes(mark)));
  }
  const plain = `${lines.join('\n')}\n`.replace('"x"', `"${mark}x"`);
  assert.equal((await asked('POST /_bulk', plain, admin)).heard[0]!.body, plain, 'in a value it is a letter');
});

test('a bulk into an alias is checked by what it writes to', async () => {
  const body = '{"index":{"_index":"logs-alias"}}\n{}\n';
  const { text, heard } = await asked('POST /_bulk', body, logs);
  assert.equal(heard.length, 0);
  assert.equal(JSON.parse(text).items[0].index.status, 403);
  assert.equal((await asked('PUT /logs-alias/_doc/1', {}, logs)).status, 403);
});

test('a pipeline could send a write elsewhere, an alias could lead a delete elsewhere', async () => {
  assert.equal((await asked('PUT /logs-1/_doc/1?pipeline=p', {}, logs)).heard.length, 0);
  assert.equal(
    (await asked('POST /_bulk?pipeline=p', '{"delete":{"_index":"logs-1","_id":"1"}}\n', logs)).heard.length,
    0,
  );
  const line = '{"index":{"_index":"logs-1","_id":"1","pipeline":"p"}}\n{}\n';
  const { text, heard } = await asked('POST /_bulk', line, logs);
  assert.deepEqual([JSON.parse(text).items[0].index.status, heard.length], [400, 0]);
  const owner = await keyOf({ scopes: ['search:admin'], index_patterns: ['logs*'] }, token);
  assert.deepEqual([(await asked('DELETE /logs', undefined, owner)).heard.length], [0]);
  assert.equal((await asked('DELETE /logs-1', undefined, owner)).heard[0]!.line, 'DELETE /logs-1');
  assert.equal((await asked('POST /logs-1/_search?explain', {}, filtered)).heard.length, 0);
  assert.equal((await asked('POST /logs-1/_search', { explain: true }, filtered)).heard.length, 0);
});

test('settings that send every write through a pipeline are not for who may not see all', async () => {
  const owner = await keyOf({ scopes: ['search:admin'], index_patterns: ['logs*'] }, token);
  for (const settings of [
    { 'index.default_pipeline': 'p' },
    { index: { final_pipeline: 'p' } },
    { settings: { index: { 'search.default_pipeline': 'p' } } },
    { default_pipeline: null },
  ])
    for (const line of ['PUT /logs-1/_settings', 'PUT /logs-9']) {
      const { status, heard } = await asked(line, settings, owner);
      assert.deepEqual([status, heard.length], [400, 0], `${line} ${JSON.stringify(settings)}`);
      assert.equal((await asked(line, settings, admin)).heard.length, 1);
    }
  const harmless = { settings: { refresh_interval: '1s' }, mappings: { properties: { final_pipeline: {} } } };
  assert.equal((await asked('PUT /logs-9', harmless, owner)).heard.length, 1);
});

test('each search of many is held to the same', async () => {
  node.say = ({ line }) => (line.startsWith('GET /_all?') ? CATALOG : { took: 1, hits: { hits: [] } });
  const body = '{"index":"secret"}\n{}\n{"index":"logs"}\n{}\n{}\n{}\n';
  const { text, heard } = await asked('POST /_msearch', body, reader);
  const { responses } = JSON.parse(text);
  assert.deepEqual(
    responses.map((each: { status: number }) => each.status),
    [403, 200, 200],
  );
  assert.deepEqual(
    heard.map(({ line }) => line),
    ['POST /logs-1,logs-2/_search', 'POST /logs-1,logs-2/_search'],
  );
});

test('routes that nobody has taken up never get there', async () => {
  for (const [line, body] of [
    ['PUT /books/novel/1', {}],
    ['GET /books/novel/_search', undefined],
    ['POST /a/_doc/_delete_by_query', {}],
    ['GET /_nowhere', undefined],
    ['GET /a/_search?nonsense=1', undefined],
  ] as const) {
    const { status, heard } = await asked(line, body, admin);
    assert.deepEqual([status, heard.length], [400, 0], line);
  }
});

test('the cluster’s own errors and its back-pressure go out as they are', async () => {
  node.say = (_, response) => {
    response.statusCode = 429;
    return { error: { type: 'circuit_breaking_exception' }, status: 429 };
  };
  const full = await ask('GET /logs-1/_search', undefined, admin);
  assert.equal(full.status, 429);
  assert.equal(full.headers['retry-after'], '1');
  assert.equal(full.body.error.type, 'circuit_breaking_exception');
});

test('a cluster that does not let this server in is no fault of the caller, and not ready', async () => {
  node.say = (_, response) => {
    response.statusCode = 401;
    return { error: { type: 'security_exception', reason: 'missing credentials' }, status: 401 };
  };
  const refused = await ask('GET /logs-1/_search', undefined, admin);
  assert.equal(refused.status, 502);
  assert.match(refused.text, /rejects the credentials of this server/);
  assert.equal((await ask('GET /api/health/ready')).status, 503);
});

test('a backup has no documents of a cluster, and says so before it begins', async () => {
  const refused = await ask('GET /api/backup', undefined, admin);
  assert.deepEqual([refused.status, refused.body.code], [404, 'not-found']);
});

test('what is no answer of a cluster is 502 for searches, scrolls and pages, and not ready', async () => {
  const page = 'text/html';
  const json = 'application/json';
  for (const [status, type, text] of [
    [200, page, '<html>'],
    [200, json, '{"took":1,'],
    [302, page, ''],
  ] as const) {
    node.say = (_, response) =>
      void response.writeHead(status, { 'content-type': type, location: 'http://elsewhere/' }).end(text);
    for (const line of [
      'GET /logs-1/_search',
      'GET /logs-1/_search?scroll=1m',
      'GET /logs-1/_search?sort=a&tokens=true',
      'GET /logs-1/_search?sort=a&page=2',
      'GET /logs-1/_mapping',
    ]) {
      const refused = await ask(line, undefined, admin);
      assert.deepEqual([refused.status, refused.body.error.type], [502, 'node_answer_exception'], line);
      assert.equal(refused.headers['location'], undefined);
    }
    assert.equal((await ask('GET /api/health/ready')).status, 503);
  }
});

test('readiness is that of the cluster', async () => {
  node.say = () => ({});
  const ready = await ask('GET /api/health/ready');
  assert.deepEqual([ready.status, ready.body.engine, ready.body.cluster], [200, 'absent', 'ready']);
  await node.stop();
  assert.equal((await ask('GET /api/health/ready')).status, 503);
  const gone = await ask('GET /logs-1/_search', undefined, admin);
  assert.deepEqual([gone.status, gone.body.error.type], [503, 'no_node_available_exception']);
  assert.equal(gone.headers['retry-after'], '1');
});
