// Floats are printed with the fewest digits that name them, as OpenSearch 3.1.0 (Java's Float.toString)
// prints them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { executeSearch } from '../../test/execute-search.ts';
import { makeView } from '../../test/query-world.ts';
import { worldServices } from '../../test/search-world.ts';
import type { SortValue } from '../api.ts';
import { floatShownAs } from '../mapping/types/floats.ts';
import { shortestFloat } from '../mapping/types/shortest-float.ts';

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
      assert.ok(Object.is(floatShownAs(shortestFloat(x)), x));
    }),
  );
});

const bits = new Int32Array(1);
const floats = new Float32Array(bits.buffer);

/** The float that has these bits. */
function floatOf(pattern: number): number {
  bits[0] = pattern;
  return floats[0]!;
}

/** So many of the least float there is: a whole number for every float. */
const inLeast = (x: number): bigint => BigInt(x * 2 ** 149);

/**
 * What Java prints for a float above zero, by whole numbers alone: of the decimals that are rounded to it,
 * the nearest among the shortest; of two that are as near, the even one.
 */
function asJava(x: number): number {
  floats[0] = x;
  const pattern = bits[0]!;
  const [own, before] = [inLeast(x), inLeast(floatOf(pattern - 1))];
  const behind = pattern < 0x7f7fffff ? inLeast(floatOf(pattern + 1)) : 2n * own - before;
  // Doubled, so that the middles are whole.
  const [low, high] = [before + own, own + behind];
  const isIn = (d: bigint, unit: bigint): boolean =>
    pattern % 2 === 0 ? d >= low * unit && d <= high * unit : d > low * unit && d < high * unit;
  const whole = Number(x.toExponential().split('e')[1]);
  for (let digits = 2; ; digits++) {
    const exponent = whole - digits + 1;
    const unit = 10n ** BigInt(Math.max(0, -exponent));
    const ten = 2n ** 150n * 10n ** BigInt(Math.max(0, exponent));
    const floor = (2n * own * unit) / ten;
    const distance = (n: bigint): bigint => {
      const off = n * ten - 2n * own * unit;
      return off < 0n ? -off : off;
    };
    const [nearest] = [floor - 1n, floor, floor + 1n, floor + 2n]
      .filter((n) => isIn(n * ten, unit))
      .sort(
        (a, b) =>
          Number(distance(a) > distance(b)) - Number(distance(a) < distance(b)) ||
          Number(a & 1n) - Number(b & 1n),
      );
    if (nearest !== undefined) return Number(`${nearest}e${exponent}`);
  }
}

test('below a power of two floats are nearer to each other, and no decimal is rounded twice', () => {
  const java: readonly [number, string][] = [
    [0x0f800000, '1.2621775E-29'],
    [0x6b000000, '1.5474251E26'],
    [0x6c800000, '1.2379401E27'],
    [0x15ae43fe, '7.0385313E-26'],
    [0x15ae43fd, '7.038531E-26'],
  ];
  for (const [pattern, text] of java) {
    assert.equal(asJava(floatOf(pattern)), Number(text), text);
    assert.equal(shortestFloat(floatOf(pattern)), Number(text), text);
    assert.equal(shortestFloat(-floatOf(pattern)), -Number(text), text);
    assert.equal(floatShownAs(Number(text)), floatOf(pattern), text);
  }
  for (const pattern of [0x128289d1, 0x128289d0, 0x78fee4af, 0x78fee4b0])
    assert.equal(shortestFloat(floatOf(pattern)), asJava(floatOf(pattern)));
  for (let pattern = 1 << 23; pattern < 0x7f800000; pattern += 1 << 23)
    for (let near = pattern - 2; near <= pattern + 2; near++)
      assert.equal(shortestFloat(floatOf(near)), asJava(floatOf(near)), near.toString(16));
});

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
  const sizes = fc.oneof(
    fc.integer({ min: 1, max: 0x7f7fffff }).map(floatOf),
    fc.float({ noNaN: true, min: Math.fround(0.0009), max: Math.fround(1.1e7) }),
    fc.float({ noNaN: true, min: Math.fround(0.01), max: 50 }),
    // Halves of the last digits: products lie in the middle.
    fc
      .tuple(fc.integer({ min: 1, max: 2 ** 24 }), fc.integer({ min: 0, max: 20 }))
      .map(([n, p]) => n / 2 ** p),
  );
  fc.assert(
    fc.property(sizes, fc.boolean(), (size, negative) => {
      assert.equal(shortestFloat(negative ? -size : size), negative ? -asJava(size) : asJava(size));
    }),
    { numRuns: 20_000 },
  );
});

test('sort values of large floats are short, and pages go on behind them', async () => {
  const properties = { f: { type: 'float' } };
  // Beside each other; what the first shows is rounded to the second by way of a double.
  const near = [0x15ae43fd, 0x15ae43fe, 0x128289d0, 0x128289d1, 0x78fee4af, 0x78fee4b0].map(floatOf);
  const all = [...PEER.map(([f]) => f), ...near];
  const view = makeView(
    { properties },
    all.map((f, i) => ({ id: `d${i}`, source: { f } })),
  );
  const seen: SortValue[] = [];
  let after: { searchAfter?: SortValue[] } = {};
  for (let page = 0; page < all.length; page++) {
    const request = { indices: ['w'], sort: ['f'], size: 1, ...after };
    const { hits } = await executeSearch([view], request, worldServices(), 100);
    after = { searchAfter: [...hits[0]!.sort!] };
    seen.push(...hits[0]!.sort!);
  }
  const wanted = [...PEER.map(([, peer]) => Number(peer)), ...near.map(asJava)];
  assert.deepEqual(
    seen,
    wanted.sort((a, b) => a - b),
  );
});
