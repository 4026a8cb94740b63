// Kysely is not loaded before its first use: neither by what imports the package, nor by a thread of the store.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const CODE = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  for (const name of process.argv.slice(1)) await import(name);
  console.log(JSON.stringify(loaded));`;

test('importing the package and its thread loads no Kysely', async () => {
  const modules = ['../index.ts', '../operations.ts'].map((name) => new URL(name, import.meta.url).href);
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    CODE,
    ...modules,
  ]);
  const loaded = JSON.parse(stdout) as string[];
  assert.ok(loaded.some((url) => url.endsWith('/schema/kysely.ts')));
  assert.deepEqual(
    loaded.filter((url) => url.includes('/node_modules/kysely/')),
    [],
  );
});
