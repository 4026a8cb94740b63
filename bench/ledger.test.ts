// The ledger benchmark runs at a small size and finds no drift.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { benchLedger } from './ledger.ts';

const skip = existsSync('/proc/self/stat') ? false : 'CPU times of another process are read from /proc';

test('the ledger benchmark makes single and batched transfers', { skip, timeout: 900_000 }, async () => {
  const figures = await benchLedger(200, 8, 50);
  assert.ok(figures.single.perSecond > 0);
  assert.ok(figures.batched.perSecond > 0);
  assert.equal(figures.drift, 0n);
  assert.ok(figures.bare.http >= 0 && figures.bare.socket >= 0);
});
