// Records move while they are written to: nothing acknowledged is missing, and nothing is written in two
// places. These tests go from one data directory to another; scripts/stores goes to PostgreSQL and back.

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, type TestContext, test } from 'node:test';
import {
  createAccount,
  getAccount,
  listTransfers,
  moveRecords,
  openRecords,
  type Records,
  RecordsError,
  recordsFence,
  reopenRecords,
  sharedSecret,
  transfer,
} from '../src/index.ts';
import { moveUnderWriters, settle } from './live-move.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-cutover-'));
});
after(() => rmSync(folder, { recursive: true }));

const place = (name: string): string => join(folder, name);

/** Two accounts and a kept answer. */
async function openWithMoney(t: TestContext, name: string): Promise<Records> {
  const records = await openRecords(place(name));
  t.after(() => records.close());
  for (const id of ['bank', 'ada'])
    await records.write(createAccount, { id, currency: 'EUR', allowNegative: id === 'bank' });
  await pay(records, 'k1');
  return records;
}

function pay(records: Records, key?: string): Promise<unknown> {
  const idempotency = { principal: 'p', key: key ?? '', fingerprint: 'f' };
  return records.write(
    transfer,
    { from: 'bank', to: 'ada', money: '1' },
    key === undefined ? undefined : { idempotency },
  );
}

const isMoved = (error: unknown): boolean => error instanceof RecordsError && error.code === 'records-moved';

/** Tables and triggers of a move that are left in a file. */
function leftIn(name: string): unknown[] {
  const database = new DatabaseSync(join(place(name), 'records.db'));
  const names =
    "SELECT name FROM sqlite_schema WHERE name LIKE 'move\\_%' ESCAPE '\\' AND name <> 'move_fence'";
  const found = database.prepare(names).all();
  database.close();
  return found;
}

test('there under writers, and back into the old directory under writers', { timeout: 900_000 }, async () => {
  await settle(place('a'), 150);
  for (const [from, to] of [
    ['a', 'b'],
    ['b', 'a'],
  ] as const) {
    const records = await openRecords(place(from));
    let first = true;
    const { move, acknowledged } = await moveUnderWriters(
      { from: place(from), to: place(to), mayHold: from === 'b' },
      [records],
      (phase) => {
        if (phase.name === 'followed') first = false;
      },
    );
    assert.equal(first, false);
    assert.ok(acknowledged > 0);
    assert.ok(move.stoodStill! > 0);
    await records.close();
    assert.deepEqual(leftIn(from), []);
    // What it counted on the way is what a look at every row says.
    if (from === 'a') continue;
    const again = await moveRecords({ from: place('b'), to: place('c'), mayHold: false });
    const digests = (tables: typeof move.tables): unknown =>
      tables
        .filter(({ table }) => table !== 'secret')
        .map(({ table, rows, digest }) => ({ table, rows, digest }));
    assert.deepEqual(digests(again.tables), digests(move.tables));
    assert.equal(again.journal.head, move.journal.head);
  }
});

test('where they were, what was answered is answered again, and the rest refused, over restarts', async (t) => {
  let records = await openWithMoney(t, 'd');
  const proposed = new Uint8Array(8).fill(1);
  await records.write(sharedSecret, { name: 's', proposed });
  const answered = await pay(records, 'k1');
  await moveRecords({ from: place('d'), to: place('e'), mayHold: false, cutover: true });
  for (const restart of [true, false]) {
    assert.deepEqual(await pay(records, 'k1'), answered);
    assert.deepEqual(await records.write(sharedSecret, { name: 's', proposed: new Uint8Array(8) }), proposed);
    const many = [pay(records), pay(records, 'k1'), pay(records, 'k2'), pay(records)];
    const endings = (await Promise.allSettled(many)).map(
      (one) => one.status === 'fulfilled' || isMoved(one.reason),
    );
    assert.deepEqual(endings, [true, true, true, true]);
    await assert.rejects(pay(records), (error: Error) => {
      assert.match(error.message, /moved to another store at 2/);
      assert.doesNotMatch(error.message, /octavo-cutover/, 'callers hear when, not where');
      return true;
    });
    const { place: there, ...fence } = (await records.read(recordsFence, undefined))!;
    assert.match(there, /\/e$/);
    assert.equal(fence.state, 'gone');
    assert.ok(Date.parse(fence.since) <= Date.now());
    // A refusal of the ledger would be one of yesterday.
    await assert.rejects(records.write(transfer, { from: 'ada', to: 'bank', money: '5' }), isMoved);
    assert.equal((await records.read(getAccount, { id: 'ada' }))!.balance, 100n);
    await records.close();
    if (restart) records = await openRecords(place('d'));
  }
  await assert.rejects(
    moveRecords({ from: place('d'), to: place('e'), mayHold: true, cutover: true }),
    /already moved to .*\/e at /,
  );
});

test('broken off at any step, writes go on where they were, and the next run ends it', async (t) => {
  const records = await openWithMoney(t, 'f');
  const move = { from: place('f'), to: place('g'), mayHold: true, cutover: true };
  for (const step of ['rows', 'followed', 'waiting', 'leaving'] as const) {
    const stop = (): never => {
      throw new Error('stopped here');
    };
    const onPhase = ({ name }: { readonly name: string }): void => {
      if (name === step) stop();
    };
    await assert.rejects(
      moveRecords({ ...move, onPhase, ...(step === 'rows' ? { onRows: stop } : {}) }),
      /stopped here/,
    );
    await pay(records);
    assert.deepEqual(leftIn('f'), []);
    // What has not arrived is not written to.
    const there = await openRecords(place('g'));
    await assert.rejects(pay(there), /are being moved to this store since 2/);
    await there.close();
  }
  await moveRecords(move);
  const there = await openRecords(place('g'));
  const transfers = { limit: 1_000 };
  assert.deepEqual(await there.read(listTransfers, transfers), await records.read(listTransfers, transfers));
  await pay(there);
  await there.close();
  await records.close();
});

