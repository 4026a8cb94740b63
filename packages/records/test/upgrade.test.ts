// A records.db of an older version becomes one of this version without losing anything. `old` holds what that
// version wrote, as SQL, and what it answered: before the index of the ledger and the outbox followed the
// journal (0060 on).

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import {
  balanceAt,
  checkStore,
  eventsAfter,
  listHolds,
  listTransfers,
  openRecords,
  pageOfFeed,
  type Records,
  type TransferFilter,
  transfer,
  verifyJournal,
} from '../src/index.ts';

const OLD = new URL('./old/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, OLD), 'utf8');

interface Said {
  /** Ids of transfers, newest first, by the JSON of their filter. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly balances: readonly { readonly id: string; readonly at: number; readonly balance: string }[];
  readonly events: readonly { readonly position: string; readonly type: string }[];
}

const said = JSON.parse(read('records-0044.json')) as Said;
const dir = mkdtempSync(join(tmpdir(), 'octavo-upgrade-'));
let records: Records;

before(async () => {
  const old = new DatabaseSync(join(dir, 'records.db'));
  old.exec(read('records-0044.sql'));
  // Answers are kept for a day: those in the file were given an hour ago, whenever this runs.
  old.prepare('UPDATE idempotency SET time = ?').run(Date.now() - 3_600_000);
  old.close();
  records = await openRecords(dir);
});
after(async () => {
  await records.close();
  rmSync(dir, { recursive: true, force: true });
});

/** All pages of a list, newest first. */
async function walk(filter: TransferFilter, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at: bigint | undefined; ; ) {
    const page = await records.read(listTransfers, { ...filter, after: at, limit });
    ids.push(...page.rows.map(({ id }) => id));
    at = page.rows.at(-1)?.position;
    if (!page.hasNext) return ids;
  }
}

const events = async (): Promise<unknown[]> =>
  (await records.read(eventsAfter, { after: 0n, limit: 10_000 })).map((event) => ({
    ...event,
    position: String(event.position),
  }));

test('lists, balances of the past, events and the chain are what they were', async () => {
  for (const [filter, ids] of Object.entries(said.lists))
    for (const limit of [7, 1_000]) assert.deepEqual(await walk(JSON.parse(filter), limit), ids, filter);
  for (const { id, at, balance } of said.balances)
    assert.equal(String((await records.read(balanceAt, { id, at })).balance), balance, `${id} at ${at}`);
  assert.deepEqual(await events(), said.events);
  assert.deepEqual((await records.read(verifyJournal, undefined)).findings, []);
  assert.deepEqual(await records.read(checkStore, undefined), []);
  assert.equal(records.lastEvent(), BigInt(said.events.length));
});

test('an old answer is replayed, and old holds have a list', async () => {
  let replayed = false;
  const before = said.lists['{}']!.length;
  await records.write(
    transfer,
    { from: 'bank', to: 'bob', money: '1', externalId: 'x3' },
    {
      idempotency: { principal: 'p', key: 'k3', fingerprint: 'f3' },
      onReplay: () => {
        replayed = true;
      },
    },
  );
  assert.equal(replayed, true);
  assert.equal((await walk({}, 1_000)).length, before);
  const page = await records.read(listHolds, { account: 'ada', limit: 100 });
  assert.deepEqual(
    page.rows.map(({ status }) => status).reverse(),
    Array.from({ length: 3 }, () => ['posted', 'voided', 'pending', 'expired']).flat(),
  );
  const { entries } = await records.read(pageOfFeed, {
    feed: '',
    filter: {},
    order: 'desc',
    limit: 9,
    place: { by: 'page', page: 1 },
  });
  assert.deepEqual(
    entries.map(({ author }) => author),
    ['ada'],
  );
});

test('what comes now goes on behind it, also beyond a stretch of the lists', async () => {
  const made: string[] = [];
  for (let i = 0; i < 1_100; i += 100) {
    const writes = Array.from({ length: 100 }, () =>
      records.write(transfer, { from: 'bank', to: 'ada', money: '0.01' }),
    );
    made.push(...(await Promise.all(writes)).map(({ id }) => id));
  }
  for (const filter of [{}, { account: 'ada' }, { account: 'bank' }, { currency: 'EUR' }])
    assert.deepEqual(
      await walk(filter, 333),
      [...made].reverse().concat(said.lists[JSON.stringify(filter)]!),
    );
  assert.deepEqual(await walk({ account: 'yen' }, 333), said.lists['{"account":"yen"}']);
  assert.deepEqual((await events()).slice(0, said.events.length), said.events);
  assert.equal((await events()).length, said.events.length + made.length);
  assert.deepEqual((await records.read(verifyJournal, undefined)).findings, []);
});
