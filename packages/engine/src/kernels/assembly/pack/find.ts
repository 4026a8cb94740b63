// Which word stands at a place? The twin of log/packed/dictionary.ts, whose buckets and hash these are. Looking up goes in
// two steps, so that the buckets of many words are on their way from memory at once.
//
//   probe   0 key | 8 bucket | 12 offset of the word in the unit u16 | 14 length u8

import { HEAD_BUCKETS, HEAD_ENTRIES, HEAD_FILTERS, HEAD_MASK, HEAD_STRINGS, PIECE_MAX } from './layout';

const PROBES: u32 = 8;
const INLINE: u32 = 7;
const PAIRS: usize = 65536;
const FOURS_BITS: u32 = 14;
const NUMBERS: usize = 48;
const IS_FULL: usize = 60;

/** Key of the word at p. REQUIRES: bytes behind it may be read. */
export function keyOf(p: usize, length: u32): u64 {
  const key = load<u64>(p);
  if (length > INLINE) return longKey(p, key, length);
  const size = <u64>length;
  return (key & (((<u64>1) << (size << 3)) - 1)) | (size << 56);
}

function longKey(p: usize, first: u64, length: u32): u64 {
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

/** Where the bucket of a key begins. */
export function bucketOf(head: usize, key: u64): usize {
  const h = (<u32>key * 0x9e3779b1) ^ (<u32>(key >>> 32) * 0x85ebca77);
  const g = (h ^ (h >>> 15)) * 0xc2b2ae35;
  const spread = g ^ (g >>> 14);
  return <usize>load<u32>(head, HEAD_BUCKETS) + ((spread << 6) & load<u32>(head, HEAD_MASK));
}

/** Number << 8 | length of the word at p, of this key, or -1. */
export function resolve(head: usize, key: u64, bucket: usize, p: usize, length: u32): i32 {
  const keys = i64x2.splat(key);
  for (let probes: u32 = 0; probes < PROBES; probes++) {
    const hits =
      i64x2.bitmask(i64x2.eq(v128.load(bucket), keys)) |
      (i64x2.bitmask(i64x2.eq(v128.load(bucket, 16), keys)) << 2) |
      (i64x2.bitmask(i64x2.eq(v128.load(bucket, 32), keys)) << 4);
    if (hits !== 0) {
      const number = <u32>load<u16>(bucket + ((<usize>ctz(hits)) << 1), NUMBERS);
      return length <= INLINE || isAt(head, number, p, length) ? <i32>((number << 8) | length) : -1;
    }
    if (load<u32>(bucket, IS_FULL) === 0) return -1;
    const buckets = <usize>load<u32>(head, HEAD_BUCKETS);
    bucket = buckets + ((<u32>(bucket - buckets) + 64) & load<u32>(head, HEAD_MASK));
  }
  return -1;
}

/** The same, in one step. */
export function find(head: usize, p: usize, length: u32): i32 {
  const key = keyOf(p, length);
  return resolve(head, key, bucketOf(head, key), p, length);
}

/** Compares a word of at least eight bytes. */
function isAt(head: usize, number: u32, p: usize, length: u32): bool {
  const entry = load<u32>(<usize>load<u32>(head, HEAD_ENTRIES) + ((<usize>number) << 2));
  const q = <usize>load<u32>(head, HEAD_STRINGS) + (entry >>> 6);
  const last = <usize>length - 8;
  for (let i: usize = 0; i < last; i += 8) if (load<u64>(p + i) !== load<u64>(q + i)) return false;
  return load<u64>(p + last) === load<u64>(q + last);
}

/** Lengths, up to PIECE_MAX, that words may have which begin like the bytes at p: bit n - 1 for n bytes. `left` are there. */
export function lengthsAt(head: usize, p: usize, left: u32): u32 {
  const filters = <usize>load<u32>(head, HEAD_FILTERS);
  const first = load<u32>(p);
  const pair: u32 = load<u8>(filters + (first & 0xffff));
  const four: u32 = load<u8>(filters + ((first * 0x9e3779b1) >>> (32 - FOURS_BITS)), PAIRS);
  return left < PIECE_MAX ? (pair | four) & ((1 << left) - 1) : pair | four;
}

/** Number << 8 | length of the longest word of one of these lengths at p, or -1. */
export function findPiece(head: usize, p: usize, lengths: u32): i32 {
  while (lengths !== 0) {
    const length = 32 - clz(lengths);
    const found = find(head, p, length);
    if (found >= 0) return found;
    lengths ^= 1 << (length - 1);
  }
  return -1;
}
