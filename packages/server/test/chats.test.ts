// Chats over HTTP: members, messages with the cursors of feeds, read positions.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Answer, server } from './ask.ts';
import { openStore } from './stores.ts';

const records = await openStore();
after(() => records.close());
const { ask } = await server({ records });

const texts = ({ status, body }: Answer): string => {
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map((item: { text: string }) => item.text).join('');
};

async function chatOf(id: string, all: string, members?: readonly string[]): Promise<string[]> {
  assert.equal((await ask('POST /api/chats', { id, members })).status, 201);
  const ids: string[] = [];
  for (const text of all) {
    const { status, body } = await ask(`POST /api/chats/${id}/messages`, { author: 'ada', text });
    assert.equal(status, 201, JSON.stringify(body));
    ids.push(body.id);
  }
  return ids;
}

test('a chat is made once, read, renamed, and found by its members', async () => {
  const made = await ask('POST /api/chats/', { id: 'tea', title: 'Tea', members: ['ada', 'bob', 'ada'] });
  assert.equal(made.status, 201);
  assert.equal(made.headers['location'], '/api/chats/tea');
  const { created_at, updated_at, ...rest } = made.body;
  assert.deepEqual(rest, { id: 'tea', title: 'Tea', open: false, member_count: 2, message_count: 0 });
  assert.equal(created_at, updated_at);
  assert.equal((await ask('POST /api/chats', { id: 'tea' })).body.code, 'already-exists');
  const given = await ask('POST /api/chats', {});
  assert.match(given.body.id, /^[0-9a-f-]{36}$/);
  assert.equal(given.body.open, true);
  assert.deepEqual((await ask('GET /api/chats/tea')).body, made.body);
  assert.equal((await ask('PATCH /api/chats/tea', { title: 'Coffee' })).body.title, 'Coffee');
  assert.equal((await ask('PATCH /api/chats/tea', { title: null })).body.title, undefined);
  await ask('POST /api/chats', { id: 'tea2', members: ['bob'] });
  assert.equal((await ask('GET /api/chats/none')).body.code, 'chat-not-found');
});

test('an inbox has the latest activity first, with unread counts, and is walked both ways', async () => {
  const ids = ['in1', 'in2', 'in3', 'in4'];
  for (const id of ids) await ask('POST /api/chats', { id, members: ['ines', 'otto'] });
  const post = async (chat: string, author: string, text: string): Promise<string> =>
    (await ask(`POST /api/chats/${chat}/messages`, { author, text })).body.id;
  await post('in3', 'otto', 'one');
  await post('in3', 'otto', 'two');
  await post('in1', 'otto', 'hello');
  await post('in1', 'ines', '<b> & @otto');
  const last = await post('in3', 'otto', 'three');
  const whole = await ask('GET /api/chats?member=ines');
  assert.deepEqual(
    whole.body.items.map(({ id, unread }: { id: string; unread: number }) => [id, unread]),
    [
      ['in3', 3],
      ['in1', 0],
      ['in4', 0],
      ['in2', 0],
    ],
  );
  const [first] = whole.body.items;
  assert.deepEqual(
    [first.last_message.id, first.last_message.chat, first.last_message.text],
    [last, 'in3', 'three'],
  );
  assert.equal(first.active_at, first.last_message.created_at);
  assert.equal(whole.body.items[3].last_message, undefined);
  assert.equal(whole.body.items[3].active_at, whole.body.items[3].created_at);
  assert.equal(
    (await ask('GET /api/chats?member=ines&format=markup')).body.items[1].last_message.markup,
    '&lt;b&gt; &amp; @otto',
  );
  const walked: unknown[] = [];
  let page = await ask('GET /api/chats?member=ines&limit=1');
  for (;;) {
    walked.push(...page.body.items);
    if (page.body.next === undefined) break;
    page = await ask(`GET /api/chats?member=ines&limit=1&next_token=${page.body.next}`);
  }
  assert.deepEqual(walked, whole.body.items);
  const back = await ask(`GET /api/chats?member=ines&limit=2&prev_token=${page.body.prev}`);
  assert.deepEqual(back.body.items, whole.body.items.slice(1, 3));
  assert.equal(
    (await ask(`GET /api/chats?member=otto&next_token=${back.body.next}`)).body.code,
    'cursor-mismatch',
  );
  await ask(`DELETE /api/chats/in3/messages/${last}`);
  assert.deepEqual(
    (await ask('GET /api/chats?member=ines')).body.items.map(({ id }: { id: string }) => id),
    ['in1', 'in3', 'in4', 'in2'],
  );
});

