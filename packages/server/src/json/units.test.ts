// Sizes and times are printed as the peer prints them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesText, millisText } from './units.ts';

test('sizes are cut to one decimal, or given in whole units', () => {
  assert.deepEqual(
    [0, 208, 1024, 3355, 1048575, 1572864].map((n) => bytesText(n)),
    ['0b', '208b', '1kb', '3.2kb', '1023.9kb', '1.5mb'],
  );
  assert.equal(bytesText(3355, 'kb'), '3');
  assert.equal(bytesText(3355, 'b'), '3355');
  assert.equal(bytesText(3355, 'zz'), '3.2kb');
});

test('durations likewise', () => {
  assert.deepEqual(
    [0, 28, 1234, 60_000, 90_000].map((n) => millisText(n)),
    ['0s', '28ms', '1.2s', '1m', '1.5m'],
  );
  assert.equal(millisText(1234, 's'), '1');
});
