// The console with keys: it asks for one, sends it, and shows what it may see. Below a base path.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OctavoClient } from '@octavo/client';
import { browserOption, openPage, settled } from './browser.ts';
import { startServer, writeDocuments } from './server.ts';

test('a key with few rights sees only what it may', browserOption, async () => {
  const url = await startServer({ basePath: '/octavo' });
  await writeDocuments(url, 'public-books', [
    ['1', { title: 'Emma', shelf: 'a' }],
    ['2', { title: 'Hidden', shelf: 'b' }],
  ]);
  await writeDocuments(url, 'payroll', [['1', { salary: 100 }]]);
  const open = new OctavoClient({ url });
  const admin = await open.keys.create({ name: 'admin', scopes: ['*'] });
  const reader = await new OctavoClient({ url, apiKey: admin.encoded }).keys.create({
    name: 'reader',
    scopes: ['search:read'],
    index_patterns: ['public-*'],
    document_filter: { term: { 'shelf.keyword': 'a' } },
  });
  const { page, complaints } = await openPage(url);
  // A browser that goes to the root comes to the console; the page itself needs no key.
  await page.goto(`${url}/`);
  assert.equal(new URL(page.url()).pathname, '/octavo/_console/');
  await page.getByRole('dialog').getByText('This server answers with a key only.').waitFor();
  await page.getByLabel('Key', { exact: true }).fill('octavo_wrong.secret');
  await page.getByRole('button', { name: 'Use this key' }).click();
  await page.getByRole('dialog').getByText('does not accept this key').waitFor();
  await page.getByLabel('Key', { exact: true }).fill(reader.token);
  await page.getByRole('button', { name: 'Use this key' }).click();
  const rows = await settled(page);
  assert.equal(rows.length, 1);
  assert.ok(rows[0]?.cells?.includes('Emma'));
  await page.getByRole('button', { name: /^Index: / }).click();
  assert.deepEqual(await page.getByRole('list', { name: 'Indices' }).getByRole('button').allTextContents(), [
    'public-books1',
  ]);
  await page.keyboard.press('Escape');
  await page.goto(`${url}/_console/#/list/payroll`);
  await page.getByRole('heading', { name: 'This key may not do that' }).waitFor();
  // The key is kept in this tab only.
  assert.equal(await page.evaluate(`sessionStorage.getItem('octavo.key')`), reader.token);
  assert.equal(await page.evaluate('localStorage.length'), 0);
  assert.deepEqual(complaints, []);
});
