// Rejects most documents in which two terms cannot be adjacent, with vectors over the position bytes:
// positions are summed modulo 256, and all of one term are compared with all of the other, without
// branches. Documents that pass are checked exactly. Most postings end within eight bytes.
//
//   bytes       0x80 continues, 0x40 ends the posting
//   places      running sums of distances; lanes that end no position repeat the last one

import { SHARE_BYTES, SHARE_START } from '../layout';

/**
 * Writes to `kept` the addresses of those documents in [first, end) whose terms may be `ahead` positions apart (in all
 * lanes). Returns the end of the output.
 */
export function keepPossible(first: usize, end: usize, ahead: v128, kept: usize): usize {
  let next = kept;
  for (let at = first; at < end; at += SHARE_BYTES) {
    store<u32>(next, <u32>at);
    const one: usize = load<u32>(at, SHARE_START);
    const two: usize = load<u32>(at, SHARE_START + 4);
    const bytes = v128.load64_lane(two, v128.load64_zero(one), 1);
    const before = i64x2.shl(bytes, 8);
    const ends = endsOf(bytes);
    const inside = i64x2.add(i64x2.shl(v128.and(ends, i64x2.neg(ends)), 8), i64x2.splat(-1));
    const tooLong = i8x16.bitmask(v128.and(v128.and(bytes, before), inside));
    if (!i64x2.all_true(ends) || tooLong !== 0) {
      next += (<usize>mayStandFar(one, two, ahead)) << 2;
      continue;
    }
    let places = v128.and(distancesOf(bytes, before), inside);
    places = i8x16.add(places, i64x2.shl(places, 8));
    places = i8x16.add(places, i64x2.shl(places, 16));
    places = i8x16.add(places, i64x2.shl(places, 32));
    const due = i8x16.add(v128.shuffle<u64>(places, places, 0, 0), ahead);
    const other = v128.shuffle<u32>(places, places, 2, 3, 3, 2);
    let same = i8x16.eq(due, other);
    same = v128.or(same, i8x16.eq(due, v128.or(i64x2.shl(other, 8), i64x2.shr_u(other, 56))));
    same = v128.or(same, i8x16.eq(due, v128.or(i64x2.shl(other, 16), i64x2.shr_u(other, 48))));
    same = v128.or(same, i8x16.eq(due, v128.or(i64x2.shl(other, 24), i64x2.shr_u(other, 40))));
    next += (<usize>v128.any_true(same)) << 2;
  }
  return next;
}

/** Sixteen bytes shifted by one: the last of the block before, then all but the last. */
function behind(known: v128, bytes: v128): v128 {
  return v128.shuffle<u8>(known, bytes, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
}

/** -1 in each byte that ends a posting: as a signed number it is above 0x3f. */
export function endsOf(bytes: v128): v128 {
  return i8x16.gt_s(bytes, i8x16.splat(0x3f));
}

/** In each byte that ends a position, its distance modulo 256; else 0. `before`: the bytes before. */
function distancesOf(bytes: v128, before: v128): v128 {
  const none = i64x2.splat(0);
  const short = v128.and(bytes, i8x16.splat(0x3f));
  const long = v128.bitselect(i16x8.shl(bytes, 7), before, i8x16.splat(<i8>0x80));
  return v128.andnot(v128.bitselect(long, short, i8x16.lt_s(before, none)), i8x16.lt_s(bytes, none));
}

/** Prefix sums of sixteen bytes. */
function runningSums(v: v128): v128 {
  let sums = i8x16.add(v, i64x2.shl(v, 8));
  sums = i8x16.add(sums, i64x2.shl(sums, 16));
  sums = i8x16.add(sums, i64x2.shl(sums, 32));
  return i8x16.add(sums, v128.and(i8x16.splat(i8x16.extract_lane_s(sums, 7)), i64x2(0, -1)));
}

/** Mask of the bytes up to the first that ends a posting. */
function upTo(mask: i32): v128 {
  const lanes = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return i8x16.le_s(lanes, i8x16.splat(<i8>ctz<i32>(mask | 0x10000)));
}

/** For postings of any length: sixteen bytes of one at a time against all of the other. */
function mayStandFar(one: usize, two: usize, ahead: v128): bool {
  let at = one;
  let known = i64x2.splat(0);
  let sum: i8 = 0;
  while (true) {
    const bytes = v128.load(at);
    const before = behind(known, bytes);
    const ends = i8x16.bitmask(endsOf(bytes));
    const inside = upTo(ends);
    if (i8x16.bitmask(v128.and(v128.and(bytes, before), inside)) !== 0) return true;
    const places = i8x16.add(runningSums(v128.and(distancesOf(bytes, before), inside)), i8x16.splat(sum));
    if (mayStandAmong(i8x16.add(places, ahead), two)) return true;
    if (ends !== 0) return false;
    sum = <i8>i8x16.extract_lane_s(places, 15);
    known = bytes;
    at += 16;
  }
}

/** Whether one of sixteen positions is among those of a posting. */
function mayStandAmong(due: v128, two: usize): bool {
  let at = two;
  let known = i64x2.splat(0);
  let sum: i8 = 0;
  const far = v128.shuffle<u64>(due, due, 1, 0);
  while (true) {
    const bytes = v128.load(at);
    const before = behind(known, bytes);
    const ends = i8x16.bitmask(endsOf(bytes));
    const inside = upTo(ends);
    if (i8x16.bitmask(v128.and(v128.and(bytes, before), inside)) !== 0) return true;
    let places = i8x16.add(runningSums(v128.and(distancesOf(bytes, before), inside)), i8x16.splat(sum));
    sum = <i8>i8x16.extract_lane_s(places, 15);
    let same = i8x16.eq(due, places);
    same = v128.or(same, i8x16.eq(far, places));
    for (let k = 1; k < 8; k++) {
      places = v128.or(i64x2.shl(places, 8), i64x2.shr_u(places, 56));
      same = v128.or(same, v128.or(i8x16.eq(due, places), i8x16.eq(far, places)));
    }
    if (v128.any_true(same)) return true;
    if (ends !== 0) return false;
    known = bytes;
    at += 16;
  }
}
