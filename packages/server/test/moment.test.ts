// All pages of a list have the same meaning of `now`, that of the first page, while documents begin and cease
// to match.

import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import type { Engine, SearchRequest } from '@octavo/engine';
import { openEngineSource } from '../src/cli/io/export-source.ts';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

const DOCS = 600;
const BEGINNING = Date.UTC(2026, 0, 1);
/** The clock shows this when a test begins: half of the documents are of before. */
const START = BEGINNING + (DOCS / 2) * 1_000;

mock.timers.enable({ apis: ['Date'], now: START });
const { ask, engine } = await server();
const own: Engine['search'] = engine.search.bind(engine);
const { skip } = onlyEmbedded('its engine is looked into, and its clock is moved');

/** Documents that begin to match, or cease to, behind each page. */
const PASS = 7;

/** Not in the order in which they come. */
const timeOf = (n: number): number => BEGINNING + ((n * 247) % DOCS) * 1_000 + 1;

beforeEach(async () => {
  if (skip) return;
  engine.search = own;
  mock.timers.setTime(START);
  await ask('DELETE /m');
  const properties = {
    t: { type: 'text' },
    d: { type: 'date' },
    n: { type: 'long' },
    g: { type: 'keyword' },
  };
  await ask('PUT /m', { mappings: { properties } });
  const lines = Array.from({ length: DOCS }, (_, n) => {
    const source = { t: `red ${'x '.repeat(n % 9)}`, d: timeOf(n), n: n % 50, g: `g${n % 3}` };
    return `{"index":{"_id":"${n}"}}\n${JSON.stringify(source)}\n`;
  });
  await ask('POST /m/_bulk', lines.join(''));
  engine.search = async (request: SearchRequest) => {
    const result = await own(request);
    mock.timers.tick(PASS * 1_000);
    return result;
  };
});

const ALL = Array.from({ length: DOCS }, (_, n) => n);
const idsOf = (docs: readonly number[]): string[] => docs.map(String).sort();
const BEFORE = idsOf(ALL.filter((n) => timeOf(n) <= START));
const BEHIND = idsOf(ALL.filter((n) => timeOf(n) > START));

const red = { match: { t: 'red' } };
const past = { range: { d: { lte: 'now' } } };
const future = { range: { d: { gt: 'now' } } };
const wrapped = (query: object) => ({
  wrapper: { query: Buffer.from(JSON.stringify(query)).toString('base64') },
});

async function scrolled(body: object, line = 'POST /m/_search?scroll=1h'): Promise<string[]> {
  const found: string[] = [];
  const first = await ask(line, { size: 50, ...body });
  assert.equal(first.status, 200, first.text);
  let page = first;
  for (let seq = 2; page.body.hits.hits.length > 0; seq++) {
    assert.deepEqual(page.body.hits.total, first.body.hits.total);
    found.push(...page.body.hits.hits.map(({ _id }: { _id: string }) => _id));
    const next = { scroll: '1h', scroll_id: first.body._scroll_id };
    page = await ask(`POST /_search/scroll?scroll_seq=${seq}`, next);
    const again = await ask(`POST /_search/scroll?scroll_seq=${seq}`, next);
    assert.deepEqual(again.body.hits, page.body.hits);
  }
  assert.equal(first.body.hits.total.value, found.length);
  return found.sort();
}

test('a scroll is of the moment at which it was opened', { skip }, async () => {
  const lists: readonly (readonly [object, readonly string[]])[] = [
    [{ query: past, sort: ['_doc'] }, BEFORE],
    [{ query: future, sort: ['_doc'] }, BEHIND],
    [{ query: past, sort: [{ n: 'desc' }] }, BEFORE],
    [{ query: past }, BEFORE],
    [{ query: { bool: { must: [red], filter: [past] } } }, BEFORE],
    [{ query: { bool: { must: [red], filter: [wrapped(future)] } } }, BEHIND],
    [{ query: { query_string: { query: 't:red AND d:<=n\\ow' } } }, BEFORE],
    [{ query: red, post_filter: future }, BEHIND],
  ];
  for (const [body, expected] of lists) {
    mock.timers.setTime(START);
    assert.deepEqual(await scrolled(body), expected, JSON.stringify(body));
  }
  await ask('POST /_aliases', { actions: [{ add: { index: 'm', alias: 'recent', filter: past } }] });
  mock.timers.setTime(START);
  assert.deepEqual(await scrolled({ query: red }, 'POST /recent/_search?scroll=1h'), BEFORE);
});

