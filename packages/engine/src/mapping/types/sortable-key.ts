// Maps numbers to 64-bit keys that sort like them. Longs flip the sign bit; doubles flip the sign bit
// when positive and every bit when negative (Lucene's NumericUtils.doubleToSortableLong, made unsigned).

import type { Key64 } from './type.ts';

const f64 = new Float64Array(1);
const u32 = new Uint32Array(f64.buffer);

/** Key of a signed 64-bit integer. REQUIRES: -2^63 <= value < 2^63, and a number is an integer. */
export function longKey(value: number | bigint): Key64 {
  if (typeof value === 'bigint') {
    const v = BigInt.asUintN(64, value);
    return { hi: (Number(v >> 32n) ^ 0x80000000) >>> 0, lo: Number(v & 0xffffffffn) };
  }
  return { hi: (Math.floor(value / 4294967296) ^ 0x80000000) >>> 0, lo: value >>> 0 };
}

/** The integer of a key: a number where a double holds it exactly, else a bigint. */
export function longOf(hi: number, lo: number): number | bigint {
  const high = hi ^ 0x80000000;
  if (high >= -0x200000 && high < 0x200000) return high * 4294967296 + lo;
  return (BigInt(high) << 32n) | BigInt(lo);
}

/** Key of an unsigned 64-bit integer. */
export function unsignedKey(value: number | bigint): Key64 {
  const v = BigInt(value);
  return { hi: Number(v >> 32n), lo: Number(v & 0xffffffffn) };
}

/** The unsigned integer of a key. */
export function unsignedOf(hi: number, lo: number): number | bigint {
  return hi < 0x200000 ? hi * 4294967296 + lo : (BigInt(hi) << 32n) | BigInt(lo);
}

/** Key of a double; -0 sorts below 0 and NaN above everything, as in Lucene. */
export function doubleKey(value: number): Key64 {
  f64[0] = value;
  const lo = u32[0]!;
  const hi = u32[1]!;
  return hi >>> 31 ? { hi: ~hi >>> 0, lo: ~lo >>> 0 } : { hi: (hi | 0x80000000) >>> 0, lo };
}

/** The double of a key. */
export function doubleOf(hi: number, lo: number): number {
  const negative = hi >>> 31 === 0;
  u32[0] = negative ? ~lo : lo;
  u32[1] = negative ? ~hi : hi & 0x7fffffff;
  return f64[0]!;
}

/** -1, 0 or 1 as key a sorts before, with or after key b. */
export function compareKeys(aHi: number, aLo: number, bHi: number, bLo: number): number {
  return aHi !== bHi ? (aHi < bHi ? -1 : 1) : aLo === bLo ? 0 : aLo < bLo ? -1 : 1;
}
