// Transfers, refusals in their order, holds, reversals, batches, balances in the past, the journal.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openStore } from '../../test/stores.ts';
import {
  balanceAt,
  changeAccount,
  createAccount,
  createHold,
  eventsAfter,
  expireHolds,
  getAccount,
  getHold,
  getTransfer,
  listAccounts,
  listTransfers,
  postHold,
  previewTransfers,
  type Records,
  RecordsError,
  reverse,
  type Transfer,
  type TransferRequest,
  transfer,
  transferBatch,
  transferBatchJson,
  transferView,
  verifyJournal,
  voidHold,
  type WriteOptions,
} from '../index.ts';

const opened: Records[] = [];
after(async () => {
  for (const records of opened) await records.close();
});

async function ledger(): Promise<Records> {
  const records = await openStore();
  opened.push(records);
  await records.write(createAccount, { id: 'bank', currency: 'EUR', allowNegative: true });
  await records.write(createAccount, { id: 'ada', currency: 'EUR' });
  await records.write(createAccount, { id: 'bob', currency: 'EUR' });
  await records.write(createAccount, { id: 'yen', currency: 'JPY' });
  return records;
}

const balance = async (records: Records, id: string): Promise<bigint> =>
  (await records.read(getAccount, { id })).balance;

const refused = (code: string, field?: string) => (error: unknown) =>
  error instanceof RecordsError && error.code === code && (field === undefined || error.field === field);

test('each caller is answered, whoever shares its commit', async () => {
  const records = await ledger();
  const request: TransferRequest = { from: 'bank', to: 'ada', money: '1.00', reference: 'x' };
  const key: WriteOptions = { idempotency: { principal: 'p', key: '1', fingerprint: 'f' } };
  const [plain, keyed, batch, refusal] = await Promise.all([
    records.write(transfer, { ...request, reference: undefined }),
    records.write(transfer, request, key),
    records.write(transferBatch, { transfers: [request, request] }),
    records.write(transfer, { from: 'ada', to: 'bob', money: '9' }).catch((error: unknown) => error),
  ]);
  assert.deepEqual(
    [plain, keyed, ...batch].map(({ amount }) => amount),
    [100n, 100n, 100n, 100n],
  );
  assert.ok(refused('insufficient-funds')(refusal));
  assert.deepEqual(await records.write(transfer, request, key), keyed);
});

test('money moves, exactly, and the journal adds up', async () => {
  const records = await ledger();
  const done = await records.write(transfer, { from: 'bank', to: 'ada', money: '12.3', reference: 'r' });
  assert.equal(done.amount, 1230n);
  assert.equal(done.currency, 'EUR');
  assert.deepEqual(await records.read(getTransfer, { id: done.id }), done);
  await records.write(transfer, { from: 'ada', to: 'bob', money: '0.01', currency: 'EUR' });
  assert.deepEqual(
    [await balance(records, 'bank'), await balance(records, 'ada'), await balance(records, 'bob')],
    [-1230n, 1229n, 1n],
  );
  const report = await records.read(verifyJournal, undefined);
  assert.deepEqual([report.transfers, report.accounts, report.findings], [2, 4, []]);
  const events = await records.read(eventsAfter, { after: 0n, limit: 100 });
  assert.deepEqual(
    events.map(({ type }) => type),
    [...Array(4).fill('account.created'), 'transfer.created', 'transfer.created'],
  );
});

