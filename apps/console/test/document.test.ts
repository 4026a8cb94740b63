// The panel of a document: shown, edited against its version, compared, deleted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeFindings, browserOption, openPage, settled, waitFor } from './browser.ts';
import { startServer, writeDocuments } from './server.ts';

const url = browserOption.skip === undefined ? await startServer() : '';
const headers = { 'content-type': 'application/json' };

const sourceOf = async (id: string): Promise<unknown> => {
  const reply = await fetch(`${url}/books/_doc/${id}`);
  return ((await reply.json()) as { _source?: unknown })._source;
};

/** Replaces the text of the editor. */
async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('tab', { name: 'JSON' }).click();
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

test('a document is edited and deleted only if nobody has changed it', browserOption, async () => {
  await writeDocuments(url, 'books', [
    ['1', { title: 'Emma', large: 1 }],
    ['2', { title: 'Persuasion', large: 2 }],
  ]);
  const body = '{"title":"Emma","large":9007199254740993}';
  await fetch(`${url}/books/_doc/1`, { method: 'PUT', headers, body });
  const { page, complaints } = await openPage(url);
  await page.goto(`${url}/_console/#/list/books?sort=_id`);
  await settled(page);
  await page.focus('.grid');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Document 1' });
  await panel.getByText('9007199254740993').waitFor();
  assert.deepEqual(await axeFindings(page), []);

  // Integers stay exact. What the snapshot shows is compared with what is stored.
  await write(page, '{"title": "Emma, a novel", "large": 9007199254740993}');
  assert.deepEqual(await axeFindings(page), []);
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByText('version 3').waitFor();
  const stored = await (await fetch(`${url}/books/_source/1`)).text();
  assert.equal(stored, '{"title":"Emma, a novel","large":9007199254740993}');
  await page.getByRole('tab', { name: 'Compare' }).click();
  await panel.getByText('"title": "Emma, a novel"').waitFor();
  assert.equal(await panel.locator('[data-kind=removed]').count(), 1);

  // Somebody else writes; ours is refused and nothing is lost.
  await fetch(`${url}/books/_doc/1`, { method: 'PUT', headers, body: '{"title":"theirs"}' });
  await write(page, '{"title":"ours"}');
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByRole('heading', { name: 'It has changed meanwhile' }).waitFor();
  assert.deepEqual(await sourceOf('1'), { title: 'theirs' });
  await panel.getByRole('button', { name: /^Compare what you wrote/ }).click();
  await waitFor(page, `document.querySelector('.diff')?.textContent.includes('theirs')`);
  assert.match((await panel.locator('.diff').textContent()) ?? '', /ours/);

  await page.getByRole('tab', { name: 'JSON' }).click();
  await panel.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete it' }).click();
  await panel.getByText('This document has been deleted.').waitFor();
  assert.equal(await sourceOf('1'), undefined);
  await page.keyboard.press('Escape');
  await waitFor(page, `document.activeElement?.classList.contains('grid')`);
  // The list is a snapshot: it still has the row, and says that there is one fewer.
  assert.equal((await settled(page)).length, 2);
  await page.getByRole('button', { name: '1 fewer' }).waitFor();
  assert.deepEqual(complaints, []);
});
