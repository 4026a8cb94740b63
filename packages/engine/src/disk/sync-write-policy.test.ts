// When is a write waited for in place? Only while the disk is fast, whatever it was before.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Promptness } from './sync-write-policy.ts';

const SHORT = 2_000;

/** How many of `count` writes are waited for, on a disk that takes as long as `ms` says. */
function waitsOf(promptness: Promptness, count: number, ms: (write: number) => number): number {
  let waits = 0;
  for (let write = 0; write < count; write++) {
    if (promptness.waitsFor(SHORT)) {
      waits++;
      promptness.waited(ms(write));
    } else promptness.written(SHORT, ms(write) + 0.05);
  }
  return waits;
}

test('a fast disk is waited for once it has shown that it is, a slow one never', () => {
  assert.equal(
    waitsOf(new Promptness(), 1_000, () => 0.05),
    999,
  );
  assert.equal(
    waitsOf(new Promptness(), 1_000, () => 0.3),
    0,
  );
  assert.equal(
    waitsOf(new Promptness(), 1_000, () => 8),
    0,
  );
});

test('long writes are for threads, and say nothing of short ones', () => {
  const promptness = new Promptness();
  promptness.written(65_536, 0.01);
  assert.equal(promptness.waitsFor(SHORT), false);
  promptness.written(SHORT, 0.1);
  assert.equal(promptness.waitsFor(SHORT), true);
  assert.equal(promptness.waitsFor(65_536), false);
});

test('one slow write in ten changes nothing; a disk that becomes slow is left to threads at once, and comes back', () => {
  const promptness = new Promptness();
  assert.equal(
    waitsOf(promptness, 10_000, (write) => (write % 10 === 9 ? 4 : 0.05)),
    9_999,
  );
  assert.ok(waitsOf(promptness, 10_000, () => 4) <= 8);
  const back = waitsOf(promptness, 1_000, () => 0.05);
  assert.equal(back, 999);
});

test('a disk that is fast for threads and slow in place holds the serving thread up for one write in thirty', () => {
  const promptness = new Promptness();
  let waits = 0;
  for (let write = 0; write < 26_400; write++) {
    if (promptness.waitsFor(SHORT)) {
      waits++;
      promptness.waited(4);
    } else promptness.written(SHORT, 0.1);
  }
  assert.ok(waits <= 26_400 / 30, `${waits}`);
});
