// Filling an index, overwriting it again and again, and overwriting it here and there are told apart.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OverwriteTracker } from './overwrite-tracker.ts';

const LIMIT = 1_000;

/** Writes documents in turn, `count` of them over and over; says after each tail whether it is quick. */
function said(count: number, tails: number): boolean[] {
  const tracker = new OverwriteTracker();
  const all: boolean[] = [];
  for (let seqNo = 0; seqNo < tails * LIMIT; seqNo++) {
    tracker.record(seqNo < count ? Number.POSITIVE_INFINITY : count, LIMIT);
    if (seqNo % LIMIT === LIMIT - 1) all.push(tracker.isHigh);
  }
  return all;
}

test('what is written for the first time is not', () => {
  assert.deepEqual(said(Number.POSITIVE_INFINITY, 3), [false, false, false]);
});

test('few documents are, as soon as they come again', () => {
  assert.deepEqual(said(500, 3), [true, true, true]);
  assert.deepEqual(said(1_500, 4), [false, true, true, true]);
});

test('many are not, however often they come', () => {
  assert.deepEqual(said(2_500, 6), [false, false, false, false, false, false]);
});

test('a stream of new documents ends it', () => {
  const tracker = new OverwriteTracker();
  for (let i = 0; i < LIMIT; i++) tracker.record(10, LIMIT);
  assert.equal(tracker.isHigh, true);
  for (let i = 0; i < LIMIT / 4; i++) tracker.record(Number.POSITIVE_INFINITY, LIMIT);
  assert.equal(tracker.isHigh, false);
});
