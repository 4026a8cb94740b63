// The memos of zone names and formats that callers send do not retain long texts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inUse } from '../../../test/true-bytes.ts';
import { dateFormat } from './date-format.ts';
import { findZone } from './zone.ts';

const LONG = 200_000;

test('long names of zones and long formats are let go', async () => {
  const before = await inUse();
  for (let i = 0; i < 100; i++) {
    assert.equal(findZone(`Europe/${'x'.repeat(LONG)}${i}`), undefined);
    assert.equal(dateFormat(`${'yyyy||'.repeat(LONG / 100)}'${i}'`).text.length > LONG / 20, true);
  }
  const each = ((await inUse()) - before) / 100;
  assert.ok(each < LONG / 10, `${each} bytes each`);
  assert.equal(findZone('Europe/Berlin'), findZone('Europe/Berlin'));
  assert.equal(dateFormat('yyyy/MM'), dateFormat('yyyy/MM'));
});
