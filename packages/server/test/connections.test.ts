// What a client can occupy by connecting and by not reading: connections beyond the limit do not disturb
// others, half-open ones end by themselves, and a client that does not read gets one answer's worth of memory
// before it is cut.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as secure } from 'node:tls';
import type { SearchPage, SearchRequest } from '@octavo/engine';
import { createServer, listen } from '../src/serve.ts';
import { eventually } from './eventually.ts';
import { ownEngine } from './own-engine.ts';

const CONNECTIONS = 12;
const HITS = 10_000;

const { engine, end } = await ownEngine();
const app = await createServer(engine, {
  limits: {
    ...{ connections: CONNECTIONS, headersTimeoutMs: 1_500, requestTimeoutMs: 3_000 },
    ...{ connectionsCheckMs: 50, writeIdleTimeoutMs: 2_000 },
  },
});
const url = new URL(await listen(app, { port: 0 }));
/** One connection that is kept and served all along. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
after(async () => {
  agent.destroy();
  await app.close();
  await end();
});

async function ask(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
  const sent = request(new URL(path, url), {
    agent,
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
  });
  sent.end(body);
  const [reply] = await once(sent, 'response');
  let text = '';
  for await (const part of reply) text += part;
  return { status: reply.statusCode, text };
}

function dial(): Socket {
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => {});
  return socket;
}

/** Everything until the connection ends. */
function heard(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (data) => (text += data));
  // A dropped connection ends in an error, which is no news here.
  return new Promise((resolve) => socket.once('close', () => resolve(text)));
}

/** A server that is to close, over an engine that outlives it, and where it listens. */
async function ownServer(options: Parameters<typeof createServer>[1] = {}): Promise<{
  own: Awaited<ReturnType<typeof ownEngine>>;
  closing: Awaited<ReturnType<typeof createServer>>;
  at: URL;
}> {
  const own = await ownEngine();
  const closing = await createServer(own.engine, options);
  return { own, closing, at: new URL(await listen(closing, { port: 0 })) };
}

const http = async (): Promise<{ current_open: number; dropped: number }> => {
  const { nodes } = JSON.parse((await ask('GET', '/_nodes/stats/http')).text);
  return (Object.values(nodes)[0] as { http: { current_open: number; dropped: number } }).http;
};

before(async () => {
  const filler = 'lorem ipsum '.repeat(160);
  for (let at = 0; at < HITS; at += 1_000) {
    let body = '';
    for (let i = at; i < at + 1_000; i++)
      body += `{"index":{"_id":"${i}"}}\n${JSON.stringify({ n: i, filler })}\n`;
    assert.equal((await ask('POST', '/c/_bulk', body)).status, 200);
  }
});

