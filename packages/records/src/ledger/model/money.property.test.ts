// Every amount survives being written and read, and nothing else is an amount.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RecordsError } from '../../contracts/errors.ts';
import { digitsOf } from './currency.ts';
import { MOST_MINOR, minorUnits, moneyText, readMoneyForm } from './money.ts';

const read = (text: string, digits: number): bigint => minorUnits(readMoneyForm(text), digits, 'XTS');

test('what is written is read again', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: MOST_MINOR }), fc.integer({ min: 0, max: 4 }), (minor, digits) => {
      const text = moneyText(minor, digits);
      assert.equal(read(text, digits), minor);
      assert.equal(moneyText(-minor, digits), `-${text}`);
      assert.equal((text.split('.')[1] ?? '').length, digits);
      if (digits > 0 && text.endsWith('0'))
        assert.equal(read(text.slice(0, -1).replace(/\.$/, ''), digits), minor);
    }),
  );
});

test('any other text is refused with words, in bounded time', () => {
  const odd = fc.oneof(
    fc.string({
      unit: fc.constantFrom('0', '1', '9', '.', ',', '-', '+', ' ', 'e', 'E', 'x', '٣', '\n', '_'),
    }),
    fc.string(),
    fc.bigInt({ min: MOST_MINOR + 1n, max: 10n ** 60n }).map((minor) => moneyText(minor, 2)),
    fc.constant('9'.repeat(1_000_000)),
  );
  fc.assert(
    fc.property(odd, (text) => {
      try {
        const minor = read(text, 2);
        assert.match(text, /^[0-9]+(\.[0-9]{1,2})?$/);
        assert.ok(minor > 0n && minor <= MOST_MINOR);
      } catch (error) {
        assert.ok(error instanceof RecordsError && error.code === 'invalid-money' && error.field === 'money');
        assert.ok(error.message.length < 200, error.message);
      }
    }),
  );
});

test('each mistake has its own words', () => {
  const words = (text: string): string => {
    try {
      read(text, 2);
    } catch (error) {
      return (error as Error).message;
    }
    return 'fine';
  };
  assert.match(words('1e3'), /exponent/);
  assert.match(words(' 1'), /blank/);
  assert.match(words('+1'), /sign/);
  assert.match(words('1,0'), /point/);
  assert.match(words('0.00'), /more than zero/);
  assert.match(words('-1'), /swap/);
  assert.match(words('1.001'), /3 decimals, and XTS has 2/);
  assert.match(words('92233720368547758.08'), /largest amount, 92233720368547758\.07/);
  assert.equal(words('92233720368547758.07'), 'fine');
  assert.match(words('007'), /leading zeros/);
});

test('decimals of currencies', () => {
  assert.deepEqual(
    ['EUR', 'JPY', 'KWD', 'CLF', 'XAU'].map((currency) => digitsOf(currency)),
    [2, 0, 3, 4, 0],
  );
  for (const wrong of ['eur', 'EURO', '', 'ZZZ', '__proto__'])
    assert.throws(() => digitsOf(wrong), RecordsError);
});
