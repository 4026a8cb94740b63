// Searches a window with many postings: sums bounds by document, then examines all documents, sixteen at
// a time: which sums are above the limit, and how many documents have a sum at all.

import { liveBits } from '../count-matches';
import { SCRATCH_SEEN } from '../layout';
import { scratch } from '../lists';
import { limit } from '../top';
import { boundSum, listByBound } from '../window';
import { noteCandidate } from './candidate-notes';
import { addNonEssential } from './non-essential';
import { addBounds } from './sparse-window';

/** Documents examined between two updates of the limit. */
const STRETCH: i32 = 512;

/** Searches the lists from `first` on. Returns the number of living matches if `counting`. */
export function searchDenseWindow(first: i32, m: i32, from: i32, to: i32, sums: usize, counting: bool): i32 {
  for (let z = first; z < m; z++) addBounds(listByBound(z), sums);
  const others = boundSum(first);
  let found = 0;
  for (let low = from; low < to; low += STRETCH) {
    const end = min(to, low + STRETCH);
    if (counting) found += countSums(sums, low, end);
    const seen = collect(sums, low, end, limit > others ? limit - others : 0);
    for (let noted = scratch + SCRATCH_SEEN; noted < seen; noted += 4) {
      const sum = <i32>load<u16>(noted, 2);
      if (sum + others <= limit) continue;
      if (first === 0) noteCandidate(low + <i32>load<u16>(noted), sum, 0, -1);
      else addNonEssential(low + <i32>load<u16>(noted), sum, first, 0, -1);
    }
  }
  return found;
}

/** Living documents with a sum. */
function countSums(sums: usize, from: i32, to: i32): i32 {
  const zero = i16x8.splat(0);
  const bitmap = liveBits();
  let n = 0;
  for (let low = from; low < to; low += 16) {
    const at = sums + ((<usize>low) << 1);
    const none = i8x16.narrow_i16x8_s(i16x8.eq(v128.load(at), zero), i16x8.eq(v128.load(at, 16), zero));
    const some = ~i8x16.bitmask(none) & 0xffff;
    n += popcnt<i32>(bitmap === 0 ? some : some & <i32>load<u16>(bitmap + (<usize>low >> 3)));
  }
  return n;
}

/** Writes positions and sums above a bound, and clears the sums. Returns the end of the output. */
function collect(sums: usize, first: i32, end: i32, least: i32): usize {
  const zero = i16x8.splat(0);
  const bound = i16x8.splat(<i16>min(least, 65535));
  const from = sums + ((<usize>first) << 1);
  const to = sums + ((<usize>end) << 1);
  let seen = scratch + SCRATCH_SEEN;
  for (let at = from; at < to; at += 32) {
    const one = i16x8.gt_u(v128.load(at), bound);
    const two = i16x8.gt_u(v128.load(at, 16), bound);
    for (let mask = <u32>i8x16.bitmask(i8x16.narrow_i16x8_s(one, two)); mask !== 0; mask &= mask - 1) {
      const place = <usize>ctz<u32>(mask);
      store<u32>(seen, (<u32>((at - from) >> 1) + <u32>place) | ((<u32>load<u16>(at + (place << 1))) << 16));
      seen += 4;
    }
    v128.store(at, zero);
    v128.store(at, zero, 16);
  }
  return seen;
}
