// A feed over the embedded store: what is posted is listed, changed and deleted, and the world is told.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openStore } from '../../test/stores.ts';
import {
  deleteItem,
  type EntryPage,
  editItem,
  eventsAfter,
  getItem,
  type PagePlace,
  pageOfFeed,
  postItem,
  postItems,
  type Records,
  RecordsError,
} from '../index.ts';

let records: Records;
before(async () => {
  records = await openStore();
});
after(() => records.close());

const page = (feed: string, place: PagePlace = { by: 'id' }, limit = 3): Promise<EntryPage> =>
  records.read(pageOfFeed, { feed, filter: {}, order: 'desc', limit, place });
const texts = ({ entries }: EntryPage): string[] => entries.map(({ text }) => text);
const post = (feed: string, ...all: string[]): Promise<readonly string[]> =>
  records.write(postItems, { feed, drafts: all.map((text) => ({ author: 'ada', text })) });
const refused = (code: string, field?: string) => (error: unknown) => {
  assert.ok(error instanceof RecordsError, String(error));
  assert.equal(error.code, code);
  if (field !== undefined) assert.equal(error.field, field);
  return true;
};

test('an item is posted, read, changed and deleted, and each is an event', async () => {
  const from = records.lastEvent();
  const markup = 'Hi <user username="bob">Bob</user>, see <topic>#Cats</topic>';
  const data = { deep: { n: [1, null, 'x'] } };
  const attachments = [{ url: 'https://example.org/a.png', type: 'image/png' }];
  const draft = { author: 'ada', markup, data, attachments };
  const item = await records.write(postItem, { feed: 'life', draft });
  assert.equal(item.text, 'Hi Bob, see #Cats');
  assert.deepEqual(await records.read(getItem, { feed: 'life', id: item.id }), item);
  assert.deepEqual(item.data, data);
  const edited = await records.write(editItem, {
    feed: 'life',
    id: item.id,
    content: { text: 'new', data: null },
  });
  assert.deepEqual(edited.entities, []);
  assert.equal(edited.data, undefined);
  assert.deepEqual(edited.attachments, attachments);
  assert.ok(edited.updatedAt >= edited.createdAt);
  await records.write(deleteItem, { feed: 'life', id: item.id });
  await assert.rejects(records.read(getItem, { feed: 'life', id: item.id }), refused('item-not-found'));
  await assert.rejects(records.write(deleteItem, { feed: 'life', id: item.id }), refused('item-not-found'));
  const events = await records.read(eventsAfter, { after: from, limit: 10 });
  assert.deepEqual(
    events.map(({ type, subject }) => [type, subject]),
    ['item.created', 'item.updated', 'item.deleted'].map((type) => [type, `newsfeed/${item.id}?feed=life`]),
  );
  assert.equal(events[0]!.data['text'], 'Hi Bob, see #Cats');
});

test('posts at once: each is refused or made once, ids rise as they were asked, pages are exact', async () => {
  const from = records.lastEvent();
  const keyed = { author: 'ada', text: 'keyed' };
  const option = { idempotency: { principal: 'p', key: 'at-once', fingerprint: 'f' } };
  const posts = Array.from({ length: 90 }, (_, n) =>
    records.write(postItem, {
      feed: 'rush',
      draft: n % 9 === 4 ? { author: 'ada', text: 'x', markup: 'y' } : { author: 'ada', text: `${n}` },
    }),
  );
  posts.push(records.write(postItem, { feed: 'rush', draft: keyed }, option));
  const settled = await Promise.allSettled(posts);
  const made = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  for (const [n, each] of settled.entries())
    if (each.status === 'rejected') assert.ok(n % 9 === 4 && refused('invalid-body')(each.reason));
  assert.equal(made.length, 81);
  assert.deepEqual(
    made.slice(0, -1).map(({ id }) => id),
    made
      .slice(0, -1)
      .map(({ id }) => id)
      .sort(),
  );
  const again = await records.write(postItem, { feed: 'rush', draft: keyed }, option);
  assert.equal(again.id, made.at(-1)!.id);
  const ids = made
    .map(({ id }) => id)
    .sort()
    .reverse();
  for (const number of [1, 2, 9]) {
    const { entries, total } = await page('rush', { by: 'page', page: number }, 9);
    assert.deepEqual(
      entries.map(({ id }) => id),
      ids.slice((number - 1) * 9, number * 9),
    );
    assert.equal(total, 81);
  }
  const told = await records.read(eventsAfter, { after: from, limit: 200 });
  assert.deepEqual(told.map(({ data }) => data['id']).sort(), made.map(({ id }) => id).sort());
});

