// Key ids are safe wherever they are written. None begins with a dash, which a command line would read as an option.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearerToken, newKeyId, newSecret, readAuthorization } from './secrets.ts';

test('no id begins with a dash, and every token is read as it was made', () => {
  for (let i = 0; i < 2_000; i++) {
    const credentials = { id: newKeyId(), secret: newSecret() };
    assert.match(credentials.id, /^[A-Za-z0-9_][A-Za-z0-9_-]{19}$/);
    const read = readAuthorization(`Bearer ${bearerToken(credentials)}`);
    assert.deepEqual(read, { kind: 'key', credentials });
  }
});
