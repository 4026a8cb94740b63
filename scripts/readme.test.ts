// The library example of the README runs as printed, and its npm commands exist.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from './tidy.ts';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

test('the library example runs, a second time as well', () => {
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'octavo-readme-'));
  const code = example.replace("'./books-data'", JSON.stringify(join(folder, 'data')));
  assert.notEqual(code, example);
  for (let round = 0; round < 2; round++) {
    const ended = spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', code], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    assert.equal(ended.stderr, '');
    assert.equal(ended.status, 0);
    const lines = ended.stdout.trim().split('\n');
    assert.deepEqual(lines, [
      '2 [ 1854 ] {"title":"Walden","year":1854}',
      '1 [ 1851 ] {"title":"Moby Dick","year":1851}',
    ]);
  }
  rmSync(folder, { recursive: true });
});

test('the example has about 20 lines', () => {
  const lines = (/```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '').trim().split('\n').length;
  assert.ok(lines <= 25, `${lines} lines`);
});

test('every npm command in the README is a script', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const [, run, short] of readme.matchAll(/npm (?:run ([\w-]+)|(test|start)\b)/g)) {
    assert.ok(Object.hasOwn(scripts, run ?? short ?? ''), run ?? short);
  }
});
