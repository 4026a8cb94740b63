// `octavo doctor` detects tampering with the ledger. Each kind is tested on a copy of a sound directory.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { createAccount, createHold, openRecords, transfer, transferBatch } from '@octavo/records';
import { checkRecords } from './doctor-records.ts';

const folder = mkdtempSync(join(tmpdir(), 'octavo-doctor-records-'));
const sound = join(folder, 'sound');
after(() => rmSync(folder, { recursive: true }));

before(async () => {
  const records = await openRecords(sound);
  await records.write(createAccount, { id: 'bank', currency: 'EUR', allowNegative: true });
  for (const id of ['ada', 'bob']) await records.write(createAccount, { id, currency: 'EUR' });
  for (const reference of ['a', 'b', 'c'])
    await records.write(transfer, {
      from: 'bank',
      to: reference === 'b' ? 'bob' : 'ada',
      money: '10',
      reference,
    });
  // Enough for the lists of the journal to follow it.
  const many = Array.from({ length: 4_100 }, () => ({ from: 'bank', to: 'bob', money: '0.01' }));
  await records.write(transferBatch, { transfers: many });
  await records.write(transfer, { from: 'bank', to: 'ada', money: '1' });
  await records.write(createHold, { from: 'ada', to: 'bob', money: '3' });
  await records.close();
});

const harms: [what: string, sql: string, finding: RegExp][] = [
  ['an amount', 'UPDATE transfer SET amount = 2 WHERE position = 2', /position 2 does not fit its hash/],
  [
    'an amount in a block',
    "UPDATE journal_block SET bytes = CAST(substr(bytes, 1, 20000) || x'02' || substr(bytes, 20002) AS BLOB) WHERE position = 4",
    /block of transfers at position 4 does not fit its hash/,
  ],
  ['a name', "UPDATE account SET id = 'eve' WHERE id = 'bob'", /position 2 does not fit its hash/],
  ['a name in a block', "UPDATE account SET id = 'eve' WHERE id = 'bob'", /as bob in EUR, which it is not/],
  ['a reference', "UPDATE transfer SET reference = 'gift' WHERE position = 1", /position 1 does not fit/],
  [
    'a hash',
    'UPDATE transfer SET hash = zeroblob(32) WHERE position = 2',
    /position 2 does not fit its hash/,
  ],
  [
    'the hash of a block',
    'UPDATE journal_block SET hash = zeroblob(32) WHERE position = 4',
    /position 4 does not fit its hash/,
  ],
  [
    'the layout of a block',
    "UPDATE journal_block SET bytes = CAST(x'09' || substr(bytes, 2) AS BLOB) WHERE position = 4",
    /position 4 cannot be read: the journal has a block of version 9/,
  ],
  [
    'the type of a block',
    "UPDATE journal_block SET bytes = 'block' WHERE position = 4",
    /position 4 cannot be read/,
  ],
  [
    'the length of a block',
    'UPDATE journal_block SET bytes = substr(bytes, 1, 9000) WHERE position = 4',
    /position 4 cannot be read/,
  ],
  [
    'the end',
    'DELETE FROM journal_block WHERE position = 4104',
    /ada has a balance of 2100 .* adds up to 2000/,
  ],
  [
    'what is listed',
    'DELETE FROM journal_block WHERE position > 1000',
    /lists hold 4096 transfers of the journal, which has 1027/,
  ],
  ['the middle', 'DELETE FROM transfer WHERE position = 2', /lacks what came between positions 1 and 3/],
  [
    'a block of the middle',
    'DELETE FROM journal_block WHERE position = 1028',
    /lacks what came between positions 1027 and 2052/,
  ],
  ['a balance', "UPDATE account SET balance = 0 WHERE id = 'bank'", /EUR add up to 7200 minor units/],
  [
    'a list',
    "UPDATE journal_list SET places = x'0000' WHERE list = 'EUR'",
    /list of EUR is not what the journal says from position 1 on/,
  ],
  [
    'the list of an account',
    "UPDATE journal_list SET places = x'0000' WHERE list = '3'",
    /list of the account number 3 is not what the journal says/,
  ],
  [
    'the number of lists',
    "INSERT INTO journal_list VALUES ('USD', 1, x'0100')",
    /lists of the journal have 5 rows instead of 4/,
  ],
  ['a hold', 'DELETE FROM hold', /ada has 300 held and its holds add up to 0/],
];

test('a sound ledger has no findings, and a head', async () => {
  const { findings, head, transfers } = await checkRecords(sound);
  assert.deepEqual([findings, transfers], [[], 4_104]);
  assert.match(head ?? '', /^[0-9a-f]{64}$/);
  mkdirSync(join(folder, 'none'));
  assert.deepEqual(await checkRecords(join(folder, 'none')), { findings: [], head: undefined, transfers: 0 });
});

for (const [what, sql, finding] of harms) {
  test(`somebody has changed ${what}`, async () => {
    const dir = join(folder, what);
    cpSync(sound, dir, { recursive: true });
    const database = new DatabaseSync(join(dir, 'records.db'));
    database.exec(sql);
    database.close();
    const { findings } = await checkRecords(dir);
    assert.ok(
      findings.some((line) => finding.test(line)),
      findings.join('\n'),
    );
    for (const line of findings) assert.match(line, /^records\.db: /);
  });
}

test('a file that is no database, and one with pages that cannot be read, are findings that name it', async () => {
  const dir = join(folder, 'garbage');
  mkdirSync(dir);
  writeFileSync(join(dir, 'records.db'), 'x'.repeat(5_000));
  assert.match((await checkRecords(dir)).findings.join(), /^records\.db: .*not a database/);
  for (const [name, from, to] of [
    ['front', 0.02, 0.3],
    ['middle', 0.3, 0.7],
    ['end', 0.7, 1],
  ] as const) {
    const damaged = join(folder, name);
    cpSync(sound, damaged, { recursive: true });
    const bytes = readFileSync(join(damaged, 'records.db'));
    bytes.fill(0xff, Math.max(4_096, Math.floor(bytes.length * from)), Math.floor(bytes.length * to));
    writeFileSync(join(damaged, 'records.db'), bytes);
    const { findings } = await checkRecords(damaged);
    assert.ok(findings.length > 0, name);
    for (const line of findings) assert.match(line, /^records\.db: /);
  }
});
