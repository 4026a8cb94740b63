// Is what is used of late kept, and is what is kept bounded?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TwoGenerations } from './two-generations.ts';

test('what is used all the time stays, what is not is forgotten', () => {
  const kept = new TwoGenerations<string, object>(10);
  const always = {};
  kept.set('always', always);
  for (let i = 0; i < 1_000; i++) {
    kept.set(`${i}`, {});
    assert.equal(kept.get('always'), always);
  }
  const left = Array.from({ length: 1_000 }, (_, i) => i).filter((i) => kept.get(`${i}`) !== undefined);
  assert.ok(left.length < 20 && left.length >= 9, `${left.length}`);
  assert.ok(left.every((i) => i >= 980));
});

test('the last of a key counts, and what is deleted is gone from both', () => {
  const kept = new TwoGenerations<string, number>(2);
  kept.set('a', 1);
  kept.set('b', 2);
  kept.set('a', 3);
  assert.equal(kept.get('a'), 3);
  kept.set('c', 4);
  kept.set('a', 5);
  assert.equal(kept.get('a'), 5);
  assert.equal(kept.get('b'), 2);
  kept.delete('a');
  kept.delete('b');
  assert.equal(kept.get('a'), undefined);
  assert.equal(kept.get('b'), undefined);
  assert.equal(kept.get('c'), 4);
});
