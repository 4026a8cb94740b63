// Lists over a cluster that an Octavo plays: tokens forwards, backwards and from store to store; scrolls
// whose pages can be requested again and at another server; points in time; and their owners.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fingerprint, openToken } from '@octavo/paging';
import { parseClusterAddress } from '../src/proxy/client/address.ts';
import { createEmptyEngine } from '../src/proxy/empty-engine.ts';
import { createServer, openCluster } from '../src/serve.ts';
import { type Answer, askOver } from './ask.ts';
import { ownEngine } from './own-engine.ts';
import { openStore } from './stores.ts';

const { engine, end } = await ownEngine();
const inner = await createServer(engine, { logLevel: 'silent' });
const address = parseClusterAddress(await inner.listen({ port: 0, host: '127.0.0.1' }));
const records = await openStore();
const overCluster = async () =>
  await askOver(createEmptyEngine(), { records, cluster: await openCluster(address), logLevel: 'silent' });
const { ask } = await overCluster();
const { ask: other } = await overCluster();
const { ask: embedded } = await askOver(engine, { logLevel: 'silent' });
after(async () => {
  await inner.close();
  await end();
  await records.close();
});

const COUNT = 60;
const rows = Array.from({ length: COUNT }, (_, i) => ({
  id: `i${i}`,
  index: i % 3 === 0 ? 'two' : 'one',
  k: i % 5,
}));
const lines = rows.flatMap(({ id, index, k }) => [
  JSON.stringify({ index: { _index: index, _id: id } }),
  JSON.stringify(k === 4 ? { text: 'none' } : { k, text: 'some' }),
]);
assert.equal((await ask('POST /_bulk', `${lines.join('\n')}\n`)).body.errors, false);

const ids = ({ body }: Answer): string[] => body.hits.hits.map((hit: { _id: string }) => hit._id);
const SORT = [{ k: 'desc' }];
/** By k, largest first, what has none last; ties by id. */
const ORDER = [...rows]
  .sort((a, b) => (b.k === 4 ? -1 : b.k) - (a.k === 4 ? -1 : a.k) || (a.id < b.id ? -1 : 1))
  .map(({ id }) => id);

test('tokens walk to the end and back, over several indices', async () => {
  for (const path of ['one,two', '_all']) {
    const there: string[] = [];
    const pages: Answer[] = [];
    let token: string | undefined;
    do {
      const at = token === undefined ? {} : { next_token: token };
      const page = await ask(`POST /${path}/_search`, { sort: SORT, size: 7, tokens: true, ...at });
      assert.equal(page.status, 200, page.text);
      pages.push(page);
      there.push(...ids(page));
      assert.equal(page.body.hits.hits[0].sort.length, 1);
      token = page.body.next_token;
    } while (token !== undefined);
    assert.deepEqual(there, ORDER);
    const back: string[] = ids(pages.at(-1)!);
    let prev: string | undefined = pages.at(-1)!.body.prev_token;
    while (prev !== undefined) {
      const page = await ask(`POST /${path}/_search`, { sort: SORT, size: 7, prev_token: prev });
      back.unshift(...ids(page));
      prev = page.body.prev_token;
    }
    assert.deepEqual(back, ORDER);
  }
});

test('a token of one store goes on in the other', async () => {
  const walked: string[] = [];
  let at: { next_token?: string } = {};
  for (let i = 0; i < 12; i++) {
    // Sealed tokens are their server's own: what a caller builds is the same everywhere.
    const page = await (i % 2 === 0 ? ask : embedded)('POST /one,two/_search', {
      sort: SORT,
      size: 6,
      tokens: true,
      ...at,
    });
    assert.equal(page.status, 200, page.text);
    walked.push(...ids(page));
    const last = page.body.hits.hits.at(-1);
    if (last === undefined) break;
    const of = fingerprint({ index: ['one', 'two'], query: { query: null }, sort: SORT });
    const tuple = last.sort.map((v: number) =>
      Number.isSafeInteger(v) ? v : v < 0 ? -(2n ** 63n) : 2n ** 63n - 1n,
    );
    const position = { mode: 'sort', tuple, id: last._id, index: last._index, backwards: false } as const;
    at = { next_token: openToken({ ...position, fingerprint: of }) };
  }
  assert.deepEqual(walked, ORDER);
});

