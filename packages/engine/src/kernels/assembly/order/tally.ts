// The distribution of first keys in a range: the least and the greatest, and the number of visible
// documents in each of a thousand buckets. The twins are in order/rank/tally.ts.

import { boundOf, flipOfHigh, keyOf, SIGN } from './keys';
import {
  EXTENT_GREATEST,
  EXTENT_LEAST,
  LEVEL_FAR,
  LEVEL_FLIP,
  LEVEL_HI,
  LEVEL_LO,
  LEVEL_NEAR,
  LEVELS,
  OUT,
  PLACES,
  STRETCH_BITS,
  STRETCH_END,
  STRETCH_FROM,
  TALLY_SHIFT,
} from './layout';

/** Extends least and greatest to the keys of a stretch inside the range, dead documents included. */
export function extent(q: usize): void {
  const row = q + LEVELS;
  const hi: usize = load<u32>(row, LEVEL_HI);
  const lo: usize = load<u32>(row, LEVEL_LO);
  const flip = i32x4.splat(load<i32>(row, LEVEL_FLIP));
  const flipHi = flipOfHigh(row);
  const near = boundOf(row, LEVEL_NEAR);
  const far = boundOf(row, LEVEL_FAR);
  let least = i64x2.splat(load<u64>(q, EXTENT_LEAST) ^ SIGN);
  let greatest = i64x2.splat(load<u64>(q, EXTENT_GREATEST) ^ SIGN);
  const end = load<u32>(q, STRETCH_END);
  let doc = load<u32>(q, STRETCH_FROM);
  for (; doc + 4 <= end; doc += 4) {
    const at = (<usize>doc) << 2;
    const high = v128.xor(v128.load(hi + at), flipHi);
    const low = v128.xor(v128.load(lo + at), flip);
    const a = v128.shuffle<u32>(low, high, 0, 4, 1, 5);
    const b = v128.shuffle<u32>(low, high, 2, 6, 3, 7);
    const outA = v128.or(i64x2.gt_s(near, a), i64x2.gt_s(a, far));
    const outB = v128.or(i64x2.gt_s(near, b), i64x2.gt_s(b, far));
    least = v128.bitselect(a, least, v128.andnot(i64x2.gt_s(least, a), outA));
    least = v128.bitselect(b, least, v128.andnot(i64x2.gt_s(least, b), outB));
    greatest = v128.bitselect(a, greatest, v128.andnot(i64x2.gt_s(a, greatest), outA));
    greatest = v128.bitselect(b, greatest, v128.andnot(i64x2.gt_s(b, greatest), outB));
  }
  const x = min<i64>(i64x2.extract_lane(least, 0), i64x2.extract_lane(least, 1));
  const y = max<i64>(i64x2.extract_lane(greatest, 0), i64x2.extract_lane(greatest, 1));
  store<u64>(q, <u64>x ^ SIGN, EXTENT_LEAST);
  store<u64>(q, <u64>y ^ SIGN, EXTENT_GREATEST);
  for (; doc < end; doc++) {
    const key = keyOf(row, doc);
    if (key < load<u64>(row, LEVEL_NEAR) || key > load<u64>(row, LEVEL_FAR)) continue;
    if (key < load<u64>(q, EXTENT_LEAST)) store<u64>(q, key, EXTENT_LEAST);
    if (key > load<u64>(q, EXTENT_GREATEST)) store<u64>(q, key, EXTENT_GREATEST);
  }
}

/** Counts the visible documents of a stretch by bucket. REQUIRES: at most PLACES buckets. */
export function tally(q: usize): void {
  const row = q + LEVELS;
  const counts = q + OUT;
  for (let at: usize = 0; at < <usize>PLACES * 4; at += 16) v128.store(counts + at, i64x2.splat(0));
  const near = load<u64>(row, LEVEL_NEAR);
  const width = load<u64>(row, LEVEL_FAR) - near;
  const shift = <u64>load<u32>(q, TALLY_SHIFT);
  const end = load<u32>(q, STRETCH_END);
  let word = q + STRETCH_BITS;
  for (let from = load<u32>(q, STRETCH_FROM); from < end; from += 32, word += 4) {
    for (let left = load<u32>(word); left !== 0; left &= left - 1) {
      // Keys before the near end wrap around to a large distance.
      const distance = keyOf(row, from + ctz<u32>(left)) - near;
      if (distance > width) continue;
      const count = counts + ((<usize>(distance >> shift)) << 2);
      store<u32>(count, load<u32>(count) + 1);
    }
  }
}
