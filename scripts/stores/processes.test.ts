// Several processes on one PostgreSQL keep their guarantees. Each opener of the records has its own
// connections and sequencer, as a separate process would.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteItem,
  editItem,
  eventsAfter,
  openRecords,
  pageOfFeed,
  postItem,
  postItems,
  type Records,
  RecordsError,
} from '@octavo/records';
import { Client } from 'pg';
import { eventually } from '../../packages/server/test/eventually.ts';
import { severalOpeners } from './several-openers.ts';

const { postgres, skip, place, openers } = await severalOpeners();

const code = (expected: string) => (error: unknown) =>
  error instanceof RecordsError && error.code === expected;

const post = async (records: Records, text: string, feed = 'f'): Promise<string> =>
  (await records.write(postItem, { feed, draft: { author: 'ada', text } })).id;

async function newer(records: Records, than: string): Promise<string[]> {
  const place = { by: 'id', minId: than } as const;
  const request = { feed: 'f', filter: {}, order: 'asc', limit: 20, place } as const;
  return (await records.read(pageOfFeed, request)).entries.map(({ id }) => id);
}

test('ids rise in the order of commits: who follows a feed misses nothing', { skip }, async () => {
  const [a, b, c] = (await openers(3)) as [Records, Records, Records];
  const start = await post(a, 'start');
  let done = false;
  const writing = Promise.all(
    [a, b].flatMap((records, n) =>
      Array.from({ length: 8 }, async (_, line) => {
        const ids: string[] = [];
        for (let i = 0; i < 10; i++) ids.push(await post(records, `${n}.${line}.${i}`));
        return ids;
      }),
    ),
  ).finally(() => (done = true));
  const followed: string[] = [];
  for (let last = start, idle = 0; idle < 2; ) {
    const page = await newer(c, last);
    followed.push(...page);
    last = page.at(-1) ?? last;
    idle = done && page.length === 0 ? idle + 1 : 0;
  }
  const written = (await writing).flat();
  assert.deepEqual(followed, written.toSorted());
});

test('events have one order in all processes, without gaps, the same as that of each feed', {
  skip,
}, async () => {
  const stores = await openers(3);
  const heard = stores.map(() => 0n);
  for (const [n, records] of stores.entries()) records.onEvents((upTo) => (heard[n] = upTo));
  await Promise.all(
    stores.flatMap((records, n) =>
      Array.from({ length: 30 }, (_, i) => post(records, `${n}.${i}`, `feed${i % 3}`)),
    ),
  );
  const lists = await Promise.all(
    stores.map((records) => records.read(eventsAfter, { after: 0n, limit: 1_000 })),
  );
  const [first] = lists;
  assert.deepEqual(
    first!.map(({ position }) => position),
    Array.from({ length: 90 }, (_, i) => BigInt(i + 1)),
  );
  for (const list of lists) assert.deepEqual(list, first);
  for (let i = 0; i < 3; i++) {
    const ids = first!.filter(({ data }) => data['feed'] === `feed${i}`).map(({ data }) => data['id']);
    assert.deepEqual(ids, ids.toSorted());
  }
  await eventually(() => assert.deepEqual(heard, [90n, 90n, 90n]));
});

test('what is refused is left out of its group, and the rest of it stays', { skip }, async () => {
  const [records] = (await openers(1)) as [Records];
  const id = await post(records, 'one');
  const gone = '01990000-0000-7000-8000-000000000000';
  const all = await Promise.allSettled([
    post(records, 'two'),
    records.write(deleteItem, { feed: 'f', id: gone }),
    records.write(editItem, { feed: 'f', id, content: { text: 'ONE' } }),
    records.write(postItems, { feed: 'f', drafts: [{ author: 'ada', text: 'a\0' }] }),
    post(records, 'three'),
  ]);
  assert.deepEqual(
    all.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
  );
  const page = await records.read(pageOfFeed, {
    feed: 'f',
    filter: {},
    order: 'asc',
    limit: 9,
    place: { by: 'page', page: 1 },
  });
  assert.deepEqual(
    page.entries.map(({ text }) => text),
    ['ONE', 'two', 'three'],
  );
  assert.equal(page.total, 3);
  const events = await records.read(eventsAfter, { after: 0n, limit: 9 });
  assert.equal(events.length, 4);
});

test('a key runs once, whichever process it comes to', { skip }, async () => {
  const stores = await openers(2);
  const options = { idempotency: { principal: 'p', key: 'k', fingerprint: 'f' } };
  const ask = async (records: Records): Promise<string> => {
    for (;;) {
      try {
        const draft = { author: 'ada', text: 'once' };
        return (await records.write(postItem, { feed: 'f', draft }, options)).id;
      } catch (error) {
        if (!code('idempotency-key-in-use')(error)) throw error;
      }
    }
  };
  const ids = await Promise.all([...stores, ...stores, ...stores].map(ask));
  assert.equal(new Set(ids).size, 1);
  const missing = { feed: 'f', id: '01990000-0000-7000-8000-000000000000' };
  let replays = 0;
  const remembered = {
    idempotency: { principal: 'p', key: 'gone', fingerprint: 'g' },
    onReplay: () => replays++,
  };
  for (const records of stores)
    await assert.rejects(records.write(deleteItem, missing, remembered), code('item-not-found'));
  assert.equal(replays, 1);
  const other = { idempotency: { principal: 'p', key: 'k', fingerprint: 'other' } };
  await assert.rejects(stores[0]!.write(deleteItem, missing, other), code('idempotency-key-reused'));
});

test('events that a dead process has left are numbered by the living', {
  skip,
  timeout: 900_000,
}, async () => {
  const url = place();
  const [records] = (await openers(1, url)) as [Records];
  const told = new Promise<bigint>((resolve) => records.onEvents(resolve));
  const client = new Client(url);
  await client.connect();
  await client.query(
    "INSERT INTO outbox_queue (time, type, subject, data) VALUES (1, 'item.deleted', 'newsfeed/x', '{}')",
  );
  await client.end();
  assert.equal(await told, 1n);
});

test('lost connections are made again', { skip, timeout: 900_000 }, async () => {
  const [records] = (await openers(1)) as [Records];
  await post(records, 'before');
  const client = new Client(postgres!.url);
  await client.connect();
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'octavo' AND pid <> pg_backend_pid()",
  );
  await client.end();
  const failures: unknown[] = [];
  await eventually(() =>
    post(records, 'after').catch((error: unknown) => {
      failures.push(error);
      throw error;
    }),
  );
  for (const error of failures) assert.ok(code('store-unreachable')(error), String(error));
  await eventually(async () =>
    assert.ok((await records.read(eventsAfter, { after: 0n, limit: 9 })).length >= 2),
  );
});

test('a database that cannot be used is said so, without its password', { skip }, async () => {
  await assert.rejects(openRecords('postgres://u:secret@127.0.0.1:1/x'), (error: Error) => {
    assert.match(error.message, /127\.0\.0\.1:1\/x cannot be reached: nothing listens there/);
    assert.doesNotMatch(JSON.stringify([error, error.stack, error.cause]), /secret/);
    return true;
  });
  await assert.rejects(openRecords('postgres://u:sec ret@[x'), /is not a URL such as/);
  const url = place();
  await (await openRecords(url)).close();
  const client = new Client(url);
  await client.connect();
  await client.query("INSERT INTO migration (name, time) VALUES ('9999-future', 1)");
  await client.end();
  await assert.rejects(openRecords(url), /newer version of Octavo \(it ran 9999-future\)/);
});
