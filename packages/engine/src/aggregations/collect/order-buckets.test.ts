import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../turn.ts';
import { firstBuckets } from './order-buckets.ts';

test('the first of many buckets are those of a stable sort, in steps', () => {
  const count = 30_000;
  const buckets = Uint32Array.from({ length: count }, (_, i) => (i * 7_919) % count);
  // Many are alike: they stay in the order of the list, if all of them are sorted.
  const compare = (a: number, b: number): number => (a % 100) - (b % 100);
  const sorted = Array.from(buckets).sort(compare);
  assert.deepEqual(runToEnd(firstBuckets(buckets, 20_000, compare)), sorted.slice(0, 20_000));
  const byNumber = (a: number, b: number): number => compare(a, b) || a - b;
  const few = runToEnd(firstBuckets(buckets, 5_000, byNumber));
  assert.deepEqual(few, Array.from(buckets).sort(byNumber).slice(0, 5_000));
  assert.deepEqual(runToEnd(firstBuckets(buckets, 0, compare)), []);
  assert.ok([...firstBuckets(buckets, count, compare)].length > 10);
});
