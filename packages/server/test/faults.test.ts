// Broken HTTP and absurd requests, over raw sockets to a real engine, get a 4xx with a reason or a closed
// connection, never a 5xx; the next request is answered. Expensive requests do not block others.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { createServer, listen } from '../src/serve.ts';
import { eventually } from './eventually.ts';
import { ownEngine } from './own-engine.ts';

const { engine, end } = await ownEngine();
const app = await createServer(engine, { limits: { bodyBytes: 4_000_000 } });
const url = new URL(await listen(app, { port: 0 }));
/** The same to those who are slow; on a slow machine that is everybody. */
const hasty = await createServer(engine, {
  limits: { headersTimeoutMs: 400, requestTimeoutMs: 800, connectionsCheckMs: 50 },
});
const hastyUrl = new URL(await listen(hasty, { port: 0 }));
after(async () => {
  await app.close();
  await hasty.close();
  await end();
});

/** Sends bytes, with pauses between the parts, and gives all that comes back until the connection is closed. */
function talk(parts: readonly (string | Buffer)[], pauseMs = 0, to: URL = url): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(to.port), to.hostname);
    let heard = '';
    socket.on('data', (data) => (heard += data));
    socket.on('error', () => {});
    const timer = setTimeout(() => socket.destroy(), 120_000);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(heard);
    });
    void (async () => {
      for (const part of parts) {
        if (socket.destroyed) return;
        socket.write(part);
        if (pauseMs > 0) await new Promise((wake) => setTimeout(wake, pauseMs));
      }
    })();
  });
}

type Body = { error?: { type: string; reason: string }; [name: string]: unknown };
async function ask(
  method: string,
  path: string,
  body?: string | Uint8Array,
): Promise<{ status: number; body: Body }> {
  const reply = await fetch(new URL(path, url), {
    signal: AbortSignal.timeout(120_000),
    method,
    ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
  });
  const text = await reply.text();
  return { status: reply.status, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Body };
}

before(async () => {
  let body = '';
  for (let i = 0; i < 3_000; i++)
    body += `{"index":{"_id":"${i}"}}\n${JSON.stringify({ n: i, k: `key${i * 7919}`, t: `red fox ${i} w${i * 31}` })}\n`;
  assert.equal((await ask('POST', '/f/_bulk', body)).status, 200);
});

const HEAD = 'Host: localhost\r\nContent-Type: application/json\r\n';
const SMUGGLED = 'GET /_cat/indices HTTP/1.1\r\nHost: localhost\r\n\r\n';

test('HTTP that two readers would read differently is refused, and nothing behind it is run', async () => {
  const cases = {
    'length and chunks': `POST /f/_search HTTP/1.1\r\n${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    'two lengths': `POST /f/_search HTTP/1.1\r\n${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}\r\n${SMUGGLED}`,
    'a bare line feed': `POST /f/_search HTTP/1.1\r\n${HEAD}X: a\nContent-Length: 2\r\n\r\n{}${SMUGGLED}`,
    'a negative length': `POST /f/_search HTTP/1.1\r\n${HEAD}Content-Length: -1\r\n\r\n{}${SMUGGLED}`,
    'a length that is none': `POST /f/_search HTTP/1.1\r\n${HEAD}Content-Length: 0x2\r\n\r\n{}${SMUGGLED}`,
    'chunked twice': `POST /f/_search HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    'a bad chunk size': `POST /f/_search HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n${SMUGGLED}`,
    'a NUL in a header': `GET /f HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n${SMUGGLED}`,
    'a space before the colon': `GET /f HTTP/1.1\r\nHost: localhost\r\nX : a\r\n\r\n${SMUGGLED}`,
    'a raw space in the path': `GET /f/_doc/a b HTTP/1.1\r\nHost: localhost\r\n\r\n${SMUGGLED}`,
    'no HTTP': `\0\x01\x02\xff${SMUGGLED}`,
  };
  for (const [what, bytes] of Object.entries(cases)) {
    const heard = await talk([Buffer.from(bytes, 'latin1')]);
    assert.match(heard, /^HTTP\/1\.1 4\d\d /, `${what}: ${heard.slice(0, 200)}`);
    assert.equal(heard.match(/HTTP\/1\.1 /g)!.length, 1, `${what}: ${heard}`);
  }
});