test('refusals come in their order, and change nothing', async () => {
  const records = await ledger();
  await records.write(createAccount, { id: 'old', currency: 'EUR' });
  await records.write(changeAccount, { id: 'old', closed: true });
  await records.write(transfer, { from: 'bank', to: 'bob', money: '1', externalId: 'x' });
  const wrong: [request: Partial<TransferRequest>, code: string, field: string][] = [
    [{ money: '1e3', currency: 'XXY', to: 'ada' }, 'invalid-money', 'money'],
    [{ money: '1.001', currency: 'EUR', to: 'ada' }, 'invalid-money', 'money'],
    [{ money: '1', currency: 'eur', to: 'ada' }, 'unknown-currency', 'currency'],
    [{ money: '1.001', to: 'ada' }, 'same-account', 'to'],
    [{ money: '1.001', from: 'no', to: 'nobody' }, 'account-not-found', 'from'],
    [{ money: '1.001', to: 'nobody' }, 'account-not-found', 'to'],
    [{ money: '1.001', to: 'old' }, 'invalid-money', 'money'],
    [{ money: '1', to: 'old', currency: 'USD' }, 'account-closed', 'to'],
    [{ money: '1', to: 'yen', currency: 'USD' }, 'currency-mismatch', 'currency'],
    [{ money: '1', to: 'yen', externalId: 'x' }, 'currency-mismatch', 'to'],
    [{ money: '1', to: 'bob', externalId: 'x' }, 'external-id-taken', 'external_id'],
    [{ money: '1', to: 'bob' }, 'insufficient-funds', 'money'],
    [{ money: '92233720368547758.07', from: 'bank' }, 'balance-overflow', 'money'],
  ];
  for (const [request, code, field] of wrong) {
    const whole = { from: 'ada', to: 'bob', money: '1', ...request };
    await assert.rejects(records.write(transfer, whole), refused(code, field), JSON.stringify(request));
    await assert.rejects(
      records.read(previewTransfers, { transfers: [whole], batch: false }),
      refused(code, field),
    );
  }
  const report = await records.read(verifyJournal, undefined);
  assert.deepEqual([report.transfers, report.findings], [1, []]);
});

test('holds: reserved, posted in part, voided, expired', async () => {
  const records = await ledger();
  await records.write(transfer, { from: 'bank', to: 'ada', money: '10' });
  const first = await records.write(createHold, { from: 'ada', to: 'bob', money: '6' });
  assert.equal(first.status, 'pending');
  await assert.rejects(
    records.write(transfer, { from: 'ada', to: 'bob', money: '4.01' }),
    refused('insufficient-funds'),
  );
  await assert.rejects(records.write(postHold, { id: first.id, money: '6.01' }), refused('invalid-money'));
  const { hold, transfer: made } = await records.write(postHold, { id: first.id, money: '2.50' });
  assert.deepEqual([hold.status, hold.transfer, made.hold, made.amount], ['posted', made.id, first.id, 250n]);
  await assert.rejects(records.write(postHold, { id: first.id }), refused('hold-not-pending'));
  const account = await records.read(getAccount, { id: 'ada' });
  assert.deepEqual([account.balance, account.held], [750n, 0n]);
  const second = await records.write(createHold, { from: 'ada', to: 'bob', money: '7.50' });
  await assert.rejects(
    records.write(changeAccount, { id: 'ada', closed: true }),
    refused('account-not-empty'),
  );
  assert.equal((await records.write(voidHold, { id: second.id })).status, 'voided');
  const third = await records.write(createHold, {
    from: 'ada',
    to: 'bob',
    money: '7.50',
    // Later than it takes to ask for it, on any machine.
    expiresAt: Date.now() + 1_500,
  });
  while ((await records.read(getHold, { id: third.id })).status === 'pending')
    await new Promise((resolve) => setTimeout(resolve, 10));
  // Its time is up: it counts no more although nothing has marked it.
  await records.write(transfer, { from: 'ada', to: 'bob', money: '7.50' });
  await assert.rejects(records.write(voidHold, { id: third.id }), refused('hold-not-pending'));
  assert.deepEqual((await records.read(verifyJournal, undefined)).findings, []);
  assert.equal(await records.write(expireHolds, undefined), false);
  assert.deepEqual((await records.read(verifyJournal, undefined)).findings, []);
  await assert.rejects(records.write(voidHold, { id: 'no' }), refused('hold-not-found'));
});

test('reversals and batches: once, and all or nothing', async () => {
  const records = await ledger();
  const made = await records.write(transfer, { from: 'bank', to: 'ada', money: '5' });
  const back = await records.write(reverse, { id: made.id });
  assert.deepEqual([back.kind, back.from, back.to, back.reverses], ['reversal', 'ada', 'bank', made.id]);
  await assert.rejects(records.write(reverse, { id: made.id }), refused('already-reversed'));
  await assert.rejects(records.write(reverse, { id: 'no' }), refused('transfer-not-found'));
  const chain = [
    { from: 'bank', to: 'ada', money: '1' },
    { from: 'ada', to: 'bob', money: '1', externalId: 'e' },
  ];
  const both = await records.write(transferBatch, { transfers: chain });
  assert.deepEqual(
    both.map(({ toBalance }) => toBalance),
    [100n, 100n],
  );
  await assert.rejects(
    records.write(transferBatch, {
      transfers: [...chain.slice(0, 1), { from: 'ada', to: 'bob', money: '2' }],
    }),
    refused('insufficient-funds', 'transfers[1].money'),
  );
  await assert.rejects(
    records.write(transferBatch, {
      transfers: [
        { from: 'bank', to: 'bob', money: '1', externalId: 'f' },
        { from: 'bank', to: 'bob', money: '1', externalId: 'f' },
      ],
    }),
    refused('external-id-taken', 'transfers[1].external_id'),
  );
  assert.deepEqual([await balance(records, 'ada'), await balance(records, 'bob')], [0n, 100n]);
  assert.equal((await records.read(verifyJournal, undefined)).transfers, 4);
});

