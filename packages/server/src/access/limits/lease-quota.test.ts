import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LeaseQuota } from './lease-quota.ts';

test('counts what each caller holds, as a plain list would', () => {
  const step = fc.record({
    what: fc.constantFrom('open', 'close', 'wait'),
    caller: fc.constantFrom('a', 'b'),
    lease: fc.constantFrom('1', '2', '3', '4', '5'),
    life: fc.integer({ min: 1, max: 50 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const quota = new LeaseQuota(2);
      let held: { caller: string; lease: string; expiry: number }[] = [];
      let now = 0;
      for (const { what, caller, lease, life } of steps) {
        if (what === 'wait') now += life;
        if (what === 'close') {
          quota.remove(lease);
          held = held.filter((each) => each.lease !== lease);
        }
        if (what === 'open') {
          const mine = held.filter((each) => each.caller === caller && each.expiry > now);
          const admitted = quota.admits(caller, now);
          assert.equal(admitted, mine.length < 2);
          if (!admitted) continue;
          quota.add(caller, lease, now + life);
          held = held.filter((each) => each.lease !== lease);
          held.push({ caller, lease, expiry: now + life });
        }
      }
    }),
  );
});

test('what ended without its caller does not count where that matters', () => {
  const quota = new LeaseQuota(2);
  for (const lease of ['a', 'b']) quota.add('caller', lease, 1_000);
  assert.equal(
    quota.admits('caller', 0, (lease) => lease !== 'none'),
    false,
  );
  assert.equal(
    quota.admits('caller', 0, (lease) => lease !== 'a'),
    true,
  );
  assert.equal(quota.countOf('caller'), 1);
});