test('headers and bodies that drip are timed out; others are served meanwhile', async () => {
  const head = talk(
    [
      'GET /f/_search HTTP/1.1\r\nHost: localhost\r\n',
      ...Array.from({ length: 40 }, (_, i) => `X-${i}: 1\r\n`),
    ],
    100,
    hastyUrl,
  );
  const body = talk(
    [
      `POST /f/_search HTTP/1.1\r\n${HEAD}Content-Length: 1000\r\n\r\n`,
      ...Array.from({ length: 60 }, () => ' '),
    ],
    100,
    hastyUrl,
  );
  const silent = talk([], 0, hastyUrl);
  for (let i = 0; i < 5; i++) assert.equal((await ask('GET', '/f/_count')).body['count'], 3_000);
  assert.match(await head, /^HTTP\/1\.1 408 /);
  assert.match(await body, /^HTTP\/1\.1 408 /);
  assert.match(await silent, /^(HTTP\/1\.1 408 .*)?$/s);
});

test('a body beyond the limit is refused before it has come, and the connection is closed', async () => {
  const heard = await talk([
    `POST /f/_bulk HTTP/1.1\r\n${HEAD}Content-Length: 999999999\r\n\r\n`,
    'x'.repeat(100_000),
  ]);
  assert.match(heard, /^HTTP\/1\.1 413 .*content_too_long_exception/s);
  const chunk = `${(1 << 20).toString(16)}\r\n${'x'.repeat(1 << 20)}\r\n`;
  const chunked = await talk([
    `POST /f/_bulk HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n`,
    ...Array.from({ length: 6 }, () => chunk),
  ]);
  assert.match(chunked, /^(HTTP\/1\.1 413 .*)?$/s);
});