test('killed after the source was left, the same move tells the target that all has come', async (t) => {
  const records = await openWithMoney(t, 'h');
  const move = { from: place('h'), to: place('i'), mayHold: true, cutover: true };
  await moveRecords(move);
  const database = new DatabaseSync(join(place('i'), 'records.db'));
  // The place may have been told under another name.
  database.exec(
    "INSERT INTO move_fence SELECT 'writes', 'coming', 'elsewhere', 0, 0, 0, move FROM move_fence WHERE name = 'came'",
  );
  database.close();
  // Its sums know nothing of that.
  rmSync(join(place('i'), 'records.sums'));
  await moveRecords(move);
  const there = await openRecords(place('i'));
  await pay(there);
  await there.close();
  await assert.rejects(pay(records), isMoved);
  await records.close();
});

test('a move that is given up: the source takes writes again, the target none', async (t) => {
  const records = await openWithMoney(t, 'j');
  const places = { from: place('j'), to: place('k') };
  const move = { ...places, mayHold: true, cutover: true };
  await moveRecords(move);
  await reopenRecords({ ...places, force: false });
  await pay(records);
  let there = await openRecords(place('k'));
  await assert.rejects(pay(there), /moved to another store at/);
  await there.close();
  await moveRecords(move);
  there = await openRecords(place('k'));
  await pay(there);
  await there.close();
  await assert.rejects(reopenRecords({ ...places, force: false }), /has been written to since/);
  await assert.rejects(pay(records), isMoved);
  await reopenRecords({ ...places, force: true });
  await pay(records);
  await records.close();
});

test('only the two places of a move are given up, whatever else is named', async (t) => {
  const records = await openWithMoney(t, 'o');
  const other = await openWithMoney(t, 'other');
  const reopen = (from: string, to: string, force = true): Promise<boolean> =>
    reopenRecords({ from: place(from), to: place(to), force });
  const stop = (): never => {
    throw new Error('stopped here');
  };
  const move = { from: place('o'), to: place('q'), mayHold: true, cutover: true };
  await assert.rejects(moveRecords({ ...move, onPhase: stop }), /stopped here/);
  // What is half there is not opened, nor what never was left.
  await assert.rejects(reopen('q', 'o'), /the move from .*\/o to .*\/q is incomplete: run it again/);
  assert.equal(await reopen('o', 'q'), false);
  for (const cutover of [true, false])
    await assert.rejects(
      moveRecords({ from: place('q'), to: place('onward'), mayHold: true, cutover }),
      /the move from .*\/o to .*\/q is incomplete: run it again/,
    );
  assert.equal(existsSync(place('onward')), false);
  let there = await openRecords(place('q'));
  await assert.rejects(pay(there), /are being moved to this store/);
  await there.close();
  await moveRecords(move);

  await other.close();
  await moveRecords({ from: place('other'), to: place('third'), mayHold: true, cutover: true });
  for (const wrong of ['other', 'third']) await assert.rejects(reopen('o', wrong), /moved to .*\/q, not to /);
  await assert.rejects(reopen('o', 'nowhere'), /there are no records in/);
  assert.equal(existsSync(place('nowhere')), false);
  symlinkSync(place('o'), place('same'));
  await assert.rejects(reopen('o', 'same'));
  await assert.rejects(pay(records), isMoved);
  // The right one, under another name.
  symlinkSync(place('q'), place('alias'));
  assert.equal(await reopen('o', 'alias', false), true);
  await pay(records);
  await records.close();
  // It was given up: what is there is old.
  await assert.rejects(reopen('q', 'o'), /abandoned for those of .*\/o/);
  there = await openRecords(place('q'));
  await assert.rejects(pay(there), isMoved);
  await there.close();
});

test('killed between closing the target and opening the source, the same is said again', async (t) => {
  const records = await openWithMoney(t, 's');
  await moveRecords({ from: place('s'), to: place('u'), mayHold: true, cutover: true });
  const database = new DatabaseSync(join(place('u'), 'records.db'));
  database.exec("INSERT INTO move_fence VALUES ('writes', 'gone', 'there', 0, 0, 0, '')");
  database.close();
  // Its sums know nothing of that.
  rmSync(join(place('u'), 'records.sums'));
  await assert.rejects(pay(records), isMoved);
  assert.equal(await reopenRecords({ from: place('s'), to: place('u'), force: false }), true);
  await pay(records);
  await records.close();
});

test('what came is not what is there once something else was moved over it', async (t) => {
  const records = await openWithMoney(t, 'v');
  await records.close();
  cpSync(place('v'), place('copy'), { recursive: true });
  const move = { from: place('v'), to: place('w'), mayHold: true };
  await moveRecords({ ...move, cutover: true });
  await moveRecords(move);
  const places = { from: place('v'), to: place('w'), force: true };
  assert.equal(await reopenRecords(places), true);
  await moveRecords({ ...move, cutover: true });
  await moveRecords({ ...move, from: place('copy') });
  await assert.rejects(reopenRecords(places), /moved to .*, not to /);
});

test('one move of a source at a time', async (t) => {
  const records = await openWithMoney(t, 'l');
  const second = (): Promise<unknown> =>
    moveRecords({ from: place('l'), to: place('n'), mayHold: false, cutover: true });
  let refused: Promise<void> | undefined;
  const onBegin = (): void => {
    refused ??= assert.rejects(second(), /another move has the records/);
  };
  await moveRecords({ from: place('l'), to: place('m'), mayHold: false, cutover: true, onBegin });
  await refused;
  await records.close();
});
