// A byte budget retains entries in use and evicts no more than necessary.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteBudget } from './byte-budget.ts';

test('the budget forgets what has not been used for a while, and everything if it must', () => {
  const kept = new ByteBudget<number>(100_000);
  kept.set('a', 1, 40_000);
  kept.set('b', 2, 40_000);
  assert.equal(kept.get('a'), 1);
  kept.set('c', 3, 40_000);
  assert.equal(kept.get('b'), undefined);
  assert.equal(kept.get('a'), 1);
  kept.set('d', 4, 100_001);
  assert.equal(kept.get('d'), undefined);
  assert.ok(kept.usedBytes > 80_000 && kept.usedBytes < 81_000);
  for (const name of ['a', 'c']) kept.get(name);
  kept.set('e', 5, 90_000);
  assert.deepEqual(
    [kept.get('a'), kept.get('c'), kept.get('e'), Math.floor(kept.usedBytes / 1_000)],
    [undefined, undefined, 5, 90],
  );
});

test('entries come and go in any number, and what is used stays', () => {
  const gone: number[] = [];
  const kept = new ByteBudget<number>(2_000_000, (value) => gone.push(value));
  for (let i = 0; i < 30_000; i++) {
    kept.set(`key ${i}`, i, 1_000);
    kept.get('key 7');
    kept.get(`key ${i - (i % 3)}`);
  }
  assert.ok(kept.usedBytes <= 2_000_000 && kept.usedBytes > 1_990_000);
  assert.equal(kept.get('key 7'), 7, 'used again and again');
  assert.equal(gone.length + kept.size, 30_000);
  assert.deepEqual(new Set([...kept.keys()]).size, kept.size);
  kept.delete('key 29999');
  kept.evict(1_000_000);
  assert.ok(kept.usedBytes < 1_000_000 && kept.usedBytes > 990_000);
  kept.clear();
  assert.deepEqual([kept.size, kept.usedBytes, gone.length], [0, 0, 30_000]);
});
