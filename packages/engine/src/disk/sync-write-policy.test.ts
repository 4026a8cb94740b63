// The policy chooses synchronous writes only while the disk is fast, whatever its speed was earlier.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SyncWritePolicy } from './sync-write-policy.ts';

const SHORT = 2_000;

/** How many of `count` writes are waited for, on a disk that takes as long as `ms` says. */
function waitsOf(promptness: SyncWritePolicy, count: number, ms: (write: number) => number): number {
  let waits = 0;
  for (let write = 0; write < count; write++) {
    if (promptness.writesInPlace(SHORT)) {
      waits++;
      promptness.recordInPlace(ms(write));
    } else promptness.recordByThread(SHORT, ms(write) + 0.05);
  }
  return waits;
}

test('a fast disk is waited for once it has shown that it is, a slow one never', () => {
  assert.equal(
    waitsOf(new SyncWritePolicy(), 1_000, () => 0.05),
    999,
  );
  assert.equal(
    waitsOf(new SyncWritePolicy(), 1_000, () => 0.3),
    0,
  );
  assert.equal(
    waitsOf(new SyncWritePolicy(), 1_000, () => 8),
    0,
  );
});

test('long writes are for threads, and say nothing of short ones', () => {
  const promptness = new SyncWritePolicy();
  promptness.recordByThread(65_536, 0.01);
  assert.equal(promptness.writesInPlace(SHORT), false);
  promptness.recordByThread(SHORT, 0.1);
  assert.equal(promptness.writesInPlace(SHORT), true);
  assert.equal(promptness.writesInPlace(65_536), false);
});

test('one slow write in ten changes nothing; a disk that becomes slow is left to threads at once, and comes back', () => {
  const promptness = new SyncWritePolicy();
  assert.equal(
    waitsOf(promptness, 10_000, (write) => (write % 10 === 9 ? 4 : 0.05)),
    9_999,
  );
  assert.ok(waitsOf(promptness, 10_000, () => 4) <= 8);
  const back = waitsOf(promptness, 1_000, () => 0.05);
  assert.equal(back, 999);
});

test('a disk that is fast for threads and slow in place holds the serving thread up for one write in thirty', () => {
  const promptness = new SyncWritePolicy();
  let waits = 0;
  for (let write = 0; write < 26_400; write++) {
    if (promptness.writesInPlace(SHORT)) {
      waits++;
      promptness.recordInPlace(4);
    } else promptness.recordByThread(SHORT, 0.1);
  }
  assert.ok(waits <= 26_400 / 30, `${waits}`);
});
