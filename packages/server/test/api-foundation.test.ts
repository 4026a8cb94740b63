// What all resources of the application API share, tested over HTTP with a small resource.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { EngineError } from '@octavo/engine';
import { CursorError } from '@octavo/paging';
import { RecordsError } from '@octavo/records';
import { Type } from 'typebox';
import { setLinks } from '../src/api/http/links.ts';
import { openListToken, sealListToken } from '../src/api/http/list-tokens.ts';
import type { Resource } from '../src/api/resource.ts';
import { PROBLEMS, Problem } from '../src/errors/problem.ts';
import { server } from './ask.ts';
import { fakeRecords } from './fake-records.ts';

const thrown: Record<string, () => unknown> = {
  problem: () => new Problem('forbidden', 'no', { extra: { why: 'x' }, headers: { 'retry-after': '7' } }),
  records: () => new RecordsError('item-not-found', 'gone', { field: 'id' }),
  cursor: () => new CursorError('cursor-mismatch', 'other list', ['author']),
  engine: () => new EngineError('index_not_found_exception', 'no such index'),
  store: () => new EngineError('cluster_block_exception', 'the disk is full'),
  bug: () => new TypeError('secret detail'),
  text: () => 'a text',
};

const things: Resource = async (app, services) => {
  const query = Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    ratio: Type.Optional(Type.Number()),
    deep: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Type.String(), { maxItems: 3 })),
    format: Type.Optional(Type.Enum(['entities', 'markup'])),
    next: Type.Optional(Type.String()),
  });
  app.get(
    '/things',
    { schema: { querystring: query }, config: { etag: true, scope: ['feed', 'read'] } },
    async (request, reply) => {
      setLinks(request, reply, { next: { next: 'n', limit: 3 }, prev: undefined });
      const list = { principal: request.principal, listing: 'things', filters: { tags: request.query.tags } };
      if (request.query.next !== undefined) {
        return { at: (await openListToken(services.sealer, list, request.query.next)).tuple.map(String) };
      }
      return { query: request.query, next: await sealListToken(services.sealer, list, { tuple: [7n] }) };
    },
  );
  const body = Type.Object(
    { name: Type.String(), data: Type.Optional(Type.Unknown()) },
    { additionalProperties: false },
  );
  app.post('/things', { schema: { body } }, async (request, reply) => reply.code(201).send(request.body));
  app.post(
    '/things/free',
    { schema: { body: Type.Object({ a: Type.Optional(Type.Number()) }) } },
    async (request) => request.body,
  );
  app.delete('/things', {}, async (_request, reply) => reply.code(204).send());
  app.get(
    '/things/:id',
    { schema: { params: Type.Object({ id: Type.String({ maxLength: 8 }) }) } },
    async (request) => request.params,
  );
  app.get('/throw/:what', { schema: { params: Type.Object({ what: Type.String() }) } }, async (request) => {
    throw thrown[request.params.what]!();
  });
};

const lines: string[] = [];
const logStream = { write: (line: string) => void lines.push(line) };
const records = fakeRecords();
const { ask, app } = await server({
  records,
  resources: [things],
  logStream,
  limits: { apiBodyBytes: 500, uriBytes: 2_000 },
});

test('every path ends the same with a slash, HEAD is there for GET, nothing falls through', async () => {
  const plain = await ask('GET /api/things?limit=5');
  assert.equal(plain.status, 200);
  assert.deepEqual((await ask('GET /api/things/?limit=5')).body.query, plain.body.query);
  assert.deepEqual((await ask('GET /api/things/a/')).body, { id: 'a' });
  const head = await ask('HEAD /api/things?limit=5');
  assert.deepEqual([head.status, head.text, head.headers['etag']], [200, '', plain.headers['etag']]);
  for (const path of [
    '/api',
    '/api/',
    '/api/nope',
    '/api/things/a/b',
    '/api/_search',
    '/%61pi/x',
    '/api//things',
  ]) {
    for (const method of ['GET', 'POST', 'PUT']) {
      const reply = await ask(`${method} ${path}`);
      assert.deepEqual([reply.status, reply.body.code], [404, 'not-found'], `${method} ${path}`);
      assert.match(String(reply.headers['content-type']), /^application\/problem\+json/);
    }
  }
  assert.equal((await ask('PUT /api')).status, 404);
  assert.equal((await ask('PUT /api/_doc/1', {})).status, 404);
});

test('other methods are told which there are', async () => {
  for (const method of ['PUT', 'PATCH', 'TRACE', 'PROPFIND']) {
    const reply = await ask(`${method} /api/things/`);
    assert.deepEqual(
      [reply.status, reply.headers['allow']],
      [405, 'DELETE, GET, HEAD, OPTIONS, POST'],
      method,
    );
    assert.equal(reply.body.code, 'method-not-allowed');
  }
  const options = await ask('OPTIONS /api/things');
  assert.deepEqual([options.status, options.headers['allow']], [204, 'DELETE, GET, HEAD, OPTIONS, POST']);
});

