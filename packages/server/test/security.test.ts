// `/_security/api_key` in the shapes of Elasticsearch: the same keys, never wider than what was asked for.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { server } from './ask.ts';
import { openStore } from './stores.ts';

const records = await openStore();
after(() => records.close());
const { ask } = await server({ records });
const as = (encoded: string): Record<string, string> => ({ authorization: `ApiKey ${encoded}` });
const role = (privileges: string[], more: object = {}): object => ({
  role_descriptors: { r: { indices: [{ names: ['books*'], privileges, ...more }] } },
});

test('create, ask who one is, list, invalidate', async () => {
  await ask('PUT /books/_doc/1', { shop: 'a' });
  await ask('PUT /books/_doc/2', { shop: 'b' });
  const admin = await ask('POST /_security/api_key', { name: 'admin' });
  assert.equal(admin.status, 200);
  assert.equal(
    Buffer.from(admin.body.encoded, 'base64').toString(),
    `${admin.body.id}:${admin.body.api_key}`,
  );
  assert.equal((await ask('GET /')).status, 401);
  const all = as(admin.body.encoded);
  const made = await ask(
    'PUT /_security/api_key',
    {
      name: 'shop',
      expiration: '1d',
      metadata: { team: 'x' },
      ...role(['read'], { query: '{"term":{"shop":"a"}}' }),
    },
    all,
  );
  assert.equal(made.status, 200);
  assert.ok(made.body.expiration > Date.now());
  const mine = as(made.body.encoded);
  const found = await ask('POST /books/_search', {}, mine);
  assert.deepEqual(
    found.body.hits.hits.map((hit: { _id: string }) => hit._id),
    ['1'],
  );
  assert.equal((await ask('PUT /books/_doc/3', {}, mine)).status, 403);
  const me = (await ask('GET /_security/_authenticate', undefined, mine)).body;
  assert.equal(me.api_key.id, made.body.id);
  assert.equal(me.authentication_type, 'api_key');
  assert.equal((await ask('GET /_security/api_key', undefined, mine)).status, 403);
  const own = await ask('GET /_security/api_key?owner=true', undefined, mine);
  assert.deepEqual(
    own.body.api_keys.map((key: { name: string }) => key.name),
    ['shop'],
  );
  const listed = (await ask('GET /_security/api_key?name=sh*', undefined, all)).body.api_keys;
  assert.equal(listed.length, 1);
  assert.deepEqual(listed[0].metadata, { team: 'x' });
  assert.deepEqual(listed[0].role_descriptors.octavo.indices[0].privileges, ['read']);
  assert.equal((await ask('DELETE /_security/api_key', { ids: [made.body.id] }, mine)).status, 200);
  assert.equal((await ask('POST /books/_search', {}, mine)).status, 401);
  const again = await ask('DELETE /_security/api_key', { ids: [made.body.id] }, all);
  assert.deepEqual(again.body.previously_invalidated_api_keys, [made.body.id]);

  for (const [body, words] of [
    [role(['create_doc']), 'create_doc'],
    [role(['write']), 'read'],
    [role(['read'], { field_security: { grant: ['a'] } }), 'field_security'],
    [role(['read'], { query: { terms: { a: { index: 'x', id: '1', path: 'p' } } } }), 'another document'],
    [{ role_descriptors: { r: { cluster: ['manage_ilm'] } } }, 'manage_ilm'],
    [{ role_descriptors: { r: { applications: [{ application: 'x' }] } } }, 'applications'],
    [{ expiration: '-1d' }, 'expiration'],
    [{ nonsense: 1 }, 'nonsense'],
  ] as const) {
    const refused = await ask('POST /_security/api_key', { name: 'x', ...body }, all);
    assert.equal(refused.status, 400, words);
    assert.ok(refused.body.error.reason.includes(words), refused.body.error.reason);
  }
});
