// A deleted chat can no longer be found, and is soon removed from disk. A new chat of the same name begins
// with higher ids.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { postMessage, sweepAbandonedEntries } from '@octavo/records';
import { server } from './ask.ts';
import { openStore } from './stores.ts';

const records = await openStore();
after(() => records.close());
const { ask } = await server({ records });

test('a deleted chat is gone with all that was in it', async () => {
  await ask('POST /api/chats', { id: 'team', title: 'Team', members: ['ada', 'bob'] });
  await ask('POST /api/chats', { id: 'other', members: ['ada'] });
  const message = (await ask('POST /api/chats/team/messages', { author: 'ada', text: 'hello' })).body;
  const kept = (await ask('POST /api/chats/other/messages', { author: 'ada', text: 'kept' })).body;
  const before = (await ask('GET /api/events')).body.next;
  const headers = { 'idempotency-key': 'once' };
  assert.equal((await ask('DELETE /api/chats/team', undefined, headers)).status, 204);
  const again = await ask('DELETE /api/chats/team', undefined, headers);
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [204, 'true']);
  for (const line of [
    'DELETE /api/chats/team',
    'GET /api/chats/team',
    'GET /api/chats/team/messages',
    `GET /api/chats/team/messages/${message.id}`,
    'GET /api/chats/team/members/ada',
  ]) {
    const reply = await ask(line);
    assert.deepEqual([reply.status, reply.body.code], [404, 'chat-not-found'], line);
  }
  assert.deepEqual(
    (await ask('GET /api/chats?member=ada')).body.items.map(({ id }: { id: string }) => id),
    ['other'],
  );
  const { items: events } = (await ask(`GET /api/events?after=${before}`)).body;
  assert.deepEqual(
    events.map(({ type, subject }: { type: string; subject: string }) => [type, subject]),
    [['octavo.chat.deleted', 'chats/team']],
  );
  assert.equal((await ask(`GET /api/chats/other/messages/${kept.id}`)).status, 200);

  await ask('POST /api/chats', { id: 'team' });
  assert.deepEqual((await ask('GET /api/chats/team/messages')).body.items, []);
  assert.equal((await ask('GET /api/chats/team')).body.message_count, 0);
  const anew = (await ask('POST /api/chats/team/messages', { author: 'cyn', text: 'anew' })).body;
  assert.ok(anew.id > message.id);
});

test('its rows go little by little, and those of others stay', async () => {
  await ask('POST /api/chats', { id: 'large' });
  const draft = { author: 'ada', text: 'x', entities: [{ kind: 'topic', start: 0, end: 1 }] };
  const posts = Array.from({ length: 1_200 }, () => records.write(postMessage, { chat: 'large', draft }));
  const ids = (await Promise.all(posts)).map(({ id }) => id);
  await ask(`DELETE /api/chats/large/messages/${ids[7]}`);
  assert.equal((await ask('DELETE /api/chats/large')).status, 204);
  while (await records.write(sweepAbandonedEntries, undefined));
  assert.equal(await records.write(sweepAbandonedEntries, undefined), false);
  const page = (await ask('GET /api/chats/other/messages?page=1')).body;
  assert.deepEqual([page.total, page.items.length], [1, 1]);
});

test('without the scope it is not deleted', async () => {
  const admin = (await ask('POST /api/keys', { name: 'a', scopes: ['*'] })).body.token;
  const auth = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
  const made = await ask('POST /api/keys', { name: 'r', scopes: ['chat:read'] }, auth(admin));
  const refused = await ask('DELETE /api/chats/other', undefined, auth(made.body.token));
  assert.deepEqual([refused.status, refused.body.scope], [403, 'chat:write']);
});