test('parameters are read as their schema says, and no others', async () => {
  const read = async (query: string) => (await ask(`GET /api/things?${query}`)).body.query;
  assert.deepEqual(await read('limit=3&ratio=-0.5&deep=true&tags=a%2Cb,d+e&format=markup'), {
    limit: 3,
    ratio: -0.5,
    deep: true,
    tags: ['a', 'b', 'd e'],
    format: 'markup',
  });
  const code = async (query: string) => {
    const { status, body } = await ask(`GET /api/things?${query}`);
    return `${status} ${body.code} ${body.field}`;
  };
  for (const value of [
    'x',
    '',
    '+1',
    '1.0',
    '1e1',
    ' 1',
    '0x1',
    '01',
    '9007199254740993',
    '0',
    '101',
    '-1',
  ]) {
    assert.equal(await code(`limit=${encodeURIComponent(value)}`), '400 invalid-parameter limit', value);
  }
  assert.equal(await code('ratio=1e3'), '400 invalid-parameter ratio');
  assert.equal(await code('deep=1'), '400 invalid-parameter deep');
  assert.equal(await code('format=html'), '400 invalid-parameter format');
  assert.equal(await code('tags=a,b,c,d'), '400 invalid-parameter tags');
  assert.equal(await code('limit=1&limit=1'), '400 repeated-parameter limit');
  assert.equal(await code('lmit=1'), '400 unknown-parameter lmit');
  assert.equal(await code('__proto__=1'), '400 unknown-parameter __proto__');
  assert.equal(await code('tags=%ff'), '400 invalid-parameter tags');
  assert.equal(await code('%zz=1'), '400 invalid-parameter undefined');
  assert.equal((await ask('GET /api/things/a?x=1')).body.code, 'unknown-parameter');
  assert.equal((await ask('GET /api/things/123456789')).body.field, 'id');
  assert.equal((await ask('GET /api/things/%zz')).body.code, 'invalid-parameter');
  const long = await ask(`GET /api/things?next=${'x'.repeat(3_000)}`);
  assert.deepEqual([long.status, long.body.code], [414, 'uri-too-long']);
});

test('bodies are strict JSON; an empty one is none, whatever its type', async () => {
  assert.deepEqual((await ask('POST /api/things', '{"name":"a","data":{"x":[1,null,0.5]}}')).body, {
    name: 'a',
    data: { x: [1, null, 0.5] },
  });
  const refused = async (body: string, type = 'application/json') => {
    const reply = await ask('POST /api/things', body, { 'content-type': type });
    return `${reply.status} ${reply.body.code} ${reply.body.field}`;
  };
  assert.equal(await refused('{"name":"a","name":"b"}'), '400 invalid-body undefined');
  assert.equal(await refused('{"name":"a",}'), '400 invalid-body undefined');
  assert.equal(await refused('{"name":"a"} x'), '400 invalid-body undefined');
  assert.equal(
    await refused(`{"name":"a","data":${'['.repeat(120)}${']'.repeat(120)}}`),
    '400 invalid-body undefined',
  );
  assert.equal(await refused('{"name":"a","data":{"n":[9007199254740993]}}'), '400 invalid-body data.n[0]');
  assert.equal(await refused('{"name":"a","data":{"__proto__":{"x":1}}}'), '400 invalid-body data.__proto__');
  assert.equal(await refused('{"name":1}'), '400 invalid-body name');
  assert.equal(await refused('{"nam":"x"}'), '400 invalid-body name');
  assert.equal(await refused('{"name":"x","more":1}'), '400 invalid-body more');
  for (const body of ['[]', 'null', '\0', '0']) {
    assert.equal(await refused(body), '400 invalid-body undefined', body);
  }
  assert.equal(await refused(' \n'), '400 invalid-body name');
  assert.equal(await refused('{"name":"x"}', 'text/plain'), '415 unsupported-media-type undefined');
  assert.equal(
    await refused('name=x', 'application/x-www-form-urlencoded'),
    '415 unsupported-media-type undefined',
  );
  assert.equal(await refused(`{"name":"${'x'.repeat(600)}"}`), '413 payload-too-large undefined');
  for (const type of ['application/json', 'text/plain', 'nonsense', 'application/x-www-form-urlencoded']) {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/things/free',
      headers: { host: 'localhost', 'content-type': type },
    });
    assert.deepEqual([reply.statusCode, reply.payload], [200, '{}'], type);
    assert.equal(
      (await ask('POST /api/things', undefined, { 'content-type': type })).body.detail,
      'name is missing.',
    );
  }
  const packed = await app.inject({
    method: 'POST',
    url: '/api/things',
    payload: gzipSync('{"name":"z"}'),
    headers: { host: 'localhost', 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });
  assert.equal(packed.payload, '{"name":"z"}');
  const bomb = await app.inject({
    method: 'POST',
    url: '/api/things',
    payload: gzipSync(`{"name":"${'z'.repeat(100_000)}"}`),
    headers: { host: 'localhost', 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });
  assert.equal(bomb.statusCode, 413);
});

