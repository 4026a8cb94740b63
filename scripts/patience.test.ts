// Is a file of tests that hangs ended, and does it say what it waited for?

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const PATIENCE = fileURLToPath(new URL('./patience.ts', import.meta.url));

test('a file that does not end is ended, and one that ends is left alone', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-patience-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const run = (name: string, code: string): { status: number | null; stdout: string } => {
    const file = join(folder, name);
    writeFileSync(file, code);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    return spawnSync(process.execPath, ['--import', PATIENCE, '--test', file], {
      env: { ...env, OCTAVO_TEST_MINUTES: '0.03' },
      encoding: 'utf8',
    });
  };
  const hung = run('hung.test.mjs', 'setInterval(() => {}, 1000);');
  assert.equal(hung.status, 1);
  assert.match(hung.stdout, /not ended after 0.03 minutes; still open: .*Timeout/);
  assert.equal(run('short.test.mjs', '').status, 0);
});
