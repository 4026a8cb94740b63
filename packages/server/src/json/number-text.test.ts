// Numbers are printed as Java prints them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonWriter } from '@octavo/engine';
import fc from 'fast-check';
import { double, float, putDouble } from './number-text.ts';

test('prints as Java does', () => {
  const doubles: [number, string][] = [
    [1, '1.0'],
    [0, '0.0'],
    [-0, '-0.0'],
    [1.5, '1.5'],
    [9999999, '9999999.0'],
    [1e7, '1.0E7'],
    [-1e10, '-1.0E10'],
    [12345678.5, '1.23456785E7'],
    [0.001, '0.001'],
    [0.0001, '1.0E-4'],
    [0.00012345, '1.2345E-4'],
    [1.7976931348623157e308, '1.7976931348623157E308'],
    [5e-324, '5.0E-324'],
    [1e21, '1.0E21'],
    [123456789012345680000, '1.2345678901234568E20'],
    [Number.NaN, '"NaN"'],
    [Number.POSITIVE_INFINITY, '"Infinity"'],
  ];
  for (const [value, text] of doubles) assert.equal(double(value).text, text);
  const floats: [number, string][] = [
    [Math.fround(0.2876821), '0.2876821'],
    [Math.fround(0.1), '0.1'],
    [16777216, '1.6777216E7'],
    [Math.fround(1e-5), '1.0E-5'],
    [1, '1.0'],
  ];
  for (const [value, text] of floats) assert.equal(float(value).text, text);
});

test('what is printed reads back as the same number', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.equal(Number(double(value).text), value);
    }),
  );
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.equal(Math.fround(Number(float(value).text)), value);
    }),
  );
});

test('doubles as bytes are the same text', () => {
  const few = fc.tuple(fc.integer(), fc.integer({ min: 0, max: 7 })).map(([n, places]) => n / 10 ** places);
  fc.assert(
    fc.property(fc.oneof(few, fc.double()), (value) => {
      const out = new JsonWriter(Buffer.alloc(8), 0);
      putDouble(value, out);
      assert.equal(out.bytes.toString('latin1', 0, out.at), double(value).text);
    }),
    { numRuns: 2_000 },
  );
});
