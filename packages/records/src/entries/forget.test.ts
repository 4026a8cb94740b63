// What was deleted is forgotten after a day, with a clock of the test's own: until then a pinned walk sees the slots,
// afterwards it is refused, and nothing of the entries is left.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { RecordsError } from '../contracts/errors.ts';
import type { WriteContext } from '../contracts/operation.ts';
import { migrate } from '../schema/migrate.ts';
import { IdSpaces } from '../store/id-spaces.ts';
import { kyselyOver } from '../store/sqlite/dialect.ts';
import { PreparedStatements } from '../store/sqlite/prepared-statements.ts';
import { appendEntries } from './append-entries.ts';
import { draftOf } from './content.ts';
import { deleteEntry, editEntry } from './edit-entry.ts';
import type { Entry } from './entry.ts';
import { type EntryPage, listEntries } from './list/list-entries.ts';
import { PIN_LIFE_MS, type Pin } from './pin.ts';

const HOUR = 3_600_000;

test('changes are kept a day and then forgotten', async () => {
  const raw = new DatabaseSync(':memory:');
  const sql = new PreparedStatements(raw);
  const db = kyselyOver(sql);
  await migrate(raw, () => db);
  const spaces = new IdSpaces(sql);
  let now = Date.UTC(2026, 0, 1);
  const context = (): WriteContext => ({
    db,
    sql,
    now,
    embedded: undefined,
    nextId: async (space) => spaces.next(space, now),
    emit: () => undefined,
  });
  const page = async (pin?: Pin): Promise<EntryPage> =>
    await listEntries(
      db,
      's',
      { filter: { topic: 'a' }, order: 'desc', limit: 9, place: { by: 'page', page: 1, pin } },
      now,
    );
  const drafts = Array.from({ length: 60 }, () => draftOf({ author: 'ada', markup: '<topic>a</topic>' }));
  const entries: Entry[] = await appendEntries(context(), 's', drafts);
  const { paged } = await page();
  const pin = paged!.pin;
  for (const entry of entries.slice(50)) await deleteEntry(context(), 's', entry);
  await editEntry(context(), 's', entries[49]!, { ...entries[49]!, text: 'b', entities: [] });

  now += PIN_LIFE_MS - HOUR;
  const seen = await page(pin);
  assert.deepEqual(
    seen.paged!.deleted,
    entries
      .slice(51)
      .reverse()
      .map(({ id }) => id),
  );
  assert.equal(seen.total, 60);

  now += 2 * HOUR;
  const expired = (error: unknown): boolean =>
    error instanceof RecordsError && error.code === 'snapshot-expired';
  await assert.rejects(page(pin), expired);
  await deleteEntry(context(), 's', entries[0]!);
  const count = (table: string, where = 'true'): number =>
    Number(raw.prepare(`select count(*) as n from ${table} where ${where}`).get()!['n']);
  assert.equal(count('entry_change'), 1);
  // Author and topic of the entry that was deleted just now.
  assert.equal(count('entry_tag', 'removed is not null'), 2);
  assert.equal(count('entry'), 49);
  // A pin that claims to be young does not help where its changes are gone.
  await assert.rejects(page({ ...pin, time: now }), expired);
  assert.equal((await page()).total, 48);
  raw.close();
});
