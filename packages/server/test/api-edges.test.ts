// The edges of the application API: odd paths, bodies in odd encodings and values that almost fit are refused
// by name; changes that change nothing leave no trace.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { openRecords } from '@octavo/records';
import { listen } from '../src/serve.ts';
import { type Answer, server } from './ask.ts';

const records = await openRecords(':memory:');
after(() => records.close());
const { ask, app } = await server({ records, webhookAllowPrivate: true });
await listen(app, { port: 0 });
const told = ({ status, body }: Answer): string => [status, body?.code, body?.field].join(' ').trim();

/** A body as bytes, with headers of its own. */
async function send(
  headers: Record<string, string>,
  payload: Buffer,
): Promise<{ status: number; code?: string; headers: Record<string, unknown> }> {
  const reply = await app.inject({
    method: 'POST',
    url: '/api/newsfeed',
    headers: { host: 'localhost', 'content-type': 'application/json', ...headers },
    payload,
  });
  return { status: reply.statusCode, code: JSON.parse(reply.payload).code, headers: reply.headers };
}

/** Sends a path as it is: with dots and slashes that URLs would lose. */
async function raw(method: string, path: string): Promise<{ status: number; type: string; text: string }> {
  const { port } = app.server.address() as AddressInfo;
  return await new Promise((resolve, reject) => {
    const sent = request({ port, method, path, agent: false }, (reply) => {
      let text = '';
      reply.on('data', (part: Buffer) => (text += part.toString('utf8')));
      const [status, type] = [reply.statusCode ?? 0, String(reply.headers['content-type'])];
      reply.on('end', () => resolve({ status, type, text }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

const ITEM = Buffer.from(JSON.stringify({ author: 'ada', text: 'zażółć' }));

test('paths that almost are those of the API are problems, and never indices', async () => {
  for (const path of [
    '/api//newsfeed',
    '/api//x',
    '/api/../_cat/indices',
    '/api/..',
    '/api/./newsfeed',
    '/API/newsfeed',
    '/Api',
    '/API/..',
    '/API/../_search',
    '//api/newsfeed',
    '/%61pi/nothing',
    '/api%2Fnewsfeed',
    '/api%2F..%2F_search',
  ]) {
    for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
      const reply = await raw(method, path);
      assert.equal(reply.status, 404, `${method} ${path}: ${reply.status} ${reply.text}`);
      assert.equal(JSON.parse(reply.text).code, 'not-found', path);
      assert.equal(reply.type, 'application/problem+json; charset=utf-8');
    }
  }
  // Percent-encoded it is the same path (RFC 3986, 6.2.2.2).
  assert.deepEqual(JSON.parse((await raw('GET', '/%61pi/newsfeed')).text).items, []);
  assert.deepEqual((await ask('GET /_cat/indices?format=json')).body, []);
  for (const index of ['/apis/_doc/1', '/x-api/_doc/1', '/.api/_doc/1']) {
    assert.equal((await ask(`PUT ${index}`, { a: 1 })).status, 201, index);
  }
});

test('a charset other than UTF-8 is 415', async () => {
  for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8']) {
    const taken = await send({ 'content-type': `application/json; charset=${charset}` }, ITEM);
    assert.equal(taken.status, 201, charset);
  }
  for (const charset of ['latin1', 'iso-8859-1', 'utf-16', 'x', '"']) {
    const refused = await send({ 'content-type': `application/json;charset=${charset}` }, ITEM);
    assert.deepEqual([refused.status, refused.code], [415, 'unsupported-media-type'], charset);
  }
});

test('a damaged compressed body is 400, an unknown compression 415', async () => {
  const packed = gzipSync(ITEM);
  assert.equal((await send({ 'content-encoding': 'gzip' }, packed)).status, 201);
  for (const bytes of [ITEM, packed.subarray(0, packed.length - 9), Buffer.from('x')]) {
    const refused = await send({ 'content-encoding': 'gzip' }, bytes);
    assert.deepEqual([refused.status, refused.code], [400, 'invalid-body']);
  }
  const unknown = await send({ 'content-encoding': 'br' }, ITEM);
  assert.deepEqual([unknown.status, unknown.code], [415, 'unsupported-media-type']);
  assert.equal(unknown.headers['accept-encoding'], 'gzip, deflate');
});

test('an entry is something', async () => {
  const post = (body: object): ReturnType<typeof ask> =>
    ask('POST /api/newsfeed', { author: 'ada', ...body });
  for (const empty of [{ text: '' }, { markup: '' }, { text: '', attachments: [] }]) {
    assert.equal(told(await post(empty)), '400 invalid-body text', JSON.stringify(empty));
  }
  const attached = await post({ text: '', attachments: [{ url: 'https://example.com/a.png' }] });
  assert.equal(attached.status, 201);
  assert.equal((await post({ text: '', data: { kind: 'join' } })).status, 201);
  const path = `/api/newsfeed/${attached.body.id}`;
  assert.equal(told(await ask(`PATCH ${path}`, { attachments: [] })), '400 invalid-body text');
  assert.equal((await ask(`PATCH ${path}`, { attachments: [], text: 'a' })).status, 200);
  assert.equal(told(await ask(`PATCH ${path}`, { text: '' })), '400 invalid-body text');
});

test('NUL is refused wherever text is taken', async () => {
  const post = async (body: object): Promise<string> =>
    told(await ask('POST /api/newsfeed', { author: 'ada', ...body }));
  assert.equal(await post({ text: 'a\0b' }), '400 invalid-body text');
  const user = { kind: 'user', username: 'a\0', start: 0, end: 1 };
  assert.equal(await post({ text: 'abc', entities: [user] }), '400 invalid-mentions entities[0].username');
  assert.equal(await post({ markup: 'a\0b' }), '400 invalid-body markup');
});

test('what changes nothing leaves no trace', async () => {
  const item = (await ask('POST /api/newsfeed', { author: 'ada', text: 'a' })).body;
  const hook = (await ask('POST /api/webhooks', { url: 'http://127.0.0.1:9/' })).body;
  await ask('POST /api/chats', { id: 'still', title: 'Still' });
  const message = (await ask('POST /api/chats/still/messages', { author: 'ada', text: 'a' })).body;
  const before = (await ask('GET /api/events')).body.next;
  await sleep(5);
  for (const [path, same] of [
    [`/api/newsfeed/${item.id}`, { text: 'a' }],
    [`/api/chats/still/messages/${message.id}`, { text: 'a' }],
    ['/api/chats/still', { title: 'Still' }],
    [`/api/webhooks/${hook.id}`, { types: [] }],
  ] as const) {
    const shown = (await ask(`GET ${path}`)).body.updated_at;
    for (const body of [{}, same]) {
      const reply = await ask(`PATCH ${path}`, body);
      assert.deepEqual([reply.status, reply.body.updated_at], [200, shown], path);
    }
  }
  const { items: events } = (await ask(`GET /api/events?after=${before}`)).body;
  assert.deepEqual(events, []);
  const edited = await ask(`PATCH /api/newsfeed/${item.id}`, { text: 'b' });
  assert.ok(edited.body.updated_at > item.updated_at);
});

test('a read position is a message that is, or was, in the chat', async () => {
  for (const id of ['here', 'there']) await ask('POST /api/chats', { id, members: ['ada', 'bob'] });
  const write = async (chat: string, author: string): Promise<string> =>
    (await ask(`POST /api/chats/${chat}/messages`, { author, text: 'x' })).body.id;
  const elsewhere = await write('there', 'ada');
  const ids: string[] = [];
  for (const author of ['ada', 'bob', 'ada', 'bob', 'ada']) ids.push(await write('here', author));
  const later = await write('there', 'ada');
  const read = (member: string, message_id: string): ReturnType<typeof ask> =>
    ask(`PUT /api/chats/here/members/${member}/read`, { message_id });
  for (const id of [elsewhere, later, '00000000-0000-7000-8000-000000000000', ids[0]!.replace(/.$/, '')]) {
    assert.equal(told(await read('ada', id)), '400 invalid-body message_id', id);
  }
  await ask(`DELETE /api/chats/here/messages/${ids[1]}`);
  const moved = await read('ada', ids[1]!.toUpperCase());
  assert.deepEqual([moved.status, moved.body.read_message_id], [200, ids[1]]);
  // Above it: two of ada's own, one of bob's.
  assert.equal(moved.body.unread, 1);
  assert.equal((await ask('GET /api/chats/here/members/ada')).body.unread, 1);
  assert.equal((await read('bob', ids[0]!)).body.unread, 2);
});

test('currencies of filters are checked as all others; only money is a currency', async () => {
  for (const path of ['/api/accounts', '/api/transactions']) {
    for (const currency of ['usd', 'US', 'ABC']) {
      assert.equal(
        told(await ask(`GET ${path}?currency=${currency}`)),
        '400 unknown-currency currency',
        path,
      );
    }
  }
  for (const currency of ['X'.repeat(3), 'XTS', 'XAU', 'XAG', 'XPT', 'XPD', 'XDR', 'XBA', 'XUA']) {
    const refused = await ask('POST /api/accounts', { id: `c-${currency}`, currency });
    assert.equal(told(refused), '400 unknown-currency currency', currency);
  }
  for (const currency of ['XAF', 'XOF', 'XPF', 'XCD', 'EUR']) {
    assert.equal((await ask('POST /api/accounts', { id: `c-${currency}`, currency })).status, 201, currency);
  }
});

test('days that there are not', async () => {
  for (const id of ['d1', 'd2'])
    await ask('POST /api/accounts', { id, currency: 'EUR', allow_negative: true });
  for (const day of ['2026-02-30T00:00:00Z', '2027-04-31T12:00:00+01:00', '2027-01-01T24:30:00Z']) {
    const hold = { from: 'd1', to: 'd2', money: '1', expires_at: day };
    assert.match(told(await ask('POST /api/holds', hold)), /^400 invalid-\w+ expires_at$/, day);
    const key = { name: 'k', scopes: ['*'], expires_at: day };
    assert.match(told(await ask('POST /api/keys', key)), /^400 invalid-\w+ expires_at$/, day);
    for (const name of ['since', 'until']) {
      const list = await ask(`GET /api/transactions?${name}=${encodeURIComponent(day)}`);
      assert.equal(told(list), `400 invalid-parameter ${name}`, day);
    }
    const at = await ask(`GET /api/accounts/d1?at=${encodeURIComponent(day)}`);
    assert.equal(told(at), '400 invalid-parameter at', day);
  }
});

test('null takes the filter of a key away', async () => {
  const admin = (await ask('POST /api/keys', { name: 'admin', scopes: ['*'] })).body.token as string;
  const as = { authorization: `Bearer ${admin}` };
  const made = await ask(
    'POST /api/keys',
    { name: 'k', scopes: ['search:read'], document_filter: { match_all: {} } },
    as,
  );
  const path = `/api/keys/${made.body.key.id}`;
  const same = await ask(`PATCH ${path}`, {}, as);
  assert.equal(same.body.updated_at, made.body.key.updated_at);
  const changed = await ask(`PATCH ${path}`, { document_filter: null }, as);
  assert.deepEqual([changed.status, changed.body.document_filter], [200, undefined]);
  assert.equal((await ask(`GET ${path}`, undefined, as)).body.document_filter, undefined);
});
