import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseRate, RateLimiter, rateHeaders } from './rate-limiter.ts';

const rate = { quota: 10, windowSeconds: 5 };

test('a quota may come at once, then it fills evenly', () => {
  const limiter = new RateLimiter();
  for (let left = 9; left >= 0; left--) {
    const verdict = limiter.take('a', 1, rate, 1_000);
    assert.deepEqual([verdict.allowed, verdict.remaining], [true, left]);
  }
  assert.deepEqual(limiter.take('a', 1, rate, 1_000), {
    allowed: false,
    remaining: 0,
    resetSeconds: 5,
    retryAfterSeconds: 1,
  });
  assert.equal(limiter.take('b', 1, rate, 1_000).allowed, true);
  assert.equal(limiter.take('a', 1, rate, 1_499).allowed, false);
  assert.equal(limiter.take('a', 1, rate, 1_500).allowed, true);
  assert.equal(limiter.take('a', 3, rate, 3_000).remaining, 0);
});

test('a refusal takes nothing, and what it says about waiting is true', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ cost: fc.integer({ min: 1, max: 30 }), wait: fc.nat(4_000) }), { maxLength: 60 }),
      (calls) => {
        const limiter = new RateLimiter();
        let now = 0;
        let spent = 0;
        for (const { cost, wait } of calls) {
          now += wait;
          const verdict = limiter.take('a', cost, rate, now);
          if (verdict.allowed) spent += Math.min(cost, rate.quota);
          else {
            const later = now + verdict.retryAfterSeconds * 1_000;
            assert.equal(limiter.take('a', cost, rate, later).allowed, true);
            now = later;
            spent += Math.min(cost, rate.quota);
          }
          assert.ok(verdict.remaining >= 0 && verdict.remaining <= rate.quota);
          // Never more than a full bucket and what has flowed in since.
          assert.ok(spent <= rate.quota + (now * rate.quota) / 5_000 + 1e-6);
        }
      },
    ),
  );
});

test('a clock that runs backwards fills nothing', () => {
  const limiter = new RateLimiter();
  limiter.take('a', 10, rate, 10_000);
  assert.equal(limiter.take('a', 1, rate, 0).allowed, false);
});

test('rates as text, and as header fields', () => {
  assert.deepEqual(parseRate('600/60'), { quota: 600, windowSeconds: 60 });
  for (const text of ['', '600', '0/5', '5/0', '-1/5', '1.5/2', '6/1 ', '1e3/5']) {
    assert.equal(parseRate(text), undefined, text);
  }
  const verdict = { allowed: false, remaining: 0, resetSeconds: 5, retryAfterSeconds: 2 };
  assert.deepEqual(rateHeaders(verdict, rate), {
    'ratelimit-policy': '"default";q=10;w=5',
    ratelimit: '"default";r=0;t=5',
    'retry-after': '2',
  });
});
