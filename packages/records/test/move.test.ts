// Records arrive unchanged, however often the move is broken off, and a target with anything newer is left
// alone. These tests go from one data directory to another; scripts/stores goes to PostgreSQL and back.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { createAccount, moveRecords, openRecords, transfer } from '../src/index.ts';
import { MOVED_TABLES, OTHER_TABLES } from '../src/store/move/moved-tables.ts';
import { Inhabitant, moveIn, seen } from './lived-in.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-move-'));
});
after(() => rmSync(folder, { recursive: true }));

const place = (name: string): string => join(folder, name);

test('every table is known to the move', async () => {
  const records = await openRecords(place('schema'));
  await records.close();
  const database = new DatabaseSync(join(place('schema'), 'records.db'));
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map((row) => String(row['name']));
  database.close();
  const known = new Set([...MOVED_TABLES.map(({ name }) => name), ...OTHER_TABLES]);
  assert.deepEqual(
    tables.filter((name) => !known.has(name)),
    [],
  );
});

test('a pass while a server writes is a beginning, and the one after it the end', {
  timeout: 900_000,
}, async () => {
  const [from, to] = [place('a'), place('b')];
  let records = await openRecords(from);
  await moveIn(records);
  const ada = new Inhabitant(records, 11);
  await ada.live(120);
  const living = ada.live(60);
  const early = await moveRecords({ from, to, mayHold: false });
  assert.match(early.inUse ?? '', /a server has the records in .* open/);
  await living;
  const expected = await seen(records);
  await records.close();
  const last = await moveRecords({ from, to, mayHold: true });
  assert.equal(last.inUse, undefined);
  const copy = await openRecords(to);
  assert.deepEqual(await seen(copy), expected);
  assert.equal(last.journal.head, (expected['journal'] as { head: string }).head);
  // And it goes on there: ids, positions and balances are above all that came.
  await new Inhabitant(copy, 5).live(60);
  const after = (await seen(copy)) as { journal: { findings: unknown } };
  assert.deepEqual(after.journal.findings, []);
  await copy.close();
  records = await openRecords(from);
  await records.close();
  await assert.rejects(moveRecords({ from, to, mayHold: true }), /the target has newer records/);
  assert.deepEqual(
    (await moveRecords({ from: to, to: from, mayHold: true })).tables.length,
    MOVED_TABLES.length,
  );
  records = await openRecords(from);
  assert.deepEqual(await seen(records), after);
  await records.close();
});

test('a target that holds something else is left alone', async () => {
  for (const [name, to] of [
    ['one', 'x'],
    ['two', 'y'],
  ] as const) {
    const records = await openRecords(place(name));
    for (const id of ['bank', to])
      await records.write(createAccount, { id, currency: 'EUR', allowNegative: true });
    await records.write(transfer, { from: 'bank', to, money: '1' });
    await records.close();
  }
  await assert.rejects(
    moveRecords({ from: place('one'), to: place('two'), mayHold: false }),
    /the target has records already/,
  );
  await assert.rejects(
    moveRecords({ from: place('one'), to: place('two'), mayHold: true }),
    /another journal/,
  );
  await assert.rejects(
    moveRecords({ from: place('none'), to: place('two'), mayHold: true }),
    /there are no records/,
  );
});
