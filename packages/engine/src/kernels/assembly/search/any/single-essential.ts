// Searches a window with one essential list: its blocks and postings are skipped like those of a single
// term.

import { above, splat } from '../codes';
import { AT, BLOCK, CODES, LOWS, maxCodeIn, START, UNTIL, WEIGHT } from '../lists';
import { limit } from '../top';
import { boundSum, listByBound } from '../window';
import { addNonEssential } from './non-essential';

/** `first`: the essential list, the last one in the order of bounds. */
export function searchSingleEssential(first: i32): void {
  const c = listByBound(first);
  const lows: usize = load<u32>(c, LOWS);
  const codes: usize = load<u32>(c, CODES);
  const blocks: usize = load<u32>(c, BLOCK);
  const weight = load<i32>(c, WEIGHT);
  const start = load<i32>(c, START);
  const until = load<i32>(c, UNTIL);
  const all = boundSum(first);
  let p = load<i32>(c, AT);
  while (p < until) {
    const block = (p - start) >>> 7;
    const next = start + ((block + 1) << 7);
    const to = min(next, until);
    const largest = <i32>load<u8>(blocks + <usize>block) * weight;
    if (largest + all <= limit) {
      p = to;
      continue;
    }
    const others = othersIn(
      first,
      <i32>load<u16>(lows + ((<usize>p) << 1)),
      <i32>load<u16>(lows + ((<usize>(to - 1)) << 1)),
    );
    if (largest + others <= limit) {
      p = to;
      continue;
    }
    let least = limit > others ? (limit - others) / weight : 0;
    let bound = splat(least);
    for (; p < to; p += 16) {
      let mask = above(codes + <usize>p, to - p, bound);
      while (mask !== 0) {
        const posting = p + <i32>ctz<u32>(mask);
        mask &= mask - 1;
        const code = <i32>load<u8>(codes + <usize>posting);
        if (code <= least) continue;
        addNonEssential(<i32>load<u16>(lows + ((<usize>posting) << 1)), weight * code, first, c, posting);
        least = limit > others ? (limit - others) / weight : 0;
        bound = splat(least);
      }
    }
    p = to;
  }
}

/** The most that the non-essential lists can add to documents from … to. */
function othersIn(first: i32, from: i32, to: i32): i32 {
  let sum = 0;
  for (let z = 0; z < first; z++) {
    const c = listByBound(z);
    sum += maxCodeIn(c, from, to) * load<i32>(c, WEIGHT);
  }
  return sum;
}
