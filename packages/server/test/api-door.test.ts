// The access rules of the API: web pages of other origins, other hosts, keys without the scope, rates; and
// what is never logged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANONYMOUS, type Principal } from '../src/access/callers/principal.ts';
import type { Resource } from '../src/api/resource.ts';
import { Problem } from '../src/errors/problem.ts';
import { server } from './ask.ts';
import { fakeRecords } from './fake-records.ts';

const ledger: Resource = async (app) => {
  const config = { scope: ['ledger', 'write'], secretQuery: true, cost: 4 } as const;
  const schema = { querystring: { type: 'object', properties: { money: { type: 'string' } } } } as const;
  app.post('/transaction', { config, schema }, async () => ({ ok: true }));
  app.get('/fail', { config: { scope: ['ledger', 'read'] } }, async () => {
    throw new Error('it broke');
  });
};

const callers: Record<string, Principal> = {
  'ApiKey searcher-secret': { ...ANONYMOUS, id: 'key:s', scopes: ['search:*'] },
  'ApiKey other-secret': { ...ANONYMOUS, id: 'key:o', scopes: ['search:*'] },
  'ApiKey writer-secret': { ...ANONYMOUS, id: 'key:w', scopes: ['ledger:write'] },
  'ApiKey reader-secret': {
    ...ANONYMOUS,
    id: 'key:r',
    scopes: ['ledger:read', 'search:*'],
    rate: { quota: 5, windowSeconds: 1_000 },
  },
};
const authenticate = ({ headers }: { headers: { authorization?: string | undefined } }): Principal => {
  const caller = callers[headers.authorization ?? ''];
  if (caller !== undefined) return caller;
  throw new Problem('unauthorized', 'No valid key.', { headers: { 'www-authenticate': 'ApiKey' } });
};
const given = { records: fakeRecords(), resources: [ledger] };

test('web pages of other origins are refused on both surfaces, named ones are told so', async () => {
  const closed = await server(given);
  const evil = { origin: 'https://evil.example' };
  const refused = await closed.ask('POST /api/transaction?money=5', undefined, evil);
  assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
  assert.equal(refused.headers['access-control-allow-origin'], undefined);
  assert.equal((await closed.ask('OPTIONS /api/transaction', undefined, evil)).status, 403);
  assert.equal((await closed.ask('POST /api/transaction', undefined, { origin: 'null' })).status, 403);
  assert.equal((await closed.ask('GET /api/health', undefined, { host: 'rebound.example' })).status, 403);
  const rebound = { host: 'rebound.example', origin: 'http://rebound.example' };
  assert.equal((await closed.ask('GET /api/health', undefined, rebound)).status, 403);
  const own = { host: 'localhost:9200', origin: 'http://localhost:9200' };
  assert.equal((await closed.ask('POST /api/transaction', undefined, own)).status, 200);
  assert.equal(
    (await closed.ask('POST /api/transaction', undefined, { ...own, host: 'localhost:1' })).status,
    403,
  );

  const open = await server({ ...given, corsOrigins: ['https://ok.example'] });
  const ok = { origin: 'https://ok.example' };
  for (const path of ['/api/transaction', '/_search']) {
    const asked = await open.ask(`OPTIONS ${path}`, undefined, {
      ...ok,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,idempotency-key',
    });
    assert.equal(asked.status, 204);
    assert.equal(asked.headers['access-control-allow-origin'], 'https://ok.example');
    assert.equal(asked.headers['access-control-allow-headers'], 'content-type,idempotency-key');
    assert.match(String(asked.headers['access-control-allow-methods']), /PATCH/);
    const reply = await open.ask(`${path === '/_search' ? 'GET' : 'POST'} ${path}`, undefined, ok);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['access-control-allow-origin'], 'https://ok.example');
    assert.match(String(reply.headers['access-control-expose-headers']), /etag/);
    assert.match(String(reply.headers['vary']), /origin/);
    assert.equal((await open.ask(`OPTIONS ${path}`, undefined, evil)).status, 403);
  }
});

test('keys: none, one without the scope, one with it', async () => {
  const { ask } = await server({ ...given, authenticate, keyless: () => false });
  const none = await ask('POST /api/transaction');
  assert.deepEqual(
    [none.status, none.body.code, none.headers['www-authenticate']],
    [401, 'unauthorized', 'ApiKey'],
  );
  const wire = await ask('GET /_search');
  assert.deepEqual([wire.status, wire.body.status], [401, 401]);
  const reader = await ask('POST /api/transaction', undefined, { authorization: 'ApiKey reader-secret' });
  assert.deepEqual([reader.status, reader.body.scope], [403, 'ledger:write']);
  const writer = { authorization: 'ApiKey writer-secret', host: 'octavo.example' };
  assert.equal((await ask('POST /api/transaction', undefined, writer)).status, 200);
});

