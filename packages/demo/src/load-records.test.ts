// The demo's records are created once: a feed, a chat, and accounts whose journal is consistent.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { balanceAt, getAccount, openRecords, pageOfFeed, type Records, verifyJournal } from '@octavo/records';
import { loadRecords, POSTS } from './load-records.ts';

let records: Records;
before(async () => {
  records = await openRecords(':memory:');
});
after(() => records.close());

test('the demo has a feed, a chat and funded accounts, and is made once', async () => {
  assert.ok((await loadRecords(records)) > POSTS);
  assert.equal(await loadRecords(records), 0);
  const place = { by: 'page', page: POSTS / 20 } as const;
  const page = await records.read(pageOfFeed, { feed: '', filter: {}, order: 'desc', limit: 20, place });
  assert.equal(page.entries.length, 20);
  assert.equal(page.total, POSTS);
  assert.equal(page.entries[0]?.entities.map(({ kind }) => kind).join(), 'user,topic');
  assert.equal((await records.read(getAccount, { id: 'grace' })).balance, 25_050n);
  assert.equal((await records.read(balanceAt, { id: 'bank', at: Date.now() })).balance, -125_050n);
  assert.equal((await records.read(verifyJournal, undefined)).findings.length, 0);
});
