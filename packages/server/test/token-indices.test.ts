// Paging by tokens over a pattern goes on while indices come and go: documents of a new index join at their
// place, those of a deleted one vanish, and of the others none is missed or repeated.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@octavo/engine';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

const { ask } = await server();

interface Page {
  readonly hits: { readonly hits: readonly { readonly _index: string; readonly _id: string }[] };
  readonly next_token?: string;
  readonly prev_token?: string;
}

const DOCS = 12;

/** Twelve documents with the same ids, sort values and words in every index. */
async function fill(index: string): Promise<void> {
  const lines = Array.from({ length: DOCS }, (_, i) => {
    const doc = { n: i % 3, t: i % 2 === 0 ? 'red' : 'red red blue' };
    return `{"index":{"_index":"${index}","_id":"${i}"}}\n${JSON.stringify(doc)}\n`;
  });
  const reply = await ask('POST /_bulk?refresh=true', lines.join(''));
  assert.equal((reply.body as { errors: boolean }).errors, false);
}

async function search(path: string, body: JsonObject): Promise<Page> {
  const reply = await ask(`POST /${path}/_search`, JSON.stringify(body));
  assert.equal(reply.status, 200, reply.text.slice(0, 300));
  return reply.body as Page;
}

async function remove(...names: string[]): Promise<void> {
  for (const name of names) await ask(`DELETE /${name}?ignore_unavailable=true`);
}

/** Walks by tokens; `between` runs after page n. Documents as `index/id`. */
async function walk(
  path: string,
  body: JsonObject,
  between: (page: number) => Promise<void>,
): Promise<string[]> {
  const seen: string[] = [];
  let page = await search(path, { ...body, tokens: true });
  for (let n = 1; n < 100; n++) {
    seen.push(...page.hits.hits.map((hit) => `${hit._index}/${hit._id}`));
    if (page.next_token === undefined) return seen;
    await between(n);
    page = await search(path, { ...body, next_token: page.next_token });
  }
  throw new Error('the walk does not end');
}

const all = (index: string): string[] => Array.from({ length: DOCS }, (_, i) => `${index}/${i}`);
const query: JsonObject = { match: { t: 'red blue' } };

const ORDERS: Readonly<Record<string, JsonObject>> = {
  'a field with ties': { sort: [{ n: 'asc' }] },
  'a field, downwards': { sort: [{ n: 'desc' }] },
  insertion: { sort: ['_doc'] },
  scores: { query },
  'scores and a field': { query, sort: ['_score', { n: 'asc' }] },
};

for (const [name, order] of Object.entries(ORDERS)) {
  const skip = name.startsWith('scores') ? onlyEmbedded('scores move') : {};
  test(`indices come and go under a walk in the order of ${name}`, skip, async () => {
    await remove('wa', 'wb', 'wc', 'wd', 'we');
    for (const index of ['wa', 'wc', 'we']) await fill(index);
    const seen = await walk('w*', { ...order, size: 5 }, async (page) => {
      if (page === 2) await fill('wb');
      if (page === 3) await fill('wd');
      if (page === 4) await remove('wc');
    });
    assert.equal(new Set(seen).size, seen.length, 'a document came twice');
    for (const id of [...all('wa'), ...all('we')]) assert.ok(seen.includes(id), `${id} is missing`);
    const joined = seen.filter((id) => id.startsWith('wd')).length;
    if (name.startsWith('scores')) assert.equal(joined, 0, 'a walk of scores stands on its moment');
    else assert.ok(joined > 0, 'nothing of the new index came');
  });
}

test('a second index joins a pattern that named one: the same id with the same values comes too', async () => {
  await remove('wa', 'wb', 'wc', 'wd', 'we');
  await fill('wa');
  const seen = await walk('w*', { sort: [{ n: 'asc' }], size: 1 }, async (page) => {
    if (page === 1) await fill('wb');
  });
  assert.equal(seen.length, 2 * DOCS);
  assert.deepEqual(seen.slice(0, 2), ['wa/0', 'wb/0']);
});

test(
  'when the index that the token stands in is gone, the walk goes on behind it, there and back',
  onlyEmbedded('scores move'),
  async () => {
    for (const order of Object.values(ORDERS)) {
      await remove('wa', 'wb', 'wc', 'wd', 'we');
      for (const index of ['wa', 'wb', 'wc']) await fill(index);
      const body = { ...order, size: 4 };
      let page = await search('w*', { ...body, tokens: true });
      const before = [...page.hits.hits];
      while (page.hits.hits.at(-1)!._index !== 'wb') {
        page = await search('w*', { ...body, next_token: page.next_token! });
        before.push(...page.hits.hits);
      }
      const next = page.next_token!;
      await remove('wb');
      const rest: string[] = [];
      for (let token: string | undefined = next; token !== undefined; token = page.next_token) {
        page = await search('w*', { ...body, next_token: token });
        rest.push(...page.hits.hits.map((hit) => `${hit._index}/${hit._id}`));
      }
      const seen = [...before.map((hit) => `${hit._index}/${hit._id}`), ...rest];
      assert.equal(new Set(seen).size, seen.length);
      for (const id of [...all('wa'), ...all('wc')])
        assert.ok(seen.includes(id), `${id} in ${JSON.stringify(order)}`);
    }
  },
);

test('what is spelled otherwise and means the same is the same list; another pattern is not', async () => {
  await remove('wa', 'wb', 'wc', 'wd', 'we');
  for (const index of ['wa', 'wb']) await fill(index);
  const body = { sort: [{ n: 'asc' }], size: 2 };
  const { next_token } = await search('wa,wb', { ...body, tokens: true });
  assert.equal((await search('wb,wa', { ...body, next_token: next_token! })).hits.hits.length, 2);
  const reply = await ask('POST /w*/_search', JSON.stringify({ ...body, next_token }));
  assert.equal(reply.status, 400);
  assert.match(reply.text, /cursor_mismatch.*index/);
  const everywhere = await search('_all', { ...body, tokens: true });
  assert.equal((await search('*', { ...body, next_token: everywhere.next_token! })).hits.hits.length, 2);
});

test('an empty token is refused, as a parameter and in the body', async () => {
  for (const name of ['next_token', 'prev_token']) {
    for (const reply of [
      await ask(`POST /w*/_search?${name}=`),
      await ask('POST /w*/_search', JSON.stringify({ [name]: '' })),
      await ask('POST /wa/_search', JSON.stringify({ sort: ['n'], [name]: '' })),
    ]) {
      assert.equal(reply.status, 400, reply.text.slice(0, 200));
      assert.match(reply.text, new RegExp(`\\[${name}\\] is empty`));
    }
  }
});
