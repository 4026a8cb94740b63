// What is a caller told whose request takes too long? 503 `timeout`, at its time; the connection goes on, and what
// became of the write is told to who sends it again with its key.

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openRecords } from '@octavo/records';
import { listen } from '../src/serve.ts';
import { askOver } from './ask.ts';
import { fakeEngine } from './fake-engine.ts';
import { waiting } from './waiting-operation.ts';

const extraOperations = new URL('./waiting-operation.ts', import.meta.url).href;
const records = await openRecords(':memory:', { extraOperations });
after(() => records.close());
const { app } = await askOver(fakeEngine(), { records, limits: { apiTimeMs: 1_500 } });
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

test('a write that waits is answered in time, happens once, and is told of', async () => {
  const shared = new SharedArrayBuffer(4);
  const flag = new Int32Array(shared);
  const held = records.write(waiting, shared);
  while (Atomics.load(flag, 0) !== 1) await turn();
  let late: Awaited<ReturnType<typeof post>>;
  try {
    late = await post('a');
    // What needs no store is answered meanwhile.
    assert.equal((await fetch(`${url}/api/health`)).status, 200);
  } finally {
    Atomics.store(flag, 0, 2);
    Atomics.notify(flag, 0);
  }
  await held;
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
