import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compile, moduleNames, modulePath, sections } from './kernels.ts';

for (const name of moduleNames()) {
  test(`${name}.wasm is what its source gives`, () => {
    assert.ok(readFileSync(modulePath(name)).equals(compile(name)), 'npm run kernels, and commit the bytes');
  });
}

test('sections of a module are distinguished', () => {
  const module = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 0, 11, 0x81, 0x00, 0];
  assert.deepEqual(sections(Uint8Array.from(module)), [1, 11]);
});
