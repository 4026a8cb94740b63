// Are floats written with the fewest digits that name them, as OpenSearch 3.1.0 (Java's Float.toString) writes them?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeView } from '../../test/query-world.ts';
import { worldServices } from '../../test/search-world.ts';
import { shortestFloat } from '../mapping/shortest-float.ts';
import { executeSearch } from './execute.ts';
import type { SortValue } from './request.ts';

/** What was indexed, and the sort value that the peer gave. */
const PEER: readonly [number, string][] = [
  [3.4e38, '3.4E38'],
  [1e20, '1.0E20'],
  [-1e20, '-1.0E20'],
  [16777217, '1.6777216E7'],
  [12345678, '1.2345678E7'],
  [123456789012, '1.2345679E11'],
  [9007199254740992, '9.007199E15'],
  [3.4028235e38, '3.4028235E38'],
  [1.17549435e-38, '1.1754944E-38'],
  [1.4e-45, '1.4E-45'],
  [1e-10, '1.0E-10'],
  [0.1, '0.1'],
  [65504, '65504.0'],
];

test('floats of any size have the peer’s digits', () => {
  for (const [value, peer] of PEER) assert.equal(shortestFloat(Math.fround(value)), Number(peer), peer);
});

test('the shortest form is the same float', () => {
  fc.assert(
    fc.property(fc.float(), (x) => {
      assert.ok(Object.is(Math.fround(shortestFloat(x)), x));
    }),
  );
});

/** `x` rounded to so many digits, halves to even, by whole numbers alone. */
function exactly(x: number, digits: number): number {
  const exponent = Number(Math.abs(x).toExponential(20).split('e')[1]);
  const places = digits - 1 - exponent;
  let [over, under] = [BigInt(Math.abs(x) * 2 ** 150) * 10n ** BigInt(Math.max(0, places)), 1n << 150n];
  if (places < 0) under *= 10n ** BigInt(-places);
  const whole = over / under;
  over -= whole * under;
  const isUp = over * 2n > under || (over * 2n === under && whole % 2n === 1n);
  const size = Number(`${whole + (isUp ? 1n : 0n)}e${-places}`);
  return x < 0 ? -size : size;
}

test('in the middle between two the even one is taken', () => {
  const peer = [
    [1277216.25, 1277216.2],
    [335133.625, 335133.62],
    [4569.28125, 4569.2812],
    [-4569.28125, -4569.2812],
    [1048576.75, 1048576.8],
    [0.5, 0.5],
  ] as const;
  for (const [x, shown] of peer) assert.equal(shortestFloat(x), shown);
});

test('arithmetic finds the digits that the longest way finds', () => {
  const slowly = (x: number): number => {
    // Exactly, as integers: x = n / 2^k, to be n · 10^p / 2^k, rounded to even.
    for (let digits = 1; digits < 9; digits++) {
      const y = exactly(x, digits);
      if (Math.fround(y) === x) return y;
    }
    return Number(x.toPrecision(9));
  };
  const floats = fc.oneof(
    fc.float({ noNaN: true, noDefaultInfinity: true, min: 2 ** -126 }),
    fc.float({ noNaN: true, min: Math.fround(0.0009), max: Math.fround(1.1e7) }),
    fc.float({ noNaN: true, min: Math.fround(0.01), max: 50 }),
    // Halves of the last digits: products lie in the middle.
    fc
      .tuple(fc.integer({ min: 1, max: 2 ** 24 }), fc.integer({ min: 0, max: 20 }))
      .map(([n, p]) => n / 2 ** p),
  );
  fc.assert(
    fc.property(floats, fc.boolean(), (size, negative) => {
      const x = negative ? -size : size;
      assert.equal(shortestFloat(x), slowly(x));
    }),
    { numRuns: 20_000 },
  );
});

test('sort values of large floats are short, and pages go on behind them', async () => {
  const properties = { f: { type: 'float' } };
  const view = makeView(
    { properties },
    PEER.map(([f], i) => ({ id: `d${i}`, source: { f } })),
  );
  const seen: SortValue[] = [];
  let after: { searchAfter?: SortValue[] } = {};
  for (let page = 0; page < PEER.length; page++) {
    const request = { indices: ['w'], sort: ['f'], size: 1, ...after };
    const { hits } = await executeSearch([view], request, worldServices(), 100);
    after = { searchAfter: [...hits[0]!.sort!] };
    seen.push(...hits[0]!.sort!);
  }
  const wanted = PEER.map(([, peer]) => Number(peer));
  assert.deepEqual(
    seen,
    wanted.sort((a, b) => a - b),
  );
});
