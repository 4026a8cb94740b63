// The edges of HTTP: methods, paths, parameters, media types, limits, and raw sockets.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { listen } from '../src/serve.ts';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

const { ask } = await server({ limits: { bodyBytes: 2_000, uriBytes: 3_000 } });
// One place for numbers and objects: only what is not looked into may hold both.
await ask('PUT /h', { mappings: { properties: { a: { type: 'object', enabled: false } } } });
await ask('PUT /h/_doc/1', { a: { b: [1, { c: 2 }] }, d: 'x' });

test('wrong methods and unknown paths', async () => {
  const wrong = await ask('PATCH /h/_search');
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers['allow'], 'GET,POST,QUERY');
  assert.deepEqual(wrong.body, {
    error: 'Incorrect HTTP method for uri [/h/_search] and method [PATCH], allowed: [GET, POST, QUERY]',
    status: 405,
  });
  assert.deepEqual((await ask('POST /h/a/b/c/d')).body, {
    error: 'no handler found for uri [/h/a/b/c/d] and method [POST]',
  });
  assert.equal((await ask('GET /h/_search/')).status, 200);
  assert.equal((await ask('OPTIONS /h/_search')).status, 200);
});

test('parameters', async () => {
  const unknown = await ask('GET /h/_search?fooo=1&sizes=3');
  assert.equal(
    unknown.body.error.reason,
    'request [/h/_search] contains unrecognized parameters: [fooo], [sizes] -> did you mean [size]?',
  );
  const number = await ask('GET /h/_search?size=abc');
  assert.equal(number.body.error.reason, 'Failed to parse int parameter [size] with value [abc]');
  assert.equal(number.body.error.caused_by.reason, 'For input string: "abc"');
  assert.equal((await ask('GET /h/_search?version=abc')).status, 400);
  assert.equal((await ask('GET /h/_search?q=%zz')).body.error.type, 'bad_parameter_exception');
  assert.equal((await ask('GET /h/_doc/%zz')).status, 400);
  assert.equal((await ask('GET /h/_doc/%ff')).status, 400);
  assert.match(
    (await ask('GET /h/_search?size=-1&error_trace')).body.error.stack_trace,
    /illegal_?argument/i,
  );
});

test('ids with slashes and other signs', async () => {
  for (const id of ['a/b', 'a b', 'ä?#', '+', '%']) {
    const made = await ask(`PUT /ids/_doc/${encodeURIComponent(id)}`, {});
    assert.equal(made.body._id, id);
  }
});

test('filter_path and pretty', async () => {
  const keep = async (path: string): Promise<string> => (await ask(`GET /h/_doc/1?filter_path=${path}`)).text;
  assert.equal(await keep('_id'), '{"_id":"1"}');
  assert.equal(await keep('_source.a.b.c'), '{"_source":{"a":{"b":[{"c":2}]}}}');
  assert.equal(await keep('**.c'), '{"_source":{"a":{"b":[{"c":2}]}}}');
  assert.equal(await keep('_s*.d'), '{"_source":{"d":"x"}}');
  assert.equal(await keep('-_source,-_*'), '{"found":true}');
  assert.equal(await keep('_source,-_source.a'), '{"_source":{"d":"x"}}');
  assert.equal(await keep('nothing'), '{}');
  assert.equal(
    (await ask('GET /h/_doc/1?pretty&filter_path=_id,_source.a')).text,
    `{
  "_id" : "1",
  "_source" : {
    "a" : {
      "b" : [
        1,
        {
          "c" : 2
        }
      ]
    }
  }
}
`,
  );
});

test('media types', async () => {
  for (const type of [
    'text/plain',
    'application/octet-stream',
    'application/x-ndjson',
    'application/vnd.opensearch+json',
  ]) {
    assert.equal((await ask('POST /h/_search', '{}', { 'content-type': type })).status, 200, type);
  }
  const vendor = 'application/vnd.elasticsearch+json; compatible-with=8';
  const reply = await ask('POST /h/_search', '{}', { 'content-type': vendor, accept: vendor });
  assert.equal(reply.headers['content-type'], 'application/vnd.elasticsearch+json;compatible-with=8');
  for (const type of ['text/html', 'application/x-www-form-urlencoded', 'nonsense']) {
    const refused = await ask('POST /h/_search', '{}', { 'content-type': type });
    assert.deepEqual(refused.body, { error: `Content-Type header [${type}] is not supported`, status: 406 });
  }
  for (const type of ['application/yaml', 'application/cbor', 'application/vnd.opensearch+smile']) {
    const refused = await ask('POST /h/_search', '{}', { 'content-type': type });
    assert.equal(refused.status, 406);
    assert.equal(
      refused.body.error.reason,
      `Content-Type header [${type}] is not supported: send the body as JSON, with [Content-Type: application/json]`,
    );
    assert.match(
      (await ask('GET /h/_search', undefined, { accept: type })).body.error.reason,
      /answers are JSON/,
    );
  }
  assert.equal((await ask('GET /h/_search?format=yaml')).status, 406);
  assert.equal((await ask('GET /h/_search?format=json')).status, 200);
  assert.equal(
    (await ask('GET /h/_search', undefined, { 'x-opaque-id': 'me' })).headers['x-opaque-id'],
    'me',
  );
});

