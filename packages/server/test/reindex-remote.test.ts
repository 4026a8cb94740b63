// Documents of another server are copied as they are, from servers that the operator allows only.

import assert from 'node:assert/strict';
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { createServer, listen } from '../src/serve.ts';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';
import { ownEngine } from './own-engine.ts';

const other = await ownEngine();
const otherApp = await createServer(other.engine);
const host = await listen(otherApp, { port: 0 });
const { ask, engine } = await server({ reindexFrom: ['127.0.0.1:*'] });
const embedded = onlyEmbedded('a cluster reads by itself');
after(async () => {
  await otherApp.close();
  await other.end();
});

/** Sources that would change if they were parsed and printed again. */
const SOURCES = [
  '{"n": 1.0, "long": 9007199254740993}',
  '{ "n" :2e0,"t":"\\u00e4" }',
  '{"n":3,"o":{"a":1,"b":2}}',
];

before(async () => {
  await other.engine.write(
    SOURCES.map((text, i) => ({
      ...{ kind: 'index', index: 'src', id: `${i}`, source: Buffer.from(text) },
      ...(i === 1 ? { routing: 'r' } : {}),
    })),
  );
});

const remote = { host };
const body = (source: object = {}, dest: object = {}): object => ({
  source: { remote, index: 'src', ...source },
  dest: { index: 'd', ...dest },
});

test('all documents, page by page, byte for byte, with routing and version', embedded, async () => {
  await other.engine.write([{ kind: 'index', index: 'src', id: '2', source: Buffer.from(SOURCES[2]!) }]);
  const copied = await ask('POST /_reindex', body({ size: 2 }, { version_type: 'external' }));
  assert.deepEqual([copied.status, copied.body.created, copied.body.batches], [200, 3, 2], copied.text);
  for (const [i, text] of SOURCES.entries())
    assert.equal(Buffer.from(engine.get('d', `${i}`)!.source).toString(), text);
  assert.equal(engine.get('d', '1')!.routing, 'r');
  assert.equal(engine.get('d', '2')!.version, 2);
  assert.deepEqual(other.engine.leases('scroll'), []);
});

test('a query, parts of the source, a number of documents, an order and a script', embedded, async () => {
  const some = { query: { range: { n: { gte: 2 } } }, _source: ['n', 'o.a'], sort: { n: 'desc' }, size: 1 };
  const script = { source: 'ctx._source.from = ctx._index' };
  const copied = await ask('POST /_reindex', { ...body(some, { index: 'e' }), max_docs: 1, script });
  assert.deepEqual([copied.body.total, copied.body.created], [1, 1], copied.text);
  assert.deepEqual(JSON.parse(Buffer.from(engine.get('e', '2')!.source).toString()), {
    ...{ n: 3, o: { a: 1 } },
    from: 'src',
  });
});

const refused: readonly (readonly [object, string, RegExp])[] = [
  [{ remote: { host: 'http://127.0.0.2:9200' } }, '400', /\[127.0.0.2:9200\] not allowlisted/],
  [{ remote: { host: 'http://example.com:9200' } }, '400', /not allowlisted in reindex.remote.allowlist/],
  [{ remote: { host: '127.0.0.1:9200' } }, '400', /must be of the form \[scheme\]/],
  [{ remote: { host: 'http://127.0.0.1' } }, '400', /must be of the form \[scheme\]/],
  [{ remote: { host: 'http://127.0.0.1:1@example.com:9200' } }, '400', /must be of the form \[scheme\]/],
  [{ remote: { host: 'ftp://127.0.0.1:9200' } }, '400', /must be of the form \[scheme\]/],
  [{ remote: {} }, '400', /\[host\] must be specified/],
  [{ remote: { host, foo: 1 } }, '400', /Unsupported fields in \[remote\]: \[foo\]/],
  [{ remote: { host, headers: { 'a b': 'c' } } }, '400', /the header \[a b\] is not one of HTTP/],
  [{ remote: { host, username: 'a' } }, '400', /without a \[password\]/],
  [{ slice: { id: 0, max: 2 } }, '400', /doesn't support slices > 1 but was \[2\]/],
  [{ index: 'none' }, '404', /status_exception.*no such index \[none\]/],
  [{ query: { foo: {} } }, '400', /status_exception.*unknown query \[foo\]/],
];
for (const [source, status, reason] of refused)
  test(`the source ${JSON.stringify(source).replace(/:\d{5}/, '')} is refused`, embedded, async () => {
    const answer = await ask('POST /_reindex', body(source, { index: 'never' }));
    assert.equal(String(answer.status), status, answer.text);
    assert.match(answer.text, reason);
    assert.equal(engine.indices.info('never'), undefined);
  });

test('without an allowed host none is asked', embedded, async () => {
  const closed = await server();
  const answer = await closed.ask('POST /_reindex', body());
  assert.match(answer.body.error.reason, /not allowlisted/);
});

test('a server that answers something else, or not at all', embedded, async () => {
  const odd = createHttp((_, response) => response.end('<html>'));
  await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
  const { port } = odd.address() as AddressInfo;
  const address = { remote: { host: `http://127.0.0.1:${port}` } };
  const page = await ask('POST /_reindex', body(address));
  assert.deepEqual([page.status, page.body.error.type], [502, 'node_answer_exception'], page.text);
  await new Promise((resolve) => odd.close(resolve));
  const gone = await ask('POST /_reindex', body(address));
  assert.deepEqual([gone.status, gone.body.error.type], [500, 'http_host_connect_exception'], gone.text);
});