test('half-open connections beyond the limit are refused and counted; who is served is served on', async () => {
  const halfOpen = Array.from({ length: CONNECTIONS * 2 }, (_, i) => {
    const socket = dial();
    // Every other one says nothing at all.
    if (i % 2 === 0) socket.write('GET /c/_count HTTP/1.1\r\nhost: localhost\r\n');
    return heard(socket);
  });
  let over = false;
  const ended = Promise.all(halfOpen).finally(() => (over = true));
  while (!over) {
    const now = await http();
    assert.ok(now.current_open <= CONNECTIONS, `${now.current_open} open`);
  }
  assert.ok((await http()).dropped > 0);
  const answers = await ended;
  for (const answer of answers) assert.match(answer, /^(HTTP\/1\.1 (408|503) .*)?$/s);
  for (const status of [408, 503])
    assert.ok(
      answers.some((answer) => answer.startsWith(`HTTP/1.1 ${status} `)),
      String(status),
    );
  // The half-open ones have been timed out: there is room again, once the server has seen that they are closed.
  await eventually(async () => assert.equal((await http()).current_open, 1));
  const socket = dial();
  socket.write('GET /c/_count HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
  assert.match(await heard(socket), /^HTTP\/1\.1 200 .*"count":10000/s);
});

test('who does not read holds one answer, starts nothing more, holds up nobody, and is cut', async (t) => {
  const search = engine.searchPage.bind(engine);
  const scroll = `GET /c/_search?scroll=1m&size=${HITS} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
  const put = 'PUT /late/_doc/1 HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}';
  const before = process.memoryUsage().arrayBuffers;
  const accepted = once(app.server, 'connection');
  const socket = dial();
  socket.pause();
  let asked = 0;
  t.mock.method(engine, 'searchPage', (wanted: SearchRequest, read: (page: SearchPage) => unknown) => {
    if (wanted.size === HITS) asked++;
    return search(wanted, read);
  });
  // In one packet, as nobody would who waits for answers.
  socket.write(scroll.repeat(40) + put);
  await accepted;
  await eventually(() => assert.equal(asked, 1));
  let most = 0;
  for (let open = 2; open > 1; open = (await http()).current_open) {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    assert.match((await ask('GET', '/c/_count')).text, /"count":10000/);
    await new Promise((wake) => setTimeout(wake, 20));
  }
  await new Promise((wake) => setTimeout(wake, 300));
  assert.equal(asked, 1);
  assert.equal((await ask('GET', '/late/_doc/1')).status, 404);
  // An answer is 20 MB; forty would be 800.
  assert.ok(most < 300e6, `${most} bytes`);
  socket.destroy();
});

test('who reads slowly but reads is served to the end', async () => {
  const socket = dial();
  socket.write(`GET /c/_search?size=${HITS} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
  let bytes = 0;
  let text = '';
  socket.on('data', (data) => {
    bytes += data.length;
    text = data.toString();
    if (bytes % 8 !== 0) return;
    socket.pause();
    setTimeout(() => socket.resume(), 20);
  });
  await once(socket, 'close');
  assert.ok(bytes > 19e6, `${bytes} bytes`);
  assert.ok(text.endsWith('}'));
});

test('requests sent without waiting are answered in order', async () => {
  const socket = dial();
  const one = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${more}\r\n`;
  socket.write(one('/c/_doc/1') + one('/nowhere/_doc/1') + one('/c/_doc/2', 'connection: close\r\n'));
  const statuses = (await heard(socket)).match(/HTTP\/1\.1 \d+/g);
  assert.deepEqual(statuses, ['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
});

test('what cannot be read is refused behind the answers to what came before it, and once', async () => {
  const put = (id: string, body = '{"n":1}'): string =>
    `PUT /refused/_doc/${id} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
    `content-length: ${body.length}\r\n\r\n${body}`;
  const chunked =
    'PUT /refused/_doc/half HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n' +
    'transfer-encoding: chunked\r\n\r\n5\r\n{"n":\r\nzz\r\n1}\r\n0\r\n\r\n';
  const cases: [sent: string[], statuses: string[]][] = [
    [[`${put('a')}GARBAGE\r\n\r\n`], ['201', '400']],
    [
      [`${put('b')}${put('c')}GARBAGE\r\n`, 'more of it\r\n\r\n'],
      ['201', '201', '400'],
    ],
    [[`${put('d')}${chunked}`], ['201', '400']],
    [[chunked], ['400']],
    [['GARBAGE\r\n\r\n', 'more of it\r\n\r\n'], ['400']],
  ];
  for (const [sent, statuses] of cases) {
    const socket = dial();
    const answers = heard(socket);
    for (const each of sent) socket.write(each);
    const found = (await answers).match(/(?<=HTTP\/1\.1 )\d+/g);
    assert.deepEqual(found, statuses, sent.join(''));
  }
  for (const id of ['a', 'b', 'c', 'd'])
    assert.equal((await ask('GET', `/refused/_doc/${id}`)).status, 200, id);
  assert.equal((await ask('GET', '/refused/_doc/half')).status, 404);
});

test('a server that closes does not wait for connections that have asked nothing', {
  timeout: 900_000,
}, async () => {
  const closing = await createServer(engine);
  const { port, hostname } = new URL(await listen(closing, { port: 0 }));
  const accepted = once(closing.server, 'connection');
  const silent = connect(Number(port), hostname);
  await accepted;
  const gone = once(silent.resume(), 'close');
  await closing.close();
  await gone;
});

test('a server that closes does not wait for a connection whose last answer left meanwhile', {
  timeout: 20_000,
}, async () => {
  const { engine: own, end: endOwn } = await ownEngine();
  const closing = await createServer(own);
  const { port } = new URL(await listen(closing, { port: 0 }));
  // A long body comes in pieces: its request is under way when the server closes.
  const line = '{"index":{"_index":"late"}}\n{"a":1}\n';
  const body = line.repeat(20_000);
  const socket = connect(Number(port), '127.0.0.1');
  const answer = once(socket, 'data');
  const gone = once(socket, 'close');
  const half = body.length >> 1;
  socket.write(
    `POST /_bulk HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.slice(0, half));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const closed = closing.close();
  await new Promise((resolve) => setTimeout(resolve, 100));
  socket.write(body.slice(half));
  const [first] = await answer;
  assert.match(String(first), /^HTTP\/1\.1 200 /);
  // The client says nothing more, and does not hang up.
  await closed;
  await gone;
  await endOwn();
});

for (const [kind, length] of [
  ['short', 30_000],
  ['long', 300_000],
] as const) {
  test(`a server that closes waits for a ${kind} body that comes, and not for one that has stopped`, {
    timeout: 60_000,
  }, async () => {
    const { own, closing, at } = await ownServer();
    const body = `{"index":{"_index":"late","_id":"1"}}\n{"text":"${'x'.repeat(length)}"}\n`;
    const head = `POST /_bulk HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\ncontent-length: ${body.length}\r\n\r\n`;
    const [stopped, going] = [0, 1].map(() => connect(Number(at.port), at.hostname)) as [Socket, Socket];
    stopped.on('error', () => {});
    const [ofStopped, ofGoing] = [heard(stopped), heard(going)];
    const half = length / 3;
    for (const socket of [stopped, going]) socket.write(head + body.slice(0, half));
    await sleep(100);
    const closed = closing.close();
    const step = length / 15;
    for (let from = half; from < body.length; from += step) {
      await sleep(200);
      going.write(body.slice(from, from + step));
    }
    assert.match(await ofGoing, /^HTTP\/1.1 200 /);
    assert.equal(await ofStopped, '');
    await closed;
    await own.end();
  });
}

test('a server that closes answers what it has been asked wholly, before what stopped behind it', {
  timeout: 60_000,
}, async () => {
  const { own, closing, at } = await ownServer();
  const { write } = own.engine;
  let goOn = (): void => {};
  const isSlow = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  own.engine.write = async (...asked) => {
    await isSlow;
    return await write.apply(own.engine, asked);
  };
  const head =
    'POST /_bulk HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\ncontent-length: ';
  const bulk = (length: number): string =>
    `{"index":{"_index":"slow","_id":"1"}}\n{"text":"${'x'.repeat(length)}"}\n`;
  const whole = (length: number): string => `${head}${bulk(length).length}\r\n\r\n${bulk(length)}`;
  const halves = [whole(300_000).slice(0, 90_000), 'GET / HTTP/1.1\r\nhos'];
  const clients = halves.map((half) => {
    const client = connect(Number(at.port), at.hostname);
    client.write(whole(100_000) + half);
    return heard(client);
  });
  await sleep(300);
  const closed = closing.close();
  // Longer than who sends nothing is waited for.
  await sleep(1_500);
  goOn();
  for (const answer of await Promise.all(clients)) assert.match(answer, /^HTTP\/1.1 200 .*"errors":false/s);
  await closed;
  await own.end();
});

test('a server that closes waits for nobody who stops in the head of a later request', {
  timeout: 60_000,
}, async () => {
  const { own, closing, at } = await ownServer();
  // The second is one for node:http from its first request on.
  const firsts = [
    'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ];
  const clients = firsts.map((first) => {
    const client = connect(Number(at.port), at.hostname, () => client.write(first));
    const whole = heard(client);
    client.once('data', () => client.write('GET / HTTP/1.1\r\nhos'));
    client.on('error', () => {});
    return whole;
  });
  await sleep(300);
  await closing.close();
  for (const answer of await Promise.all(clients)) assert.match(answer, /^HTTP\/1.1 200 /);
  await own.end();
});

test('nor for who sends a byte now and then', { timeout: 20_000 }, async () => {
  const { own, closing, at } = await ownServer();
  const client = connect(Number(at.port), at.hostname);
  client.on('error', () => {});
  client.write(
    'POST /_bulk HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\ncontent-length: 900000\r\n\r\n',
  );
  const dripping = setInterval(() => client.write('x'), 200);
  await sleep(300);
  await closing.close();
  clearInterval(dripping);
  client.destroy();
  await own.end();
});

test('nor, over TLS, for who has shaken no hands', { timeout: 60_000 }, async () => {
  const own = await ownEngine();
  const folder = join(import.meta.dirname, 'fixtures/tls');
  const tls = {
    cert: readFileSync(join(folder, 'a.crt')),
    key: readFileSync(join(folder, 'a.key')),
  };
  const closing = await createServer(own.engine, { tls });
  const at = new URL(await listen(closing, { port: 0 }));
  const silent = connect(Number(at.port), at.hostname);
  silent.on('error', () => {});
  const ended = heard(silent);
  const done = secure({ port: Number(at.port), host: at.hostname, rejectUnauthorized: false });
  done.on('error', () => {});
  await once(done, 'secureConnect');
  done.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await once(done, 'data');
  done.write('GET / HTTP/1.1\r\nhos');
  await sleep(100);
  await closing.close();
  assert.equal(await ended, '');
  await own.end();
});
