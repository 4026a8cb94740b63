// A lane and node:http answer a connection with the same bytes: requests whole, in parts, pipelined, of
// different kinds one after another, from clients that close early or late.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { openRecords } from '@octavo/records';
import fc from 'fast-check';
import { server } from '../../../test/ask.ts';
import { eventually } from '../../../test/eventually.ts';
import { listen } from '../../serve.ts';
import { PlainHeadReader } from './request-head.ts';

const records = await openRecords(':memory:');
const { ask, app } = await server({ records });
let port = 0;

before(async () => {
  port = Number(new URL(await listen(app, { port: 0 })).port);
  await ask('POST /api/accounts', { id: 'bank', currency: 'EUR', allow_negative: true });
  await ask('POST /api/accounts', { id: 'ada', currency: 'EUR' });
});
after(async () => {
  await app.close();
  await records.close();
});

const PAY = 'POST /api/transaction?from=bank&to=ada&money=0.01';
const pay = (more = '', query = ''): string =>
  `${PAY}${query} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n${more}\r\n`;
const health = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n';

const open = (to = port): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port: to, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });

/** Statuses of the first `count` answers. */
const statuses = (socket: Socket, count: number): Promise<number[]> =>
  new Promise((resolve, reject) => {
    let text = '';
    const found = (): number[] =>
      [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
    socket.on('data', (bytes) => {
      text += bytes.toString('utf8');
      // The last answer is whole when its body has ended.
      if (found().length >= count && /\}\s*$/.test(text)) resolve(found());
    });
    socket.once('close', () =>
      found().length >= count ? resolve(found()) : reject(new Error(`closed after ${text}`)),
    );
  });

