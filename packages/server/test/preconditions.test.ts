// `If-Match` on items, messages and accounts: with the tag of the current state a write happens, with any other
// it does not.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { server } from './ask.ts';
import { openStore } from './stores.ts';

const records = await openStore();
after(() => records.close());
const { ask } = await server({ records });
const etagOf = async (path: string): Promise<string> => String((await ask(`GET ${path}`)).headers['etag']);

await ask('POST /api/chats', { id: 'team' });
await ask('POST /api/accounts', { id: 'bank', currency: 'EUR', allow_negative: true });

/** What can be changed, how, and how it changes on its own. */
const SUBJECTS: readonly {
  readonly what: string;
  readonly make: (n: number) => Promise<{ path: string; etag: string }>;
  readonly change: (n: number) => object;
  readonly deletes: boolean;
}[] = [
  {
    what: 'an item',
    make: async () => {
      const { body, headers } = await ask('POST /api/newsfeed', { author: 'ada', text: 'a' });
      return { path: `/api/newsfeed/${body.id}`, etag: String(headers['etag']) };
    },
    change: (n) => ({ text: `b${n}` }),
    deletes: true,
  },
  {
    what: 'an item of a named feed',
    make: async () => {
      const { body } = await ask('POST /api/newsfeed?feed=news', { author: 'ada', text: 'a' });
      const path = `/api/newsfeed/${body.id}?feed=news`;
      return { path, etag: await etagOf(path) };
    },
    change: (n) => ({ text: `b${n}` }),
    deletes: true,
  },
  {
    what: 'a message',
    make: async () => {
      const { body, headers } = await ask('POST /api/chats/team/messages', { author: 'ada', text: 'a' });
      return { path: `/api/chats/team/messages/${body.id}`, etag: String(headers['etag']) };
    },
    change: (n) => ({ text: `b${n}` }),
    deletes: true,
  },
  {
    what: 'an account',
    make: async (n) => {
      const { headers } = await ask('POST /api/accounts', { id: `a${n}`, currency: 'EUR' });
      return { path: `/api/accounts/a${n}`, etag: String(headers['etag']) };
    },
    change: (n) => ({ allow_negative: n % 2 === 0 }),
    deletes: false,
  },
];

let made = 0;
for (const { what, make, change, deletes } of SUBJECTS) {
  test(`${what}: changed with its tag, and only with that`, async () => {
    const { path, etag } = await make(++made);
    assert.equal(etag, await etagOf(path), 'the tag of the POST is that of the GET');
    const patch = (n: number, tag: string, more: object = {}): ReturnType<typeof ask> =>
      ask(`PATCH ${path}`, change(n), { 'if-match': tag, ...more });
    const first = await patch(0, etag);
    assert.equal(first.status, 200, first.text);
    const now = String(first.headers['etag']);
    assert.equal(now, await etagOf(path), 'the tag of the PATCH is that of the GET');
    const stale = await patch(1, etag);
    assert.deepEqual(
      [stale.status, stale.body.code, stale.body.field],
      [412, 'precondition-failed', 'If-Match'],
    );
    assert.deepEqual([stale.headers['etag'], stale.body.etag], [now, now]);
    assert.equal(await etagOf(path), now, 'nothing has changed');
    for (const tag of ['W/"x"', '"x", W/"y"', 'nonsense', '']) {
      assert.equal((await patch(1, tag)).status, 412, tag);
    }
    assert.equal((await patch(1, `"x", ${now.slice(2)}`)).status, 200, 'one of several, without W/');
    assert.equal((await patch(2, '*')).status, 200);
  });

  test(`${what}: of many that saw the same, one writes`, async () => {
    const { path, etag } = await make(++made);
    const all = await Promise.all(
      Array.from({ length: 8 }, () => ask(`PATCH ${path}`, change(0), { 'if-match': etag })),
    );
    assert.deepEqual(all.map(({ status }) => status).sort(), [200, ...Array(7).fill(412)]);
  });

  test(`${what}: sent again with its key, it is answered as before`, async () => {
    const { path, etag } = await make(++made);
    const headers = { 'if-match': etag, 'idempotency-key': `k${made}` };
    const first = await ask(`PATCH ${path}`, change(0), headers);
    assert.equal(first.status, 200);
    const again = await ask(`PATCH ${path}`, change(0), headers);
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true']);
    if (!deletes) return;
    const deleting = { 'if-match': String(first.headers['etag']), 'idempotency-key': `d${made}` };
    assert.equal((await ask(`DELETE ${path}`, undefined, { 'if-match': etag })).status, 412);
    assert.equal((await ask(`DELETE ${path}`, undefined, deleting)).status, 204);
    const gone = await ask(`DELETE ${path}`, undefined, deleting);
    assert.deepEqual([gone.status, gone.headers['idempotent-replayed']], [204, 'true']);
    assert.equal((await ask(`DELETE ${path}`, undefined, { 'if-match': etag })).status, 404);
  });
}

test('either format of an entry has its tag', async () => {
  const { body } = await ask('POST /api/newsfeed', { author: 'ada', markup: '<topic>t</topic>' });
  const path = `/api/newsfeed/${body.id}`;
  const tags = [await etagOf(path), await etagOf(`${path}?format=markup`)];
  assert.notEqual(tags[0], tags[1]);
  const edited = await ask(`PATCH ${path}`, { text: 'x' }, { 'if-match': tags[1]! });
  assert.equal(edited.status, 200);
});

test('money that moved is a change of the account', async () => {
  const path = '/api/accounts/moved';
  await ask('POST /api/accounts', { id: 'moved', currency: 'EUR' });
  const etag = await etagOf(path);
  await ask('POST /api/transaction?from=bank&to=moved&money=1');
  assert.equal((await ask(`PATCH ${path}`, { allow_negative: true }, { 'if-match': etag })).status, 412);
});
