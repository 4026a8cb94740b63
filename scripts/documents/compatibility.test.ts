// The compatibility matrix counts the tests of a run by folder, and failures by their reason.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matrixOf } from '../../conformance/matrix.ts';

test('folders and reasons are counted', () => {
  const detail =
    'setup 1: indices.create: 400 {"reason":"No handler for type [completion] declared on field [a]"}';
  const failed = { file: 'suggest/1.yml', outcome: 'failed', detail };
  const folders = {
    suggest: { passed: 1, failed: 2, skipped: 0 },
    mget: { passed: 3, failed: 0, skipped: 1 },
  };
  const run = {
    passed: 4,
    failed: 2,
    skipped: 1,
    folders,
    tests: [failed, { ...failed, file: 'suggest/2.yml' }],
  };
  const matrix = matrixOf(run, '2026-11-26');
  assert.match(matrix, /^Run of 2026-11-26: 4 tests pass, 2 fail, 1 do not apply .*: 66\.7 %/);
  assert.match(matrix, /\| suggest \| 1 \| 2 \| 33 % \|\n\| mget \| 3 \| 0 \| 100 % \|/);
  assert.match(matrix, /\| fields of type \[completion\] are not supported \| 2 \| suggest \|$/);
});