test('absurd numbers and forms: a 4xx that names them', async () => {
  const cases: [string, string, (string | Uint8Array)?][] = [
    ['POST', '/f/_search', '{"size":1e12}'], ['POST', '/f/_search', '{"size":-1}'], ['POST', '/f/_search', '{"from":-1}'],
    ['POST', '/f/_search?page=0', '{}'], ['POST', '/f/_search', '{"page":-3,"size":1}'], ['POST', '/f/_search?scroll=100d', '{}'],
    ['POST', '/f/_search?timeout=-5s', '{}'], ['POST', '/f/_search', '{"timeout":"-5s"}'], ['POST', '/f/_search?size=9007199254740993', '{}'],
    ['POST', '/f/_search', '{"size":1,"size":2}'], ['POST', '/f/_search', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['PUT', '/f/_doc/x', '{"a":"\\ud800"'], ['PUT', '/f/_doc/x', `${'{"a":'.repeat(150)}1${'}'.repeat(150)}`], ['POST', '/f/_search', '{"query":\0}'],
    ['PUT', `/f/_doc/${'x'.repeat(600)}`, '{}'], ['PUT', '/f%00/_doc/1', '{}'], ['POST', '/f/_pit?keep_alive=100d'],
    ['POST', '/_search/scroll', '{"scroll_id":"zzzz","scroll":"1m"}'], ['POST', '/f/_search', '{"next_token":"zzzz","sort":["n"]}'],
    ['POST', '/_search', '{"pit":{"id":"zzzz"}}'], ['POST', '/f/_search', `{"query":{"bool":{"should":[${Array(1_200).fill('{"term":{"k":"a"}}').join()}]}}}`],
    ['POST', '/f/_search', '{"query":{"regexp":{"k":"((("}}}'], ['PUT', '/Bad', '{}'], ['PUT', '/m', '{"mappings":{"properties":{"a":{"type":"nope"}}}}'],
  ]; // biome-ignore format: a table
  for (const [method, path, body] of cases) {
    const reply = await ask(method, path, body).catch((error: Error) =>
      assert.fail(`${method} ${path.slice(0, 60)} ${String(body).slice(0, 80)}: ${error.message}`),
    );
    const what = `${method} ${path.slice(0, 60)} ${String(body).slice(0, 80)}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 200)}`;
    assert.ok(reply.status >= 400 && reply.status < 500, what);
    assert.ok(reply.body.error?.type !== undefined && reply.body.error.reason !== '', what);
  }
});

test('while an expensive request runs, a simple one that came later is answered', async () => {
  const many = (n: number, of: (i: number) => unknown): unknown[] =>
    Array.from({ length: n }, (_, i) => of(i));
  const nest = (depth: number): unknown =>
    depth === 0 ? { match_all: {} } : { bool: { must: [nest(depth - 1)] } };
  const expensive: Record<string, unknown> = {
    regexp: { query: { regexp: { 'k.keyword': { value: '(k|e|y|[0-9])*(k|e|y|[0-9])*9(k|[0-9]){1,30}' } } } },
    wildcard: { query: { wildcard: { 'k.keyword': { value: '*9*8*7*6*5*?*4*3*' } } } },
    fuzzy: { query: { fuzzy: { t: { value: 'w123456', fuzziness: 2, max_expansions: 1000 } } } },
    clauses: { query: { bool: { should: many(500, (i) => ({ match: { t: `w${i * 31} red` } })) } } },
    terms: { query: { terms: { 'k.keyword': many(60_000, (i) => `key${i}`) } } },
    nested: { query: nest(30) },
    deep: { from: 2_900, size: 100, sort: ['k.keyword'] },
    sorts: { sort: many(500, (i) => ({ [`zz${i}`]: { unmapped_type: 'long' } })) },
    page: { size: 3_000, sort: ['n'] },
  };
  for (const [what, body] of Object.entries(expensive)) {
    const passing = async (): Promise<number> => {
      let isOver = false;
      const slow = ask('POST', '/f/_search?timeout=60s', JSON.stringify(body)).finally(() => (isOver = true));
      let passed = 0;
      while (!isOver) {
        assert.equal((await ask('GET', '/f/_doc/1')).status, 200, what);
        if (!isOver) passed++;
      }
      const reply = await slow;
      assert.equal(reply.status, 200, `${what}: ${JSON.stringify(reply.body).slice(0, 300)}`);
      return passed;
    };
    if ((await passing()) > 0) continue;
    // The two longest: others may be over before anything else has come. So may these, but not each time.
    if (what === 'terms' || what === 'sorts')
      await eventually(async () => assert.ok((await passing()) > 0, `${what} held up whoever came later`));
  }
});

test('a bulk with a bad line leaves what came before it as the peer does, and nothing by halves', async () => {
  const good = (id: string): string => `{"index":{"_index":"b","_id":"${id}"}}\n{"n":1}\n`;
  const refused = [
    `${good('1')}{"index":{"_index":"b","_id":"2"}\n{"n":1}\n`,
    `${good('1')}{"nope":{}}\n{}\n`,
    `${good('1')}\0\n`,
    `${good('1')}{"index":{"_id":"3"}}`,
  ];
  for (const body of refused) {
    assert.equal((await ask('POST', '/_bulk', body)).status, 400, body);
    assert.equal((await ask('GET', '/b/_doc/1')).status, 404, body);
  }
  const mixed = await ask(
    'POST',
    '/_bulk',
    `${good('1')}{"index":{"_index":"b","_id":"2"}}\n{"n":\n${good('3')}`,
  );
  assert.equal(mixed.status, 200);
  assert.equal(mixed.body['errors'], true);
  assert.equal((await ask('GET', '/b/_count')).body['count'], 2);
});
