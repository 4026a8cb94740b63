// An intent stays until its events are emitted or somebody has looked, and goes in the same commit.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  beginIntents,
  type DocumentChange,
  dueIntents,
  emitDocumentEvents,
  eventsAfter,
  type Intent,
  lastFollowed,
  recordFollower,
  takeIntents,
} from '../src/index.ts';
import { openStore } from './stores.ts';

const records = await openStore();
after(() => records.close());

const HOUR = 3_600_000;
const due = async (): Promise<number> => await records.read(dueIntents, { limit: 100 });
const take = async (): Promise<string[]> =>
  (await records.write(takeIntents, { limit: 100, leaseMs: HOUR })).map(({ id }) => id).sort();

test('a note comes back as it was made, once its time is over, and to one who looks', async () => {
  const intents: Intent[] = [
    {
      id: 'a',
      documents: [
        { kind: 'index', index: 'books', id: '1' },
        { kind: 'create', index: 'books', id: 'é\u0000"', routing: 'r' },
        { kind: 'update', index: 'shelf', id: '3' },
        { kind: 'delete', index: 'shelf', id: '4' },
      ],
    },
    { id: 'b', query: { by: 'delete_by_query', indices: ['books', 'shelf'], task: 'n:1' } },
  ];
  await records.write(beginIntents, { intents, leaseMs: HOUR });
  assert.equal(await due(), 0, 'they belong to who made them');
  const late = intents.map((intent) => ({ ...intent, id: `late ${intent.id}` }));
  await records.write(beginIntents, { intents: late, leaseMs: 0 });
  assert.equal(await due(), 2);
  const taken = await records.write(takeIntents, { limit: 100, leaseMs: HOUR });
  assert.deepEqual(
    taken.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ since: _, ...intent }) => intent),
    late,
  );
  for (const { since } of taken) assert.ok(since !== undefined && Math.abs(since - Date.now()) < HOUR);
  assert.deepEqual([await due(), await take()], [0, []], 'another one finds none');
  await records.write(emitDocumentEvents, {
    changes: [],
    ended: ['a', 'b', 'late a', 'late b', 'never there'],
  });
});

test('a note goes in the commit that tells, and no other does', async () => {
  const start = records.lastEvent();
  const documents = [{ kind: 'index', index: 'books', id: '1' }] as const;
  const intents = ['x', 'y', 'z'].map((id) => ({ id, documents }));
  await records.write(beginIntents, { intents, leaseMs: 0 });
  const changes: DocumentChange[] = [
    { kind: 'index', index: 'books', id: '1', seqNo: 4, version: 2 },
    { kind: 'delete', index: 'books', id: '2', seqNo: undefined, version: undefined },
  ];
  const queries = [{ index: 'books', by: 'reindex' }] as const;
  await records.write(emitDocumentEvents, { changes, queries, ended: ['x', 'z'] });
  const told = await records.read(eventsAfter, { after: start, limit: 10 });
  assert.deepEqual(
    told.map(({ type, subject, data }) => ({ type, subject, data })),
    [
      {
        type: 'document.indexed',
        subject: 'books/1',
        data: { index: 'books', id: '1', seq_no: 4, version: 2 },
      },
      // Of what was found to be gone nobody knows more.
      { type: 'document.deleted', subject: 'books/2', data: { index: 'books', id: '2' } },
      { type: 'document.changed', subject: 'books', data: { index: 'books', by: 'reindex' } },
    ],
  );
  assert.deepEqual(await take(), ['y']);
  // A note for another one, as old as that.
  await records.write(beginIntents, {
    intents: [{ id: 'y2', documents, since: 4 }],
    ...{ leaseMs: 0, ended: ['y'] },
  });
  const [second] = await records.write(takeIntents, { limit: 100, leaseMs: HOUR });
  assert.deepEqual([second?.id, second?.since], ['y2', 4]);
  await records.write(emitDocumentEvents, { changes: [], ended: ['y2'] });
});

test('many notes at once, each by itself', async () => {
  const ids = Array.from({ length: 200 }, (_, n) => `many ${n}`);
  const documents = [{ kind: 'delete', index: 'books', id: '1' }] as const;
  // More would wait longer for a connection of PostgreSQL, on a slow machine, than a caller is let wait.
  for (const from of [0, 50, 100, 150]) {
    const some = ids.slice(from, from + 50);
    await Promise.all(
      some.map((id) => records.write(beginIntents, { intents: [{ id, documents }], leaseMs: 0 })),
    );
  }
  for (const from of [50, 100, 150]) {
    const some = ids.slice(from, from + 50);
    await Promise.all(some.map((id) => records.write(emitDocumentEvents, { changes: [], ended: [id] })));
  }
  assert.deepEqual(await take(), ids.slice(0, 50).sort());
});

test('who reads of documents is known, by the clock of the store', async () => {
  assert.equal((await records.read(lastFollowed, {})).last, undefined);
  for (let i = 0; i < 2; i++) await records.write(recordFollower, {});
  const { last, now } = await records.read(lastFollowed, {});
  assert.ok(last !== undefined && now >= last && now - last < HOUR, `${last} ${now}`);
});