test('by pages and by from, within the window', async () => {
  assert.deepEqual(
    ids(await ask('POST /one,two/_search', { sort: SORT, size: 7, page: 3 })),
    ORDER.slice(14, 21),
  );
  const page = await ask('POST /one,two/_search?from=14&size=7&tokens', { sort: SORT });
  assert.deepEqual(ids(page), ORDER.slice(14, 21));
  assert.equal(page.headers['octavo-queries'], '1');
  const prev = await ask('POST /one,two/_search', { sort: SORT, size: 7, prev_token: page.body.prev_token });
  assert.deepEqual(ids(prev), ORDER.slice(7, 14));
  for (const [body, words] of [
    [{ page: 0 }, /counts from 1/],
    [{ page: 2, from: 1 }, /together/],
    [{ as_of: 1 }, /open a point in time/],
    [{ page: 5_000 }, /order of \[_score\]/],
    [{ next_token: 'x' }, /token/],
  ] as const) {
    const { status, body: answer } = await ask('POST /one,two/_search', body);
    assert.equal(status, 400);
    assert.match(answer.error.reason, words);
  }
});

test('scrolls: by the first id for ever, by the newest at any server, and again', async () => {
  const first = await ask('POST /one,two/_search?scroll=1m', { sort: SORT, size: 9 });
  assert.equal(first.body.hits.total.value, COUNT);
  const { _scroll_id: id } = first.body;
  const walked = ids(first);
  for (let i = 0; i < 10; i++) {
    const page = await ask('POST /_search/scroll', { scroll_id: id, scroll: '1m' });
    assert.equal(page.body.hits.total.value, COUNT);
    walked.push(...ids(page));
  }
  assert.deepEqual(walked, ORDER);

  // Meanwhile the list changes: the scroll does not.
  const begun = await ask('POST /one,two/_search?scroll=1m&scroll_seq', { sort: SORT, size: 9 });
  await ask('PUT /one/_doc/new?refresh=true', { k: 2 });
  await ask('DELETE /one/_doc/i1?refresh=true');
  const turned = ids(begun);
  let newest = begun.body._scroll_id;
  for (let seq = 2; seq <= 7; seq++) {
    const server = seq % 2 === 0 ? other : ask;
    const page = await server(`POST /_search/scroll?scroll_seq=${seq}`, { scroll_id: newest, scroll: '1m' });
    const again = await server(`POST /_search/scroll?scroll_seq=${seq}`, { scroll_id: newest, scroll: '1m' });
    assert.deepEqual([page.body.scroll_seq, ids(again)], [seq, ids(page)]);
    turned.push(...ids(page));
    newest = page.body._scroll_id;
  }
  assert.deepEqual(turned, ORDER);
  const none = await other('POST /_search/scroll?scroll_seq=4', {
    scroll_id: begun.body._scroll_id,
    scroll: '1m',
  });
  assert.equal(none.status, 400);
  assert.match(none.body.error.reason, /newest|last page that you have/);
  await ask('PUT /one/_doc/i1?refresh=true', { k: 1, text: 'some' });
  await ask('DELETE /one/_doc/new?refresh=true');
  const cleared = await ask('DELETE /_search/scroll', { scroll_id: [newest] });
  assert.deepEqual(cleared.body, { succeeded: true, num_freed: 1 });
  assert.equal((await ask('POST /_search/scroll', { scroll_id: newest, scroll: '1m' })).status, 404);
});

test('a scroll whose point in time is lost goes on behind its last hit, and says so', async () => {
  const first = await ask('POST /one,two/_search?scroll=1m', { sort: SORT, size: 25 });
  for (const lease of engine.leases('pit')) engine.closeLease(lease.id);
  const second = await ask('POST /_search/scroll', { scroll_id: first.body._scroll_id, scroll: '1m' });
  assert.equal(second.body.renewed, true, second.text);
  const third = await ask('POST /_search/scroll', { scroll_id: second.body._scroll_id, scroll: '1m' });
  assert.equal(third.body.renewed, undefined);
  assert.deepEqual([...ids(first), ...ids(second), ...ids(third)], ORDER);
});

