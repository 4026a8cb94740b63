// A server behind a proxy knows its clients, and its links lead back through the proxy: over Fastify, over
// the search wire, and over lanes.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, createServer as createHttp, type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openRecords, type Records } from '@octavo/records';
import { parseTrustedProxies } from '../src/access/callers/trusted-proxies.ts';
import { HttpClient } from '../src/cli/io/http-client.ts';
import { listen, type ServeOptions } from '../src/serve.ts';
import { server } from './ask.ts';
import { eventually } from './eventually.ts';
import { serveProcess } from './process.ts';

interface Said {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: replies are read by tests as they expect them
  readonly body: any;
}

type Send = (line: string, headers?: Record<string, string>, body?: unknown) => Promise<Said>;

/** A server over a store of its own that has a key where `keyed` says so. */
async function listening(
  options: ServeOptions & { readonly keyed?: boolean } = {},
): Promise<{ url: string; send: Send; token: string; lines: Record<string, unknown>[]; records: Records }> {
  const records = await openRecords(':memory:');
  after(() => records.close());
  const lines: Record<string, unknown>[] = [];
  const logStream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const { app, ask } = await server({ records, logLevel: 'info', logStream, ...options });
  for (const id of ['bank', 'ada'])
    await ask(`POST ${options.basePath ?? ''}/api/accounts`, { id, currency: 'EUR', allow_negative: true });
  const { token } =
    options.keyed === true
      ? (await ask(`POST ${options.basePath ?? ''}/api/keys`, { name: 'a', scopes: ['*'] })).body
      : { token: '' };
  const url = await listen(app, { port: 0 });
  return { url, send: sendTo(url), token, lines, records };
}

function sendTo(url: string): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  after(() => agent.destroy());
  return (line, headers = {}, body) =>
    new Promise((resolve, reject) => {
      const [method = 'GET', path = '/'] = line.split(' ');
      const payload = body === undefined ? '' : JSON.stringify(body);
      const all = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
      const call = request(url, { path, agent, method, headers: all }, (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        reply.on('end', () => {
          const isJson = /json/.test(reply.headers['content-type'] ?? '');
          const parsed = isJson && text !== '' ? JSON.parse(text) : undefined;
          resolve({ status: reply.statusCode!, headers: reply.headers, text, body: parsed });
        });
      });
      call.once('error', reject).end(payload);
    });
}

const PAY = 'POST /api/transaction?from=bank&to=ada&money=1';
/** Over Fastify, and in a lane. */
const WAYS = [PAY, 'GET /_cat/indices?format=json', 'GET /api/accounts', PAY];

