// A hanging test file is ended and prints what it waited for; a normal one is not affected.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const TIMEOUT = fileURLToPath(new URL('./file-timeout.ts', import.meta.url));

test('a hanging file is ended, a normal one is not', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-file-timeout-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const run = (name: string, code: string): { status: number | null; stdout: string } => {
    const file = join(folder, name);
    writeFileSync(file, code);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    return spawnSync(process.execPath, ['--import', TIMEOUT, '--test', file], {
      env: { ...env, OCTAVO_TEST_MINUTES: '0.03' },
      encoding: 'utf8',
    });
  };
  const hung = run('hung.test.mjs', 'setInterval(() => {}, 1000);');
  assert.equal(hung.status, 1);
  assert.match(hung.stdout, /not ended after 0.03 minutes; still open: .*Timeout/);
  assert.equal(run('short.test.mjs', '').status, 0);
});
