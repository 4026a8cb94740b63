// Looks up words of the vocabulary at an address: the buckets and hash of log/packed/dictionary.ts, its
// twin.

import { HEAD_ENTRIES, HEAD_FILTERS, HEAD_STRINGS, PIECE_MAX } from './layout';

/** Longest word that its key identifies completely. */
export const INLINE: u32 = 7;
const PAIRS: usize = 65536;
const FOURS_BITS: u32 = 14;
const NUMBERS: usize = 48;

/** Key of the word of at most INLINE bytes at p. REQUIRES: bytes behind it may be read. */
export function shortKey(p: usize, length: u32): u64 {
  const size = <u64>length;
  return (load<u64>(p) & (((<u64>1) << (size << 3)) - 1)) | (size << 56);
}

function longKey(p: usize, length: u32): u64 {
  const first = load<u64>(p);
  let low = <u32>first;
  let high = <u32>(first >>> 32);
  low = (low ^ (low >>> 15) ^ high) * 0x2c1b3c6d;
  for (let i: u32 = 8; i < length; i += 4) {
    let word = load<u32>(p + i);
    if (length - i < 4) word &= (1 << ((length - i) << 3)) - 1;
    low = (low ^ (low >>> 15) ^ word) * 0x2c1b3c6d;
    high = (high ^ (high >>> 15) ^ word) * 0x297a2d39;
  }
  return <u64>low | ((<u64>(high & 0xffffff)) << 32) | ((<u64>length) << 56);
}

/** Number of the word with this key, or -1, without a branch: it would be unpredictable. */
export function numberOf(buckets: usize, mask: u32, key: u64): i32 {
  const keys = i64x2.splat(key);
  const h = (<u32>key * 0x9e3779b1) ^ (<u32>(key >>> 32) * 0x85ebca77);
  const g = (h ^ (h >>> 15)) * 0xc2b2ae35;
  const bucket = buckets + (((g ^ (g >>> 14)) << 6) & mask);
  const hits =
    i64x2.bitmask(i64x2.eq(v128.load(bucket), keys)) |
    (i64x2.bitmask(i64x2.eq(v128.load(bucket, 16), keys)) << 2) |
    (i64x2.bitmask(i64x2.eq(v128.load(bucket, 32), keys)) << 4);
  // ctz of 0 is 32: that reads from the next bucket, or from the margin.
  return <i32>load<u16>(bucket + ((<usize>ctz(hits)) << 1), NUMBERS) | -(<i32>(hits === 0));
}

/** Number of the word of `length` bytes at p, or -1. */
export function findWord(head: usize, buckets: usize, mask: u32, p: usize, length: u32): i32 {
  if (length <= INLINE) return numberOf(buckets, mask, shortKey(p, length));
  const number = numberOf(buckets, mask, longKey(p, length));
  return number >= 0 && isAt(head, <u32>number, p, length) ? number : -1;
}

/** Compares a word of at least eight bytes. */
function isAt(head: usize, number: u32, p: usize, length: u32): bool {
  const entry = load<u32>(<usize>load<u32>(head, HEAD_ENTRIES) + ((<usize>number) << 2));
  const q = <usize>load<u32>(head, HEAD_STRINGS) + (entry >>> 6);
  const last = <usize>length - 8;
  for (let i: usize = 0; i < last; i += 8) if (load<u64>(p + i) !== load<u64>(q + i)) return false;
  return load<u64>(p + last) === load<u64>(q + last);
}

/**
 * Lengths, up to PIECE_MAX, of words that may begin with the bytes at p: bit n - 1 for n bytes. `left`: bytes
 * available.
 */
export function lengthsAt(head: usize, p: usize, left: u32): u32 {
  const filters = <usize>load<u32>(head, HEAD_FILTERS);
  const first = load<u32>(p);
  const pair: u32 = load<u8>(filters + (first & 0xffff));
  const four: u32 = load<u8>(filters + ((first * 0x9e3779b1) >>> (32 - FOURS_BITS)), PAIRS);
  return left < PIECE_MAX ? (pair | four) & ((1 << left) - 1) : pair | four;
}

/** Number << 8 | length of the longest word of one of these lengths at p, or -1. */
export function findPiece(head: usize, buckets: usize, mask: u32, p: usize, lengths: u32): i32 {
  while (lengths !== 0) {
    const length = 32 - clz(lengths);
    const number = findWord(head, buckets, mask, p, length);
    if (number >= 0) return (number << 8) | <i32>length;
    lengths ^= 1 << (length - 1);
  }
  return -1;
}
