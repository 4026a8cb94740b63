// The bench of feeds runs, at a size that says nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { benchFeed } from './feed.ts';

test('the bench of feeds asks for pages of each kind', { timeout: 60_000 }, async () => {
  const figures = await benchFeed(300, 2);
  assert.equal(figures.length, 7);
  assert.ok(figures.every(({ median }) => median > 0));
});
