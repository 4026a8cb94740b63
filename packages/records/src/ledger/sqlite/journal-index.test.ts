// Lists by account and currency show all of the journal, however far the index is behind it. Events that
// share a row tell of each transfer once.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  balanceAt,
  createAccount,
  createHold,
  eventsAfter,
  forgetEvents,
  listTransfers,
  openRecords,
  postHold,
  type Records,
  type StoredEvent,
  type Transfer,
  type TransferRequest,
  transfer,
  transferBatch,
  transferView,
  verifyJournal,
} from '../../index.ts';

const records: Records = await openRecords(':memory:');
after(() => records.close());

const IDS = ['ada', 'bob', 'cyn'];
const made: Transfer[] = [];

/** More than two stretches of the lists, and a tail. */
before(async () => {
  await records.write(createAccount, { id: 'bank', currency: 'EUR', allowNegative: true });
  await records.write(createAccount, { id: 'vault', currency: 'USD', allowNegative: true });
  await records.write(createAccount, { id: 'usd', currency: 'USD' });
  for (const id of IDS) await records.write(createAccount, { id, currency: 'EUR' });
  let seed = 7;
  const next = (n: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % n;
  const request = (): TransferRequest =>
    next(20) === 0
      ? { from: 'vault', to: 'usd', money: '0.07', reference: 'r' }
      : { from: 'bank', to: IDS[next(3)]!, money: `0.${10 + next(80)}`, currency: 'EUR' };
  for (const size of [700, 1, 2_600, 300, 5_000, 40]) {
    const [batch, one] = await Promise.all([
      records.write(transferBatch, { transfers: Array.from({ length: size }, request) }),
      records.write(transfer, request()),
    ]);
    made.push(...batch, one);
    const held = await records.write(createHold, { from: 'bank', to: 'ada', money: '1' });
    made.push((await records.write(postHold, { id: held.id })).transfer);
  }
});

const involves = (id: string) => (one: Transfer) => one.from === id || one.to === id;

test('pages by account and by currency miss nothing and repeat nothing', async () => {
  assert.ok(made.length > 2 * 4_096);
  for (const filter of [{ account: 'ada' }, { account: 'usd' }, { currency: 'USD' }, { currency: 'EUR' }]) {
    const expected = made
      .filter((one) =>
        filter.account === undefined ? one.currency === filter.currency : involves(filter.account)(one),
      )
      .reverse();
    const down: Transfer[] = [];
    for (let at: bigint | undefined; ; at = down.at(-1)!.position) {
      const page = await records.read(listTransfers, { ...filter, after: at, limit: 97 });
      down.push(...page.rows);
      assert.equal(page.hasNext, down.length < expected.length);
      if (!page.hasNext) break;
    }
    assert.deepEqual(down, expected);
    const up: Transfer[] = [];
    for (let at = 0n; ; at = up[0]!.position) {
      const page = await records.read(listTransfers, { ...filter, after: at, backwards: true, limit: 101 });
      up.unshift(...page.rows);
      if (!page.hasPrev) break;
    }
    assert.deepEqual(up, expected);
  }
});

test('a stretch of time is a stretch of every list', async () => {
  const since = made[900]!.time;
  const until = made[2_500]!.time;
  const expected = made.filter((one) => involves('bob')(one) && one.time >= since && one.time < until);
  const page = await records.read(listTransfers, { account: 'bob', since, until, limit: 20_000 });
  assert.deepEqual(page.rows, expected.reverse());
});

test('balances of the past are those after the last transfer up to then', async () => {
  for (const { time } of [made[10]!, made[701]!, made[1_500]!, made.at(-1)!]) {
    for (const id of ['bank', ...IDS, 'usd']) {
      const last = made.findLast((one) => one.time <= time && involves(id)(one))!;
      const { balance } = await records.read(balanceAt, { id, at: time });
      assert.equal(balance, last.from === id ? last.fromBalance : last.toBalance, id);
    }
  }
});

const walk = async (limit: number, start = 0n): Promise<StoredEvent[]> => {
  const events: StoredEvent[] = [];
  for (let at = start; ; at = events.at(-1)!.position) {
    const page = await records.read(eventsAfter, { after: at, limit });
    assert.ok(page.length <= limit);
    if (page.length === 0) return events;
    events.push(...page);
  }
};

test('events tell of each transfer once, wherever one goes on from', async () => {
  const all = await walk(20_000);
  assert.deepEqual(
    all.map(({ position }) => position),
    all.map((_event, i) => BigInt(i + 1)),
  );
  assert.equal(all.at(-1)!.position, records.lastEvent());
  const told = all.filter(({ type }) => type === 'transfer.created');
  assert.deepEqual(
    told.map(({ data, subject }) => [subject, data]),
    made.map((one) => [`transactions/${one.id}`, { ...transferView(one) }]),
  );
  assert.deepEqual(await walk(61), all);
  for (const start of [3n, 500n, 712n, 2_000n])
    assert.deepEqual(await walk(311, start), all.slice(Number(start)));
});

test('a sound ledger has no findings; old events can go', async () => {
  assert.deepEqual((await records.read(verifyJournal, undefined)).findings, []);
  const before = await walk(20_000);
  await records.write(forgetEvents, { olderThan: 0, keep: 1_500, limit: 100_000 });
  const left = await walk(20_000);
  assert.ok(left.length >= 1_500 && left.length < before.length);
  assert.deepEqual(left, before.slice(-left.length));
});