test('scrolls that ask the same at several moments go on side by side', { skip }, async () => {
  const body = { size: 100, query: past, sort: [{ n: 'asc' }] };
  const walks = [];
  for (let i = 0; i < 3; i++) {
    walks.push({
      found: [] as string[],
      page: await ask('POST /m/_search?scroll=1h', body),
      from: Date.now(),
    });
    mock.timers.tick(100_000);
  }
  const totals = walks.map(({ page }) => page.body.hits.total.value);
  assert.deepEqual(totals, [...new Set(totals)], 'each has begun at another moment');
  while (walks.some(({ page }) => page.body.hits.hits.length > 0)) {
    for (const [i, walk] of walks.entries()) {
      assert.equal(walk.page.body.hits.total.value, totals[i]);
      walk.found.push(...walk.page.body.hits.hits.map(({ _id }: { _id: string }) => _id));
      walk.page = await ask('POST /_search/scroll', { scroll: '1h', scroll_id: walk.page.body._scroll_id });
    }
  }
  assert.deepEqual(
    walks.map(({ found }) => new Set(found).size),
    totals,
  );
});

test('slices of a scroll are of the moments at which each was opened', { skip }, async () => {
  for (let id = 0; id < 2; id++) {
    const found = await scrolled({ query: past, sort: ['_doc'], slice: { id, max: 2 } });
    assert.equal(new Set(found).size, found.length);
  }
});

test('what is deleted and written by query is what matched when it began', { skip }, async () => {
  for (const query of [past, future, wrapped(future)]) {
    const expected = query === past ? BEFORE : BEHIND;
    mock.timers.setTime(START);
    const updated = await ask('POST /m/_update_by_query?scroll_size=50', { query });
    assert.equal(updated.status, 200, updated.text);
    assert.deepEqual([updated.body.total, updated.body.updated], [expected.length, expected.length]);
  }
  mock.timers.setTime(START);
  const { status, body, text } = await ask('POST /m/_delete_by_query?scroll_size=50', { query: past });
  assert.equal(status, 200, text);
  assert.deepEqual([body.total, body.deleted], [BEFORE.length, BEFORE.length]);
  const left = await ask('POST /m/_search', { size: DOCS });
  assert.deepEqual(left.body.hits.hits.map(({ _id }: { _id: string }) => _id).sort(), BEHIND);
});

test('the groups of a page are of the moment of the page', { skip }, async () => {
  const inner = { name: 'all', size: 0 };
  const { body } = await ask('POST /m/_search', {
    query: past,
    collapse: { field: 'g', inner_hits: inner },
  });
  const totals = body.hits.hits.map(
    (hit: { inner_hits: { all: { hits: { total: { value: number } } } } }) =>
      hit.inner_hits.all.hits.total.value,
  );
  assert.equal(totals.length, 3);
  assert.equal(
    totals.reduce((sum: number, each: number) => sum + each, 0),
    BEFORE.length,
  );
});

test('an export of a data directory is of the moment at which it began', { skip }, async () => {
  // More than two pages.
  const ops = Array.from({ length: 5_000 }, (_, n) => ({
    ...({ kind: 'index', index: 'm', id: `more-${n}` } as const),
    source: Buffer.from(JSON.stringify({ d: START + (n - 2_500) * 10 })),
  }));
  await engine.write(ops);
  const source = openEngineSource(engine, 'm', past);
  const found: string[] = [];
  const total = await source.total();
  for (let page = await source.after(undefined); page.length > 0; page = await source.after(found.at(-1)))
    found.push(...page.map(({ id }) => id));
  assert.deepEqual([total, found.length, new Set(found).size], Array(3).fill(BEFORE.length + 2_501));
});
