// The rewrite of a segment waits while its documents are being overwritten, and starts when the overwrites stop.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeathRate } from './death-rate.ts';

const DOCS = 60_000;

/** What is said of a segment that has lost `dead[i]` documents at `at[i]`. */
function said(looks: readonly (readonly [at: number, dead: number])[]): boolean[] {
  const losses = new DeathRate();
  const segment = {};
  return looks.map(([at, dead]) => losses.isDying(segment, DOCS - dead, dead, at));
}

test('a segment that is written over from its beginning is left to die', () => {
  const looks = [0, 1000, 2000, 2900].map((at) => [at, at * 20] as const);
  assert.deepEqual(said(looks), [true, true, true, true]);
});

test('one that came to rest is rewritten at the next look', () => {
  assert.deepEqual(
    said([
      [0, 30_000],
      [1000, 30_000],
    ]),
    [true, false],
  );
  assert.deepEqual(
    said([
      [0, 0],
      [1000, 40_000],
      [1200, 40_000],
      [2300, 40_000],
    ]),
    [true, true, true, false],
  );
});

test('one that loses little is not waited for', () => {
  const looks = [0, 1000, 2000, 3000].map((at) => [at, 30_000 + at / 10] as const);
  assert.deepEqual(said(looks), [true, false, false, false]);
});

test('what is wholly dead is dropped at once, and segments are told apart', () => {
  const losses = new DeathRate();
  assert.equal(losses.isDying({}, 0, DOCS, 0), false);
  const [a, b] = [{}, {}];
  assert.equal(losses.isDying(a, 10, 50, 0), true);
  assert.equal(losses.isDying(a, 10, 50, 1000), false);
  assert.equal(losses.isDying(b, 10, 50, 1000), true);
});
