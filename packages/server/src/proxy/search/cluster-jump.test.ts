import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparableValue } from './cluster-jump.ts';

test('sort values of the clusters as they are compared here: what stands for nothing is nothing', () => {
  const cases: [string, Parameters<typeof comparableValue>[0], ReturnType<typeof comparableValue>][] = [
    ['boolean', true, true],
    ['boolean', 1, true],
    ['boolean', 0, false],
    ['boolean', 'false', false],
    ['boolean', 2147483647, null],
    ['boolean', -2147483648, null],
    ['boolean', 9223372036854775807n, null],
    ['integer', 2147483647, null],
    ['long', 2147483647, 2147483647n],
    ['date', -9223372036854775808n, null],
    ['double', 'Infinity', null],
    ['keyword', '', ''],
    ['keyword', null, null],
  ];
  for (const [type, value, expected] of cases) assert.equal(comparableValue(value, { type }), expected, type);
});
