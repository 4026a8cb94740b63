// Does the short way of a batch read and print what the general one does, and leave to it whatever it refuses?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createAccount,
  openRecords,
  TransferColumns,
  transferBatch,
  transferColumns,
  transferView,
} from '@octavo/records';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { scanBatch } from './batch-scanner.ts';
import { printBatch } from './print-batch.ts';
import { BatchBody } from './schema.ts';

const account = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('a', 'b', 'a1', 'a:b@c~d.e-f_g') },
  { weight: 1, arbitrary: fc.constantFrom('', '.a', 'a b', 'ü', 'x'.repeat(128), 'x'.repeat(129), 'a\\"') },
);
const money = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('1', '0.01', '12.30', '0', '999999999999999') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '.5', '5.', '00.1', '1e3', '-1', '1.2.3', '1'.repeat(16), ' 1'),
  },
);
const row = fc.record(
  {
    from: account,
    to: account,
    money,
    currency: fc.constantFrom('EUR', 'E', '', 'x'.repeat(17), 'ä'),
    reference: fc.constant('r'),
    extra: fc.constant(1),
  },
  { requiredKeys: ['from', 'to', 'money'], noNullPrototype: true },
);
const usual = fc.record(
  { from: account, to: account, money, currency: fc.constant('EUR') },
  { requiredKeys: ['from', 'to', 'money'], noNullPrototype: true },
);
const spaces = fc.constantFrom<string | number>('', 1, '\t', 3);

test('what is scanned is what JSON says, and fits the schema', () => {
  let scanned = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        { weight: 3, arbitrary: fc.array(usual, { maxLength: 8 }) },
        { weight: 1, arbitrary: fc.array(row) },
      ),
      spaces,
      fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 2 }),
      fc.boolean(),
      (transfers, space, bites, bite) => {
        const bytes = Buffer.from(JSON.stringify({ transfers }, null, space));
        if (bite) for (const [at, byte] of bites) if (at < bytes.length) bytes[at] = byte;
        const found = scanBatch(bytes);
        if (found === undefined) return;
        scanned += 1;
        const said = JSON.parse(bytes.toString('utf8')) as { transfers: Record<string, string>[] };
        assert.ok(Value.Check(BatchBody, said));
        assert.deepEqual(
          found.transfers.map(({ from, to, money, currency }) => ({ from, to, money, currency })),
          said.transfers.map(({ from, to, money, currency }) => ({ from, to, money, currency })),
        );
      },
    ),
    { numRuns: 1_500 },
  );
  assert.ok(scanned > 50, String(scanned));
});

test('names twice, of other case or out of place are left to the general way', () => {
  const of = (text: string): unknown => scanBatch(Buffer.from(text));
  const one = '{"from":"a","to":"b","money":"1"}';
  assert.ok(of(`{"transfers":[${one}]}`) !== undefined);
  assert.ok(of(` {\n"transfers" : [ ${one} , ${one} ] }\r\n`) !== undefined);
  for (const text of [
    '',
    '{}',
    '[]',
    `{"transfers":[]}`,
    `{"transfers":[${one},]}`,
    `{"transfers":[${one}]}x`,
    `{"transfers":[${one}],"dry_run":true}`,
    `{"dry_run":false,"transfers":[${one}]}`,
    `{"transfers":[${one}],"transfers":[${one}]}`,
    '{"transfers":[{"from":"a","from":"a","to":"b","money":"1"}]}',
    '{"transfers":[{"from":"a","to":"b","money":"1","money":"1"}]}',
    '{"transfers":[{"From":"a","to":"b","money":"1"}]}',
    '{"transfers":[{"from":"a","to":"b"}]}',
    '{"transfers":[{"from":"a","to":"b","money":1}]}',
    '{"transfers":[{"from":"\\u0061","to":"b","money":"1"}]}',
    '{"transfers":[{"from":"a","to":"b","money":"1"]}',
    `{"transfers":[${Array.from({ length: 10_001 }, () => one).join(',')}]}`,
  ])
    assert.equal(of(text), undefined, text.slice(0, 80));
});

test('names of one hash are not taken for each other', () => {
  // 'Aa' and 'BB' have the same sum of powers of 31.
  const found = scanBatch(
    Buffer.from(
      JSON.stringify({
        transfers: [
          { from: 'Aa', to: 'BB', money: '1' },
          { from: 'BB', to: 'Aa', money: '2' },
        ],
      }),
    ),
  );
  assert.deepEqual(found?.columns.names, ['Aa', 'BB']);
  assert.deepEqual([...found!.columns.sides], [0, 1, 1, 0]);
});

test('what is printed of columns is what is printed of transfers', async () => {
  const records = await openRecords(':memory:');
  try {
    for (const [id, currency] of [
      ['bank', 'EUR'],
      ['"ü\n', 'EUR'],
      ['yen', 'JPY'],
      ['ken', 'JPY'],
      ['dinar', 'KWD'],
      ['k', 'KWD'],
    ] as const)
      await records.write(createAccount, { id, currency, allowNegative: true });
    const transfers = [
      { from: 'bank', to: 'yen', money: '1' },
      { from: 'bank', to: '"ü\n', money: '0.01' },
      { from: '"ü\n', to: 'bank', money: '45035996273704.96' },
      { from: 'yen', to: 'ken', money: '7' },
      { from: 'k', to: 'dinar', money: '1.2' },
      { from: 'bank', to: '"ü\n', money: '46116860184273879.03' },
    ];
    for (const some of [transfers.slice(1, 2), transfers.slice(1, 5), transfers.slice(5)]) {
      const made = await records.write(transferColumns, TransferColumns.of(some));
      assert.ok('moved' in made);
      const { items } = JSON.parse(printBatch(made)) as { items: { id: string }[] };
      const objects = await records.write(transferBatch, { transfers: some });
      assert.deepEqual(
        items.map((item) => ({ ...item, id: '', created_at: '' })),
        objects.map((one) => ({ ...transferView(one), id: '', created_at: '' })),
      );
    }
    await assert.rejects(
      records.write(transferColumns, TransferColumns.of(transfers)),
      /The account bank has EUR, and the account yen has JPY/,
    );
  } finally {
    await records.close();
  }
});
