import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Entity, type Fetch, OctavoClient, OctavoError } from '../src/index.ts';
import { startServer } from './server.ts';

const url = await startServer();
const octavo = new OctavoClient({ url });

/** A fetch whose every answer but each third gets lost on its way back. */
function lossy(): { readonly fetch: Fetch; sent: number } {
  const counter = {
    sent: 0,
    fetch: async (to: string, init: RequestInit): Promise<Response> => {
      const response = await fetch(to, init);
      await response.clone().text();
      if (++counter.sent % 3 !== 0) throw new TypeError('connection reset');
      return response;
    },
  };
  return counter;
}

test('items of a feed are posted, walked and changed', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 7; n++) ids.unshift((await octavo.feed.post({ author: 'ada', text: `n${n}` })).id);
  const walked: string[] = [];
  for await (const item of octavo.feed.list({ limit: 3 })) {
    walked.push(item.id);
    // What is new does not move what is old.
    await octavo.feed.post({ author: 'bob', text: 'new' });
  }
  assert.deepEqual(walked, ids);
  const page = await octavo.feed.page(2, { limit: 3, author: 'ada' });
  assert.deepEqual([page.items.map(({ id }) => id), page.total, page.page_count], [ids.slice(3, 6), 7, 3]);
  assert.equal((await octavo.feed.edit(ids[0]!, { text: 'changed' })).text, 'changed');
  await octavo.feed.delete(ids[0]!);
  await assert.rejects(
    octavo.feed.get(ids[0]!),
    (error) => error instanceof OctavoError && error.status === 404,
  );
});

test('users are put, listed and renamed, and mentions show the new names', async () => {
  for (const [id, username] of [
    ['u/1', 'ada'],
    ['u/2', 'bob'],
    ['u/3', 'eve'],
  ] as const)
    await octavo.users.put(id, { username });
  const listed = await octavo.users.list({ limit: 2 }).toArray();
  assert.deepEqual(
    listed.map(({ username }) => username),
    ['ada', 'bob', 'eve'],
  );
  const feed = octavo.feedOf('renamed');
  const markup = '<user username="ada" id="u/1">@ada</user>';
  const { id } = await feed.post({ author: 'bob', markup });
  await octavo.users.put('u/1', { username: 'lovelace', display: 'Ada' });
  assert.equal((await octavo.users.get('u/1')).display, 'Ada');
  assert.equal((await feed.get(id)).text, '@lovelace');
  assert.equal((await feed.get(id, { resolve: false, format: 'markup' })).markup, markup);
  assert.equal((await feed.list({ resolve: false }).toArray())[0]?.text, '@ada');
  await octavo.users.delete('u/1');
  assert.equal((await feed.get(id)).text, '@ada');
});

test('pages go forwards and back', async () => {
  const feed = octavo.feedOf('there-and-back');
  for (let n = 0; n < 5; n++) await feed.post({ author: 'ada', text: String(n) });
  const texts = (page?: { readonly items: readonly { readonly text: string }[] }): string | undefined =>
    page?.items.map(({ text }) => text).join('');
  const first = await feed.list({ limit: 2 }).first();
  const second = await first.next();
  const third = await second?.next();
  assert.deepEqual(
    [texts(first), texts(second), texts(third), await third?.next()],
    ['43', '21', '0', undefined],
  );
  assert.equal(texts(await second?.prev()), '43');
  const back = feed.list({ limit: 2, prev_token: third!.reply.prev! });
  assert.deepEqual(
    (await back.toArray()).map(({ text }) => text),
    ['1', '2', '3', '4'],
  );
});

test('markup and entities are two forms of one item', async () => {
  const item = await octavo.feed.post({ author: 'ada', markup: 'Hi <user username="bob">Bob</user>' });
  assert.deepEqual(item.entities, [{ kind: 'user', username: 'bob', start: 3, end: 6 }]);
  const mentions = await octavo.feed.list({ mention: 'bob' }).toArray();
  assert.deepEqual(
    mentions.map(({ id }) => id),
    [item.id],
  );
  await assert.rejects(
    octavo.feed.post({ author: 'ada', text: 'x', entities: [{ kind: 'user', start: 0, end: 1 } as Entity] }),
    {
      surface: 'api',
      status: 400,
    },
  );
});

