// Feeds over HTTP: the endpoints of the specification, cursors, tokens, pages, refusals.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { ANONYMOUS } from '../src/access/callers/principal.ts';
import { type Answer, type Ask, server } from './ask.ts';
import { openStore } from './stores.ts';

const records = await openStore();
after(() => records.close());
const { ask } = await server({ records });

let feeds = 0;
/** A feed of its own with some items, as the parameter that names it; ids oldest first. */
async function feedOf(...texts: string[]): Promise<{ feed: string; ids: string[] }> {
  const feed = `feed=f${feeds++}`;
  const ids: string[] = [];
  for (const text of texts) {
    const { status, body } = await ask(`POST /api/newsfeed/?${feed}`, { author: 'ada', text });
    assert.equal(status, 201);
    ids.push(body.id);
  }
  return { feed, ids };
}

const texts = ({ status, body }: Answer): string => {
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map((item: { text: string }) => item.text).join('');
};

const refused = async (line: string, code: string, field?: string, body?: unknown): Promise<void> => {
  const answer = await ask(line, body);
  assert.equal(answer.body.code, code, `${line}: ${answer.text}`);
  assert.ok(answer.status >= 400 && answer.status < 500);
  if (field !== undefined) assert.equal(answer.body.field, field, line);
};

test('the endpoints as the specification prints them, with and without the last slash', async () => {
  const posted = await ask('POST /api/newsfeed/', {
    author: 'ada',
    markup: '<user username="bob">Bob</user>!',
  });
  assert.equal(posted.status, 201);
  assert.equal(posted.headers['location'], `/api/newsfeed/${posted.body.id}`);
  assert.match(posted.body.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  assert.equal(posted.body.text, 'Bob!');
  assert.deepEqual(posted.body.entities, [{ kind: 'user', username: 'bob', start: 0, end: 3 }]);
  assert.equal(posted.body.unit, 'utf16');
  assert.deepEqual(posted.body.attachments, []);
  assert.equal(posted.body.created_at, posted.body.updated_at);
  for (const path of ['/api/newsfeed', '/api/newsfeed/']) {
    const listed = await ask(`GET ${path}`);
    assert.deepEqual(listed.body, { items: [posted.body], more: false, total: 1 });
    const one = await ask(`GET ${path.replace(/\/$/, '')}/${posted.body.id}`);
    assert.deepEqual(one.body, posted.body);
  }
  const upTo = await ask(`GET /api/newsfeed/?max_id=${posted.body.id}`);
  assert.equal(upTo.body.items.length, 1);
  const asMarkup = await ask(`GET /api/newsfeed/${posted.body.id}?format=markup`);
  assert.equal(asMarkup.body.markup, '<user username="bob">Bob</user>!');
  assert.equal(asMarkup.body.text, undefined);
});

test('a walk by max_id ends without an empty page', async () => {
  const { feed, ids } = await feedOf('a', 'b', 'c', 'd');
  const first = await ask(`GET /api/newsfeed?${feed}&limit=2`);
  assert.equal(texts(first), 'dc');
  assert.equal(first.body.next_max_id, ids[1]);
  assert.equal(first.body.more, true);
  const link = String(first.headers['link']);
  assert.equal(link, `</api/newsfeed?${feed}&limit=2&max_id=${ids[1]}>; rel="next"`);
  const second = await ask(`GET /api/newsfeed?${feed}&limit=2&max_id=${ids[1]}`);
  assert.equal(texts(second), 'ba');
  assert.equal(second.body.next_max_id, undefined);
  assert.equal(second.body.next, undefined);
  assert.equal(second.body.more, false);
});

test('since_id, min_id, both ends, oldest first, around', async () => {
  const { feed, ids } = await feedOf(...'abcdefgh');
  const at = (text: string): string => ids['abcdefgh'.indexOf(text)]!;
  const get = async (query: string): Promise<string> =>
    texts(await ask(`GET /api/newsfeed?${feed}&${query}`));
  assert.equal(await get(`since_id=${at('e')}`), 'hgf');
  assert.equal(await get(`min_id=${at('b')}&limit=2`), 'dc');
  assert.equal(await get(`max_id=${at('f')}&since_id=${at('c')}`), 'fed');
  assert.equal(await get(`max_id=${at('f')}&min_id=${at('b')}&limit=2`), 'dc');
  assert.equal(await get('order=asc&limit=3'), 'abc');
  assert.equal(await get(`order=asc&limit=3&min_id=${at('c')}`), 'def');
  assert.equal(await get(`around=${at('d')}&limit=4`), 'fedc');
  const asc = await ask(`GET /api/newsfeed?${feed}&order=asc&limit=3`);
  assert.equal(asc.body.next_min_id, at('c'));
  assert.equal(asc.body.next_max_id, undefined);
});

test('tokens lead forwards and back, for their caller and their list alone', async () => {
  const { feed } = await feedOf(...'abcdef');
  const first = await ask(`GET /api/newsfeed?${feed}&limit=2`);
  assert.equal(first.body.prev, undefined);
  const second = await ask(`GET /api/newsfeed?${feed}&limit=2&next_token=${first.body.next}`);
  assert.equal(texts(second), 'dc');
  const back = await ask(`GET /api/newsfeed?${feed}&limit=2&prev_token=${second.body.prev}`);
  assert.equal(texts(back), 'fe');
  assert.equal(back.body.prev, undefined);
  await refused(`GET /api/newsfeed?next_token=${first.body.next}`, 'cursor-mismatch');
  await refused(`GET /api/newsfeed?${feed}&author=ada&next_token=${first.body.next}`, 'cursor-mismatch');
  await refused(`GET /api/newsfeed?${feed}&next_token=v1.k1.AAAA`, 'cursor-invalid');
  await refused(`GET /api/newsfeed?${feed}&next_token=v0.AAAA`, 'cursor-invalid');
  await refused(`GET /api/newsfeed?${feed}&page=1&as_of=${first.body.next}`, 'cursor-mismatch');
});

test('a token is good for its caller alone', async () => {
  const { feed } = await feedOf(...'abc');
  const { ask: by } = await server({
    records,
    authenticate: ({ headers }) => ({ ...ANONYMOUS, id: `key:${String(headers['x-who'])}` }),
  });
  const get = (who: string, query: string): Promise<Answer> =>
    by(`GET /api/newsfeed?${feed}&limit=1&${query}`, undefined, { 'x-who': who });
  const { next } = (await get('1', '')).body;
  const { as_of } = (await get('1', 'page=1')).body;
  for (const query of [`next_token=${next}`, `page=1&as_of=${as_of}`]) {
    assert.equal((await get('1', query)).status, 200);
    const other = await get('2', query);
    assert.deepEqual([other.status, other.body.code], [403, 'cursor-forbidden']);
  }
});

test('no parameters, however strange, are a fault of the server', { timeout: 900_000 }, async () => {
  const { feed, ids } = await feedOf(...'abc');
  const names =
    'limit order max_id since_id min_id around next_token prev_token page as_of author mention topic format';
  const value = fc.oneof(
    fc.constantFrom(
      ...ids,
      '',
      '0',
      '1',
      '3',
      '-1',
      '1e9',
      'asc',
      'desc',
      'markup',
      'ada',
      'null',
      '[]',
      '%00',
    ),
    fc.string({ unit: 'grapheme' }).map(encodeURIComponent),
    fc.uuid(),
  );
  const pairs = fc.array(fc.tuple(fc.constantFrom(...names.split(' ')), value), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(pairs, async (all) => {
      const query = all.map(([name, text]) => `&${name}=${text}`).join('');
      const { status, body } = await ask(`GET /api/newsfeed?${feed}${query}`);
      assert.ok(status === 200 || status === 400, `${status} ${query}`);
      if (status === 400) assert.ok(body.detail.length > 10 && typeof body.code === 'string');
    }),
    { numRuns: 300 },
  );
});

test('pages by number, pinned while items come and go', async () => {
  const { feed, ids } = await feedOf(...'abcdefg');
  const first = await ask(`GET /api/newsfeed?${feed}&limit=3&page=1`);
  assert.equal(texts(first), 'gfe');
  assert.equal(first.body.page_count, 3);
  assert.equal(first.body.total, 7);
  assert.equal(first.body.total_counted, false);
  assert.deepEqual(first.body.deleted, []);
  await ask(`POST /api/newsfeed?${feed}`, { author: 'ada', text: 'h' });
  assert.equal((await ask(`DELETE /api/newsfeed/${ids[5]}?${feed}`)).status, 204);
  assert.equal((await ask(`DELETE /api/newsfeed/${ids[2]}?${feed}`)).status, 204);
  const as = `${feed}&limit=3&as_of=${first.body.as_of}`;
  const second = await ask(`GET /api/newsfeed?${as}&page=2`);
  assert.equal(texts(second), 'db');
  assert.deepEqual(second.body.deleted, [ids[2]]);
  assert.equal(second.body.total, 7);
  assert.equal(second.body.next_max_id, ids[0]);
  assert.match(String(second.headers['link']), /page=3[^>]*>; rel="next".*page=1[^>]*>; rel="prev"/);
  assert.equal(texts(await ask(`GET /api/newsfeed?${as}&page=3`)), 'a');
  assert.equal(texts(await ask(`GET /api/newsfeed?${feed}&limit=3&page=1`)), 'hge');
  const beyond = await ask(`GET /api/newsfeed?${feed}&page=1000000000000`);
  assert.equal(texts(beyond), '');
  assert.equal(beyond.body.more, false);
  const filtered = await ask(`GET /api/newsfeed?${feed}&page=1&limit=2&author=ada`);
  assert.equal(filtered.body.total_counted, true);
  assert.equal(filtered.body.total, 6);
});

test('the first page has the total where nothing has to be counted', async () => {
  const { feed, ids } = await feedOf(...'abcde');
  const total = async (rest: string): Promise<unknown> =>
    (await ask(`GET /api/newsfeed?${feed}&limit=2${rest}`)).body.total;
  assert.equal(await total(''), 5);
  assert.equal(await total('&order=asc'), 5);
  assert.equal((await ask(`DELETE /api/newsfeed/${ids[0]}?${feed}`)).status, 204);
  assert.equal(await total(''), 4);
  // Further pages stay as they are when items are posted above them.
  for (const rest of [`&max_id=${ids[2]}`, `&since_id=${ids[1]}`, `&around=${ids[2]}`, '&author=ada'])
    assert.equal(await total(rest), undefined, rest);
});

test('an ETag names what the caller has seen', async () => {
  const { feed } = await feedOf(...'abc');
  for (const path of [`/api/newsfeed?${feed}&limit=2`, `/api/newsfeed?${feed}&limit=2&page=1`]) {
    const first = await ask(`GET ${path}`);
    const tag = String(first.headers['etag']);
    assert.match(tag, /^W\//);
    const again = await ask(`GET ${path}`, undefined, { 'if-none-match': tag });
    assert.equal(again.status, 304, path);
    await ask(`POST /api/newsfeed?${feed}`, { author: 'ada', text: 'x' });
    assert.equal((await ask(`GET ${path}`, undefined, { 'if-none-match': tag })).status, 200);
  }
});

test('an item is changed in part', async () => {
  const { feed, ids } = await feedOf('a');
  const path = `/api/newsfeed/${ids[0]}?${feed}`;
  const entities = [{ kind: 'topic', start: 0, end: 5 }];
  const edited = await ask(`PATCH ${path}`, { text: '#cats', entities, data: { n: 1 } });
  assert.equal(edited.status, 200);
  assert.deepEqual(edited.body.entities, entities);
  assert.equal(texts(await ask(`GET /api/newsfeed?${feed}&topic=Cats`)), '#cats');
  const other = await ask(`PATCH ${path}`, { attachments: [{ url: 'https://example.org/' }], data: null });
  assert.equal(other.body.text, '#cats');
  assert.equal(other.body.data, undefined);
  assert.deepEqual(other.body.attachments, [{ url: 'https://example.org/' }]);
  await refused(`PATCH ${path}`, 'invalid-mentions', 'entities[0].end', {
    entities: [{ kind: 'topic', start: 0, end: 9 }],
  });
});

test('the same key posts once', async () => {
  const { feed } = await feedOf();
  const headers = { 'idempotency-key': 'k-1' };
  const line = `POST /api/newsfeed?${feed}`;
  const first = await ask(line, { author: 'ada', text: 'a' }, headers);
  const second = await ask(line, { text: 'a', author: 'ada' }, headers);
  assert.equal(second.status, 201);
  assert.deepEqual(second.body, first.body);
  assert.equal(first.headers['idempotent-replayed'], undefined);
  assert.equal(second.headers['idempotent-replayed'], 'true');
  assert.equal(texts(await ask(`GET /api/newsfeed?${feed}`)), 'a');
  const other = await ask(line, { author: 'ada', text: 'b' }, headers);
  assert.equal(other.body.code, 'idempotency-key-reused');
  const bad = await ask(line, { author: 'ada', text: 'b' }, { 'idempotency-key': ' ' });
  assert.equal(bad.body.code, 'idempotency-key-invalid');
});

test('what is malformed or contradicts itself is refused by name', async () => {
  const { feed, ids } = await feedOf(...'ab');
  const [a, b] = ids;
  const list = `GET /api/newsfeed?${feed}`;
  for (const name of ['max_id', 'since_id', 'min_id', 'around']) {
    await refused(`${list}&${name}=`, 'invalid-parameter', name);
    await refused(`${list}&${name}=7`, 'invalid-parameter', name);
    await refused(`${list}&${name}=${a}x`, 'invalid-parameter', name);
    await refused(`${list}&page=1&${name}=${a}`, 'conflicting-parameters');
  }
  for (const limit of ['0', '101', '-1', 'x', '1.5', '']) {
    await refused(`${list}&limit=${limit}`, 'invalid-parameter', 'limit');
  }
  for (const page of ['0', '-1', 'x', '', '99999999999999999999'])
    await refused(`${list}&page=${page}`, 'invalid-parameter', 'page');
  await refused(`${list}&since_id=${a}&min_id=${b}`, 'conflicting-parameters');
  await refused(`${list}&as_of=x`, 'conflicting-parameters', 'as_of');
  await refused(`${list}&page=1&as_of=x`, 'cursor-invalid');
  await refused(`${list}&size=3`, 'unknown-parameter', 'size');
  await refused(`${list}&max_id=${a}&max_id=${b}`, 'repeated-parameter', 'max_id');
  await refused('GET /api/newsfeed?feed=', 'invalid-parameter', 'feed');
  await refused('GET /api/newsfeed?feed=../x', 'invalid-parameter', 'feed');
  await refused(`GET /api/newsfeed/7`, 'invalid-parameter', 'id');
  await refused(`GET /api/newsfeed/${a}`, 'item-not-found', 'id');
  const post = `POST /api/newsfeed?${feed}`;
  await refused(post, 'invalid-body', 'author', { text: 'a' });
  await refused(post, 'invalid-body', 'text', { author: 'ada' });
  await refused(post, 'invalid-body', 'text', { author: 'ada', text: 'a', markup: 'a' });
  await refused(post, 'invalid-body', 'id', { author: 'ada', text: 'a', id: a });
  await refused(post, 'content-too-large', 'text', { author: 'ada', text: 'x'.repeat(70_000) });
  await refused(post, 'content-too-large', 'data', {
    author: 'ada',
    text: 'x',
    data: { x: 'x'.repeat(70_000) },
  });
  await refused(post, 'invalid-body', 'attachments[0].url', {
    author: 'ada',
    text: 'x',
    attachments: [{ url: 'javascript:alert(1)' }],
  });
});

test('a feed that nothing was posted to is empty', async () => {
  const empty = await ask('GET /api/newsfeed?feed=nobody');
  assert.deepEqual(empty.body, { items: [], more: false, total: 0 });
  const page = await ask('GET /api/newsfeed?feed=nobody&page=1');
  assert.equal(page.body.total, 0);
  assert.equal(page.body.page_count, 0);
});

test('walks over HTTP while others write miss nothing and show nothing twice', {
  timeout: 900_000,
}, async () => {
  const { feed, ids } = await feedOf();
  const posting = async (text: string): Promise<void> => {
    ids.push((await ask(`POST /api/newsfeed?${feed}`, { author: 'ada', text })).body.id);
  };
  for (let i = 0; i < 120; i++) await posting(`${i}`);
  // One in three of the first items is deleted while the walks go on; the others are there all along.
  const doomed = new Set(ids.filter((_, i) => i % 3 === 1));
  const kept = ids.filter((id) => !doomed.has(id)).reverse();
  let stop = false;
  const writing = (async () => {
    const rest = [...doomed];
    for (let i = 0; !stop; i++) {
      const id = rest.splice((i * 7) % (rest.length || 1), 1)[0];
      if (id !== undefined) await ask(`DELETE /api/newsfeed/${id}?${feed}`);
      await posting(`new ${i}`);
    }
  })();
  // Those towards the newest would go on as long as somebody writes.
  const done = (seen: readonly string[]): boolean => kept.every((id) => seen.includes(id));
  const walks: Record<string, (ask: Ask, feed: string) => Promise<string[]>> = {
    max_id: (get, list) =>
      follow(get, list, (body) => body['next_max_id'] && `max_id=${body['next_max_id']}`),
    tokens: (get, list) => follow(get, list, (body) => body['next'] && `next_token=${body['next']}`),
    'oldest first': (get, list) =>
      follow(get, `${list}&order=asc`, (body, seen) =>
        body['next_min_id'] && !kept.every((id) => seen.includes(id))
          ? `min_id=${body['next_min_id']}`
          : undefined,
      ),
    // From the oldest page back to the newest, by what its neighbours are said to be.
    'prev tokens': (get, list) =>
      follow(
        get,
        list,
        (body, seen) => (done(seen) ? undefined : body['prev'] && `prev_token=${body['prev']}`),
        `max_id=${kept.at(-1)}`,
      ),
    min_id: (get, list) =>
      follow(
        get,
        list,
        (body, seen) => (done(seen) ? undefined : body['next_min_id'] && `min_id=${body['next_min_id']}`),
        'min_id=00000000-0000-7000-8000-000000000000',
      ),
    pages: async (get, list) => {
      const all: string[] = [];
      let as = '';
      for (let page = 1, count = 1; page <= count; page++) {
        const { body } = await get(`GET /api/newsfeed?${list}&limit=7&page=${page}${as}`);
        as = `&as_of=${body.as_of}`;
        count = body.page_count;
        all.push(...body.items.map((item: { id: string }) => item.id));
      }
      return all;
    },
  };
  for (const [name, walk] of Object.entries(walks)) {
    const seen = await walk(ask, feed);
    assert.equal(new Set(seen).size, seen.length, `${name}: nothing twice`);
    // Each walk met them in an order of its own, page by page.
    assert.deepEqual(
      seen.filter((id) => kept.includes(id)).sort(),
      kept.toSorted(),
      `${name}: nothing missed`,
    );
  }
  stop = true;
  await writing;
});

async function follow(
  get: Ask,
  list: string,
  next: (body: Record<string, string>, seen: readonly string[]) => string | undefined,
  from = '',
): Promise<string[]> {
  const seen: string[] = [];
  let place: string | undefined = from;
  while (place !== undefined) {
    const { body } = await get(`GET /api/newsfeed?${list}&limit=7&${place}`);
    seen.push(...body.items.map((item: { id: string }) => item.id));
    place = next(body, seen) || undefined;
  }
  return seen;
}
