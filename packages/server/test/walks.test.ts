// Paging while others write: lists on a snapshot give that snapshot; others give every untouched document
// exactly once. Over a real engine, with a writer that never rests.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '@octavo/engine';
import { server } from './ask.ts';
import { onlyEmbedded, TEST_DOCUMENTS } from './over-cluster.ts';

interface Doc {
  readonly [field: string]: string | number | undefined;
}

interface Found {
  readonly _id: string;
  readonly _source: Doc;
  readonly _score: number | null;
  readonly _seq_no?: number;
  readonly sort?: JsonValue;
}

interface Page {
  readonly hits: { readonly total: { readonly value: number }; readonly hits: readonly Found[] };
  readonly [member: string]: JsonValue | object | undefined;
}

interface Entry {
  readonly field: string;
  readonly order?: 'asc' | 'desc';
  readonly missing?: '_first' | '_last';
}

const SIZES = [7, 50];
const STILL = 180;
const CHURN = 130;
const MOST_PAGES = 1_000;
const TIES: readonly Entry[] = [{ field: 'cat' }, { field: 'n', order: 'desc' }];
const HOLES: readonly Entry[] = [
  { field: 'd', order: 'desc', missing: '_first' },
  { field: 'cat', order: 'desc' },
];
const UNIQUE: readonly Entry[] = [...TIES, { field: 'code' }];
const UNIQUE_HOLES: readonly Entry[] = [...HOLES, { field: 'code', order: 'desc' }];

const { ask } = await server();

/** What the index holds, as far as it answered. */
const model = new Map<string, Doc>();
/** Documents whose place in some order changed: a live walk may meet them twice. */
const moved = new Set<string>();
const written = { writes: 0 };
/** Settles with the writer's next step. */
let stepped: PromiseWithResolvers<void> = Promise.withResolvers();
let stopping = false;
let writer: Promise<void>;

let seed = 0x2f6e2b1;

/** The next number below n of a small xorshift. */
function draw(n: number): number {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return (seed >>> 0) % n;
}

let turn: Promise<unknown> = Promise.resolve();

