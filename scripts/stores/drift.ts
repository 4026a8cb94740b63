// The ledger has zero drift on one PostgreSQL with two servers that are killed in turn.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRecords, verifyJournal } from '@octavo/records';
import { drift } from '../../packages/server/test/drift.ts';
import { serveProcess } from '../../packages/server/test/process.ts';
import type { PostgresServer } from './postgres-server.ts';

/** Registers the test. Skipped without PostgreSQL. */
export function driftOnPostgres(postgres: PostgresServer | undefined): void {
  const skip = postgres === undefined ? 'PostgreSQL is not installed' : false;
  test('drift is zero over two processes, and nothing is applied twice', {
    skip,
    timeout: 900_000,
  }, async (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'octavo-drift-'));
    t.after(() => rmSync(dir, { recursive: true }));
    await drift({
      servers: 2,
      transfers: 8,
      start: (n) => serveProcess(join(dir, String(n)), ['--quiet', '--records', postgres!.url]),
    });
    const records = await openRecords(postgres!.url);
    t.after(() => records.close());
    assert.deepEqual((await records.read(verifyJournal, undefined)).findings, []);
  });
}
