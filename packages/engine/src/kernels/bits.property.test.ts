// Bitmaps agree with sets, and searches with scans.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  andInto,
  andNotInto,
  copyBits,
  countAnd,
  countBits,
  fillOnes,
  nextSetBit,
  orInto,
  setBit,
} from './bits.ts';
import { compareByteRanges, gallop, lowerBound } from './sorted-search.ts';

const BITS = 200;
const members = fc.uniqueArray(fc.nat(BITS - 1));
const bitmap = (set: Iterable<number>): Uint32Array => {
  const words = new Uint32Array(8);
  for (const n of set) setBit(words, n);
  return words;
};
const listed = (words: Uint32Array): number[] => {
  const out: number[] = [];
  for (let n = nextSetBit(words, 0); n >= 0; n = nextSetBit(words, n + 1)) out.push(n);
  return out;
};
const ascending = (a: number[]): number[] => a.toSorted((x, y) => x - y);

test('bitmaps agree with sets', () => {
  fc.assert(
    fc.property(members, members, fc.nat(BITS), fc.nat(BITS), (a, b, from, to) => {
      const inB = new Set(b);
      const A = bitmap(a);
      const B = bitmap(b);
      assert.deepEqual(listed(A), ascending(a));
      assert.equal(countBits(A, from, to), a.filter((n) => n >= from && n < to).length);
      assert.equal(nextSetBit(A, from, to), ascending(a).find((n) => n >= from && n < to) ?? -1);
      assert.equal(countAnd(A, B), a.filter((n) => inB.has(n)).length);
      const and = A.slice();
      andInto(and, B);
      assert.deepEqual(listed(and), ascending(a.filter((n) => inB.has(n))));
      const or = A.slice();
      orInto(or, B);
      assert.deepEqual(listed(or), ascending([...new Set([...a, ...b])]));
      const not = A.slice();
      andNotInto(not, B);
      assert.deepEqual(listed(not), ascending(a.filter((n) => !inB.has(n))));
      fillOnes(not, from);
      assert.deepEqual(
        listed(not),
        Array.from({ length: from }, (_, n) => n),
      );
    }),
  );
});

test('a range of bits moves to any other place', () => {
  fc.assert(
    fc.property(members, fc.nat(99), fc.nat(99), fc.nat(100), (a, from, to, n) => {
      const target = new Uint32Array(8);
      copyBits(target, to, bitmap(a), from, n);
      const expected = a.filter((x) => x >= from && x < from + n).map((x) => x - from + to);
      assert.deepEqual(listed(target), ascending(expected));
    }),
  );
});

test('searches agree with a scan', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.nat(55), fc.nat(20), (values, x, start) => {
      const a = Uint16Array.from(ascending(values));
      const from = Math.min(start, a.length);
      let expected = from;
      while (expected < a.length && a[expected]! < x) expected++;
      assert.equal(gallop(a, from, a.length, x), expected);
      assert.equal(lowerBound(a, from, a.length, x), expected);
    }),
  );
});

test('bytes compare as Buffer.compare does', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), (a, b) => {
      assert.equal(compareByteRanges(a, 0, a.length, b, 0, b.length), Buffer.compare(a, b));
    }),
  );
});
