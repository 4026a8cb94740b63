// The ledger is exact while several processes write to it. Each opener of the records locks, groups and
// numbers for itself, as a separate process would.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  balanceAt,
  changeAccount,
  createAccount,
  createChat,
  createHold,
  eventsAfter,
  expireHolds,
  getAccount,
  listTransfers,
  postHold,
  type Records,
  RecordsError,
  reverse,
  type Transfer,
  transfer,
  transferBatch,
  verifyJournal,
  voidHold,
} from '@octavo/records';
import { Client } from 'pg';
import { eventually } from '../../packages/server/test/eventually.ts';
import { severalOpeners } from './several-openers.ts';

const { skip, place, openers } = await severalOpeners();

async function open(records: Records, ...ids: string[]): Promise<void> {
  for (const id of ids)
    await records.write(createAccount, { id, currency: 'EUR', allowNegative: id.startsWith('bank') });
}

/** What became of a call: `done`, or the code of its refusal. */
async function outcome(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'done';
  } catch (error) {
    if (error instanceof RecordsError) return error.code;
    throw error;
  }
}

test('everything at once over three processes: no balance below zero, and the journal adds up', {
  skip,
  timeout: 1_800_000,
}, async () => {
  const stores = await openers(3);
  const [first] = stores as [Records];
  const people = ['ada', 'bob', 'cyn', 'dan'];
  await open(first, 'bank', 'bank2', ...people);
  for (const id of people) await first.write(transfer, { from: 'bank', to: id, money: '50' });
  const all = ['bank', 'bank2', ...people];
  const holds: string[] = [];
  const transfers: string[] = [];
  const codes = new Map<string, number>();
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const step = async (records: Records): Promise<void> => {
    const from = all[random(all.length)]!;
    const to = all[random(all.length)]!;
    const money = `${random(20)}.${10 + random(90)}`;
    const kind = random(12);
    const run = async (): Promise<unknown> => {
      switch (kind) {
        case 0: {
          const expiresAt = random(2) === 0 ? Date.now() + 30 : undefined;
          return holds.push((await records.write(createHold, { from, to, money, expiresAt })).id);
        }
        case 1:
          return await records.write(postHold, { id: holds[random(holds.length)] ?? 'no' });
        case 2:
          return await records.write(voidHold, { id: holds[random(holds.length)] ?? 'no' });
        case 3:
          return await records.write(reverse, { id: transfers[random(transfers.length)] ?? 'no' });
        case 4:
          return await records.write(changeAccount, { id: 'bank2', allowNegative: random(2) === 0 });
        case 5:
          return await records.write(expireHolds, undefined);
        case 6: {
          const back = { from: to, to: from, money };
          return await records.write(transferBatch, { transfers: [{ from, to, money }, back] });
        }
        default: {
          const externalId = random(4) === 0 ? `e${random(20)}` : undefined;
          return transfers.push((await records.write(transfer, { from, to, money, externalId })).id);
        }
      }
    };
    const code = await outcome(run());
    codes.set(code, (codes.get(code) ?? 0) + 1);
  };
  await Promise.all(
    stores.flatMap((records) =>
      Array.from({ length: 8 }, async () => {
        for (let i = 0; i < 15; i++) await step(records);
      }),
    ),
  );
  const known = new Set([
    'done',
    'same-account',
    'insufficient-funds',
    'hold-not-found',
    'hold-not-pending',
    'transfer-not-found',
    'already-reversed',
    'external-id-taken',
    // A hold whose time was up before its turn came.
    'invalid-parameter',
  ]);
  assert.deepEqual(
    [...codes.keys()].filter((code) => !known.has(code)),
    [],
  );
  assert.ok(codes.get('done')! > 100, JSON.stringify([...codes]));
  for (const records of stores) {
    const { findings } = await records.read(verifyJournal, undefined);
    assert.deepEqual(findings, []);
  }
  for (const id of people) {
    const { balance, held } = await first.read(getAccount, { id });
    assert.ok(balance >= 0n && held >= 0n && balance >= held, id);
  }
});

