// Records move to PostgreSQL and back while servers write to them. Part of every `npm test`.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createAccount, openRecords, reopenRecords } from '@octavo/records';
import { moveUnderWriters, settle } from '../../packages/records/test/live-move.ts';
import { newPlace } from './migrate-records.ts';
import { startPostgres } from './postgres-server.ts';

const postgres = await startPostgres();
const folder = mkdtempSync(join(tmpdir(), 'octavo-cutover-'));
after(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true });
});
const skip = postgres === undefined ? 'PostgreSQL is not installed' : false;

test('there under the writers of a server, and back under those of two', {
  skip,
  timeout: 900_000,
}, async (t) => {
  const dir = join(folder, 'a');
  const url = newPlace(postgres!);
  await settle(dir, 100);
  const home = await openRecords(dir);
  t.after(() => home.close());
  // Two servers wait at the target already: they refuse until all has come.
  const servers = await Promise.all([openRecords(url), openRecords(url)]);
  for (const server of servers) t.after(() => server.close());
  let asked: Promise<void> | undefined;
  const there = await moveUnderWriters({ from: dir, to: url }, [home], ({ name }) => {
    // The first step: behind the last one the write could come when all has arrived.
    if (name !== 'followed' || asked !== undefined) return;
    const early = servers[0]!.write(createAccount, { id: 'early', currency: 'EUR' });
    asked = assert.rejects(early, /are being moved to this store/);
  });
  await asked;
  assert.ok(there.acknowledged > 0);
  await home.close();
  const back = await moveUnderWriters({ from: url, to: dir, mayHold: true }, servers);
  assert.ok(back.acknowledged > 0);
  // It is given up by what the two hold, and not by what they are called.
  const socket = encodeURIComponent(postgres!.socket);
  const respelled = url.replace(socket, encodeURIComponent(`${postgres!.socket}/.`));
  assert.notEqual(respelled, url);
  for (const wrong of [respelled, newPlace(postgres!)])
    await assert.rejects(reopenRecords({ from: url, to: wrong, force: true }));
  await assert.rejects(servers[0]!.write(createAccount, { id: 'still', currency: 'EUR' }), /moved to/);
  const alias = join(folder, 'alias');
  symlinkSync(dir, alias);
  assert.equal(await reopenRecords({ from: respelled, to: alias, force: true }), true);
  await servers[0]!.write(createAccount, { id: 'again', currency: 'EUR' });
});
