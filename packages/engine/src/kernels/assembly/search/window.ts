// The lists with postings in a window of documents, ordered by their score bounds, with the prefix sums
// of these bounds.

import { SCRATCH_BOUND, SCRATCH_ORDER, SCRATCH_REST } from './layout';
import { AT, count, END, LOWS, list, maxOfBlocks, scratch, seek, UNTIL, WEIGHT } from './lists';

export function listByBound(z: i32): usize {
  return list(load<i32>(scratch + SCRATCH_ORDER + ((<usize>z) << 2)));
}

export function boundOf(z: i32): i32 {
  return load<i32>(scratch + SCRATCH_BOUND + ((<usize>z) << 2));
}

/** Sum of the bounds of the first z lists. */
export function boundSum(z: i32): i32 {
  return load<i32>(scratch + SCRATCH_REST + ((<usize>z) << 2));
}

/** Postings of a list in the window. */
export function remaining(c: usize): i32 {
  return load<i32>(c, UNTIL) - load<i32>(c, AT);
}

/** Finds the part of each list inside the window, and orders the lists by bound. Returns their number. */
export function enterWindow(from: i32, to: i32): i32 {
  const bounds = scratch + SCRATCH_BOUND;
  const order = scratch + SCRATCH_ORDER;
  let m = 0;
  for (let a = 0; a < count; a++) {
    const c = list(a);
    const lows: usize = load<u32>(c, LOWS);
    const end = load<i32>(c, END);
    let p = load<i32>(c, AT);
    if (p < end && <i32>load<u16>(lows + ((<usize>p) << 1)) < from) {
      p = seek(c, from);
      store<i32>(c, p, AT);
    }
    if (p >= end || <i32>load<u16>(lows + ((<usize>p) << 1)) >= to) continue;
    const next = seek(c, to);
    store<i32>(c, next, UNTIL);
    const own = maxOfBlocks(c, p, next) * load<i32>(c, WEIGHT);
    let k = m++;
    for (; k > 0; k--) {
      const before = load<i32>(bounds + ((<usize>(k - 1)) << 2));
      if (before <= own) break;
      store<i32>(bounds + ((<usize>k) << 2), before);
      store<i32>(order + ((<usize>k) << 2), load<i32>(order + ((<usize>(k - 1)) << 2)));
    }
    store<i32>(bounds + ((<usize>k) << 2), own);
    store<i32>(order + ((<usize>k) << 2), a);
  }
  const sums = scratch + SCRATCH_REST;
  let sum = 0;
  store<i32>(sums, 0);
  for (let z = 0; z < m; z++) {
    sum += load<i32>(bounds + ((<usize>z) << 2));
    store<i32>(sums + ((<usize>(z + 1)) << 2), sum);
  }
  return m;
}

/** Ends the window. */
export function leaveWindow(m: i32): void {
  for (let z = 0; z < m; z++) {
    const c = listByBound(z);
    store<i32>(c, load<i32>(c, UNTIL), AT);
  }
}
