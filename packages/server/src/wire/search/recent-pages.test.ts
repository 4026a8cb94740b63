// Is a page kept when it is asked for again, and only then?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentPages } from './recent-pages.ts';

test('what comes twice among the last few is kept; walks push nothing out', () => {
  const recent = new RecentPages();
  assert.equal(recent.isWorth('hot', 100), false);
  assert.equal(recent.isWorth('hot', 100), true);
  const page = { state: {}, bytes: Buffer.alloc(1) };
  recent.keep('hot', page);
  for (let i = 0; i < 1_000; i++) assert.equal(recent.isWorth(`walk ${i}`, 100), false);
  assert.equal(recent.find('hot'), page);
  assert.equal(recent.isWorth('walk 1', 100), false, 'it was too long ago');
  assert.equal(recent.isWorth('walk 999', 1_000_000), false, 'it is too long');
  for (let i = 0; i < 64; i++) recent.keep(`other ${i}`, page);
  assert.equal(recent.find('hot'), undefined);
  recent.forget('other 1');
  assert.equal(recent.find('other 1'), undefined);
});
