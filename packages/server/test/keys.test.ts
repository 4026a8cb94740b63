// Keys: who is admitted, what each key may do, and that a revoked key ends at once.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { server } from './ask.ts';
import { TEST_DOCUMENTS } from './over-cluster.ts';
import { openStore } from './stores.ts';

const records = await openStore();
after(() => records.close());
const { ask, app } = await server({ records });
const as = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

let admin = '';

test('until the first key everybody on this machine may do everything; after it nobody without one', async () => {
  assert.equal((await ask('PUT /open/_doc/1', { a: 1 })).status, 201);
  const web = await ask('PUT /open/_doc/2', { a: 1 }, { origin: 'https://evil.example' });
  assert.equal(web.status, 403);
  const made = await ask('POST /api/keys', { name: 'admin', scopes: ['*'] });
  assert.equal(made.status, 201);
  admin = made.body.token;
  assert.match(admin, /^octavo_[\w-]{20}\.[\w-]{43}$/);
  const wire = await ask('GET /open/_doc/1');
  assert.equal(wire.status, 401);
  assert.equal(wire.body.error.type, 'security_exception');
  assert.match(String(wire.headers['www-authenticate']), /ApiKey/);
  const api = await ask('GET /api/keys');
  assert.equal(api.status, 401);
  assert.equal(api.body.code, 'unauthorized');
  assert.match(String(api.headers['www-authenticate']), /ApiKey/);
  assert.equal((await ask('GET /api/nothing')).status, 401);
  assert.equal((await ask('GET /api/health')).status, 200);
  assert.equal((await ask('GET /open/_doc/1', undefined, as(admin))).status, 200);
  const encoded = { authorization: `ApiKey ${made.body.encoded}` };
  assert.equal((await ask('GET /open/_doc/1', undefined, encoded)).status, 200);
  assert.equal(app.keyless(), false);
});

test('with a key, a web page of another origin is no danger: it has no key', async () => {
  const origin = { origin: 'https://evil.example', host: 'evil.example' };
  assert.equal((await ask('GET /open/_doc/1', undefined, { ...as(admin), ...origin })).status, 200);
  assert.equal((await ask('PUT /open/_doc/1', {}, origin)).status, 401);
});

test('what is no key is refused', async () => {
  for (const authorization of [
    'Basic YTpi',
    'Bearer',
    'Bearer x',
    'ApiKey !!!',
    `Bearer ${admin}x`,
    `Bearer ${admin.slice(0, -1)}`,
    `Bearer octavo_${'a'.repeat(20)}.${'b'.repeat(43)}`,
    'Bearer a.b.c',
  ]) {
    assert.equal((await ask('GET /open/_doc/1', undefined, { authorization })).status, 401, authorization);
  }
});

test('figures of the node and the cluster are those of the indices of the key', {
  skip: TEST_DOCUMENTS === undefined ? false : 'the cluster counts',
}, async () => {
  assert.equal((await ask('PUT /seen-1/_doc/1', { a: 1 }, as(admin))).status, 201);
  for (let i = 0; i < 5; i++) await ask(`PUT /hidden-1/_doc/${i}`, { a: 'x'.repeat(1_000) }, as(admin));
  const made = await ask(
    'POST /api/keys',
    { name: 'some', scopes: ['search:read'], index_patterns: ['seen-*'] },
    as(admin),
  );
  const key = as(made.body.token);
  for (const path of [
    '/_nodes/stats',
    '/_nodes/stats/indices',
    '/_nodes/stats/indices/docs',
    '/_nodes/_local/stats?level=indices',
    '/_nodes/stats?level=shards',
  ]) {
    const { body, text } = await ask(`GET ${path}`, undefined, key);
    const [node] = Object.values(body.nodes) as { indices: { docs: object } }[];
    assert.deepEqual(node!.indices.docs, { count: 1, deleted: 0 }, path);
    assert.doesNotMatch(text, /hidden/, path);
  }
  const { indices } = (await ask('GET /_cluster/stats', undefined, key)).body;
  assert.deepEqual([indices.count, indices.docs.count], [1, 1]);
  assert.doesNotMatch((await ask('GET /_cluster/health?level=indices', undefined, key)).text, /hidden/);
});

test('scopes and index patterns bind both surfaces', async () => {
  const make = async (grant: object): Promise<string> =>
    (await ask('POST /api/keys', { name: 'k', ...grant }, as(admin))).body.token;
  const reader = await make({ scopes: ['search:read'], index_patterns: ['open*'] });
  const feeder = await make({ scopes: ['feed:write'] });
  await ask('PUT /closed/_doc/1', { a: 1 }, as(admin));
  assert.equal((await ask('GET /open/_doc/1', undefined, as(reader))).status, 200);
  for (const [line, body] of [
    ['PUT /open/_doc/9', { a: 1 }],
    ['DELETE /open', undefined],
    ['GET /closed/_doc/1', undefined],
    ['POST /closed/_search', {}],
    ['POST /nothing/_search', {}],
    ['PUT /_cluster/settings', { persistent: { 'action.auto_create_index': 'false' } }],
  ] as const) {
    const refused = await ask(line, body, as(reader));
    assert.equal(refused.status, 403, line);
    assert.equal(refused.body.error.type, 'security_exception', line);
  }
  const all = await ask('POST /_search', {}, as(reader));
  assert.deepEqual([...new Set(all.body.hits.hits.map((hit: { _index: string }) => hit._index))], ['open']);
  assert.equal((await ask('POST /open/_search', {}, as(feeder))).status, 403);
  assert.equal((await ask('GET /api/newsfeed', undefined, as(reader))).status, 403);
  assert.equal((await ask('POST /api/newsfeed', { author: 'ada', text: 'hi' }, as(feeder))).status, 201);
  assert.equal((await ask('GET /api/keys', undefined, as(feeder))).status, 403);
});

