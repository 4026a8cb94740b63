// No money is lost or made on the embedded store while its server is killed.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkRecords } from '../src/cli/commands/doctor-records.ts';
import { drift } from './drift.ts';
import { serveProcess } from './process.ts';

test('drift is zero, and nothing is applied twice', { timeout: 900_000 }, async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'octavo-drift-'));
  t.after(() => rmSync(dir, { recursive: true }));
  await drift({ servers: 1, start: () => serveProcess(dir, ['--quiet']) });
  assert.deepEqual((await checkRecords(dir)).findings, []);
});
