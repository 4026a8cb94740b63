// Feeds, chats, accounts, the server and the query editor in a real browser: writes are made once, and shown as they come.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, browserOption, openPage, waitFor } from './browser.ts';
import { startServer, writeDocuments } from './server.ts';

const server = browserOption.skip === undefined ? await startServer() : '';

async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  const reply = await fetch(`${server}${path}`, { method, ...sent });
  assert.ok(reply.ok, `${method} ${path}: ${reply.status}`);
  return (await reply.json()) as Record<string, unknown>;
}

if (browserOption.skip === undefined) {
  await writeDocuments(server, 'books', [['1', { title: 'a red fox' }]]);
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
    for (const [view, part] of [
      ['query', '.cm-content'],
      ['feed', '.entry'],
      ['chats/lobby', '.message'],
      ['accounts', 'tbody tr'],
      ['server', 'tbody tr'],
    ] as const) {
      await page.goto(`${server}/_console/#/${view}`);
      await page.waitForSelector(part);
      assert.deepEqual(await axeFindings(page), [], view);
    }
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
    await call('POST', '/api/newsfeed/', { author: 'edsger', text: 'of another page' });
    await page.click('.newer');
    await waitFor(page, `document.querySelector('.entry p')?.textContent === 'of another page'`);
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
  const leases = page.locator('table[aria-label="Leases by index"] tbody tr');
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
  await page.context().close();
});
