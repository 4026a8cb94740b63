import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateValues } from './value-format.ts';

test('what is no date is printed as the peer casts it to a long', () => {
  const iso = dateValues('strict_date_optional_time', undefined);
  const seconds = dateValues('epoch_second', undefined);
  for (const [value, text, epoch] of [
    [Number.NaN, '1970-01-01T00:00:00.000Z', '0'],
    [1_500.9, '1970-01-01T00:00:01.500Z', '1.5'],
  ] as const) {
    assert.equal(iso.text(value), text);
    assert.equal(seconds.text(value), epoch);
  }
  for (const value of [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
    assert.match(seconds.text(value), /^-?922337203685477/);
});

test('milliseconds beyond the last and the first date are shown as these', () => {
  const { text } = dateValues('epoch_millis', undefined);
  assert.equal(text(2.5e24), '9223372036854775807');
  assert.equal(text(-2.5e24), '-9223372036854775808');
  assert.equal(text(1.5e12), '1500000000000');
});