test('nobody gives, changes or takes over more than they have', async () => {
  const grant = { name: 'keeper', scopes: ['keys:write', 'search:read'], index_patterns: ['open*'] };
  const keeper = await ask('POST /api/keys', grant, as(admin));
  const mine = as(keeper.body.token);
  const refused = await ask('POST /api/keys', { name: 'x', scopes: ['*'] }, mine);
  assert.equal(refused.status, 403);
  assert.equal(refused.body.field, 'scopes');
  const wider = { name: 'x', scopes: ['search:read'], index_patterns: ['*'] };
  assert.equal((await ask('POST /api/keys', wider, mine)).status, 403);
  const adminId = admin.slice('octavo_'.length).split('.')[0]!;
  assert.equal((await ask(`POST /api/keys/${adminId}/rotate`, {}, mine)).status, 403);
  assert.equal((await ask(`DELETE /api/keys/${adminId}`, undefined, mine)).status, 403);
  assert.equal((await ask(`PATCH /api/keys/${adminId}`, { scopes: ['search:read'] }, mine)).status, 403);
  const { id } = keeper.body.key;
  assert.equal((await ask(`PATCH /api/keys/${id}`, { scopes: ['*'] }, mine)).status, 403);
  const less = await ask('POST /api/keys', { name: 'x', scopes: ['search:read'] }, mine);
  assert.equal(less.status, 201);
  assert.deepEqual(less.body.key.index_patterns, ['open*']);
});

test('rotation leaves the old secret for a while, revocation leaves nothing', async () => {
  const made = (await ask('POST /api/keys', { name: 'r', scopes: ['search:read'] }, as(admin))).body;
  const rotated = (await ask(`POST /api/keys/${made.key.id}/rotate`, { grace_seconds: 60 }, as(admin))).body;
  const status = async (token: string): Promise<number> =>
    (await ask('GET /open/_doc/1', undefined, as(token))).status;
  assert.equal(await status(made.token), 200);
  assert.equal(await status(rotated.token), 200);
  const again = (await ask(`POST /api/keys/${made.key.id}/rotate`, { grace_seconds: 0 }, as(admin))).body;
  assert.deepEqual(await Promise.all([status(made.token), status(rotated.token)]), [401, 401]);
  assert.equal(await status(again.token), 200);
  assert.equal((await ask(`DELETE /api/keys/${made.key.id}`, undefined, as(admin))).status, 200);
  assert.equal(await status(again.token), 401);
  assert.equal((await ask(`POST /api/keys/${made.key.id}/rotate`, {}, as(admin))).status, 404);
});

test('secrets are nowhere but in the answer that made them', async () => {
  const listed = await ask('GET /api/keys?limit=100', undefined, as(admin));
  assert.ok(listed.body.items.length > 5, listed.text);
  const secret = admin.split('.')[1]!;
  assert.ok(!listed.text.includes(secret));
  assert.ok(!/hash/.test(listed.text));
});

test('scrolls, points in time and tokens are their callers own', async () => {
  for (let i = 0; i < 5; i++) await ask(`PUT /walk/_doc/${i}`, { n: i }, as(admin));
  const other = (await ask('POST /api/keys', { name: 'o', scopes: ['search:read'] }, as(admin))).body.token;
  const scroll = (await ask('POST /walk/_search?scroll=1m', { size: 2 }, as(admin))).body._scroll_id;
  const next = { scroll: '1m', scroll_id: scroll };
  assert.equal((await ask('POST /_search/scroll', next, as(other))).status, 403);
  assert.equal((await ask('DELETE /_search/scroll', { scroll_id: scroll }, as(other))).status, 403);
  assert.equal((await ask('POST /_search/scroll', next, as(admin))).body.hits.hits.length, 2);
  const pit = (await ask('POST /walk/_pit?keep_alive=1m', undefined, as(admin))).body.id;
  assert.equal((await ask('POST /_search', { pit: { id: pit } }, as(other))).status, 403);
  // A cluster knows no callers: there, nobody but those who administer may list.
  const points = await ask('GET /_search/point_in_time/_all', undefined, as(other));
  if (TEST_DOCUMENTS === undefined) assert.deepEqual(points.body.pits, []);
  else assert.equal(points.status, 403);
  assert.equal((await ask('POST /_search', { pit: { id: pit } }, as(admin))).status, 200);
  const sorted = { size: 2, sort: [{ n: 'asc' }], tokens: true };
  const token = (await ask('POST /walk/_search', sorted, as(admin))).body.next_token;
  const foreign = await ask('POST /walk/_search', { ...sorted, next_token: token }, as(other));
  assert.equal(foreign.status, 403);
  assert.equal(foreign.body.error.type, 'cursor_forbidden');
  assert.equal((await ask('POST /walk/_search', { ...sorted, next_token: token }, as(admin))).status, 200);
});