test('max_id is inclusive, the extra one is next_max_id, and the last page has none', async () => {
  const ids = await post('walk', 'a', 'b', 'c', 'd', 'e', 'f');
  const first = await page('walk');
  assert.deepEqual(texts(first), ['f', 'e', 'd']);
  assert.equal(first.nextMaxId, ids[2]);
  assert.equal(first.prev, undefined);
  const last = await page('walk', { by: 'id', maxId: first.nextMaxId });
  assert.deepEqual(texts(last), ['c', 'b', 'a']);
  assert.equal(last.nextMaxId, undefined);
  assert.equal(last.more, false);
  assert.equal(last.next, undefined);
  assert.ok(last.prev);
});

test('a cursor that was deleted or never was still works', async () => {
  const ids = await post('gone', 'a', 'b', 'c', 'd', 'e', 'f');
  const first = await page('gone');
  await records.write(deleteItem, { feed: 'gone', id: ids[2]! });
  assert.deepEqual(texts(await page('gone', { by: 'id', maxId: first.nextMaxId })), ['b', 'a']);
  const never = '00000000-0000-7000-8000-000000000000';
  assert.deepEqual(texts(await page('gone', { by: 'id', maxId: never })), []);
  assert.deepEqual(texts(await page('gone', { by: 'id', minId: never })), ['d', 'b', 'a']);
  assert.deepEqual(texts(await page('gone', { by: 'id', maxId: 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF' })), [
    'f',
    'e',
    'd',
  ]);
});

test('what cannot be stored is refused with its place', async () => {
  const posting = (draft: object) =>
    records.write(postItem, { feed: 'no', draft: { author: 'ada', ...draft } });
  await assert.rejects(posting({}), refused('invalid-body', 'text'));
  await assert.rejects(posting({ text: 'a', markup: 'a' }), refused('invalid-body', 'text'));
  await assert.rejects(posting({ markup: 'a', entities: [] }), refused('invalid-body', 'entities'));
  await assert.rejects(posting({ markup: 'a', unit: 'utf8' }), refused('invalid-body', 'unit'));
  await assert.rejects(posting({ text: 'a\0' }), refused('invalid-body', 'text'));
  const bad = [{ kind: 'user', username: 'bob', start: 0, end: 4 }];
  await assert.rejects(
    posting({ text: 'Bob', entities: bad }),
    refused('invalid-mentions', 'entities[0].end'),
  );
  for (const url of ['javascript:alert(1)', '/a', 'ftp://x/y', 'http//x']) {
    await assert.rejects(
      posting({ text: 'a', attachments: [{ url }] }),
      refused('invalid-body', 'attachments[0].url'),
    );
  }
  assert.deepEqual(texts(await page('no')), []);
});

test('a page walk that is older than a day, or whose deletions are forgotten, is refused', async () => {
  const ids = await post('old', 'a', 'b', 'c');
  const { paged } = await page('old', { by: 'page', page: 1 });
  const pin = paged!.pin;
  await records.write(deleteItem, { feed: 'old', id: ids[1]! });
  const again = await page('old', { by: 'page', page: 1, pin });
  assert.deepEqual(texts(again), ['c', 'a']);
  assert.deepEqual(again.paged!.deleted, [ids[1]]);
  const old = { ...pin, time: pin.time - 24 * 3_600_000 - 1_000 };
  await assert.rejects(page('old', { by: 'page', page: 1, pin: old }), refused('snapshot-expired', 'as_of'));
});

test('a literal text mentions nobody, markup and entities do', async () => {
  const mention = async (name: string): Promise<string[]> =>
    texts(
      await records.read(pageOfFeed, {
        feed: 'mentions',
        filter: { mention: name },
        order: 'desc',
        limit: 9,
        place: { by: 'id' },
      }),
    );
  const posting = (draft: object) =>
    records.write(postItem, { feed: 'mentions', draft: { author: 'ada', ...draft } });
  await posting({ text: '<user username="bob">Bob</user> @bob' });
  assert.deepEqual(await mention('bob'), []);
  await posting({ markup: '<user username="bob">B</user>' });
  const entities = [{ kind: 'user', username: 'bob', start: 4, end: 7 }];
  await posting({ text: '\u{1F600}Bob', entities, unit: 'utf8' });
  assert.deepEqual(await mention('bob'), ['\u{1F600}Bob', 'B']);
});