test('a key of a transfer, an external id and a reversal are had once, by whichever process', {
  skip,
}, async () => {
  const stores = await openers(3);
  const [first] = stores as [Records];
  await open(first, 'bank', 'bank2', 'ada');
  const twice = [...stores, ...stores];
  const externals = await Promise.all(
    twice.map((records) =>
      outcome(records.write(transfer, { from: 'bank', to: 'bank2', money: '1', externalId: 'x' })),
    ),
  );
  assert.deepEqual(externals.toSorted(), ['done', ...Array(5).fill('external-id-taken')]);
  const { id } = await first.write(transfer, { from: 'bank', to: 'bank2', money: '1' });
  const reversals = await Promise.all(twice.map((records) => outcome(records.write(reverse, { id }))));
  assert.deepEqual(reversals.toSorted(), [...Array(5).fill('already-reversed'), 'done']);
  const accounts = await Promise.all(
    twice.map((records) => outcome(records.write(createAccount, { id: 'new', currency: 'EUR' }))),
  );
  assert.deepEqual(accounts.toSorted(), [...Array(5).fill('already-exists'), 'done']);
  await first.write(transfer, { from: 'bank', to: 'ada', money: '10' });
  const spent = await Promise.all(
    twice.map((records) => outcome(records.write(transfer, { from: 'ada', to: 'bank', money: '3' }))),
  );
  assert.equal(spent.filter((code) => code === 'done').length, 3);
  assert.equal((await first.read(getAccount, { id: 'ada' })).balance, 100n);
  assert.deepEqual((await first.read(verifyJournal, undefined)).findings, []);
});

test('what is committed counts at once, and has its place when it is acknowledged', { skip }, async () => {
  const [a, b] = (await openers(2)) as [Records, Records];
  await open(a, 'bank', 'ada');
  const made: Transfer[] = [];
  for (let i = 1; i <= 10; i++) {
    const records = i % 2 === 0 ? a : b;
    made.push(await records.write(transfer, { from: 'bank', to: 'ada', money: String(i) }));
  }
  assert.deepEqual(
    made.map(({ position, toBalance }) => [position, toBalance]),
    made.map((_, i) => [BigInt(i + 1), BigInt(((i + 1) * (i + 2)) / 2) * 100n]),
  );
  for (const { time, toBalance } of made) {
    const later = made.filter((one) => one.time === time).at(-1)!;
    const { balance } = await b.read(balanceAt, { id: 'ada', at: time });
    assert.equal(balance, later.toBalance);
    assert.ok(toBalance <= balance);
  }
  const { rows } = await a.read(listTransfers, { limit: 20 });
  assert.deepEqual(rows, made.toReversed());
});

test('a transfer that a dead process has left without a place counts, and gets one', { skip }, async () => {
  const url = place();
  const [records] = (await openers(1, url)) as [Records];
  await open(records, 'bank', 'ada');
  await records.write(transfer, { from: 'bank', to: 'ada', money: '1' });
  const client = new Client(url);
  await client.connect();
  await client.query(
    "WITH a AS (SELECT number FROM account WHERE id = 'bank'), o AS (SELECT number FROM account WHERE id = 'ada'), " +
      "paid AS (UPDATE account SET balance = balance + 5 WHERE id = 'ada'), " +
      "told AS (INSERT INTO outbox_queue (time, type, subject, data) VALUES (1, 'transfer.created', 'transactions/t', '{}')) " +
      'INSERT INTO transfer (id, kind, from_account, to_account, currency, amount, time) ' +
      "SELECT 't', 'transfer', a.number, o.number, 'EUR', 5, 1 FROM a, o",
  );
  await client.end();
  assert.equal((await records.read(getAccount, { id: 'bank' })).balance, -105n);
  assert.deepEqual((await records.read(verifyJournal, undefined)).findings, []);
  await eventually(async () =>
    assert.equal((await records.read(eventsAfter, { after: 0n, limit: 9 })).length, 4),
  );
  const { rows } = await records.read(listTransfers, { limit: 9 });
  assert.deepEqual(rows.map(({ id, fromBalance, toBalance }) => [id, fromBalance, toBalance]).slice(0, 1), [
    ['t', -105n, 105n],
  ]);
  assert.deepEqual((await records.read(verifyJournal, undefined)).findings, []);
});

test('the journal is looked through only where money has moved', { skip, timeout: 600_000 }, async (t) => {
  const [store] = (await openers(1)) as [Records];
  await open(store, 'bank', 'ada');
  const { query } = Client.prototype;
  t.after(() => void (Client.prototype.query = query));
  const texts: string[] = [];
  Client.prototype.query = function (this: Client, ...given: Parameters<Client['query']>) {
    const first = given[0] as string | { readonly text: string };
    texts.push(typeof first === 'string' ? first : first.text);
    return query.apply(this, given);
  } as Client['query'];
  const asked = async (write: () => Promise<unknown>): Promise<{ journal: number; numbered: number }> => {
    texts.length = 0;
    await write();
    const count = (what: RegExp): number => texts.filter((text) => what.test(text)).length;
    return { journal: count(/from transfer t/), numbered: count(/UPDATE outbox_head/) };
  };
  const chat = await asked(() => store.write(createChat, { members: ['ada', 'bob'] }));
  assert.deepEqual(chat, { journal: 0, numbered: 1 });
  const paid = await asked(() => store.write(transfer, { from: 'bank', to: 'ada', money: '5' }));
  assert.ok(paid.journal > 0 && paid.numbered === 1, JSON.stringify(paid));
  assert.deepEqual((await store.read(verifyJournal, undefined)).findings, []);
});
