// Documents, keys and webhooks as methods, against a real server in this process.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BulkOperation, OctavoClient, OctavoError } from '../src/index.ts';
import { startServer } from './server.ts';

const url = await startServer({ webhookAllowPrivate: true });
const client = new OctavoClient({ url });

interface Book {
  readonly title: string;
  readonly n?: number | bigint;
}

test('documents are written, read, changed and deleted', async () => {
  const books = client.documents<Book>('books');
  await assert.rejects(books.get('1'), (error) => error instanceof OctavoError && error.status === 404);
  const made = await books.index('a/b', { title: 'Emma', n: 9007199254740993n });
  assert.equal(made.result, 'created');
  const read = await books.get('a/b');
  assert.deepEqual(read?._source, { title: 'Emma', n: 9007199254740993n });
  assert.equal(await books.get('none'), undefined);
  assert.equal((await books.update('a/b', { title: 'Persuasion' })).result, 'updated');
  const stale = books.index('a/b', { title: 'x' }, { ifSeqNo: made._seq_no });
  await assert.rejects(stale, (error) => error instanceof OctavoError && error.status === 409);
  const { _id } = await books.add({ title: 'Sanditon' });
  assert.equal((await books.get(_id))?._source.title, 'Sanditon');
  assert.deepEqual([await books.delete('a/b'), await books.delete('a/b')], [true, false]);
});

test('bulk takes any iterable and returns the results in order', async () => {
  async function* operations(): AsyncGenerator<BulkOperation<Book>> {
    for (let n = 0; n < 25; n++) yield { op: 'index', id: `b${n}`, source: { title: `t${n}`, n } };
    yield { op: 'create', id: 'b1', source: { title: 'twice' } };
    yield { op: 'update', id: 'b2', doc: { title: 'new' } };
    yield { op: 'update', id: 'b99', doc: { title: 'made' }, upsert: true };
    yield { op: 'delete', id: 'b3' };
    yield { op: 'delete', id: 'nobody' };
  }
  const results = [];
  const bulk = client.documents<Book>('many').bulk(operations(), { size: 10 });
  for await (const { op, _id, status } of bulk) results.push(`${op} ${_id} ${status}`);
  assert.deepEqual(
    results.slice(0, 25),
    Array.from({ length: 25 }, (_, n) => `index b${n} 201`),
  );
  assert.deepEqual(results.slice(25), [
    ...['create b1 409', 'update b2 200', 'update b99 201', 'delete b3 200', 'delete nobody 404'],
  ]);
  let count = 0;
  for await (const _ of client.search('many', { size: 7 })) count++;
  assert.equal(count, 25);
  for await (const _ of client.documents('many').bulk([])) assert.fail('nothing in, nothing out');
});

test('entries are posted, edited, read and listed as markup', async () => {
  const [ada, bob] = ['ada', 'bob'].map((name) => `<user username="${name}">${name}</user> came`) as [
    string,
    string,
  ];
  const form = { format: 'markup' } as const;
  const item = await client.feed.post({ author: 'eve', markup: bob }, form);
  // The types know: an item in markup has no text.
  const posted: string = item.markup;
  assert.deepEqual([posted, 'text' in item], [bob, false]);
  assert.equal((await client.feed.get(item.id, form)).markup, bob);
  assert.equal((await client.feed.get(item.id)).text, 'bob came');
  assert.equal((await client.feed.edit(item.id, { markup: ada }, form)).markup, ada);
  assert.equal((await client.feed.edit(item.id, { markup: bob })).text, 'bob came');
  await client.feed.post({ author: 'eve', markup: ada });
  const query = { author: 'eve', limit: 1 };
  const listed: string[] = [];
  for await (const { markup } of client.feed.list({ ...query, ...form })) listed.push(markup);
  assert.deepEqual(listed, [ada, bob]);
  assert.equal((await client.feed.page(2, { ...query, ...form })).items[0]?.markup, bob);
  assert.deepEqual(
    (await client.feed.list(query).toArray()).map(({ text }) => text),
    ['ada came', 'bob came'],
  );
  const either = form.format as 'markup' | 'entities';
  const [unknown] = await client.feed.list({ ...query, format: either }).toArray();
  assert.ok(unknown !== undefined && 'markup' in unknown);
});

test('webhooks', async () => {
  const made = await client.webhooks.create({ url: 'http://127.0.0.1:9/', types: ['key.*'] });
  assert.match(made.secret, /^whsec_/);
  assert.deepEqual(
    (await client.webhooks.list()).map(({ id }) => id),
    [made.id],
  );
  assert.equal((await client.webhooks.edit(made.id, { enabled: false })).enabled, false);
  assert.notEqual((await client.webhooks.rotateSecret(made.id)).secret, made.secret);
  await client.webhooks.delete(made.id);
  await assert.rejects(client.webhooks.get(made.id), /webhook/);
});

test('keys are created, used, edited and revoked', async () => {
  const { encoded } = await client.keys.create({ name: 'admin', scopes: ['*'] });
  const admin = new OctavoClient({ url, apiKey: encoded });
  await assert.rejects(
    client.keys.list().first(),
    (error) => error instanceof OctavoError && error.status === 401,
  );
  const made = await admin.keys.create({ name: 'reader', scopes: ['search:read'], index_patterns: ['many'] });
  const reader = new OctavoClient({ url, apiKey: made.encoded });
  assert.equal((await reader.documents<Book>('many').get('b5'))?._source.title, 't5');
  await assert.rejects(reader.documents('many').index('x', {}), /unauthorized/);
  assert.equal((await admin.keys.edit(made.key.id, { index_patterns: null })).index_patterns, undefined);
  const { key } = await admin.keys.rotate(made.key.id, { graceSeconds: 0 });
  assert.equal(key.id, made.key.id);
  const names = [];
  for await (const { name } of admin.keys.list({ limit: 1 })) names.push(name);
  assert.deepEqual(names.sort(), ['admin', 'reader']);
  assert.notEqual((await admin.keys.revoke(made.key.id)).revoked_at, undefined);
});