test('without keys a request that comes from another machine through a proxy is refused on all ways', async () => {
  for (const trust of [undefined, parseTrustedProxies(['loopback'])]) {
    const { send } = await listening({ trust });
    for (const line of WAYS) {
      assert.ok((await send(line)).status < 300, line);
      assert.ok((await send(line, { 'x-forwarded-for': '127.0.0.1' })).status < 300, line);
      for (const headers of [
        { 'x-forwarded-for': '203.0.113.9' },
        { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' },
        { forwarded: 'for=203.0.113.9' },
        { 'x-forwarded-host': 'octavo.example' },
        { host: 'octavo.example' },
      ] as Record<string, string>[])
        assert.equal((await send(line, headers)).status, 403, `${line} ${JSON.stringify(headers)}`);
    }
  }
});

test('wrong keys are counted by the address of the client, and made-up addresses do not help', async () => {
  const wrong = { authorization: `Bearer octavo_x.${'y'.repeat(43)}` };
  const limits = { authFailures: 3 };
  const direct = await listening({ keyed: true, limits });
  const statuses = async (send: Send, address: (i: number) => string): Promise<number[]> => {
    const found: number[] = [];
    for (let i = 0; i < 5; i++)
      found.push((await send(WAYS[i % 3]!, { ...wrong, 'x-forwarded-for': address(i) })).status);
    return found;
  };
  assert.deepEqual(await statuses(direct.send, (i) => `203.0.113.${i}`), [401, 401, 401, 429, 429]);
  const behind = await listening({ keyed: true, limits, trust: parseTrustedProxies(['loopback']) });
  assert.deepEqual(await statuses(behind.send, (i) => `198.51.100.${i}`), [401, 401, 401, 401, 401]);
  assert.deepEqual(await statuses(behind.send, (i) => `10.0.0.${i}, 203.0.113.7`), [401, 401, 401, 429, 429]);
  const valid = { authorization: `Bearer ${behind.token}`, 'x-forwarded-for': '203.0.113.7' };
  for (const line of WAYS) assert.ok((await behind.send(line, valid)).status < 300);
});

test('lines tell the client and how it speaks', async () => {
  const said = { 'x-forwarded-for': '127.0.0.9', 'x-forwarded-proto': 'https' };
  for (const [options, expected] of [
    [{}, ['127.0.0.1', 'http']],
    [{ trust: parseTrustedProxies(['1']) }, ['127.0.0.9', 'https']],
  ] as const) {
    const { send, lines } = await listening(options);
    lines.length = 0;
    for (const line of WAYS) await send(line, said);
    await eventually(() => assert.equal(lines.length, WAYS.length));
    for (const { client, scheme } of lines) assert.deepEqual([client, scheme], expected);
  }
});

const post = (text: string): [string, Record<string, string>, object] => [
  'POST /octavo/api/newsfeed',
  {},
  { author: 'ada', text },
];

test('below a base path everything is there, and nothing outside', async () => {
  const { send, url } = await listening({ basePath: '/octavo' });
  for (const line of WAYS) {
    const inside = line.replace(' /', ' /octavo/');
    for (const each of [inside, inside.replace('/octavo/', '/%6fctavo/')])
      assert.ok((await send(each)).status < 300, each);
    for (const path of [' /', ' /Octavo/', ' //octavo/', ' /octavos/', ' /%4Fctavo/', ' /x/octavo/']) {
      const outside = await send(line.replace(' /', path));
      assert.deepEqual([outside.status, outside.body.code], [404, 'not-found'], path);
      assert.equal(outside.body.type, '/octavo/api/problems/not-found');
    }
  }
  assert.equal((await send('GET /octavo')).body.tagline, (await send('GET /octavo/?pretty')).body.tagline);
  assert.equal((await send('POST /', {}, { a: 1 })).headers.connection, 'close');
  assert.equal((await send('HEAD /elsewhere')).status, 404);

  // Where an answer leads, there is something.
  const made = await send(PAY.replace(' ', ' /octavo'));
  assert.equal((await send(`GET ${made.headers.location}`)).body.id, made.body.id);
  const item = await send(...post('one'));
  assert.equal((await send(`GET ${item.headers.location}`)).body.text, 'one');
  await send(...post('two'));
  const page = await send('GET /octavo/api/newsfeed?limit=1');
  const [, next = ''] = /<([^>]*)>; rel="next"/.exec(String(page.headers.link)) ?? [];
  assert.equal((await send(`GET ${next}`)).body.items[0].text, 'one');
  for (const line of ['GET /octavo/api/nothing', 'GET /octavo/api/newsfeed?limit=x', 'GET /octavo/api/%zz']) {
    const { type, code } = (await send(line)).body;
    assert.equal((await send(`GET ${type}`)).body.code, code);
  }
  const refused = await send(PAY.replace(' ', ' /octavo').replace('money=1', 'money=0'));
  assert.match(refused.body.type, /^\/octavo\/api\/problems\//);
  const document = await send('GET /octavo/api/openapi.json');
  assert.deepEqual(document.body.servers, [{ url: '/octavo' }]);
  const { text } = await send('GET /octavo/api/docs');
  const assets = [...text.matchAll(/(?:src|href)="(\/[^"]*)"|"url":"([^"]*)"/g)].map(([, a, b]) => a ?? b);
  assert.equal(assets.length, 3);
  for (const asset of assets) assert.equal((await send(`HEAD ${asset}`)).status, 200, asset);

  const client = new HttpClient(`${url}/octavo`);
  after(() => client.close());
  assert.match(String(await client.request('GET', '/api/accounts/bank')), /"bank"/);
});

test('a document that was made is found at its Location', async () => {
  const { send } = await listening({ basePath: '/a/b' });
  const made = await send('PUT /a/b/books/_doc/1', {}, { title: 'x' });
  assert.deepEqual([made.status, made.headers.location], [201, '/a/b/books/_doc/1']);
  const web = await send('PUT /a/b/books/_doc/2', { origin: 'http://localhost' }, { title: 'x' });
  assert.equal(web.status, 403);
});

test('a proxy that takes a prefix off says so, and answers lead through it', async () => {
  const { url } = await listening({ trust: parseTrustedProxies(['loopback']), basePath: '/inner' });
  const proxy = createHttp((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-prefix': '/outer',
      'x-forwarded-host': incoming.headers.host!,
    };
    const { method, url: asked = '/' } = incoming;
    const path = `/inner${asked.replace(/^\/outer/, '').replace(/^\/inner/, '')}`;
    incoming.pipe(
      request(url, { method: method!, path, headers }, (reply) => {
        outgoing.writeHead(reply.statusCode!, reply.headers);
        reply.pipe(outgoing);
      }),
    );
  }).listen(0, '127.0.0.1');
  after(() => proxy.close());
  await once(proxy, 'listening');
  const send = sendTo(`http://127.0.0.1:${(proxy.address() as { port: number }).port}`);
  const made = await send(PAY.replace(' ', ' /outer/inner'));
  assert.match(String(made.headers.location), /^\/outer\/inner\/api\/transactions\//);
  assert.equal((await send(`GET ${made.headers.location}`)).body.id, made.body.id);
  assert.deepEqual((await send('GET /outer/inner/api/openapi.json')).body.servers, [{ url: '/outer/inner' }]);
});

test('a prefix that nobody trusted says is nothing', async () => {
  const { send } = await listening();
  const made = await send(PAY, { 'x-forwarded-prefix': '/evil' });
  assert.match(String(made.headers.location), /^\/api\//);
});

test('flags and the configuration file say all of it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'octavo-proxies-'));
  after(() => rm(dir, { recursive: true, force: true }));
  const config = join(dir, 'octavo.yaml');
  await writeFile(config, 'trust-proxy: [loopback, 10.0.0.0/8]\nbase-path: /octavo/\nlog-level: info\n');
  const served = await serveProcess(join(dir, 'data'), ['--config', config]);
  assert.match(served.url, /^http:\/\/127\.0\.0\.1:\d+\/octavo$/);
  assert.equal((await served.ask('GET /api/health')).status, 200);
  const said = { 'x-forwarded-for': '127.0.0.8, 10.1.2.3', 'x-forwarded-proto': 'https' };
  assert.equal((await fetch(`${served.url}/_cat/indices`, { headers: said })).status, 403);
  assert.equal(await served.end(), 0);
  assert.match(
    served.stderr(),
    /"path":"\/_cat\/indices","status":403,.*"client":"127\.0\.0\.8","scheme":"https"/,
  );
  for (const flags of [
    ['--trust-proxy', 'everybody'],
    ['--trust-proxy', '1,loopback'],
    ['--base-path', 'octavo'],
    ['--proxy-header', 'via'],
  ])
    await assert.rejects(serveProcess(join(dir, 'no'), flags), { exitCode: 2 }, flags.join(' '));
});
