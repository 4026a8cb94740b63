// Feeds, chats, accounts, the server and the query editor in a real browser: writes are made once, and shown as they come.

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { axeFindings, browserOption, INSECURE_HOST, openPage, settled, waitFor } from './browser.ts';
import { startServer, writeDocuments } from './server.ts';

const server = browserOption.skip === undefined ? await startServer() : '';

async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  const reply = await fetch(`${server}${path}`, { method, ...sent });
  assert.ok(reply.ok, `${method} ${path}: ${reply.status}`);
  return (await reply.json()) as Record<string, unknown>;
}

/** Each view, with a part that it has once it is loaded. */
const VIEWS = [
  ['query', '.cm-content'],
  ['feed', '.entry'],
  ['chats/lobby', '.message'],
  ['accounts', 'tbody tr'],
  ['server', 'tbody tr'],
] as const;

if (browserOption.skip === undefined) {
  await writeDocuments(server, 'books', [['1', { title: 'a red fox' }]]);
  await writeDocuments(server, 'shelf', [
    ['1', { title: 'a red fox' }],
    ['2', { title: 'a red hat' }],
  ]);
  for (const author of ['ada', 'grace'])
    await call('POST', '/api/newsfeed/', { author, text: `by ${author}` });
  await call('POST', '/api/chats', { id: 'lobby', title: 'Lobby', members: ['ada', 'grace'] });
  await call('POST', '/api/chats/lobby/messages', { author: 'grace', text: 'Anybody here?' });
  await call('POST', '/api/accounts', { id: 'bank', currency: 'EUR', allow_negative: true });
  await call('POST', '/api/accounts', { id: 'ada', currency: 'EUR' });
}

