// Do records come to PostgreSQL and back as they are, while they are written to, and killed in between?

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { moveRecords, openRecords, postItems } from '@octavo/records';
import { Inhabitant, moveIn, seen } from '../../packages/records/test/lived-in.ts';
import { migrate } from '../../packages/server/test/migrate.ts';
import { startPostgres } from './postgres-server.ts';

const postgres = await startPostgres();
const folder = mkdtempSync(join(tmpdir(), 'octavo-migrate-records-'));
after(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true });
});
const skip = postgres === undefined ? 'PostgreSQL is not installed' : false;

function place(): string {
  const url = new URL(postgres!.url);
  url.searchParams.set('options', `-c search_path=test_${randomBytes(6).toString('hex')}`);
  return url.href;
}

test('there, two processes live on it, and back: into a new directory and into the old one', {
  skip,
  timeout: 300_000,
}, async () => {
  const dir = join(folder, 'a');
  const url = place();
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

test('killed on the way there and on the way back, while somebody writes', {
  skip,
  timeout: 300_000,
}, async () => {
  const [dir, url] = [join(folder, 'k'), place()];
  const start = await openRecords(dir);
  await moveIn(start);
  const draft = { author: 'ada', text: 'one of #many by @bob' };
  for (let i = 0; i < 10; i++) await start.write(postItems, { feed: 'many', drafts: Array(400).fill(draft) });
  await start.close();
  for (const [from, to] of [
    [dir, url],
    [url, dir],
  ] as const) {
    const state = join(folder, `${to === url ? 'there' : 'back'}.json`);
    const flags = [
      '--records-from',
      from,
      '--records-to',
      to,
      '--state',
      state,
      ...(to === dir ? ['--overwrite'] : []),
    ];
    const records = await openRecords(from);
    // Beside the server a directory can be read; as a target it has to be free.
    for (const delay of [0, 150, 500]) {
      let begun: number | undefined;
      const when = (): boolean => {
        if (existsSync(state)) begun ??= performance.now();
        return begun !== undefined && performance.now() - begun > delay;
      };
      const run = migrate(flags, { when, signal: 'SIGKILL' });
      await new Inhabitant(records, delay + 7).live(25);
      await run;
    }
    const expected = await seen(records);
    await records.close();
    const last = await migrate(flags);
    assert.equal(last.code, 0, last.err);
    const there = await openRecords(to);
    assert.deepEqual(await seen(there), expected);
    await there.close();
  }
});
