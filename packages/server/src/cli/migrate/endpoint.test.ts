// What is no place is refused in words, before anything is made.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { openEndpoint } from './endpoint.ts';

test('a scheme that nobody speaks is named, and is no directory', async () => {
  for (const role of ['from', 'to'] as const)
    await assert.rejects(openEndpoint('ftp://x', { role }), /the scheme ftp:\/\/ is unknown/);
  assert.equal(existsSync('ftp:'), false);
});
