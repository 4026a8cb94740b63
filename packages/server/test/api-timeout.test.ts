// A request that takes too long gets 503 `timeout` at its time. The connection goes on, and a repeated
// request with the same key gets the result of the write.

import assert from 'node:assert/strict';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openRecords } from '@octavo/records';
import { listen } from '../src/serve.ts';
import { server } from './ask.ts';
import { waiting } from './waiting-operation.ts';

const extraOperations = new URL('./waiting-operation.ts', import.meta.url).href;
const records = await openRecords(':memory:', { extraOperations });
after(() => records.close());
const { app, ask } = await server({ records, limits: { apiTimeMs: 1_500 } });
await listen(app, { port: 0 });
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

async function post(
  key: string,
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const reply = await fetch(`${url}/api/newsfeed`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ author: 'ada', text: key }),
  });
  return { status: reply.status, headers: reply.headers, body: (await reply.json()) as never };
}

/** Keeps the store busy while `during` runs. */
async function whileBusy<T>(during: () => Promise<T>): Promise<T> {
  const shared = new SharedArrayBuffer(4);
  const flag = new Int32Array(shared);
  const held = records.write(waiting, shared);
  while (Atomics.load(flag, 0) !== 1) await turn();
  try {
    return await during();
  } finally {
    Atomics.store(flag, 0, 2);
    Atomics.notify(flag, 0);
    await held;
  }
}

test('a write that waits is answered in time, happens once, and is told of', async () => {
  const late = await whileBusy(async () => {
    const answer = await post('a');
    // What needs no store is answered meanwhile.
    assert.equal((await fetch(`${url}/api/health`)).status, 200);
    return answer;
  });
  assert.deepEqual([late.status, late.body['code']], [503, 'timeout']);
  assert.match(String(late.body['detail']), /1500 ms.*Idempotency-Key/);
  assert.equal(late.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  assert.notEqual(late.headers.get('retry-after'), null);
  let again = await post('a');
  while (again.status === 409) again = await post('a');
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true']);
  const { items } = (await (await fetch(`${url}/api/newsfeed`)).json()) as { items: unknown[] };
  assert.equal(items.length, 1);
});

test('so is a transfer on each of its three ways, and its connection goes on', async () => {
  for (const [id, more] of Object.entries({ bank: { allow_negative: true }, bob: {} }))
    await ask('POST /api/accounts', { id, currency: 'EUR', ...more });
  const path = (key: string): string => `/api/transaction?from=bank&to=bob&money=1&reference=${key}`;
  const socket = (): Talk => new Talk(Number(new URL(url).port));
  const [lane, handed] = [socket(), socket()];
  assert.match(await handed.ask('GET', '/api/health'), /^HTTP\/1.1 200 /);
  const [first, second, long] = await whileBusy(() =>
    Promise.all([
      lane.ask('POST', path('k-1'), 'k-1'),
      handed.ask('POST', path('k-2'), 'k-2'),
      ask(`POST ${path('k-3')}`, undefined, { 'idempotency-key': 'k-3' }),
    ]),
  );
  assert.equal(long.status, 503);
  const { instance, ...said } = long.body;
  for (const answer of [first, second]) {
    assert.match(answer, /^HTTP\/1.1 503 Service Unavailable\r\n/);
    assert.match(answer, /\r\nretry-after: 1\r\n/);
    const { instance: other, ...body } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
    assert.deepEqual(body, said);
    assert.notEqual(other, instance);
  }
  for (const [talk, key] of [
    [lane, 'k-1'],
    [handed, 'k-2'],
  ] as const) {
    let again = await talk.ask('POST', path(key), key);
    while (again.startsWith('HTTP/1.1 409')) again = await talk.ask('POST', path(key), key);
    assert.match(again, /^HTTP\/1.1 201 Created\r\n[\s\S]*idempotent-replayed: true/);
    talk.close();
  }
  assert.equal((await ask('GET /api/accounts/bob')).body.balance_minor, '300');
});

/** A connection that asks one thing after another. */
class Talk {
  readonly #socket: Socket;
  #answer: (text: string) => void = () => undefined;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.setEncoding('utf8').on('data', (text: string) => this.#answer(text));
  }

  ask(method: string, path: string, key?: string): Promise<string> {
    const more = key === undefined ? '' : `Idempotency-Key: ${key}\r\n`;
    this.#socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`);
    return new Promise((resolve) => (this.#answer = resolve));
  }

  close(): void {
    this.#socket.destroy();
  }
}