/** Sends parts, each in a packet of its own, and waits for so many answers. */
const talk = async (parts: readonly string[], answers: number): Promise<number[]> => {
  const socket = await open();
  const done = statuses(socket, answers);
  for (const part of parts) {
    socket.write(part);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const found = await done;
  socket.destroy();
  return found;
};

const balance = async (): Promise<number> => Number((await ask('GET /api/accounts/ada')).body.balance_minor);

test('whole requests, one after another', async () => {
  const had = await balance();
  assert.deepEqual(await talk([pay(), pay(), pay()], 3), [201, 201, 201]);
  assert.equal(await balance(), had + 3);
});

test('requests in parts, many at once, and of different kinds', async () => {
  const had = await balance();
  const whole = pay();
  assert.deepEqual(await talk([whole.slice(0, 3), whole.slice(3, 60), whole.slice(60)], 1), [201]);
  assert.deepEqual(await talk([pay() + pay() + pay()], 3), [201, 201, 201]);
  assert.deepEqual(await talk([pay() + pay().slice(0, 20), pay().slice(20)], 2), [201, 201]);
  assert.deepEqual(await talk([pay(), health, pay(), health], 4), [201, 200, 201, 200]);
  assert.deepEqual(await talk([health, pay()], 2), [200, 201]);
  assert.deepEqual(await talk([pay() + health], 2), [201, 200]);
  assert.equal(await balance(), had + 10);
  const body = '{"from":"bank","to":"ada","money":"0.01"}';
  const byBody = `POST /api/transaction HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  assert.deepEqual(await talk([pay(), byBody, body, pay()], 3), [201, 201, 201]);
  assert.equal(await balance(), had + 13);
});

test('a thousand sent ahead come in order, each once', async () => {
  const had = await balance();
  const all = await talk([pay(), pay().repeat(500), pay().repeat(499)], 1_000);
  assert.ok(all.every((status) => status === 201));
  assert.equal(await balance(), had + 1_000);
});

test('mistakes are answered by those who know their words', async () => {
  assert.deepEqual(await talk([pay('', '&money=1')], 1), [400]);
  // Two hosts: nobody knows which one is meant.
  assert.deepEqual(await talk([pay('Host: other\r\n')], 1), [400]);
  assert.deepEqual(await talk([pay('Transfer-Encoding: x\r\n')], 1), [400]);
  assert.deepEqual(await talk(['nonsense\r\n\r\n'], 1), [400]);
  assert.deepEqual(await talk([pay(), 'nonsense\r\n\r\n'], 2), [201, 400]);
  assert.deepEqual(await talk([`${PAY} HTTP/1.1\r\n\r\n`], 1), [400]);
  assert.deepEqual(await talk([`${PAY} HTTP/1.0\r\nHost: localhost\r\n\r\n`], 1), [201]);
});

test('a client that has sent all it will still gets its answer; one that wants to close is closed', async () => {
  for (const more of ['', 'Connection: close\r\n']) {
    const socket = await open();
    const done = statuses(socket, 1);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    if (more === '') socket.end('GET /_count HTTP/1.1\r\nHost: localhost\r\n\r\n');
    else socket.write(pay(more));
    assert.deepEqual(await done, [more === '' ? 200 : 201]);
    await closed;
  }
});

test('a search sees that its client has gone: the system shows only that it has ended its side', async () => {
  const { app: own, engine } = await server({ records });
  const to = Number(new URL(await listen(own, { port: 0 })).port);
  await engine.write([{ kind: 'index', index: 'long', id: '1', source: Buffer.from('{}') }]);
  const find = engine.searchPage.bind(engine);
  let caller: { readonly hasHungUp: boolean } | undefined;
  engine.searchPage = async (request, read) => {
    caller = request.caller;
    await eventually(() => assert.ok(caller?.hasHungUp));
    return await find(request, read);
  };
  const socket = await open(to);
  socket.write('GET /long/_search HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await eventually(() => assert.equal(caller?.hasHungUp, false));
  socket.destroy();
  await eventually(() => assert.equal(caller?.hasHungUp, true));
  await own.close();
});

test('a server that closes answers what is under way and ends its connections', async () => {
  const { app: own } = await server({ records });
  const to = Number(new URL(await listen(own, { port: 0 })).port);
  const silent = await open(to);
  const idle = await open(to);
  const first = statuses(idle, 1);
  idle.write(pay());
  await first;
  const busy = await open(to);
  const last = statuses(busy, 1);
  const ended = [silent, idle, busy].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  busy.write(pay());
  // It is under way when the server has it.
  await new Promise((resolve) => setTimeout(resolve, 1));
  const [answers] = await Promise.all([
    // Not answered is only who had not been heard yet.
    last.catch((error: Error) => assert.match(error.message, /^closed after $/)),
    own.close(),
  ]);
  if (answers !== undefined) assert.deepEqual(answers, [201]);
  await Promise.all(ended);
});

test('after "close" nothing more is done, and a client that stays does not hold up the end', async () => {
  const { app: own } = await server({ records });
  const to = Number(new URL(await listen(own, { port: 0 })).port);
  const had = await balance();
  let answered = 0;
  const sockets = await Promise.all(
    Array.from({ length: 8 }, async () => {
      // It sends on after an answer, and does not close when the server does.
      const socket = connect({ port: to, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        answered += bytes.toString('latin1').split('HTTP/1.1 201').length - 1;
        socket.write(pay());
      });
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(pay());
      return socket;
    }),
  );
  // Under way: some have sent again after an answer.
  await eventually(() => assert.ok(answered > 100));
  await own.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  // Answers may be lost on the way to a socket that still sends; nothing may be done beyond the last of each.
  assert.ok((await balance()) - had - answered <= 8);
  for (const socket of sockets) socket.destroy();
});

test('heads beyond the limits are answered by those who know them; an empty body may be spelt 00', async () => {
  const limits = { headerBytes: 2_000 };
  const { app: own } = await server({ records, limits });
  const to = Number(new URL(await listen(own, { port: 0 })).port);
  const socket = await open(to);
  const done = statuses(socket, 1);
  socket.write(pay(`X-Long: ${'a'.repeat(5_000)}\r\n`));
  assert.deepEqual(await done, [431]);
  await own.close();
  assert.deepEqual(
    await talk([`${PAY} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 00\r\n\r\n`], 1),
    [201],
  );
  const search = 'POST /_search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 00\r\n\r\n';
  assert.deepEqual(await talk([search], 1), [200]);
});

test('silent and idle connections are closed in time', async () => {
  const limits = { headersTimeoutMs: 300, keepAliveTimeoutMs: 300, connectionsCheckMs: 100 };
  const { app: own } = await server({ records, limits });
  const to = Number(new URL(await listen(own, { port: 0 })).port);
  const silent = await open(to);
  const idle = await open(to);
  const closed = [silent, idle].map((socket) => {
    socket.resume();
    return new Promise((resolve) => socket.once('close', resolve));
  });
  idle.write(pay());
  await Promise.all(closed);
  await own.close();
});

test('a request that does not come whole is given up in time, or when its client ends', async () => {
  const limits = { requestTimeoutMs: 300, connectionsCheckMs: 100 };
  const { app: own } = await server({ records, limits });
  const slow = await open(Number(new URL(await listen(own, { port: 0 })).port));
  // Where there is time: however slow the machine is, its end comes first.
  const ended = await open();
  const said = [slow, ended].map((socket) => statuses(socket, 1));
  const closed = [slow, ended].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  const half = 'POST /_search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{';
  slow.write(half);
  ended.end(half);
  assert.deepEqual(await Promise.all(said), [[408], [400]]);
  await Promise.all(closed);
  await own.close();
});

test('who asks again and does not read is answered no further than its socket holds, and then cut', async () => {
  const { app: own, engine } = await server({ records, limits: { writeIdleTimeoutMs: 400 } });
  const to = Number(new URL(await listen(own, { port: 0 })).port);
  const source = Buffer.from(`{"text":"${'x'.repeat(4_000_000)}"}`);
  await engine.write([{ kind: 'index', index: 'long', id: '1', source }]);
  const get = 'GET /long/_doc/1 HTTP/1.1\r\nHost: localhost\r\n\r\n';
  let got = 0;
  const find = engine.get.bind(engine);
  engine.get = (...asked) => {
    got++;
    return find(...asked);
  };
  const accepted = once(own.server, 'connection') as Promise<[Socket]>;
  const socket = await open(to);
  const [itsEnd] = await accepted;
  const cut = new Promise((resolve) => itsEnd.once('close', resolve));
  socket.pause();
  socket.write(get);
  await eventually(() => assert.ok(got >= 1));
  for (let i = 0; i < 40; i++) {
    socket.write(get);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await cut;
  assert.ok(got <= 4, `${got} were answered`);
  socket.destroy();
  await own.close();
});

test('no bytes that Node would read in another way are plain', () => {
  const piece = fc.constantFrom(
    'POST ',
    'GET ',
    '/api/transaction?a=1',
    ' ',
    ' HTTP/1.1\r\n',
    'Host: a\r\n',
    'host:b\r\n',
    'Content-Length: 0\r\n',
    'Content-Length: 5\r\n',
    'Transfer-Encoding: chunked\r\n',
    'X: y\r\n',
    ' folded\r\n',
    'X : y\r\n',
    '\r\n',
    '\n',
    '\u0000',
  );
  const plain =
    /^(?:POST|GET) \/api\/transaction\?a=1 HTTP\/1\.1\r\n(?:(?:Host: a|host:b|Content-Length: [05]|X: y)\r\n)+\r\n/;
  // Whatever it has read before.
  const used = new PlainHeadReader(16_384);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
      const text = pieces.join('');
      const head = new PlainHeadReader(16_384).read(Buffer.from(text, 'latin1'));
      assert.deepEqual(used.read(Buffer.from(text, 'latin1')), head);
      const lines = text.slice(0, text.indexOf('\r\n\r\n')).toLowerCase();
      const times = (name: string): number => lines.split(`\n${name}:`).length - 1;
      const isPlain =
        plain.test(text) && times('host') === 1 && times('content-length') <= 1 && times('x') <= 1;
      assert.equal(head !== undefined, isPlain, JSON.stringify(text));
      if (head === undefined) return;
      assert.equal(head.headBytes, text.indexOf('\r\n\r\n') + 4);
      assert.equal(head.bodyBytes, lines.includes('content-length: 5') ? 5 : 0);
    }),
    { numRuns: 2_000 },
  );
});
