// Bare digits mean the same as digits with an empty fraction, which take the slow path of the parser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dateFormat } from './date-format.ts';
import { UTC } from './zone.ts';

test('digits alone are read as those with an empty fraction', () => {
  const digits = fc.stringMatching(/^\d{1,19}$/);
  for (const name of ['epoch_millis', 'epoch_second', 'epoch_micros']) {
    const { read } = dateFormat(name);
    fc.assert(
      fc.property(digits, (text) =>
        assert.deepEqual(read(text, UTC, false), read(`${text}.0`, UTC, false), `${name} ${text}`),
      ),
    );
    for (const text of ['', ' 1', '1 ', '+1', '1e3', '0x1', '١'])
      assert.equal(read(text, UTC, false), undefined, text);
  }
});
