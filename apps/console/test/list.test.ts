// The list in a real browser, against a naive truth: the same documents sorted by an array.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSynsets, synsets } from '@octavo/demo';
import type { Page } from 'playwright-core';
import { axeFindings, browserOption, openPage, rowsOf, settled, waitFor } from './browser.ts';
import { COUNT_REQUESTS, dragScrollbar } from './drag.ts';
import { startServer, writeDocuments } from './server.ts';

/** More rows than an element can be high: the scrollbar is coarse. */
const MANY = 65_000;
const FEW = 500;

/** A permutation of the numbers below MANY: the two factors have no divisor in common. */
const sortValue = (n: number): number => (n * 70_001) % MANY;

async function listServer(): Promise<string> {
  const url = await startServer();
  const properties = { v: { type: 'integer' }, color: { type: 'keyword' }, title: { type: 'text' } };
  for (const index of ['many', 'few']) {
    const body = JSON.stringify({ mappings: { properties } });
    await fetch(`${url}/${index}`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
  }
  await writeDocuments(
    url,
    'few',
    Array.from({ length: FEW }, (_, n) => {
      const title = n % 10 === 0 ? `lighthouse ${n}` : `house ${n}`;
      return [`f${n}`, { v: n, color: n % 3 === 0 ? 'red' : 'blue', title }] as const;
    }),
  );
  return url;
}

const server = browserOption.skip === undefined ? await listServer() : '';

async function openList(hash: string, url = server): Promise<{ page: Page; complaints: string[] }> {
  const opened = await openPage(url);
  await opened.page.addInitScript(COUNT_REQUESTS);
  await opened.page.goto(`${url}/_console/#/list/${hash}`);
  await settled(opened.page);
  return opened;
}

const total = (page: Page): Promise<string | null> => page.textContent('.status strong');

test('the scrollbar of a coarse list is dragged: every row is the right one', browserOption, async () => {
  await writeDocuments(
    server,
    'many',
    Array.from({ length: MANY }, (_, n) => [`d${n}`, { v: sortValue(n) }] as const),
  );
  const truth = Array.from({ length: MANY }, (_, n) => n).sort((a, b) => sortValue(b) - sortValue(a));
  const { page, complaints } = await openList('many?sort=-v&columns=v,_id');
  assert.equal(await page.getAttribute('.grid', 'data-coarse'), 'true');
  const drag = await dragScrollbar(page, 90);
  assert.ok(drag.requestsPerFrame <= 2, `${drag.requestsPerFrame} requests in a frame`);
  assert.ok(drag.seen.size > 100, `${drag.seen.size} rows were seen`);
  for (const [rank, texts] of drag.seen) assert.deepEqual(texts, [`d${truth[rank]}`], `rank ${rank}`);
  // It has arrived at the end, and nothing is left out there.
  const last = await settled(page);
  assert.equal(last.at(-1)?.rank, MANY - 1);
  const check = async (): Promise<number> => {
    const rows = await settled(page);
    rows.forEach(({ rank, cells }, at) => {
      assert.equal(rank, rows[0]!.rank + at);
      assert.deepEqual(cells, [`d${truth[rank]}`, String(MANY - 1 - rank)]);
    });
    return rows[0]!.rank;
  };
  await check();
  // Backwards, row by row: by keys and by the wheel.
  await page.focus('.grid');
  for (const key of ['PageUp', 'PageUp', 'ArrowUp']) await page.keyboard.press(key);
  await check();
  const before = await check();
  await page.mouse.move(500, 400);
  await page.mouse.wheel(0, -320);
  await waitFor(page, `document.querySelector('#row-${before - 10}') !== null`);
  assert.equal(await check(), before - 10);
  // By number, and by value.
  await page.getByRole('button', { name: 'Jump' }).click();
  await page.getByLabel(/^Item, from 1/).fill('43,211');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#row-43210');
  assert.equal(await check(), 43_210);
  await page.getByRole('button', { name: 'Jump' }).click();
  await page.getByLabel(/^First item at/).fill('50000');
  await page.keyboard.press('Enter');
  await page.waitForSelector(`#row-${MANY - 1 - 50_000}`);
  assert.equal(await check(), MANY - 1 - 50_000);
  // The address has the position and the snapshot: another window shows the same.
  await waitFor(page, `location.hash.includes('at=${MANY - 50_000}')`);
  const again = await openPage(server);
  await again.page.goto(page.url());
  const restored = await settled(again.page);
  assert.deepEqual(restored, await rowsOf(page));
  assert.deepEqual([...complaints, ...again.complaints], []);
});

test('the scrollbar of the demo is dragged: every row is the right one', browserOption, async (context) => {
  const url = await startServer({}, loadSynsets);
  const ids = Array.from(synsets(), ({ id }) => id).sort();
  const { page, complaints } = await openList('wordnet?sort=id&columns=_id,words', url);
  const drag = await dragScrollbar(page, 90);
  context.diagnostic(
    `${((1_000 * drag.intervalsMs.length) / drag.milliseconds).toFixed(1)} frames per second`,
  );
  assert.ok(drag.requestsPerFrame <= 2, `${drag.requestsPerFrame} requests in a frame`);
  assert.equal(drag.brokenFrames, 0, 'rows were missing, or there twice');
  assert.ok(drag.seen.size > 100, `${drag.seen.size} rows were seen`);
  for (const [rank, texts] of drag.seen) assert.deepEqual(texts, [ids[rank]], `rank ${rank}`);
  assert.equal((await settled(page)).at(-1)?.cells?.[0], ids.at(-1));
  assert.deepEqual(complaints, []);
});

test('documents that arrive do not move the list; they are announced', browserOption, async () => {
  const { page } = await openList('few?sort=v');
  const before = await rowsOf(page);
  await writeDocuments(
    server,
    'few',
    Array.from({ length: 12 }, (_, n) => [`new${n}`, { v: -1 - n, color: 'green', title: 'new' }] as const),
  );
  await page.getByRole('button', { name: '12 new' }).waitFor();
  assert.deepEqual(await rowsOf(page), before);
  assert.equal(await total(page), String(FEW));
  await page.getByRole('button', { name: '12 new' }).click();
  await waitFor(page, `document.querySelector('.status strong').textContent === '${FEW + 12}'`);
  assert.equal((await settled(page))[0]?.cells?.[0], 'new11');
  for (let n = 0; n < 12; n++) await fetch(`${server}/few/_doc/new${n}`, { method: 'DELETE' });
});

test('filters, search and sort make the list that they say', browserOption, async () => {
  const { page, complaints } = await openList('few');
  await page.getByRole('button', { name: 'Add a filter' }).click();
  await page.getByRole('combobox', { name: /^Field/ }).selectOption('color');
  await page.getByRole('combobox', { name: 'Value' }).fill('red');
  await page.getByRole('button', { name: 'Add the filter' }).click();
  const isTotal = (count: number): Promise<void> =>
    waitFor(page, `document.querySelector('.status strong').textContent === '${count}'`);
  await isTotal(167);
  await page.getByLabel('Search in all fields').fill('lighthouse');
  await page.keyboard.press('Enter');
  await isTotal(17);
  await page.getByRole('button', { name: 'v', exact: true }).click();
  await waitFor(page, `location.hash.includes('sort=v')`);
  const rows = await settled(page);
  const reds = Array.from({ length: 17 }, (_, n) => `f${n * 30}`);
  assert.deepEqual(
    rows.map(({ cells }) => cells?.[0]),
    reds,
  );
  // What is shown, in its order: the columns, or whole documents.
  await page.evaluate('delete window.showSaveFilePicker');
  const exported = async (format: RegExp): Promise<string> => {
    await page.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: format }).click(),
    ]);
    let text = '';
    for await (const part of await file.createReadStream()) text += String(part);
    return text;
  };
  const lines = (await exported(/CSV/)).split('\r\n');
  assert.equal(lines[0], '_id,v,color,title');
  assert.deepEqual(
    lines.slice(1, -1).map((line) => line.split(',')[0]),
    reds,
  );
  const documents = (await exported(/NDJSON/))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { _id: string; _source: object });
  assert.deepEqual(
    documents.map(({ _id }) => _id),
    reds,
  );
  assert.deepEqual(documents[1]?._source, { v: 30, color: 'red', title: 'lighthouse 30' });

  // A range and words of one field, instead of the search in all fields.
  await page.getByLabel('Search in all fields').fill('');
  await isTotal(167);
  const addFilter = async (field: string, condition: string, value: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add a filter' }).click();
    await page.getByRole('combobox', { name: /^Field/ }).selectOption(field);
    await page.getByLabel('Condition').selectOption({ label: condition });
    await page.getByRole('combobox', { name: 'Value' }).fill(value);
    await page.getByRole('button', { name: 'Add the filter' }).click();
  };
  await addFilter('v', 'is at least', '300');
  await isTotal(67);
  await addFilter('title', 'has the words', 'lighthouse');
  await isTotal(7);
  // The address has all of it.
  const again = await openPage(server);
  await again.page.goto(page.url());
  const shown = await settled(again.page);
  assert.deepEqual(
    shown.map(({ cells }) => cells?.[0]),
    ['f300', 'f330', 'f360', 'f390', 'f420', 'f450', 'f480'],
  );
  assert.deepEqual(complaints, []);
});

for (const scheme of ['light', 'dark'] as const)
  test(`axe finds nothing serious in the list, ${scheme}`, browserOption, async () => {
    const { page } = await openPage(server, { scheme });
    await page.goto(`${server}/_console/#/list/few?sort=-v&if=color~is~red`);
    await settled(page);
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole('button', { name: 'Add a filter' }).click();
    assert.deepEqual(await axeFindings(page), []);
  });
