// The ledger gives the same answers and balances as a naive one in memory, for random operations on few
// accounts.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { openStore } from '../../test/stores.ts';
import {
  changeAccount,
  createAccount,
  createHold,
  getAccount,
  postHold,
  type Records,
  RecordsError,
  reverse,
  transfer,
  transferBatch,
  verifyJournal,
  voidHold,
} from '../index.ts';
import { NaiveLedger, Refused } from './naive.fixture.ts';

const records: Records = await openStore();
after(() => records.close());

const account = fc.constantFrom('bank', 'ada', 'bob', 'cyn', 'usd', 'nobody');
const money = fc.constantFrom('1', '2.50', '0.01', '7', '100', '0', '1.001', 'x');
const request = fc.record(
  {
    from: account,
    to: account,
    money,
    currency: fc.constantFrom('EUR', 'USD', 'eur', 'JPY'),
    externalId: fc.constantFrom('e1', 'e2'),
  },
  { requiredKeys: ['from', 'to', 'money'] },
);
const pick = fc.nat({ max: 8 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('transfer' as const), request }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      requests: fc.array(request, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reverse' as const), pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('hold' as const),
      request: request.map(({ externalId, ...rest }) => rest),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      pick,
      money: fc.option(money, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('void' as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      id: account,
      closed: fc.option(fc.boolean(), { nil: undefined }),
      allowNegative: fc.option(fc.boolean(), { nil: undefined }),
    }),
  },
);

const outcome = async (run: () => Promise<unknown>): Promise<string> => {
  try {
    await run();
    return 'done';
  } catch (error) {
    if (error instanceof RecordsError || error instanceof Refused) return error.code;
    throw error;
  }
};

let runs = 0;

test('random operations come to the same, here and in memory', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      // Each run has accounts and ids of its own in the one store.
      const mark = `r${runs++}-`;
      const own = <T extends { from: string; to: string; externalId?: string | undefined }>(one: T): T => ({
        ...one,
        from: mark + one.from,
        to: mark + one.to,
        ...(one.externalId === undefined ? {} : { externalId: mark + one.externalId }),
      });
      const naive = new NaiveLedger();
      for (const [id, currency, negative] of [
        ['bank', 'EUR', true],
        ['ada', 'EUR', false],
        ['bob', 'EUR', false],
        ['cyn', 'EUR', false],
        ['usd', 'USD', true],
      ] as const) {
        await records.write(createAccount, { id: mark + id, currency, allowNegative: negative });
        naive.open(mark + id, currency, negative);
      }
      const transfers: string[] = [];
      const holds: string[] = [];
      const run = (one: (typeof steps)[number]): Promise<string> =>
        outcome(async () => {
          switch (one.kind) {
            case 'transfer':
              return transfers.push((await records.write(transfer, own(one.request))).id);
            case 'batch': {
              const made = await records.write(transferBatch, { transfers: one.requests.map(own) });
              return transfers.push(...made.map(({ id }) => id));
            }
            case 'reverse':
              return transfers.push((await records.write(reverse, { id: transfers[one.pick] ?? 'no' })).id);
            case 'hold':
              return holds.push((await records.write(createHold, own(one.request))).id);
            case 'post': {
              const done = await records.write(postHold, { id: holds[one.pick] ?? 'no', money: one.money });
              return transfers.push(done.transfer.id);
            }
            case 'void':
              return await records.write(voidHold, { id: holds[one.pick] ?? 'no' });
            case 'change':
              return await records.write(changeAccount, { ...one, id: mark + one.id });
          }
        });
      // Steps that need no id of an earlier one go together: they share groups and their write-behind buffer.
      const going: { one: (typeof steps)[number]; real: Promise<string>; expected: string }[] = [];
      const settle = async (): Promise<void> => {
        for (const { one, real, expected } of going.splice(0))
          assert.equal(await real, expected, JSON.stringify(one));
      };
      for (const one of steps) {
        const needsId = one.kind === 'reverse' || one.kind === 'post' || one.kind === 'void';
        if (needsId) await settle();
        const real = run(one);
        const expected = await outcome(async () => {
          switch (one.kind) {
            case 'transfer':
              return naive.batch([own(one.request)]);
            case 'batch':
              return naive.batch(one.requests.map(own));
            case 'reverse':
              return naive.reverse(one.pick);
            case 'hold':
              return naive.hold(own(one.request));
            case 'post':
              return naive.post(one.pick, one.money);
            case 'void':
              return naive.void(one.pick);
            case 'change':
              return naive.change(mark + one.id, one.closed, one.allowNegative);
          }
        });
        going.push({ one, real, expected });
        if (needsId) await settle();
      }
      await settle();
      for (const [id, expected] of naive.accounts) {
        const { balance, held, closed, allowNegative } = await records.read(getAccount, { id });
        assert.deepEqual(
          [balance, held, closed, allowNegative],
          [expected.balance, naive.held(id), expected.closed, expected.negative],
        );
      }
      assert.equal(transfers.length, naive.transfers.length);
    }),
    { numRuns: 60 },
  );
  const report = await records.read(verifyJournal, undefined);
  assert.deepEqual(report.findings, []);
});
