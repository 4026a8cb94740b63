// Users that were renamed since they were mentioned: items and messages show today's names, and what is
// stored stays as it was written.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Records, usersById } from '@octavo/records';
import { type Ask, server } from './ask.ts';
import { openStore } from './stores.ts';

const store = await openStore();
after(() => store.close());
let looks = 0;
/** The same records; looks into the directory are counted. */
const records = new Proxy(store, {
  get(target, name) {
    if (name === 'read') {
      return (operation: unknown, args: unknown): unknown => {
        if (operation === usersById) looks++;
        return (target.read as (...all: unknown[]) => unknown).call(target, operation, args);
      };
    }
    const value = Reflect.get(target, name) as unknown;
    return typeof value === 'function' ? (value.bind(target) as unknown) : value;
  },
}) satisfies Records;
const { ask } = await server({ records });

const put = async (id: string, username: string, display?: string): Promise<void> => {
  const { status, text } = await ask(`PUT /api/users/${id}`, { username, display });
  assert.ok(status < 300, text);
};

let feeds = 0;
/** An item in a feed of its own: the path of the item, and of the feed. */
async function post(content: object, by: Ask = ask): Promise<{ one: string; list: string; etag: string }> {
  const feed = `feed=u${feeds++}`;
  const { status, body, text, headers } = await by(`POST /api/newsfeed?${feed}`, { author: 'x', ...content });
  assert.equal(status, 201, text);
  const etag = String(headers['etag']);
  return { one: `/api/newsfeed/${body.id}?${feed}`, list: `/api/newsfeed?${feed}`, etag };
}

const markup = async (path: string): Promise<string> => {
  const { status, body, text } = await ask(`GET ${path}&format=markup`);
  assert.equal(status, 200, text);
  return body.markup;
};
const mention = (id: string, username: string, shown: string): string =>
  `<user username="${username}" id="${id}">${shown}</user>`;

test('the directory over HTTP', async () => {
  const made = await ask('PUT /api/users/d%2F1', { username: 'd1', display: 'Dee' });
  assert.equal(made.status, 201);
  assert.equal(made.headers['location'], '/api/users/d%2F1');
  assert.deepEqual(
    { ...made.body, updated_at: '' },
    { id: 'd/1', username: 'd1', display: 'Dee', updated_at: '' },
  );
  assert.deepEqual((await ask('GET /api/users/d%2F1')).body, made.body);
  assert.equal((await ask('PUT /api/users/d%2F1', { username: 'd1' })).status, 200);
  const taken = await ask('PUT /api/users/d2', { username: 'd1' });
  assert.deepEqual([taken.status, taken.body.code, taken.body.field], [409, 'username-taken', 'username']);
  await put('d2', 'D1');
  const first = await ask('GET /api/users?limit=1');
  assert.equal(first.headers['link'], `</api/users?limit=1&next_token=${first.body.next}>; rel="next"`);
  assert.deepEqual([first.body.items[0].id, first.body.more], ['d/1', true]);
  assert.equal(first.body.nextToken, first.body.next);
  const second = await ask(`GET /api/users?limit=1&nextToken=${first.body.next}`);
  assert.deepEqual([second.body.items[0].id, second.body.more, second.body.next], ['d2', false, undefined]);
  const back = await ask(`GET /api/users?limit=1&prev_token=${second.body.prev}`);
  assert.deepEqual(back.body.items, first.body.items);
  const other = await ask(`GET /api/keys?next_token=${first.body.next}`);
  assert.deepEqual([other.status, other.body.code], [400, 'cursor-mismatch']);
  assert.equal((await ask('DELETE /api/users/d2')).status, 204);
  assert.deepEqual((await ask('GET /api/users/d2')).body.code, 'user-not-found');
  for (const body of [
    {},
    { username: '' },
    { username: 'a\u0000' },
    { username: 'a', display: '' },
    { username: 'a', x: 1 },
  ])
    assert.equal((await ask('PUT /api/users/d3', body)).status, 400, JSON.stringify(body));
});

test('a renamed user has the name of today, in the text where it was the name of then', async () => {
  await put('r1', 'ada', 'Ada B.');
  const text = `\u{1f600} ${mention('r1', 'ada', '@ada')}\u{1f9ee}${mention('r1', 'ada', 'Ada B.')}, ${mention('r1', 'ada', 'my love')} ${mention('zz', 'ada', '@ada')} <user username="ada">@ada</user> <topic id="r1">#t</topic>`;
  const { one, list } = await post({ markup: text });
  assert.equal(await markup(one), text, 'nothing was renamed yet');
  const before = await ask(`GET ${list}`);
  await put('r1', 'lovelace', 'Ada \u{1f451} L.');
  const today = `\u{1f600} ${mention('r1', 'lovelace', '@lovelace')}\u{1f9ee}${mention('r1', 'lovelace', 'Ada \u{1f451} L.')}, ${mention('r1', 'lovelace', 'my love')} ${mention('zz', 'ada', '@ada')} <user username="ada">@ada</user> <topic id="r1">#t</topic>`;
  assert.equal(await markup(one), today);
  assert.equal((await ask(`GET ${list}&format=markup`)).body.items[0].markup, today);
  const { body } = await ask(`GET ${one}`);
  assert.deepEqual(
    body.entities.map(({ start, end }: { start: number; end: number }) => body.text.slice(start, end)),
    ['@lovelace', 'Ada \u{1f451} L.', 'my love', '@ada', '@ada', '#t'],
  );
  assert.deepEqual((await ask(`GET ${list}`)).body.items, [body]);
  // What was written is there still, and the answers are told apart.
  assert.equal(await markup(`${one}&resolve=false`), text);
  assert.equal((await ask(`GET ${list}&resolve=false`)).text, before.text);
  const seen = await ask(`GET ${list}`, undefined, { 'if-none-match': String(before.headers['etag']) });
  assert.equal(seen.status, 200);
  const twice = await ask(`GET ${list}`, undefined, { 'if-none-match': String(seen.headers['etag']) });
  assert.equal(twice.status, 304);
  // The directory has forgotten them: as it was written.
  assert.equal((await ask('DELETE /api/users/r1')).status, 204);
  assert.equal(await markup(one), text);
});