test('a scroll that has run out is gone', async () => {
  const first = await ask('POST /one/_search?scroll=400ms', { size: 1 });
  await new Promise((resolve) => setTimeout(resolve, 450));
  assert.equal((await ask('POST /_search/scroll', { scroll_id: first.body._scroll_id })).status, 404);
});

test('points in time in both dialects, with tokens over them', async () => {
  for (const [line, name, close] of [
    ['POST /one/_search/point_in_time', 'pit_id', 'DELETE /_search/point_in_time'],
    ['POST /one/_pit', 'id', 'DELETE /_pit'],
  ] as const) {
    const opened = await ask(`${line}?keep_alive=1m`);
    const id = opened.body[name];
    const pit = { id, keep_alive: '1m' };
    const page = await ask('POST /_search', { pit, sort: SORT, size: 5, tokens: true });
    assert.equal(page.body.pit_id, id);
    const next = await ask('POST /_search', { pit, sort: SORT, size: 5, next_token: page.body.next_token });
    const plain = await ask('POST /_search', { pit, sort: [...SORT, { _id: 'asc' }], size: 10 });
    assert.deepEqual([...ids(page), ...ids(next)], ids(plain));
    const closing = name === 'id' ? { id } : { pit_id: [id] };
    assert.equal((await ask(close, closing)).status, 200);
    assert.equal((await ask('POST /_search', { pit })).status, 404);
  }
  const bad = await ask('POST /_search', { pit: { id: 'abc' } });
  assert.deepEqual([bad.status, bad.body.error.reason], [400, 'invalid id: [abc]']);
});

test('scrolls, points and tokens are their caller’s own', async () => {
  const made = await ask('POST /api/keys', { name: 'admin', scopes: ['*'] });
  const admin = { authorization: `Bearer ${made.body.token}` };
  const keyOf = async (name: string): Promise<Record<string, string>> => {
    const grant = { name, scopes: ['search:read'], document_filter: { term: { k: 2 } } };
    return { authorization: `Bearer ${(await ask('POST /api/keys', grant, admin)).body.token}` };
  };
  const [ann, bob] = [await keyOf('ann'), await keyOf('bob')];
  const scroll = await ask('POST /one,two/_search?scroll=1m', { sort: SORT, size: 5 }, ann);
  const all = ids(scroll);
  const { _scroll_id: id } = scroll.body;
  const next = await ask('POST /_search/scroll', { scroll_id: id, scroll: '1m' }, ann);
  assert.deepEqual(
    [...all, ...ids(next)].sort(),
    rows
      .filter(({ k }) => k === 2)
      .map((row) => row.id)
      .sort()
      .slice(0, 10),
  );
  assert.equal((await ask('POST /_search/scroll', { scroll_id: id, scroll: '1m' }, bob)).status, 403);
  assert.equal((await ask('DELETE /_search/scroll', { scroll_id: [id] }, bob)).status, 403);
  const { pit_id } = (await ask('POST /one/_search/point_in_time?keep_alive=1m', undefined, ann)).body;
  const seen = await ask('POST /_search', { pit: { id: pit_id }, size: 100 }, ann);
  const shown = seen.body.hits.hits.map((hit: { _source: { k: number } }) => hit._source.k);
  assert.deepEqual(new Set(shown), new Set([2]));
  assert.equal((await ask('POST /_search', { pit: { id: pit_id } }, bob)).status, 403);
  assert.equal((await ask('GET /_search/point_in_time/_all', undefined, ann)).status, 403);
  const page = await ask('POST /one/_search', { sort: SORT, size: 2, tokens: true }, ann);
  const taken = await ask(
    'POST /one/_search',
    { sort: SORT, size: 2, next_token: page.body.next_token },
    bob,
  );
  assert.deepEqual([taken.status, taken.body.error.type], [403, 'cursor_forbidden']);
});
