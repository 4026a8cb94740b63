// The feed in a real browser: mentions typed and shown, pages by token, the pill for new posts, edits and deletions as they happen.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { OctavoClient } from '@octavo/client';
import { chromium, type Page } from 'playwright-core';
import { createServer } from 'vite';
import { startServer } from '../../packages/client/test/server.ts';

const CHROMIUM = '/usr/bin/chromium';
const ROOT = fileURLToPath(new URL('.', import.meta.url));
const POSTS = 50;

async function openFeed(url: string, user: string): Promise<Page> {
  process.env['OCTAVO_URL'] = url;
  const cacheDir = await mkdtemp(join(tmpdir(), 'octavo-live-feed-'));
  const vite = await createServer({ root: ROOT, cacheDir, logLevel: 'silent', server: { port: 0 } });
  await vite.listen();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  after(async () => {
    await browser.close();
    await vite.close();
    await rm(cacheDir, { recursive: true, force: true });
  });
  const page = await browser.newPage();
  await page.goto(`${vite.resolvedUrls?.local[0]}?as=${user}`);
  return page;
}

const posts = (page: Page): Promise<string[]> => page.locator('article p').allTextContents();

test('a feed shows mentions, pages and what happens to it', {
  skip: existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}`,
}, async () => {
  const url = await startServer();
  const octavo = new OctavoClient({ url });
  await octavo.users.put('grace', { username: 'grace' });
  for (let n = 0; n < POSTS; n++) await octavo.feed.post({ author: 'grace', text: `post ${n}` });
  const page = await openFeed(url, 'ada');
  await page.getByText(`post ${POSTS - 1}`, { exact: true }).waitFor();

  // Written with a suggestion, shown as a link.
  await page.getByLabel('New post').pressSequentially('Hello @gr');
  await page.getByRole('button', { name: '@grace' }).click();
  await page.getByLabel('New post').pressSequentially('about #compilers, @nobody');
  await page.getByRole('button', { name: 'Post', exact: true }).click();
  await page.locator('article').getByText('Hello @grace').waitFor();
  const { items } = await octavo.feed.list({ mention: 'grace' }).first();
  const entities = items[0]?.entities.map(({ kind, username }) => username ?? kind);
  assert.deepEqual(entities, ['grace', 'topic']);
  const html = await page.locator('article p').first().innerHTML();
  assert.equal(html, 'Hello <a href="?as=grace">@grace</a> about <b>#compilers</b>, @nobody');

  // Posts of others wait for the reader.
  const added = [];
  for (let n = 0; n < 3; n++) added.push(await octavo.feed.post({ author: 'grace', text: `later ${n}` }));
  await page.getByRole('button', { name: '3 new' }).click();
  await page.getByText('later 2').waitFor();
  assert.deepEqual((await posts(page)).slice(0, 5), [
    ...['later 2', 'later 1', 'later 0'],
    'Hello @grace about #compilers, @nobody',
    `post ${POSTS - 1}`,
  ]);

  // Changes are shown where they are.
  await octavo.feed.edit(added[0]!.id, { text: 'edited' });
  await octavo.feed.delete(added[1]!.id);
  await page.getByText('later 1').waitFor({ state: 'detached' });
  assert.deepEqual((await posts(page)).slice(0, 3), [
    'later 2',
    'edited',
    'Hello @grace about #compilers, @nobody',
  ]);

  // Every page, each post once.
  const older = page.getByRole('button', { name: 'Older posts' });
  for (let from = 20; from < POSTS; from += 20) {
    await older.click();
    await page.getByText(`post ${Math.max(0, POSTS - from - 20)}`, { exact: true }).waitFor();
  }
  await older.waitFor({ state: 'detached' });
  const all = await posts(page);
  assert.deepEqual(
    all.slice(3),
    Array.from({ length: POSTS }, (_, at) => `post ${POSTS - 1 - at}`),
  );
  assert.equal(await page.getByRole('button', { name: /new$/ }).count(), 0);
});