/** One at a time: a write with its note in the model, or the beginning of a walk with its picture of the model. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  const mine = turn.then(work);
  turn = mine.catch(() => {});
  return mine;
}

function newDoc(id: string): Doc {
  const words = Array.from({ length: 1 + draw(3) }, () => ['red', 'green', 'blue'][draw(3)]);
  const doc: Record<string, string | number> = { code: id, v: draw(1_000), text: `all ${words.join(' ')}` };
  if (draw(4) > 0) doc['cat'] = 'abc'[draw(3)]!;
  if (draw(4) > 0) doc['n'] = draw(3) - 1;
  if (draw(4) > 0) doc['d'] = draw(3) / 2;
  return doc;
}

async function send(line: string, body?: unknown): Promise<Page> {
  const reply = await ask(line, body);
  assert.ok(reply.status < 300, `${line}: ${reply.status} ${reply.text.slice(0, 300)}`);
  return reply.body as Page;
}

async function sendBulk(ids: readonly string[]): Promise<void> {
  const docs = ids.map((id): [string, Doc] => [id, newDoc(id)]);
  const lines = docs
    .flatMap(([id, doc]) => [{ index: { _id: id } }, doc])
    .map((each) => JSON.stringify(each));
  const reply = await send('POST /w/_bulk', `${lines.join('\n')}\n`);
  assert.equal(reply['errors'], false);
  for (const [id, doc] of docs) model.set(id, doc);
}

/** Some deletions, updates and new sources at once, kept in the model once they are acknowledged. */
async function write(): Promise<void> {
  const lines: object[] = [];
  const notes: [string, Doc | undefined][] = [];
  const ids = new Set(Array.from({ length: 8 }, () => `c${String(draw(CHURN)).padStart(3, '0')}`));
  for (const _id of ids) {
    const old = model.get(_id);
    const way = draw(10);
    if (old !== undefined && way < 4) {
      lines.push({ delete: { _id } });
      notes.push([_id, undefined]);
    } else if (old !== undefined && way < 7) {
      const v = draw(1_000);
      lines.push({ update: { _id } }, { doc: { v } });
      notes.push([_id, { ...old, v }]);
    } else {
      const doc = newDoc(_id);
      moved.add(_id);
      lines.push({ index: { _id } }, doc);
      notes.push([_id, doc]);
    }
  }
  const reply = await send('POST /w/_bulk', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  assert.equal(reply['errors'], false);
  for (const [id, doc] of notes) {
    if (doc === undefined) model.delete(id);
    else model.set(id, doc);
  }
}

/** Writes until it is told to stop. Flushes and merges go on beside writes and do not wait for walks to begin. */
async function writeOn(): Promise<void> {
  for (; !stopping; written.writes++) {
    const all: Promise<unknown>[] = [alone(write)];
    if (written.writes % 3 === 0) all.push(send('POST /w/_flush'));
    if (written.writes % 7 === 0) all.push(send('POST /w/_forcemerge?max_num_segments=1'));
    await Promise.all(all);
    stepped.resolve();
    stepped = Promise.withResolvers();
    await setImmediate();
  }
}

before(async () => {
  const properties = {
    code: { type: 'keyword' },
    cat: { type: 'keyword' },
    n: { type: 'long' },
    d: { type: 'double' },
    v: { type: 'integer' },
    text: { type: 'text' },
  };
  await send('PUT /w', { mappings: { properties } });
  const still = Array.from({ length: STILL }, (_, i) => `s${String((i * 7919) % 1_000).padStart(3, '0')}`);
  const churn = Array.from({ length: CHURN }, (_, i) => `c${String(i).padStart(3, '0')}`);
  for (let at = 0; at < STILL; at += 60) {
    await sendBulk([...still.slice(at, at + 60), ...churn.slice(at / 2, at / 2 + 30)]);
    await send('POST /w/_flush');
  }
  writer = writeOn();
  // A writer that fails lets the walks go on; the last test tells.
  writer.catch(() => {
    stopping = true;
    stepped.resolve();
  });
});

after(() => {
  stopping = true;
});

function sortOf(entries: readonly Entry[]): JsonObject[] {
  return entries.map(({ field, ...rest }) => ({ [field]: rest }));
}

/** The order of a sort by fields, ties by id. */
function compare(entries: readonly Entry[], a: Doc, b: Doc): number {
  for (const { field, order, missing } of entries) {
    const [x, y] = [a[field], b[field]];
    if (x === y) continue;
    if (x === undefined || y === undefined) return (x === undefined) === (missing === '_first') ? -1 : 1;
    return x < y === (order !== 'desc') ? -1 : 1;
  }
  return a['code']! < b['code']! ? -1 : a['code'] === b['code'] ? 0 : 1;
}

function pictureIn(entries: readonly Entry[], picture: ReadonlyMap<string, Doc>): Doc[] {
  return [...picture.values()].sort((a, b) => compare(entries, a, b));
}

/** Takes a picture of the model at the moment of a request. */
async function begin<T>(open: () => Promise<T>): Promise<{ first: T; picture: ReadonlyMap<string, Doc> }> {
  return await alone(async () => ({ first: await open(), picture: new Map(model) }));
}

/** The moment, each document once, in whatever order. */
function assertMoment(found: readonly Found[], picture: ReadonlyMap<string, Doc>): void {
  for (const hit of found) assert.equal(hit._id, hit._source['code']);
  const byId = (a: Doc, b: Doc): number => compare([], a, b);
  assert.deepEqual(found.map((hit) => hit._source).sort(byId), pictureIn([], picture));
}

/** The moment, each document once, in the order of a sort. */
function assertOrdered(
  found: readonly Found[],
  picture: ReadonlyMap<string, Doc>,
  entries: readonly Entry[],
): void {
  assert.deepEqual(
    found.map((hit) => hit._source),
    pictureIn(entries, picture),
  );
}

/** Best first, ties by age where that is known, each document of the moment once. */
function assertScored(found: readonly Found[], picture: ReadonlyMap<string, Doc>): void {
  assertMoment(found, picture);
  for (const [i, hit] of found.entries()) {
    const before = found[i - 1];
    if (before === undefined) continue;
    const falls = before._score! > hit._score!;
    const isOlder = TEST_DOCUMENTS !== undefined || before._seq_no! < hit._seq_no!;
    assert.ok(falls || (before._score === hit._score && isOlder), `${before._id} before ${hit._id}`);
  }
}

/** Strictly onwards in the order of a sort, no document twice that kept its place, none missing that nobody touched. */
function assertLive(found: readonly Found[], entries: readonly Entry[], from?: Doc): void {
  const seen = new Set<string>();
  for (const [i, hit] of found.entries()) {
    const before = found[i - 1];
    if (before !== undefined) assert.ok(compare(entries, before._source, hit._source) < 0, `at ${hit._id}`);
    assert.ok(!seen.has(hit._id) || moved.has(hit._id), `${hit._id} twice`);
    seen.add(hit._id);
  }
  for (const [id, doc] of model) {
    if (!id.startsWith('s') || (from !== undefined && compare(entries, doc, from) > 0)) continue;
    assert.ok(seen.has(id), `${id} is missing`);
  }
}

/** Lets the writer in, about once in seventy hits, and after each page of fifty. */
async function pause(pages: number, size: number): Promise<void> {
  if (!stopping && pages % Math.round(70 / size) === 0) await stepped.promise;
}

/** Pages until `next` has no request for the one after. */
async function walk(first: Page, next: (page: Page) => Promise<Page> | undefined): Promise<Page[]> {
  const pages = [first];
  for (let page = first; pages.length < MOST_PAGES; pages.push(page)) {
    const coming = next(page);
    if (coming === undefined) return pages;
    page = await coming;
    await pause(pages.length, first.hits.hits.length);
  }
  throw new Error('the walk does not end');
}

const hitsOf = (pages: readonly Page[]): Found[] => pages.flatMap((page) => page.hits.hits);

/** Searches; returns the last hit's sort values with all digits, of which a missing long has more than a double. */
async function search(line: string, body: JsonObject): Promise<{ page: Page; last: JsonValue | undefined }> {
  const reply = await ask(line, stringifyJson(body));
  assert.equal(reply.status, 200, reply.text.slice(0, 300));
  const exact = parseJson(Buffer.from(reply.text)) as unknown as Page;
  return { page: reply.body as Page, last: exact.hits.hits.at(-1)?.sort };
}

/** The hits of a walk that follows sort values until a page is empty. */
async function follow(line: string, body: JsonObject): Promise<Found[]> {
  const found: Found[] = [];
  let { page, last } = await search(line, body);
  for (let pages = 1; last !== undefined; pages++) {
    assert.ok(pages < MOST_PAGES, 'the walk does not end');
    found.push(...page.hits.hits);
    await pause(pages, page.hits.hits.length);
    ({ page, last } = await search(line, { ...body, search_after: last }));
  }
  return found;
}

for (const size of SIZES) {
  test(`scrolls give their moment, ${size} at a time`, async () => {
    for (const entries of [TIES, HOLES]) {
      const body = { size, sort: sortOf(entries) };
      const { first, picture } = await begin(() => send('POST /w/_search?scroll=1m', body));
      const rest = { scroll: '1m', scroll_id: first['_scroll_id'] };
      const pages = await walk(first, (page) =>
        page.hits.hits.length === 0 ? undefined : send('POST /_search/scroll', rest),
      );
      for (const page of pages) assert.equal(page.hits.total.value, picture.size);
      assertOrdered(hitsOf(pages), picture, entries);
    }
    const scored = { size, query: { match: { text: 'all red' } }, seq_no_primary_term: true };
    const { first, picture } = await begin(() => send('POST /w/_search?scroll=1m', scored));
    const rest = { scroll: '1m', scroll_id: first['_scroll_id'] };
    const pages = await walk(first, (page) =>
      page.hits.hits.length === 0 ? undefined : send('POST /_search/scroll', rest),
    );
    assertScored(hitsOf(pages), picture);
  });

  test(`points in time give their moment, ${size} at a time`, async () => {
    const from = (id: unknown, sort: JsonObject[]): Promise<Found[]> =>
      follow('POST /_search', { size, sort, pit: { id: id as string, keep_alive: '1m' } });
    for (const entries of [UNIQUE, UNIQUE_HOLES]) {
      const { first, picture } = await begin(() => send('POST /w/_search/point_in_time?keep_alive=1m'));
      assertOrdered(await from(first['pit_id'], sortOf(entries)), picture, entries);
    }
    for (const entries of [UNIQUE, UNIQUE_HOLES]) {
      const { first, picture } = await begin(() => send('POST /w/_pit?keep_alive=1m'));
      assertOrdered(await from(first['id'], sortOf(entries)), picture, entries);
      // Ties are told apart by the `_shard_doc` that this dialect adds; in a cluster they are its own.
      if (TEST_DOCUMENTS !== undefined) continue;
      assertMoment(await from(first['id'], sortOf(entries.slice(0, -1))), picture);
      assertMoment(await from(first['id'], [{ _shard_doc: 'desc' }]), picture);
    }
  });

  test(`tokens of a sort miss nothing there and back, ${size} at a time`, async () => {
    for (const entries of [TIES, HOLES]) {
      const body = { size, sort: sortOf(entries) };
      const to = (member: string) => (page: Page) =>
        page[member] === undefined ? undefined : send('POST /w/_search', { ...body, [member]: page[member] });
      const there = await walk(await send('POST /w/_search', { ...body, tokens: true }), to('next_token'));
      assertLive(hitsOf(there), entries);
      const last = there.at(-1)!;
      const back = await walk(last, to('prev_token'));
      assertLive(hitsOf(back.reverse()), entries, last.hits.hits.at(-1)!._source);
    }
  });

  test(
    `tokens of scores give their moment there and back, ${size} at a time`,
    onlyEmbedded('scores move'),
    async () => {
      for (const sort of [undefined, ['_score', { n: 'desc' }]]) {
        const body = {
          size,
          query: { match: { text: 'all blue green' } },
          seq_no_primary_term: true,
          ...(sort === undefined ? {} : { sort }),
        };
        const to = (member: string) => (page: Page) =>
          page[member] === undefined
            ? undefined
            : send('POST /w/_search', { ...body, [member]: page[member] });
        const opened = (): Promise<Page> => send('POST /w/_search', { ...body, tokens: true });
        const { first, picture } = await begin(opened);
        const there = await walk(first, to('next_token'));
        const back = (await walk(there.at(-1)!, to('prev_token'))).reverse();
        for (const page of [...there, ...back]) assert.equal(page['as_of'], first['as_of']);
        assertMoment(hitsOf(there), picture);
        assert.deepEqual(hitsOf(back), hitsOf(there));
        if (sort === undefined) assertScored(hitsOf(there), picture);
      }
    },
  );

  test(
    `pages by number give the commit they name, ${size} at a time`,
    onlyEmbedded('no commits'),
    async () => {
      const query = { match: { text: 'all red' } };
      for (const entries of [TIES, HOLES, undefined]) {
        const body = {
          size,
          ...(entries === undefined ? { query, seq_no_primary_term: true } : { sort: sortOf(entries) }),
        };
        const { first, picture } = await begin(async () => {
          await send('POST /w/_search/point_in_time?keep_alive=1m');
          return await send('POST /w/_search', { ...body, tokens: true });
        });
        let number = 1;
        const pages = await walk(first, (page) =>
          page.hits.hits.length === 0
            ? undefined
            : send(`POST /w/_search?page=${++number}&as_of=${first['as_of']}`, body),
        );
        if (entries === undefined) assertScored(hitsOf(pages), picture);
        else assertOrdered(hitsOf(pages), picture, entries);
      }
    },
  );

  test(`search_after a unique field misses nothing, ${size} at a time`, async () => {
    for (const entries of [UNIQUE, UNIQUE_HOLES]) {
      assertLive(await follow('POST /w/_search', { size, sort: sortOf(entries) }), entries);
    }
  });
}

test('others wrote all the while', async () => {
  stopping = true;
  await writer;
  assert.ok(written.writes > 50, `${written.writes} writes`);
  const { hits } = await send('POST /w/_search', { size: 10_000, sort: [...sortOf(TIES), '_id'] });
  assertOrdered(hits.hits, model, TIES);
});
