import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Leases } from './lease.ts';

test('a lease ends with its time, and is extended by use', () => {
  let now = 0;
  const leases = new Leases({ maxLeases: 10, maxKeepAliveMs: 1000 }, () => now);
  const a = leases.open('scroll', 5, 100, null);
  const b = leases.open('pit', 3, 100, { position: 1 });
  assert.deepEqual(leases.snapshots(), [3, 5]);
  now = 90;
  assert.ok(leases.get(b.id, 100));
  now = 100;
  assert.equal(leases.get(a.id), undefined);
  assert.deepEqual(leases.snapshots(), [3]);
  assert.equal(leases.close(a.id), false);
  assert.equal(leases.close(b.id), true);
  assert.deepEqual(leases.list(), []);
});

test('the oldest lease makes room, and a life that is too long is refused', () => {
  const leases = new Leases({ maxLeases: 2, maxKeepAliveMs: 1000 }, () => 0);
  const [a, b, c] = [1, 2, 3].map((snapshot) => leases.open('scroll', snapshot, 10, null));
  assert.equal(leases.get(a!.id), undefined);
  assert.ok(leases.get(b!.id) && leases.get(c!.id));
  assert.throws(() => leases.open('scroll', 4, 1001, null), { status: 400 });
});
