// Numbers are printed by patterns as java.text.DecimalFormat prints them. The rows are the output of JDK
// 25 in the root locale.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decimalFormat, readDecimal } from './decimal-format.ts';

const ROWS: readonly (readonly [number | bigint, string, string])[] = [
  [0.25, '#.##', '0.25'],
  [0, '#.##', '0'],
  [0, '#', '0'],
  [0, '#,###', '0'],
  [0, '.##', '.0'],
  [0.25, '.##', '.25'],
  [-0, '#.##', '-0'],
  [-0.001, '0.0', '-0.0'],
  [0.125, '0.00', '0.12'],
  [0.375, '0.00', '0.38'],
  [0.005, '0.00', '0.01'],
  [1.005, '0.00', '1.00'],
  [2.5, '0', '2'],
  [3.5, '0', '4'],
  [0.5, '0', '0'],
  [-2.5, '0', '-2'],
  [999.5, '0', '1000'],
  [1234567.891, '#,##0.0', '1,234,567.9'],
  [1234.5, '', '1,234.5'],
  [7, '000', '007'],
  [1234, '#,##', '12,34'],
  [0.5, '0%', '50%'],
  [0.1234, '0.0%', '12.3%'],
  [0.5, '0\u2030', '500\u2030'],
  [5, "0 'EUR'", '5 EUR'],
  [5, "'#'0", '#5'],
  [5, "'it''s' 0", "it's 5"],
  [5, "''0", "'5"],
  [-18.56, '0.0;(0.0)', '(18.6)'],
  [18.56, '0.0;(0.0)', '18.6'],
  [-18.56, '0;neg', 'neg19'],
  [-1.5, '0.0;0.0', '-1.5'],
  [5, '0.', '5.'],
  [1e21, '0.00', '1000000000000000000000.00'],
  [0.1, '0.00000000000000000000', '0.10000000000000000000'],
  [9007199254740993n, '#,##0', '9,007,199,254,740,993'],
  [-12n, '0%', '-1200%'],
  [-5, '$0.00', '-$5.00'],
  [1234.5, 'x', 'x1234'],
  [-12, 'yyyy-MM-dd', '-yyyy-MM-dd12'],
  [0.12, 'a%b', 'a%b12'],
];

test('numbers are shown as Java shows them', () => {
  for (const [value, pattern, shown] of ROWS) {
    assert.equal(decimalFormat(value, pattern), shown, `${value} as ${pattern}`);
  }
});

test('what is no pattern is refused with its text, however long it is', () => {
  for (const pattern of ['0,', 'x;y', '0x0', '0.0.0', '0.###E0', "0'", '0;;0', '#'.repeat(201)]) {
    assert.throws(() => decimalFormat(1, pattern), { message: `Malformed pattern "${pattern}"` });
  }
  assert.throws(() => decimalFormat(1, `${'#,'.repeat(500_000)}x`));
});

test('what a pattern has printed is read again', () => {
  for (const [text, pattern, value] of [
    ['1,234.0', '#,##0.0', 1234],
    ['-1,234.5', '#,##0.0', -1234.5],
    ['x1234', 'x#', 1234],
    ['-x5', 'x#', -5],
    ['(5)', "0'a';(0)", -5],
    ['1234a zz', "0'a';(0)", 1234],
    ['12%', '0%', 0.12],
  ] as const)
    assert.equal(readDecimal(text, pattern), value, `${text} as ${pattern}`);
  for (const text of ['5', 'x', 'zz', ''])
    assert.throws(() => readDecimal(text, 'x#'), { message: `Unparseable number: "${text}"` });
});
