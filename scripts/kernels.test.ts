// How the compiled kernels are read. That they are what their sources give is checked by `npm run check`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sections } from './kernels.ts';

test('sections of a module are distinguished', () => {
  const module = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 0, 11, 0x81, 0x00, 0];
  assert.deepEqual(sections(Uint8Array.from(module)), [1, 11]);
});