test('a batch as JSON is the views of its transfers, and is refused as a batch', async () => {
  const records = await ledger();
  const transfers: TransferRequest[] = [
    { from: 'bank', to: 'ada', money: '12.3', reference: '"r"\n' },
    { from: 'ada', to: 'bob', money: '0.01', externalId: 'e' },
  ];
  const key: WriteOptions = { idempotency: { principal: 'p', key: '1', fingerprint: 'f' } };
  const json = await records.write(transferBatchJson, { transfers }, key);
  const { rows: made } = await records.read(listTransfers, { limit: 5 });
  assert.equal(json, JSON.stringify(made.toReversed().map(transferView)));
  assert.equal(await records.write(transferBatchJson, { transfers }, key), json);
  await assert.rejects(
    records.write(transferBatchJson, { transfers }),
    refused('external-id-taken', 'transfers[1].external_id'),
  );
  assert.equal((await records.read(verifyJournal, undefined)).transfers, 2);
});

test('the past and the lists', async () => {
  const records = await ledger();
  const made: Transfer[] = [];
  for (let i = 1; i <= 25; i++) {
    made.push(
      await records.write(transfer, {
        from: 'bank',
        to: i % 2 === 0 ? 'ada' : 'bob',
        money: String(i),
        reference: i % 5 === 0 ? 'five' : undefined,
      }),
    );
  }
  for (const { time } of made) {
    const expected = made.filter((one) => one.time <= time && one.to === 'ada');
    const { balance } = await records.read(balanceAt, { id: 'ada', at: time });
    assert.equal(
      balance,
      expected.reduce((sum, { amount }) => sum + amount, 0n),
    );
  }
  const newest = made.toReversed();
  for (const filter of [
    {},
    { account: 'ada' },
    { reference: 'five' },
    { account: 'bank', reference: 'five', currency: 'EUR' },
    { since: made[3]!.time, until: made[20]!.time },
    { account: 'bob', since: made[3]!.time, until: made[20]!.time },
    { externalId: 'no' },
    { currency: 'JPY' },
  ]) {
    const expected = newest.filter(
      (one) =>
        (filter.account === undefined || one.from === filter.account || one.to === filter.account) &&
        (filter.reference === undefined || one.reference === filter.reference) &&
        (filter.currency === undefined || one.currency === filter.currency) &&
        filter.externalId === undefined &&
        one.time >= (filter.since ?? 0) &&
        one.time < (filter.until ?? Number.MAX_SAFE_INTEGER),
    );
    const seen: Transfer[] = [];
    let page = await records.read(listTransfers, { ...filter, limit: 4 });
    assert.equal(page.hasPrev, false);
    for (;;) {
      seen.push(...page.rows);
      if (!page.hasNext) break;
      page = await records.read(listTransfers, {
        ...filter,
        limit: 4,
        after: page.rows.at(-1)!.position,
      });
      assert.equal(page.hasPrev, true);
    }
    assert.deepEqual(seen, expected, JSON.stringify(filter));
    const back: Transfer[] = [];
    while (page.rows.length > 0) {
      back.unshift(...page.rows);
      const first = page.rows[0]!.position;
      const previous = await records.read(listTransfers, {
        ...filter,
        limit: 4,
        after: first,
        backwards: true,
      });
      assert.equal(page.hasPrev, previous.rows.length > 0);
      page = previous;
    }
    assert.deepEqual(back, expected);
  }
  const accounts = await records.read(listAccounts, { limit: 3 });
  assert.deepEqual(
    accounts.rows.map(({ id }) => id),
    ['ada', 'bank', 'bob'],
  );
  const rest = await records.read(listAccounts, { limit: 3, after: 'bob' });
  assert.deepEqual([rest.rows.map(({ id }) => id), rest.hasNext, rest.hasPrev], [['yen'], false, true]);
});