test('offsets are right in every unit', async () => {
  await put('o1', 'o-one');
  const text = '\u{1f600}é @o-one\u{1f600}@o-one.';
  for (const [unit, offsets] of [
    ['utf16', [4, 10, 12, 18]],
    ['utf8', [7, 13, 17, 23]],
    ['codepoint', [3, 9, 10, 16]],
  ] as const) {
    await put('o1', 'o-one');
    const [a, b, c, d] = offsets;
    const user = { kind: 'user', username: 'o-one', id: 'o1' };
    const { one } = await post({
      text,
      unit,
      entities: [
        { ...user, start: a, end: b },
        { ...user, start: c, end: d },
      ],
    });
    await put('o1', '\u{1f451}');
    const { body } = await ask(`GET ${one}`);
    assert.equal(body.text, '\u{1f600}é @\u{1f451}\u{1f600}@\u{1f451}.');
    assert.equal(body.unit, unit);
    const size = { utf16: 3, utf8: 5, codepoint: 2 }[unit];
    const moved = size - 6;
    assert.deepEqual(body.entities, [
      { kind: 'user', username: '\u{1f451}', id: 'o1', start: a, end: a + size },
      { kind: 'user', username: '\u{1f451}', id: 'o1', start: c + moved, end: c + moved + size },
    ]);
  }
});

test('two users who swapped their names', async () => {
  await put('s1', 'left');
  await put('s2', 'right');
  const { one } = await post({
    markup: `${mention('s1', 'left', '@left')}${mention('s2', 'right', '@right')}`,
  });
  await put('s1', 'between');
  await put('s2', 'left');
  await put('s1', 'right');
  assert.equal(await markup(one), `${mention('s1', 'right', '@right')}${mention('s2', 'left', '@left')}`);
});

test('messages of chats; one look into the directory for a page, none where nobody has an id', async () => {
  await put('c1', 'chatty');
  await put('c2', 'quiet');
  await ask('POST /api/chats', { id: 'room' });
  const path = '/api/chats/room/messages';
  let id = '';
  for (let n = 0; n < 5; n++) {
    const all = `${mention('c1', 'chatty', '@chatty')} ${mention('c2', 'quiet', '@quiet')}`;
    id = (await ask(`POST ${path}`, { author: 'x', markup: all })).body.id;
  }
  await put('c1', 'talker');
  looks = 0;
  for (const query of ['', `?around=${id}`, '?page=1', '?mention=quiet']) {
    const { body } = await ask(`GET ${path}${query}`);
    assert.deepEqual(
      new Set(body.items.map(({ text }: { text: string }) => text)),
      new Set(['@talker @quiet']),
    );
  }
  assert.equal(looks, 4);
  assert.equal((await ask(`GET ${path}/${id}`)).body.text, '@talker @quiet');
  assert.equal((await ask(`GET ${path}/${id}?resolve=false`)).body.text, '@chatty @quiet');
  assert.equal(looks, 5);
  const { one, list } = await post({ markup: '<user username="chatty">@chatty</user>' });
  await ask(`GET ${one}`);
  await ask(`GET ${list}`);
  assert.equal(looks, 5);
});

test('If-Match takes the tag of what is shown and of what is stored, until the entry or a name changes', async () => {
  await put('m1', 'match');
  const { one, etag } = await post({ markup: mention('m1', 'match', '@match') });
  const tag = async (query = ''): Promise<string> =>
    String((await ask(`GET ${one}${query}`)).headers['etag']);
  const before = await tag();
  assert.equal(before, etag);
  await put('m1', 'other');
  const edit = async (ifMatch: string, text: string): Promise<number> =>
    (await ask(`PATCH ${one}`, { markup: mention('m1', 'other', text) }, { 'if-match': ifMatch })).status;
  assert.notEqual(await tag(), before);
  assert.equal(await edit(await tag(), 'one'), 200);
  assert.equal(await edit(await tag('&resolve=false'), 'two'), 200);
  assert.equal(await edit(await tag('&format=markup'), 'three'), 200);
  assert.equal(await edit(before, 'four'), 412);
});

test('events tell what was written, and of users to those who may read feeds', async () => {
  const { body } = await ask('GET /api/events?after=0&types=user.*&limit=1');
  assert.equal(body.items[0].type, 'octavo.user.created');
  const all = await ask('GET /api/events?after=0&types=message.created');
  assert.equal(all.body.items[0].data.text, '@chatty @quiet');
});