test('callers have quotas of cost', async () => {
  const { ask } = await server({
    ...given,
    authenticate,
    keyless: () => false,
    rate: { quota: 9, windowSeconds: 1_000 },
  });
  const writer = { authorization: 'ApiKey writer-secret' };
  const first = await ask('POST /api/transaction', undefined, writer);
  assert.equal(first.headers['ratelimit-policy'], '"default";q=9;w=1000');
  assert.match(String(first.headers['ratelimit']), /^"default";r=5;t=\d+$/);
  assert.equal((await ask('POST /api/transaction', undefined, writer)).status, 200);
  const refused = await ask('POST /api/transaction', undefined, writer);
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate-limited']);
  assert.ok(Number(refused.headers['retry-after']) > 100);
  const reader = { authorization: 'ApiKey reader-secret' };
  assert.equal(
    (await ask('GET /_search', undefined, reader)).headers['ratelimit-policy'],
    '"default";q=5;w=1000',
  );
  assert.equal((await ask('GET /_mget', undefined, reader)).status, 429);
  for (let i = 0; i < 4; i++) await ask('GET /_search', undefined, reader);
  const wire = await ask('GET /_search', undefined, reader);
  assert.deepEqual([wire.status, wire.body.error.type], [429, 'rejected_execution_exception']);
});

test('a log line a request, without keys, bodies and what transfers say', async () => {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const { ask } = await server({
    ...given,
    authenticate,
    keyless: () => false,
    logLevel: 'debug',
    logStream,
  });
  const writer = { authorization: 'ApiKey writer-secret', cookie: 'c=cookie-secret' };
  for (const line of [
    'POST /api/transaction?money=31337',
    'PUT /api/transaction/?money=31337',
    'POST /%61pi/transaction?money=31337',
    'GET /api/transactions?money=31337',
  ]) {
    await ask(line, undefined, writer);
  }
  await ask('POST /api/transaction', '{"note":"body-secret"}', writer);
  await ask('POST /api/transaction', '{"note":"body-secret"', writer);
  await ask('GET /api/fail', undefined, writer);
  await ask('GET /_search?q=visible', undefined, writer);
  await ask('PUT /i/_doc/1', '{"note":"body-secret"', writer);
  await ask('GET /api/transaction?money=31337', undefined, { authorization: 'ApiKey wrong-secret' });
  const all = lines.join('');
  assert.doesNotMatch(all, /secret"|-secret|31337/);
  assert.match(all, /q=visible/);
  const rows = lines.map((line) => JSON.parse(line));
  const answered = rows.filter((row) => row.msg === 'answered');
  assert.equal(answered.length, 10);
  assert.ok(
    answered.every((row) => row.reqId !== undefined && row.status !== undefined && row.ms !== undefined),
  );
  assert.equal(answered[0].caller, 'key:w');
  assert.deepEqual(
    rows.filter((row) => row.level === 'error').map((row) => row.err.message),
    ['it broke'],
  );
});

test('snapshots that one caller holds are counted', async () => {
  const limits = { leasesPerKey: 2 };
  const { ask } = await server({ ...given, authenticate, keyless: () => false, limits });
  const as = (who: string) => ({ authorization: `ApiKey ${who}-secret` });
  await ask('PUT /i', undefined, as('searcher'));
  await ask('PUT /i/_doc/1', { n: 1 }, as('searcher'));
  const open = () => ask('POST /i/_search/point_in_time?keep_alive=1m', undefined, as('searcher'));
  const first = await open();
  assert.equal(first.status, 200);
  assert.equal((await open()).status, 200);
  const refused = await open();
  assert.deepEqual([refused.status, refused.body.error.type], [429, 'rejected_execution_exception']);
  assert.match(refused.body.error.reason, /key:s.*leasesPerKey/);
  await ask('DELETE /_search/point_in_time', { pit_id: [first.body.pit_id] }, as('searcher'));
  assert.equal((await open()).status, 200);
  assert.equal(
    (await ask('POST /i/_search/point_in_time?keep_alive=1m', undefined, as('other'))).status,
    200,
  );
});
