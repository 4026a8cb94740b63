// A process keeps one connection in addition to its pools, however it was lost. Concurrent users share the
// attempt to reopen it; an unknown second connection would keep the process from exiting.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRecords } from '@octavo/records';
import { Client } from 'pg';
import { eventually } from '../../packages/server/test/eventually.ts';
import { startPostgres } from './postgres-server.ts';

const postgres = await startPostgres();
after(() => postgres?.stop());
const skip = postgres === undefined ? 'PostgreSQL is not installed' : false;

test('a keeping connection that is lost is made once', { skip, timeout: 900_000 }, async () => {
  const client = new Client({ connectionString: postgres!.url, application_name: 'looking on' });
  await client.connect();
  const count = async (): Promise<number> =>
    Number(
      (await client.query("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'octavo'")).rows[0]
        .count,
    );
  const records = await openRecords(postgres!.url);
  // Slower than it looks for what it has missed, so that a look comes while a write waits for the same connection.
  await client.query("ALTER SYSTEM SET post_auth_delay = '2s'");
  await client.query('SELECT pg_reload_conf()');
  await sleep(300);
  const kept = await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'octavo'",
  );
  assert.ok(kept.rowCount! >= 1);
  await eventually(async () => assert.equal(records.reachable?.(), false));
  await eventually(async () => assert.equal(records.reachable?.(), true));
  await sleep(3_000);
  await records.close();
  await eventually(async () => assert.equal(await count(), 0));
  await client.end();
});
