// Records move to PostgreSQL and back while a client writes to them and the command is killed repeatedly.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRecords, postItems } from '@octavo/records';
import { Inhabitant, moveIn, seen } from '../../packages/records/test/lived-in.ts';
import { migrate } from '../../packages/server/test/migrate.ts';
import type { PostgresServer } from './postgres-server.ts';

/** A PostgreSQL address with a new schema. */
export function newPlace(postgres: PostgresServer): string {
  const url = new URL(postgres.url);
  url.searchParams.set('options', `-c search_path=test_${randomBytes(6).toString('hex')}`);
  return url.href;
}

/** Registers the test. Skipped without PostgreSQL. */
export function recordsMove(postgres: PostgresServer | undefined): void {
  const skip = postgres === undefined ? 'PostgreSQL is not installed' : false;
  test('records there and back, killed on the way, while somebody writes', {
    skip,
    timeout: 1_800_000,
  }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-migrate-records-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const [dir, url] = [join(folder, 'k'), newPlace(postgres!)];
    const start = await openRecords(dir);
    await moveIn(start);
    const draft = { author: 'ada', text: 'one of #many by @bob' };
    for (let i = 0; i < 10; i++)
      await start.write(postItems, { feed: 'many', drafts: Array(400).fill(draft) });
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
      // A running server allows reading its directory, but a target directory must not be in use.
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
      const cutover = [...flags, '--cutover'];
      for (const step of [/changed in the meantime/, /writers wait for the last/]) {
        const run = migrate(cutover, { when: (err) => step.test(err), signal: 'SIGKILL' });
        await new Inhabitant(records, 5).live(25);
        await run;
      }
      const last = await migrate(cutover);
      // The last kill may come after the end.
      assert.ok(last.code === 0 || /already moved to .* which takes the writes/.test(last.err), last.err);
      const late = records.write(postItems, { feed: 'late', drafts: [draft] });
      await assert.rejects(late, { code: 'records-moved' });
      const expected = await seen(records);
      await records.close();
      const there = await openRecords(to);
      assert.deepEqual(await seen(there), expected);
      await there.close();
    }
  });
}
