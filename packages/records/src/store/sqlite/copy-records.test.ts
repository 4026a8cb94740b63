// A copy of the records is complete although they are written to while it is made.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRecords, pageOfFeed, postItems } from '../../index.ts';

test('a copy opens as records, holds a prefix of the posts, and leaves nothing behind', async () => {
  const from = mkdtempSync(join(tmpdir(), 'octavo-copied-'));
  const to = mkdtempSync(join(tmpdir(), 'octavo-copy-'));
  const records = await openRecords(from);
  const posting = { go: true, count: 0 };
  const post = async (): Promise<void> => {
    const drafts = Array.from({ length: 50 }, () => ({ author: 'ada', text: `post ${posting.count++}` }));
    await records.write(postItems, { feed: '', drafts });
  };
  for (let i = 0; i < 20; i++) await post();
  const writing = (async () => {
    while (posting.go) await post();
  })();
  const copy = await records.copy!();
  posting.go = false;
  await writing;
  const parts = [...copy.read()];
  copy.close();
  assert.deepEqual(
    readdirSync(from).filter((name) => name.includes('copy')),
    [],
  );
  await records.close();

  const bytes = Buffer.concat(parts);
  assert.equal(bytes.length, copy.bytes);
  writeFileSync(join(to, 'records.db'), bytes);
  writeFileSync(join(to, 'records.copy-of-a-killed-process'), 'x');
  const second = await openRecords(to);
  assert.ok(!readdirSync(to).includes('records.copy-of-a-killed-process'));
  const { entries } = await second.read(pageOfFeed, {
    feed: '',
    filter: {},
    order: 'asc',
    limit: 10_000,
    place: { by: 'id' },
  });
  await second.close();
  assert.ok(entries.length >= 1_000 && entries.length % 50 === 0, `whole commits, not ${entries.length}`);
  assert.deepEqual(
    entries.map(({ text }) => text),
    entries.map((_, i) => `post ${i}`),
  );
  for (const dir of [from, to]) rmSync(dir, { recursive: true });
});