for (const scheme of ['light', 'dark'] as const)
  test(`no view has a serious finding of axe: ${scheme}`, browserOption, async () => {
    const { page, complaints } = await openPage(server, { scheme });
    for (const [view, part] of VIEWS) {
      await page.goto(`${server}/_console/#/${view}`);
      await page.waitForSelector(part);
      assert.deepEqual(await axeFindings(page), [], view);
    }
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

test('on a phone every view fits the width, and axe finds nothing serious', browserOption, async () => {
  const { page, complaints } = await openPage(server, { width: 390, height: 780 });
  for (const [view, part] of [['list/shelf', '.grid-row'], ...VIEWS] as const) {
    await page.goto(`${server}/_console/#/${view}`);
    await page.waitForSelector(part);
    assert.deepEqual(await axeFindings(page), [], view);
    const width = await page.evaluate('document.scrollingElement.scrollWidth');
    assert.equal(width, 390, view);
  }
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('the theme is that of the system until the reader chooses one', browserOption, async () => {
  const { page } = await openPage(server, { scheme: 'dark' });
  await page.goto(`${server}/_console/#/feed`);
  const color = async (): Promise<unknown> =>
    await page.evaluate('getComputedStyle(document.body).backgroundColor');
  await page.waitForSelector('.entry');
  const dark = await color();
  await page.getByRole('button', { name: 'Theme: system. Switch to light' }).click();
  assert.notEqual(await color(), dark);
  await page.reload();
  await page.getByRole('button', { name: 'Theme: light. Switch to dark' }).click();
  assert.equal(await color(), dark);
  await page.context().close();
});

test('a page from the network without TLS works like one from this machine', browserOption, async () => {
  const local = await startServer({ unsafePublic: true });
  const url = local.replace('127.0.0.1', INSECURE_HOST);
  const { page, complaints } = await openPage(url);
  await page.goto(`${url}/_console/#/feed`);
  assert.equal(await page.evaluate('isSecureContext'), false);
  await page.fill('.compose textarea', 'From a phone');
  await page.click('.compose .primary');
  await waitFor(page, `document.querySelector('.entry p')?.textContent === 'From a phone'`);
  await page.goto(`${url}/_console/#/accounts`);
  await page.getByText('Idempotency key').waitFor();
  await page.goto(`${url}/_console/#/query`);
  await page.getByRole('button', { name: 'Copy as' }).click();
  await page.getByRole('menuitem', { name: 'curl' }).click();
  await page.getByText('Copied for curl.').waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test(
  'a post has its mention, and the posts of others are counted until they are shown',
  browserOption,
  async () => {
    const { page } = await openPage(server);
    await page.goto(`${server}/_console/#/feed`);
    await page.fill('.compose textarea', 'Hello <user username="grace">Grace</user>');
    await page.click('.compose .primary');
    await waitFor(page, `document.querySelector('.entry p')?.textContent === 'Hello Grace'`);
    assert.equal(await page.textContent('.entry .mention'), 'Grace');
    await call('POST', '/api/newsfeed?feed=other', { author: 'edsger', text: 'of another feed' });
    const posted = await call('POST', '/api/newsfeed/', { author: 'edsger', text: 'of another page' });
    // Neither the reader's own post nor that of another feed is counted.
    await page.getByRole('button', { name: '1 new post · show' }).click();
    await waitFor(page, `document.querySelector('.entry p')?.textContent === 'of another page'`);
    assert.equal(await page.locator('.newer').count(), 0);
    // Changes of others are shown where they are.
    await call('PATCH', `/api/newsfeed/${posted['id']}`, { text: 'changed elsewhere' });
    await waitFor(page, `document.querySelector('.entry p')?.textContent === 'changed elsewhere'`);
    // The reader changes a post, and deletes one.
    await page.getByRole('button', { name: 'Edit' }).first().click();
    await page.locator('.entry textarea').fill('changed <topic>here</topic>');
    await page.getByRole('button', { name: 'Save' }).click();
    await waitFor(page, `document.querySelector('.entry p .topic')?.textContent === 'here'`);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Delete' }).first().click();
    await waitFor(page, `document.querySelector('.entry p')?.textContent === 'Hello Grace'`);
    await page.goto(`${server}/_console/#/feed?page=1`);
    await waitFor(page, `document.querySelector('.pager')?.textContent.includes('Page 1 of 1')`);
    await page.context().close();
  },
);

test('an inbox counts what is unread, and a message comes by itself', browserOption, async () => {
  const { page } = await openPage(server);
  await page.goto(`${server}/_console/#/chats/lobby`);
  await waitFor(page, `document.querySelector('.badge')?.textContent === '1 unread'`);
  await page.click('text=Mark as read');
  await waitFor(page, `document.querySelector('.badge') === null`);
  await call('POST', '/api/chats/lobby/messages', { author: 'grace', text: 'Good.' });
  await waitFor(page, `[...document.querySelectorAll('.message p')].at(-1)?.textContent === 'Good.'`);
  // A page by number: 30 messages are on the first, so the oldest one is on the second.
  for (let n = 0; n < 30; n++)
    await call('POST', '/api/chats/lobby/messages', { author: 'ada', text: `${n}` });
  await page.getByLabel('Page', { exact: true }).fill('2');
  await page.keyboard.press('Enter');
  await page.getByText('Page 2 of 2 · 32 messages').waitFor();
  await waitFor(page, `[...document.querySelectorAll('.entry p')].at(-1)?.textContent === 'Anybody here?'`);
  assert.equal(await page.locator('.entry').count(), 2);
  await page.context().close();
});

test('money is moved once, reserved, and the hold is posted', browserOption, async () => {
  const { page } = await openPage(server);
  await page.goto(`${server}/_console/#/accounts`);
  for (const [label, value] of [
    ['From', 'bank'],
    ['To', 'ada'],
    ['Amount', '12.30'],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value);
  await page.click('text=Transfer');
  await page.waitForSelector('text=Moved 12.30 EUR.');
  assert.equal((await call('GET', '/api/accounts/ada'))['balance'], '12.30');
  await page.click('text=Reserve');
  await page.waitForSelector('text=Reserved 12.30 EUR.');
  assert.equal((await call('GET', '/api/accounts/ada'))['balance'], '12.30');
  await page.click('text="Post"');
  await waitFor(page, `!document.body.textContent.includes('Pending holds')`);
  assert.equal((await call('GET', '/api/accounts/ada'))['balance'], '24.60');
  await page.click('text=Verify the hash chain');
  await page.getByRole('status').getByText('2 transactions').waitFor();
  assert.equal(await page.getByRole('status').locator('.tag').textContent(), 'intact');
  // A transfer of somebody else appears by itself.
  await call('POST', '/api/transaction?from=bank&to=ada&money=75.40');
  await page.locator('table[aria-label=Accounts]').getByText('100.00').first().waitFor();
  await page.context().close();
});

test('the server shows memory by part, slow routes, and what snapshots hold', browserOption, async () => {
  const { page } = await openPage(server);
  await call('POST', '/books/_pit?keep_alive=5m');
  await page.goto(`${server}/_console/#/server`);
  await page.locator('.parts').getByText('index books').waitFor();
  await page.locator('table[aria-label="Slow requests"] tbody tr').first().waitFor();
  const leases = page.locator('table[aria-label="Leases by index"] tbody tr').filter({ hasText: 'books' });
  assert.deepEqual(await leases.locator('td').allTextContents(), ['books', '1', '0', '0']);
  await page.locator('table[aria-label="Points in time"]').getByText('5', { exact: true }).waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await page.context().close();
});

test('a request is run, kept in the history, and explained', browserOption, async () => {
  const { page } = await openPage(server);
  await page.goto(`${server}/_console/#/query`);
  await page.getByLabel('Path').fill('/books/_search');
  await page.click('.cm-content');
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"query":{"match":{"title":"fox"}},"explain":true}');
  await page.keyboard.press('Control+Enter');
  await waitFor(page, `document.querySelector('.answer')?.textContent.includes('1 hits')`);
  assert.match((await page.textContent('.explained summary')) ?? '', /^Score of 1: 0\.\d+$/);
  await page.reload();
  await waitFor(page, `document.querySelector('.cm-content')?.textContent.includes('explain')`);
  await page.context().close();
});

test(
  'a search by GET is profiled, lines of JSON are written, and a request is copied',
  browserOption,
  async () => {
    const { page } = await openPage(server);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${server}/_console/#/query`);
    const write = async (method: string, path: string, body: string): Promise<void> => {
      await page.getByLabel('Method').selectOption(method);
      await page.getByLabel('Path').fill(path);
      await page.click('.cm-content');
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(body);
    };
    await write('GET', '/books/_search', '{"query":{"match":{"title":"fox"}},"profile":true}');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('.answer').getByText('1 hits').waitFor();
    await page.getByText('Time by part of the query').waitFor();
    await page.locator('.explained-node').getByText(/µs/).first().waitFor();
    await page.getByRole('button', { name: 'Copy as' }).click();
    await page.getByRole('menuitem', { name: 'curl' }).click();
    await page.getByText('Copied for curl.').waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.ok(copied.startsWith(`curl -X POST '${server}/books/_search'`), copied);

    await write('POST', '/books/_bulk', '{"index":{"_id":"2"}}\n{"title":"a brown fox"}');
    await page.getByRole('button', { name: 'Run' }).click();
    await waitFor(page, `document.querySelector('.answer')?.textContent.includes('created')`);
    assert.equal((await call('GET', '/books/_count'))['count'], 2);
    assert.match(
      (await page.getByLabel('History').textContent()) ?? '',
      /POST \/books\/_bulk[\s\S]*GET \/books\/_search/,
    );
    await page.context().close();
  },
);

test('a link with an expired snapshot shows its query over the newest state', browserOption, async () => {
  const { page } = await openPage(server);
  const { id } = await call('POST', '/shelf/_pit?keep_alive=1m');
  await call('DELETE', '/_pit', { id });
  await page.goto(`${server}/_console/#/list/shelf?q=red&if=title~has~fox&snapshot=${id}`);
  const rows = await settled(page);
  assert.equal(rows.length, 1);
  await page.getByText('The snapshot of the link has expired').waitFor();
  await page.context().close();
});

test('the server shows events as they happen, and gives a backup', browserOption, async () => {
  const { page } = await openPage(server);
  await page.goto(`${server}/_console/#/server`);
  await page.getByText('Commits per second').waitFor();
  await page.locator('table[aria-label=Indices]').getByRole('link', { name: 'books' }).waitFor();
  await call('PUT', '/books/_doc/7', { title: 'an event' });
  await page.locator('.events').getByText('books/7').waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('text=Download a backup')]);
  assert.match(file.suggestedFilename(), /^octavo.*\.tar$/);
  assert.ok(statSync(await file.path()).size > 10_000);
  await page.context().close();
});

test('a first key closes the server, and its secret is shown once', browserOption, async () => {
  const { page } = await openPage(server);
  await page.goto(`${server}/_console/#/server`);
  await page.getByLabel('Name', { exact: true }).fill('everything');
  await page.click('text="Create"');
  const secret = await page.textContent('.secret');
  await page.waitForSelector('.overlay, [role=dialog]');
  assert.equal((await fetch(`${server}/books/_count`)).status, 401);
  assert.equal(
    (await fetch(`${server}/books/_count`, { headers: { authorization: `ApiKey ${secret}` } })).status,
    200,
  );
  // With this key the reader makes another one with limits, and revokes it.
  await page.getByLabel('Key', { exact: true }).fill(secret ?? '');
  await page.getByRole('button', { name: 'Use this key' }).click();
  const keys = page.locator('table[aria-label=Keys] tbody tr');
  await keys.first().waitFor();
  for (const [label, value] of [
    ['Name', 'limited'],
    ['Scopes', 'search:read'],
    ['Indices (all if empty)', 'books*'],
    ['Calls per minute', '2'],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value);
  await page.click('text="Create"');
  await keys.getByText('2 in 60 s').waitFor();
  const limited = { authorization: `ApiKey ${await page.textContent('.secret')}` };
  const count = async (index: string): Promise<number> =>
    (await fetch(`${server}/${index}/_count`, { headers: limited })).status;
  assert.deepEqual([await count('books'), await count('other'), await count('books')], [200, 403, 429]);
  page.once('dialog', (dialog) => void dialog.accept());
  await keys.filter({ hasText: 'limited' }).getByRole('button', { name: 'Revoke' }).click();
  await keys.getByText(/^revoked/).waitFor();
  assert.equal(await count('books'), 401);
  // The backup needs the key, too.
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('text=Download a backup')]);
  assert.match(file.suggestedFilename(), /^octavo.*\.tar$/);
  await page.context().close();
});