test('a post with lost replies is made once', async () => {
  const { fetch } = lossy();
  const shaky = new OctavoClient({ url, fetch, retries: { baseMs: 1 } });
  const item = await shaky.feedOf('shaky').post({ author: 'ada', text: 'once' });
  assert.deepEqual(
    (await octavo.feedOf('shaky').list().toArray()).map(({ id }) => id),
    [item.id],
  );
});

test('a chat has members and messages', async () => {
  const { id } = await octavo.chats.create({ title: 'Engines', members: ['ada', 'bob'] });
  const chat = octavo.chat(id);
  const message = await chat.messages.post({ author: 'ada', text: 'hello' });
  await chat.messages.post({ author: 'ada', text: 'again' });
  const texts = (await chat.messages.list({ order: 'asc', limit: 1 }).toArray()).map(({ text }) => text);
  assert.deepEqual(texts, ['hello', 'again']);
  assert.equal((await chat.markRead('bob', message.id)).unread, 1);
  await chat.join('cyd');
  await chat.leave('ada');
  assert.deepEqual(
    (await chat.members({ limit: 1 }).toArray()).map(({ member }) => member),
    ['bob', 'cyd'],
  );
  assert.deepEqual(
    (await octavo.chats.list({ member: 'cyd' }).toArray()).map((each) => each.id),
    [id],
  );
});

async function index(name: string, documents: readonly unknown[]): Promise<void> {
  for (const [at, document] of documents.entries()) {
    await octavo.call({ method: 'PUT', path: `/${name}/_doc/${at}`, body: document, safe: true });
  }
}

test('a search is walked by token, forwards and back, through ties', async () => {
  await index(
    'numbers',
    Array.from({ length: 11 }, (_, n) => ({ n: n % 3 })),
  );
  const hits = octavo.search<{ n: number }>('numbers', { sort: [{ n: 'asc' }], size: 4 });
  const all = (await hits.toArray()).map(({ _id }) => _id);
  assert.equal(new Set(all).size, 11);
  const first = await hits.first();
  assert.equal(first.reply.hits.total?.value, 11);
  const second = await first.next();
  assert.deepEqual(
    (await second?.prev())?.items.map(({ _id }) => _id),
    all.slice(0, 4),
  );
  await assert.rejects(octavo.search('nothing-here').first(), {
    surface: 'search',
    code: 'index_not_found_exception',
  });
});

test('64-bit integers are exact in both directions', async () => {
  await index('longs', [{ n: 9007199254740993n }, { n: 9007199254740992n }, { n: 5 }]);
  const sorted = await octavo
    .search<{ n: number | bigint }>('longs', { sort: [{ n: 'desc' }], size: 1 })
    .toArray();
  assert.deepEqual(
    sorted.map(({ _source }) => _source.n),
    [9007199254740993n, 9007199254740992n, 5],
  );
  const after = octavo.search('longs', { sort: [{ n: 'desc' }], search_after: sorted[0]!.sort!, size: 1 });
  assert.deepEqual((await after.first()).items[0]?.sort, [9007199254740992n]);
});

