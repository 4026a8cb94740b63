// A request with an idempotency key gets 409 while another with the same key runs. Other keys and callers are
// not affected.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openRecords } from '@octavo/records';
import { server } from './ask.ts';
import { waiting } from './waiting-operation.ts';

const extraOperations = new URL('./waiting-operation.ts', import.meta.url).href;
const records = await openRecords(':memory:', { extraOperations });
after(() => records.close());
const { ask } = await server({ records });
for (const id of ['a', 'b']) {
  await ask('POST /api/accounts', { id, currency: 'EUR', allow_negative: true });
}

/** Runs `work` while the store does nothing but wait. */
async function whileBusy(work: () => Promise<void>): Promise<void> {
  const shared = new SharedArrayBuffer(4);
  const flag = new Int32Array(shared);
  const held = records.write(waiting, shared);
  while (Atomics.load(flag, 0) !== 1) await turn();
  try {
    await work();
  } finally {
    Atomics.store(flag, 0, 2);
    Atomics.notify(flag, 0);
  }
  await held;
}

for (const [what, line, body] of [
  ['a transfer', 'POST /api/transaction/?from=a&to=b&money=1', undefined],
  ['an item', 'POST /api/newsfeed', { author: 'ada', text: 'once' }],
] as const) {
  test(`${what}: 409 while the first runs, then its answer`, async () => {
    const headers = { 'idempotency-key': what };
    let first: ReturnType<typeof ask> | undefined;
    await whileBusy(async () => {
      const before = records.waiting!();
      first = ask(line, body, headers);
      while (records.waiting!() === before) await turn();
      for (let i = 0; i < 3; i++) {
        const second = await ask(line, body, headers);
        assert.deepEqual([second.status, second.body.code], [409, 'idempotency-key-in-use']);
        assert.equal(second.headers['content-type'], 'application/problem+json; charset=utf-8');
      }
    });
    const made = await first!;
    assert.equal(made.status, 201, made.text);
    const again = await ask(line, body, headers);
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [201, 'true']);
    assert.equal(again.text, made.text);
  });
}

test('each once, however many come at the same time', async () => {
  const before = (await ask('GET /api/accounts/b')).body.balance;
  const all = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      ask('POST /api/transaction/?from=a&to=b&money=1', undefined, { 'idempotency-key': `many-${i % 4}` }),
    ),
  );
  assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([201, 409]));
  const ids = new Set(all.filter(({ status }) => status === 201).map(({ body }) => body.id));
  assert.equal(ids.size, 4);
  assert.equal(Number((await ask('GET /api/accounts/b')).body.balance) - Number(before), 4);
});
