// A journal that was written as rows alone still reads, goes on in blocks, and proves itself from its first
// hash on. The fixture was made before there were blocks: 1,106 transfers with words, a hold that was posted
// and one that is pending.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import {
  balanceAt,
  eventsAfter,
  getAccount,
  getTransfer,
  listTransfers,
  openRecords,
  reverse,
  type Transfer,
  transfer,
  transferBatch,
  verifyJournal,
} from '../index.ts';

const FIXTURE = new URL('../../test/fixtures/journal-rows.db.gz', import.meta.url);
const HEAD = '3a1603d3c0c94db525f1231e36e3944dc5c9b573063982969772b7116b9102e7';
const ROWS = 1_106;

const dir = mkdtempSync(join(tmpdir(), 'octavo-journal-rows-'));
after(() => rmSync(dir, { recursive: true }));
writeFileSync(join(dir, 'records.db'), gunzipSync(readFileSync(FIXTURE)));

test('rows of earlier and blocks of now are one journal', async () => {
  const records = await openRecords(dir);
  try {
    const before = await records.read(verifyJournal, undefined);
    assert.deepEqual(before, { transfers: ROWS, accounts: 5, head: HEAD, findings: [] });
    const old = (await records.read(listTransfers, { limit: 5_000 })).rows;
    assert.deepEqual(
      old.map(({ position }) => position),
      Array.from({ length: ROWS }, (_, i) => BigInt(ROWS - i)),
    );
    const [rent] = (await records.read(listTransfers, { externalId: 'x-1', limit: 5 })).rows;
    assert.deepEqual([rent?.from, rent?.to, rent?.amount, rent?.reference], ['ada', 'bob', 1_230n, 'rent']);
    const made: Transfer[] = [];
    made.push(await records.write(transfer, { from: 'bob', to: 'ada', money: '0.01' }));
    made.push(await records.write(reverse, { id: old.find(({ to }) => to === 'ken')!.id }));
    const many = Array.from({ length: 4_000 }, (_, i) => ({
      ...{ from: 'bank', to: i % 2 === 0 ? 'ada' : 'bob', money: '0.02' },
    }));
    made.push(...(await records.write(transferBatch, { transfers: many })));
    made.push(await records.write(reverse, { id: old[0]!.id }));
    const all = [...made.toReversed(), ...old];
    for (const account of ['bank', 'ada', 'bob', 'vault', 'ken']) {
      const { rows } = await records.read(listTransfers, { account, limit: 10_000 });
      assert.deepEqual(
        rows,
        all.filter(({ from, to }) => from === account || to === account),
      );
      const [last] = rows;
      const { balance } = await records.read(getAccount, { id: account });
      assert.equal(balance, last?.from === account ? last.fromBalance : last?.toBalance);
      assert.equal(
        (await records.read(balanceAt, { id: account, at: old[0]!.time - 1 })).balance,
        past(old, account),
      );
    }
    for (const one of [all[0]!, all[1]!, all[3_000]!, all.at(-1)!])
      assert.deepEqual(await records.read(getTransfer, { id: one.id }), one);
    const events = await records.read(eventsAfter, { after: 0n, limit: 10_000 });
    assert.deepEqual(
      events.filter(({ type }) => type === 'transfer.created').map(({ subject }) => subject),
      all.toReversed().map(({ id }) => `transactions/${id}`),
    );
    const now = await records.read(verifyJournal, undefined);
    assert.deepEqual([now.findings, now.transfers], [[], all.length]);
    assert.notEqual(now.head, HEAD);
  } finally {
    await records.close();
  }
});

/** What an account had before the last time of `old`, which is newest first. */
function past(old: readonly Transfer[], id: string): bigint {
  const last = old.find(({ from, to, time }) => (from === id || to === id) && time < old[0]!.time);
  return last === undefined ? 0n : last.from === id ? last.fromBalance : last.toBalance;
}

test('somebody who changes a row of earlier breaks the chain of now', async () => {
  const raw = new DatabaseSync(join(dir, 'records.db'));
  raw.exec('UPDATE transfer SET amount = amount + 1 WHERE position = 3');
  raw.close();
  // Whoever can change the file can remove its sums: the chain still tells.
  rmSync(join(dir, 'records.sums'));
  const records = await openRecords(dir);
  const { findings } = await records.read(verifyJournal, undefined);
  await records.close();
  assert.match(findings[0] ?? '', /position 3 does not fit its hash/);
});
