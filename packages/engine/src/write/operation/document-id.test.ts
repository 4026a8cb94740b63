import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from './document-id.ts';

test('ids are unique, 20 characters, and survive a clock that steps back', () => {
  const seen = new Set<string>();
  for (const now of [1000, 1000, 2000, 1500, 1500, 3000]) {
    for (let i = 0; i < 2000; i++) {
      const id = newId(now);
      assert.match(id, /^[A-Za-z0-9_-]{20}$/);
      seen.add(id);
    }
  }
  assert.equal(seen.size, 12_000);
});
