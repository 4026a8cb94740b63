// A decimal is read as its nearest float. The oracle compares whole numbers and uses no double.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nearestFloat, nextFloat } from './nearest-float.ts';
import { shortestFloat } from './shortest-float.ts';

const f32 = new Float32Array(1);
const u32 = new Uint32Array(f32.buffer);

function ofPattern(pattern: number): number {
  u32[0] = pattern;
  return f32[0]!;
}

/** A float in units of 2^-150, so that the middle between two is whole. */
function unitsOf(pattern: number): bigint {
  const biased = pattern >>> 23;
  const fraction = BigInt(pattern & 0x7fffff);
  return biased === 0 ? fraction * 2n : (fraction + 2n ** 23n) * 2n ** BigInt(biased);
}

/** `numerator · 10^tens`, around the middle between two floats. */
const decimals = fc
  .tuple(
    fc.integer({ min: 0, max: 0x7f7fffff }),
    fc.constantFrom(0n, 1n, -1n),
    fc.integer({ min: 0, max: 30 }),
    fc.boolean(),
  )
  .map(([pattern, way, further, isNegative]) => {
    const middle = (unitsOf(pattern) + unitsOf(pattern + 1)) / 2n;
    // 2^-150 has 150 digits behind the point.
    const exact = middle * 5n ** 150n * 10n ** BigInt(further);
    const digits = String(exact + (exact > 0n ? way : 0n)).padStart(151 + further, '0');
    const at = digits.length - 150 - further;
    const wanted =
      way === 0n ? (pattern % 2 === 0 ? pattern : pattern + 1) : way < 0n ? pattern : pattern + 1;
    const text = `${digits.slice(0, at)}.${digits.slice(at)}`;
    return { text: isNegative ? `-${text}` : text, wanted, isNegative };
  });

test('beside the middle between two floats, and in it', () => {
  let twice = 0;
  fc.assert(
    fc.property(decimals, ({ text, wanted, isNegative }) => {
      const float = wanted === 0x7f800000 ? Number.POSITIVE_INFINITY : ofPattern(wanted);
      const read = nearestFloat(text, Number(text));
      assert.ok(Object.is(read, isNegative ? -float : float), `${text}: ${read}`);
      if (Math.fround(Number(text)) !== read) twice++;
    }),
    { numRuns: 3_000 },
  );
  assert.ok(twice > 300, `a double says the same of all but ${twice}`);
});

test('what Java reads', () => {
  for (const [text, float] of [
    ['1.000000059604644775390626', '1.0000001'],
    ['1.000000059604644775390625', '1'],
    ['7.038531E-26', '7.038531e-26'],
    ['9007199791611905', '9.0072e15'],
    ['3.4028235677973367e38', 'Infinity'],
    ['3.4028235677973366e38', '3.4028235e38'],
    ['-0', '-0'],
    ['0e999999', '0'],
    ['1e-50', '0'],
  ] as const) {
    const read = nearestFloat(text, Number(text));
    assert.ok(Object.is(shortestFloat(read), Number(float)), `${text}: ${shortestFloat(read)}`);
  }
  const long = `1.000000059604644775390625${'0'.repeat(100_000)}1`;
  assert.equal(shortestFloat(nearestFloat(long, Number(long))), 1.0000001);
});

test('neighbours of floats', () => {
  assert.equal(nextFloat(Number.POSITIVE_INFINITY, false), ofPattern(0x7f7fffff));
  assert.equal(nextFloat(Number.NEGATIVE_INFINITY, true), -ofPattern(0x7f7fffff));
  assert.equal(nextFloat(Number.POSITIVE_INFINITY, true), Number.POSITIVE_INFINITY);
  assert.ok(Number.isNaN(nextFloat(Number.NaN, true)) && Number.isNaN(nextFloat(Number.NaN, false)));
  assert.equal(nextFloat(0, true), 2 ** -149);
  assert.equal(nextFloat(-0, false), -(2 ** -149));
});
