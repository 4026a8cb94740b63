import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WriteRhythm } from './warm-up.ts';

test('gaps between writes that keep coming are no pause, however long they are', () => {
  const rhythm = new WriteRhythm();
  let now = 0;
  const writes = (gap: number, count: number): void => {
    for (let i = 0; i < count; i++) rhythm.record((now += gap));
  };
  writes(10, 40);
  const short = rhythm.pauseMs;
  assert.ok(short >= 100 && short <= 200);
  assert.equal(new WriteRhythm().pauseMs, short);
  writes(200, 20);
  assert.ok(rhythm.pauseMs > 400);
  writes(10, 40);
  assert.equal(rhythm.pauseMs, short);
  writes(1_900, 20);
  assert.ok(rhythm.pauseMs > 1_900);
  // What comes once in a while is no rhythm.
  writes(60_000, 2);
  assert.equal(rhythm.pauseMs, short);
});
