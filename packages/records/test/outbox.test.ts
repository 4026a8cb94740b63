// Events of documents share rows, and are numbered and paged as if each had its own, between events of all
// other kinds.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import {
  createAccount,
  type DocumentChange,
  emitDocumentEvents,
  eventsAfter,
  forgetEvents,
  postItem,
  type Records,
  type StoredEvent,
  transfer,
} from '../src/index.ts';
import { openStore } from './stores.ts';

const records = await openStore();
after(() => records.close());

const changes = (from: number, count: number): DocumentChange[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: (from + i) % 3 === 0 ? 'delete' : 'index',
    index: `books-${(from + i) % 2}`,
    id: `id ${from + i}`,
    seqNo: from + i,
    version: i + 1,
  }));

async function walked(store: Records, after: bigint, limit: number): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (let at = after; ; ) {
    const page = await store.read(eventsAfter, { after: at, limit });
    assert.ok(page.length <= limit);
    all.push(...page);
    if (page.length < limit) return all;
    at = page.at(-1)!.position;
  }
}

test('each change is an event with a position of its own, in order, and told when it is committed', async () => {
  const start = records.lastEvent();
  const heard: bigint[] = [];
  const stop = records.onEvents((upTo) => heard.push(upTo));
  await records.write(emitDocumentEvents, { changes: changes(0, 450) });
  stop();
  assert.equal(records.lastEvent(), start + 450n);
  assert.ok(heard.includes(start + 450n), 'although no other row was changed');
  const events = await records.read(eventsAfter, { after: start, limit: 1_000 });
  assert.deepEqual(
    events.map(({ position, type, subject, data }) => ({ position, type, subject, data })),
    changes(0, 450).map(({ kind, index, id, seqNo, version }, i) => ({
      position: start + BigInt(i) + 1n,
      type: kind === 'delete' ? 'document.deleted' : 'document.indexed',
      subject: `${index}/${id}`,
      data: { index, id, seq_no: seqNo, version },
    })),
  );
  assert.ok(events.every(({ time }) => Math.abs(time - Date.now()) < 60_000));
});

test('from any place, in pages of any size, nothing is missed and nothing comes twice', async () => {
  const start = records.lastEvent();
  await records.write(createAccount, { id: 'bank', currency: 'EUR', allowNegative: true });
  await records.write(createAccount, { id: 'ada', currency: 'EUR' });
  for (let i = 0; i < 12; i++) {
    await records.write(emitDocumentEvents, { changes: changes(i * 100, [1, 7, 230][i % 3]!) });
    await records.write(postItem, { feed: '', draft: { author: 'ada', text: `post ${i}` } });
    await Promise.all(
      [1, 2, 3].map(() => records.write(transfer, { from: 'bank', to: 'ada', money: '1.00' })),
    );
  }
  const whole = await walked(records, start, 5_000);
  assert.deepEqual(
    whole.map(({ position }) => position),
    whole.map((_, i) => start + BigInt(i) + 1n),
  );
  assert.equal(whole.filter(({ type }) => type.startsWith('document.')).length, 4 * 238);
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length), fc.integer({ min: 1, max: 300 }), async (skipped, limit) => {
      const rest = await walked(records, start + BigInt(skipped), limit);
      assert.deepEqual(rest, whole.slice(skipped));
    }),
    { numRuns: 30 },
  );
});

test('what is too old goes with its row', async () => {
  const keep = 10;
  const last = records.lastEvent();
  while ((await records.write(forgetEvents, { olderThan: 0, keep, limit: 100 })) === 100);
  const left = await walked(records, 0n, 1_000);
  assert.ok(left.length >= keep && left.length < 250, String(left.length));
  assert.equal(left.at(-1)!.position, last);
});
