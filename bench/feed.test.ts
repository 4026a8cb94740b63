// The feed benchmarks run, at sizes too small for meaningful figures.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { benchFeed } from './feed.ts';
import { benchFeedWriters } from './feed-writers.ts';

test('the feed benchmark requests pages of each kind', { timeout: 900_000 }, async () => {
  const figures = await benchFeed(300, 2);
  assert.equal(figures.length, 7);
  assert.ok(figures.every(({ median }) => median > 0));
});

test('the writer benchmark posts from two processes', { timeout: 900_000 }, async (t) => {
  const figures = await benchFeedWriters({ processes: 2, connections: 2, seconds: 1, feeds: 1 });
  if (figures === undefined) t.skip('PostgreSQL is not installed');
  else assert.ok(figures.perSecond > 0 && figures.clientMicros > 0);
});