test('whatever is thrown becomes a problem; defects show nothing of themselves', async () => {
  const problem = await ask('GET /api/throw/problem', undefined, { 'x-request-id': 'mine-1' });
  assert.deepEqual(problem.body, {
    why: 'x',
    type: '/api/problems/forbidden',
    title: PROBLEMS.forbidden.title,
    status: 403,
    detail: 'no',
    code: 'forbidden',
    instance: 'mine-1',
  });
  assert.deepEqual([problem.headers['x-request-id'], problem.headers['retry-after']], ['mine-1', '7']);
  const code = async (what: string) => {
    const { status, body } = await ask(`GET /api/throw/${what}`);
    return `${status} ${body.code}`;
  };
  assert.equal(await code('records'), '404 item-not-found');
  assert.deepEqual((await ask('GET /api/throw/cursor')).body.changed, ['author']);
  assert.equal(await code('engine'), '404 not-found');
  assert.equal(await code('store'), '507 store-full');
  lines.length = 0;
  const bug = await ask('GET /api/throw/bug');
  assert.equal(bug.status, 500);
  assert.ok(!bug.text.includes('secret'));
  assert.equal(lines.length, 1);
  const line = JSON.parse(lines[0]!);
  assert.deepEqual([line.level, line.reqId, line.err.message], ['error', bug.body.instance, 'secret detail']);
  assert.equal(await code('text'), '500 internal');
  const odd = await ask('GET /api/things', undefined, { 'x-request-id': 'a b\u00e4' });
  assert.notEqual(odd.headers['x-request-id'], 'a b\u00e4');
});

test('tags: 304 for what is known, also where a page token is sealed anew', async () => {
  const first = await ask('GET /api/things?limit=9');
  const again = await ask('GET /api/things?limit=9');
  assert.notEqual(first.body.next, again.body.next);
  assert.equal(first.headers['etag'], again.headers['etag']);
  assert.match(String(first.headers['vary']), /authorization/);
  const tag = String(first.headers['etag']);
  for (const header of [tag, `"x", ${tag}`, '*', tag.slice(2)]) {
    const same = await ask('GET /api/things?limit=9', undefined, { 'if-none-match': header });
    assert.deepEqual([same.status, same.text, same.headers['etag']], [304, '', tag]);
  }
  assert.equal((await ask('GET /api/things?limit=8', undefined, { 'if-none-match': tag })).status, 200);
  assert.equal((await ask('GET /api/things/a')).headers['cache-control'], 'no-store');
  assert.equal(first.headers['link'], '</api/things?limit=3&next=n>; rel="next"');
});

test('tokens belong to a caller, a list and its filters', async () => {
  const token = (await ask('GET /api/things?tags=a')).body.next;
  assert.deepEqual((await ask(`GET /api/things?tags=a&next=${token}`)).body.at, ['7']);
  const other = await ask(`GET /api/things?tags=b&next=${token}`);
  assert.deepEqual([other.status, other.body.code, other.body.changed], [400, 'cursor-mismatch', ['tags']]);
  assert.equal((await ask('GET /api/things?next=v1.k1.xyz')).body.code, 'cursor-invalid');
});

test('what the caller takes, and which version answers', async () => {
  const status = async (accept: string) => (await ask('GET /api/things', undefined, { accept })).status;
  assert.equal(await status('application/json'), 200);
  assert.equal(await status('text/html,application/xhtml+xml,*/*;q=0.8'), 200);
  assert.equal(await status('application/*'), 200);
  assert.equal(await status('text/html'), 406);
  assert.equal(await status('application/json;q=0, application/problem+json;q=0, */*'), 406);
  const reply = await ask('GET /api/things');
  assert.equal(reply.headers['octavo-api-version'], '1');
  assert.equal((await ask('GET /api/nope')).headers['octavo-api-version'], '1');
});

test('a connection with an unread body is closed, not misread', async () => {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'POST /api/nope HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99\r\n\r\nGET /api/health HTTP/1.1\r\n',
  );
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  assert.match(text, /^HTTP\/1\.1 404 /);
  assert.match(text, /connection: close/i);
  assert.equal(text.match(/HTTP\/1\.1/g)?.length, 1);
});