test('a scroll and an export survive lost replies and leave no context open', async () => {
  await index(
    'everything',
    Array.from({ length: 10 }, (_, n) => ({ n })),
  );
  const shaky = new OctavoClient({ url, fetch: lossy().fetch, retries: { baseMs: 1 } });
  const scrolled: unknown[] = [];
  for await (const { sort } of shaky.scroll('everything', { sort: ['n'], size: 3 })) scrolled.push(sort?.[0]);
  assert.deepEqual(scrolled, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const exported: number[] = [];
  for await (const { _source } of octavo.export<{ n: number }>('everything', { size: 5 }))
    exported.push(_source.n);
  assert.deepEqual(
    exported.sort((a, b) => a - b),
    scrolled,
  );
  for await (const _ of octavo.scroll('everything', { size: 1 })) break;
});

test('money moves once, however many replies are lost', async () => {
  await octavo.accounts.create({ id: 'bank', currency: 'EUR', allow_negative: true });
  for (const id of ['ada', 'bob']) await octavo.accounts.create({ id, currency: 'EUR' });
  const shaky = new OctavoClient({ url, fetch: lossy().fetch, retries: { baseMs: 1 } });
  await shaky.transactions.create({ from: 'bank', to: 'ada', money: '10.00' });
  await shaky.transactions.createAll([
    { from: 'ada', to: 'bob', money: '1.50', reference: 'lunch' },
    { from: 'ada', to: 'bob', money: '2' },
  ]);
  assert.equal((await octavo.accounts.get('ada')).balance, '6.50');
  const moved = await octavo.transactions.list({ account: 'bob', limit: 1 }).toArray();
  assert.deepEqual(
    moved.map(({ money }) => money),
    ['2.00', '1.50'],
  );
  assert.equal(
    (await octavo.transactions.preview({ from: 'ada', to: 'bob', money: '6.50' })).money_minor,
    '650',
  );
  await assert.rejects(octavo.transactions.create({ from: 'ada', to: 'bob', money: '6.51' }), {
    surface: 'api',
    code: 'insufficient-funds',
  });
  assert.equal((await octavo.transactions.reverse(moved[0]!.id)).reverses, moved[0]!.id);
  const hold = await octavo.holds.create({ from: 'ada', to: 'bob', money: '5.00' });
  assert.equal((await octavo.accounts.get('ada')).available, '3.50');
  assert.equal((await octavo.holds.post(hold.id, { money: '4.00' })).transaction.hold, hold.id);
  assert.deepEqual(
    (await octavo.accounts.list({ limit: 2 }).toArray()).map(({ id, balance }) => `${id} ${balance}`),
    ['ada 4.50', 'bank -10.00', 'bob 5.50'],
  );
});

test('an unknown option is refused before anything is sent', async () => {
  const sent: string[] = [];
  const silent = new OctavoClient({
    url,
    fetch: async (to) => {
      sent.push(to);
      throw new Error('sent');
    },
  });
  const wrong = { idempotencykey: 'once' } as object;
  const transfer = { from: 'ada', to: 'bob', money: '1' };
  const calls: readonly (() => Promise<unknown>)[] = [
    () => silent.transactions.create(transfer, wrong),
    () => silent.transactions.createAll([transfer], wrong),
    () => silent.transactions.reverse('1', wrong),
    () => silent.transactions.preview(transfer, wrong),
    () => silent.transactions.get('1', wrong),
    () => silent.holds.create({ ...transfer }, wrong),
    () => silent.accounts.create({ id: 'ada', currency: 'EUR' }, wrong),
    () => silent.accounts.get('ada', wrong),
    () => silent.feed.post({ author: 'ada', text: 'a' }, wrong),
    () => silent.feed.get('1', wrong),
    () => silent.chat('1').delete(wrong),
    () => silent.users.put('1', { username: 'ada' }, wrong),
    () => silent.keys.get('1', wrong),
    () => silent.webhooks.list(wrong),
    () => silent.documents('books').index('1', {}, wrong),
    () => silent.documents('books').delete('1', wrong),
    () => silent.documents('books').get('1', wrong),
    () => silent.documents('books').bulk([], wrong).next(),
    () => silent.export('books', {}, wrong).next(),
    () => silent.scroll('books', {}, wrong).next(),
    () => silent.events(wrong).next(),
    async () => await silent.search('books', {}, wrong).first(),
  ];
  for (const call of calls)
    await assert.rejects(async () => await call(), /There is no option \[idempotencykey\]/, String(call));
  assert.deepEqual(sent, []);
  assert.throws(() => new OctavoClient({ url: 'localhost' }), /\[url\] is no address/);
  assert.throws(() => new OctavoClient({} as { url: string }), /\[url\] is no address/);
});