test('messages are listed newest first, oldest first and around one', async () => {
  const ids = await chatOf('abc', 'abcdefgh');
  const list = 'GET /api/chats/abc/messages';
  assert.equal(texts(await ask(`${list}?limit=3`)), 'hgf');
  assert.equal(texts(await ask(`${list}/?limit=3&max_id=${ids[4]}`)), 'edc');
  assert.equal(texts(await ask(`${list}?limit=3&order=asc`)), 'abc');
  assert.equal(texts(await ask(`${list}?limit=3&order=asc&since_id=${ids[2]}`)), 'def');
  assert.equal(texts(await ask(`${list}?limit=3&page=2`)), 'edc');
  assert.equal(texts(await ask(`${list}?limit=3&page=2&order=asc`)), 'def');
  const around = await ask(`${list}?limit=5&around=${ids[3]}`);
  assert.equal(texts(around), 'fedcb');
  assert.equal(around.body.next_max_id, ids[0]);
  const above = await ask(`${list}?limit=5&prev_token=${around.body.prev}`);
  assert.equal(texts(above), 'hg');
  assert.equal(texts(await ask(`${list}?limit=5&next_token=${around.body.next}`)), 'a');
  assert.equal((await ask(`DELETE /api/chats/abc/messages/${ids[3]}`)).status, 204);
  assert.equal(texts(await ask(`${list}?limit=4&around=${ids[3]}`)), 'fecb');
  assert.equal((await ask(`${list}/${ids[3]}`)).body.code, 'message-not-found');
  const edited = await ask(`PATCH /api/chats/abc/messages/${ids[0]}`, { markup: 'A <topic>#b</topic>' });
  assert.equal(edited.body.text, 'A #b');
  assert.equal(edited.body.chat, 'abc');
  assert.equal((await ask(`${list}/${ids[0]}?format=markup`)).body.markup, 'A <topic>#b</topic>');
  assert.equal((await ask('GET /api/chats/abc')).body.message_count, 7);
});

test('what is of one chat is not of another', async () => {
  const [id] = await chatOf('mine', 'a');
  await chatOf('yours', '');
  assert.equal((await ask(`GET /api/chats/yours/messages/${id}`)).body.code, 'message-not-found');
  assert.equal((await ask(`DELETE /api/chats/yours/messages/${id}`)).body.code, 'message-not-found');
  assert.equal((await ask(`GET /api/newsfeed/${id}`)).body.code, 'item-not-found');
  assert.equal(texts(await ask(`GET /api/chats/yours/messages?max_id=${id}`)), '');
  assert.equal((await ask('GET /api/chats/nobody/messages')).body.code, 'chat-not-found');
});

test('only members write where there are members', async () => {
  await chatOf('closed', 'a', ['ada']);
  const posting = (): Promise<Answer> =>
    ask('POST /api/chats/closed/messages', { author: 'eve', text: 'hi' });
  const refused = await posting();
  assert.deepEqual([refused.status, refused.body.code, refused.body.field], [403, 'not-a-member', 'author']);
  assert.equal((await ask('PUT /api/chats/closed/members/eve')).status, 201);
  assert.equal((await ask('PUT /api/chats/closed/members/eve')).status, 200);
  assert.equal((await posting()).status, 201);
  const list = await ask('GET /api/chats/closed/members?limit=1');
  assert.equal(list.body.items[0].member, 'ada');
  const next = await ask(`GET /api/chats/closed/members?limit=1&next_token=${list.body.next}`);
  assert.equal(next.body.items[0].member, 'eve');
  assert.equal((await ask('DELETE /api/chats/closed/members/eve')).status, 204);
  assert.equal((await posting()).body.code, 'not-a-member');
  assert.equal((await ask('DELETE /api/chats/closed/members/eve')).body.code, 'member-not-found');
  assert.equal((await ask('PUT /api/chats/none/members/eve')).body.code, 'chat-not-found');
});

test('unread messages are those that live behind the one that was read', async () => {
  const ids = await chatOf('read', 'abcdefgh', ['ada', 'bob']);
  const bob = async (): Promise<number> => (await ask('GET /api/chats/read/members/bob')).body.unread;
  const read = (id: string | undefined): Promise<Answer> =>
    ask('PUT /api/chats/read/members/bob/read', { message_id: id });
  assert.equal(await bob(), 8);
  assert.deepEqual((await read(ids[2])).body.unread, 5);
  await ask(`DELETE /api/chats/read/messages/${ids[2]}`);
  await ask(`DELETE /api/chats/read/messages/${ids[5]}`);
  assert.equal(await bob(), 4);
  assert.equal((await read(ids[5])).body.unread, 2);
  assert.equal((await read(ids[0])).body.read_message_id, ids[0]);
  // Whoever writes has read what is there; whoever joins need not.
  assert.equal((await ask('GET /api/chats/read/members/ada')).body.unread, 0);
  assert.equal((await ask('PUT /api/chats/read/members/cid')).body.unread, 0);
  await ask('POST /api/chats/read/messages', { author: 'bob', text: 'i' });
  assert.equal(await bob(), 0);
  assert.equal((await ask('GET /api/chats/read/members/ada')).body.unread, 1);
  assert.equal((await ask('PUT /api/chats/read/members/bob/read', {})).body.code, 'invalid-body');
  assert.equal((await read('x')).body.field, 'message_id');
  assert.equal((await ask('GET /api/chats/read/members/eve')).body.code, 'member-not-found');
});

test('names with other letters than ASCII are names', async () => {
  await chatOf('names', '', ['Zoë / 東']);
  const path = `/api/chats/names/members/${encodeURIComponent('Zoë / 東')}`;
  assert.equal((await ask(`GET ${path}`)).body.member, 'Zoë / 東');
  assert.equal((await ask('PUT /api/chats/names/members/a%00b')).body.field, 'member');
  assert.equal((await ask('POST /api/chats', { id: '../x' })).body.field, 'id');
});
