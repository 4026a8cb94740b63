// Records move to PostgreSQL and back unchanged. Part of every `npm test`; `npm run test:stores` also kills
// the command on the way.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { moveRecords, openRecords } from '@octavo/records';
import { Inhabitant, moveIn, seen } from '../../packages/records/test/lived-in.ts';
import { newPlace } from './migrate-records.ts';
import { startPostgres } from './postgres-server.ts';

const postgres = await startPostgres();
const folder = mkdtempSync(join(tmpdir(), 'octavo-migrate-records-'));
after(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true });
});
const skip = postgres === undefined ? 'PostgreSQL is not installed' : false;

test('there, two processes live on it, and back: into a new directory and into the old one', {
  skip,
  timeout: 900_000,
}, async () => {
  const dir = join(folder, 'a');
  const url = newPlace(postgres!);
  const records = await openRecords(dir);
  await moveIn(records);
  const ada = new Inhabitant(records, 3);
  await ada.live(150);
  const living = ada.live(60);
  const early = await moveRecords({ from: dir, to: url, mayHold: false });
  assert.match(early.inUse ?? '', /a server has the records/);
  await living;
  const before = await seen(records);
  await records.close();
  const there = await moveRecords({ from: dir, to: url, mayHold: true });
  assert.equal(there.inUse, undefined);
  assert.equal(there.journal.head, (before['journal'] as { head: string }).head);

  const openers = await Promise.all([openRecords(url), openRecords(url)]);
  assert.deepEqual(await seen(openers[0]!), before);
  await Promise.all(openers.map((opener, i) => new Inhabitant(opener, 100 + i).live(100)));
  const lived = await seen(openers[0]!);
  assert.deepEqual((lived['journal'] as { findings: unknown }).findings, []);
  await Promise.all(openers.map((opener) => opener.close()));

  for (const back of [join(folder, 'b'), dir]) {
    const move = await moveRecords({ from: url, to: back, mayHold: back === dir });
    assert.equal(move.journal.head, (lived['journal'] as { head: string }).head);
    const home = await openRecords(back);
    assert.deepEqual(await seen(home), lived);
    await new Inhabitant(home, 9).live(60);
    assert.deepEqual(((await seen(home))['journal'] as { findings: unknown }).findings, []);
    await home.close();
  }
  await assert.rejects(moveRecords({ from: url, to: dir, mayHold: true }), /newer records/);
});