test('bodies: too long, packed, empty', async () => {
  const long = await ask('PUT /h/_doc/2', { a: 'x'.repeat(3_000) });
  assert.equal(long.status, 413);
  assert.equal(long.body.error.type, 'content_too_long_exception');
  const { app } = await server({ limits: { bodyBytes: 100 } });
  const send = (payload: Buffer, encoding: string): Promise<number> =>
    app
      .inject({
        method: 'PUT',
        url: '/z/_doc/1',
        payload,
        headers: { host: 'localhost', 'content-type': 'application/json', 'content-encoding': encoding },
      })
      .then((reply) => reply.statusCode);
  assert.equal(await send(gzipSync('{"a":1}'), 'gzip'), 201);
  assert.equal(await send(gzipSync(JSON.stringify({ a: 'x'.repeat(5_000) })), 'gzip'), 413);
  assert.equal(await send(Buffer.from('{"a":1}'), 'gzip'), 400);
  assert.equal(await send(Buffer.from('{"a":1}'), 'br'), 400);
  assert.equal((await ask('GET /h/_search', '  ')).status, 200);
  assert.equal((await ask(`GET /h/_search?q=${'x'.repeat(4_000)}`)).status, 414);
});

test('web pages are kept out on loopback', async () => {
  assert.equal((await ask('GET /h/_search', undefined, { origin: 'http://evil.example' })).status, 403);
  assert.equal((await ask('GET /h/_search', undefined, { host: 'evil.example:9200' })).status, 403);
  for (const host of ['127.0.0.1:9200', '[::1]:9200', 'localhost', 'app.localhost:1']) {
    assert.equal((await ask('GET /h/_search', undefined, { host })).status, 200, host);
  }
  const open = await server({ corsOrigins: ['http://ok.example'] });
  assert.equal((await open.ask('GET /_search', undefined, { origin: 'http://ok.example' })).status, 200);
  // A cache keeps the answers to pages apart from those to others, which come through a lane.
  const url = await listen(open.app, { port: 0 });
  assert.match((await fetch(`${url}/_search`)).headers.get('vary') ?? '', /origin/);
});

test('a public host needs a word', async () => {
  const { app } = await server();
  await assert.rejects(listen(app, { host: '0.0.0.0', port: 0 }), /--unsafe-public/);
});

test('raw sockets: not HTTP, headers too long, a client too slow', async () => {
  const { app } = await server({ limits: { headerBytes: 1_000 } });
  const { app: hasty } = await server({
    limits: { headersTimeoutMs: 150, requestTimeoutMs: 300, connectionsCheckMs: 50 },
  });
  const url = new URL(await listen(app, { port: 0 }));
  const hastyUrl = new URL(await listen(hasty, { port: 0 }));
  const talk = (text: string, to: URL = url): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(to.port), to.hostname);
      let heard = '';
      socket.on('data', (data) => {
        heard += data;
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(heard));
      socket.write(text);
    });
  assert.match(await talk('nonsense\r\n\r\n'), /^HTTP\/1.1 400 .*"status":400/s);
  assert.match(await talk(`GET / HTTP/1.1\r\nx: ${'y'.repeat(2_000)}\r\n\r\n`), /^HTTP\/1.1 431/);
  assert.match(await talk('GET / HTTP/1.1\r\nhost: localhost\r\n', hastyUrl), /^HTTP\/1.1 408/);
  assert.match(
    await talk(
      'PUT /a/_doc/1 HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{',
      hastyUrl,
    ),
    /^HTTP\/1.1 408/,
  );
  const pipelined =
    'GET /_search HTTP/1.1\r\nhost: localhost\r\n\r\nGET /_search HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';
  assert.equal((await talk(pipelined)).match(/HTTP\/1.1 200/g)?.length, 2);
});

test('a byte order mark before the body is read over, as the peer does', async () => {
  const mark = '\uFEFF';
  assert.equal((await ask('PUT /bom/_doc/1', `${mark}{"a":1}`)).status, 201);
  assert.equal((await ask('GET /bom/_source/1')).text, '{"a":1}');
  assert.equal((await ask('POST /bom/_search', `${mark}{"size":0}`)).status, 200);
  const bulk = await ask('POST /bom/_bulk', `${mark}{"index":{"_id":"2"}}\n{"a":2}\n`);
  assert.equal(bulk.body.errors, false);
  const searches = await ask('POST /bom/_msearch', `{}\n${mark}{"size":0}\n`);
  assert.equal(searches.body.responses[0].status, 200);
  assert.equal((await ask('POST /bom/_search', `{"size":${mark}0}`)).status, 400);
});

// A cluster keeps a mark before the line of a source as a part of it.
test('and before every line of a bulk', onlyEmbedded('it reads its bulks itself'), async () => {
  const mark = '\uFEFF';
  assert.equal((await ask('PUT /bom/_doc/1', '{"a":1}')).status, 200);
  const items = ['{"index":{"_id":"3"}}', '{"a":3}', '{"index":{"_id":"4"}}', '{"a":4}'];
  const patch = ['{"update":{"_id":"1"}}', '{"doc":{"b":1}}'];
  const marked = [...items, ...patch].map((line) => `${mark}${line}\n`).join('');
  assert.equal((await ask('POST /bom/_bulk', marked)).body.errors, false);
  assert.equal((await ask('GET /bom/_source/4')).text, '{"a":4}');
  assert.equal((await ask('GET /bom/_source/1')).text, '{"a":1,"b":1}');
});
