// Which documents that hold all terms rank highest? The twin of score/all.ts: the shortest list of a chunk leads.

import { above, splat } from './codes';
import { SCRATCH_MOST, SCRATCH_ORDER } from './layout';
import {
  BLOCK,
  CODES,
  codeOf,
  count,
  END,
  find,
  LOWS,
  list,
  MAX_CODE,
  maxCodeIn,
  offerDoc,
  START,
  scratch,
  WEIGHT,
} from './lists';
import { limit } from './top';

/** The z-th shortest list. */
export function ordered(z: i32): usize {
  return list(load<i32>(scratch + SCRATCH_ORDER + ((<usize>z) << 2)));
}

function length(c: usize): i32 {
  return load<i32>(c, END) - load<i32>(c, START);
}

/** Orders the lists of a chunk, the shortest first. */
export function orderByLength(): void {
  const order = scratch + SCRATCH_ORDER;
  for (let a = 0; a < count; a++) {
    const own = length(list(a));
    let k = a;
    for (; k > 0; k--) {
      const before = load<i32>(order + ((<usize>(k - 1)) << 2));
      if (length(list(before)) <= own) break;
      store<i32>(order + ((<usize>k) << 2), before);
    }
    store<i32>(order + ((<usize>k) << 2), a);
  }
}

/** One chunk. Bounds are sums of weight · code. */
export function bestOfAll(): void {
  orderByLength();
  const lead = ordered(0);
  const own = load<i32>(lead, WEIGHT);
  let others = 0;
  for (let z = 1; z < count; z++) {
    const c = ordered(z);
    others += load<i32>(c, WEIGHT) * load<i32>(c, MAX_CODE);
  }
  if (own * load<i32>(lead, MAX_CODE) + others <= limit) return;
  const codes: usize = load<u32>(lead, CODES);
  const lows: usize = load<u32>(lead, LOWS);
  const end = load<i32>(lead, END);
  let block: usize = load<u32>(lead, BLOCK);
  for (let from = load<i32>(lead, START); from < end; from += 128, block++) {
    const largest = own * <i32>load<u8>(block);
    if (largest + others <= limit) continue;
    const to = min(from + 128, end);
    const first = <i32>load<u16>(lows + ((<usize>from) << 1));
    const here = boundOthers(first, <i32>load<u16>(lows + ((<usize>(to - 1)) << 1)));
    if (here === 0 || largest + here <= limit) continue;
    let least = leastCode(here, own);
    let bound = splat(least);
    for (let p = from; p < to; p += 16) {
      let mask = above(codes + <usize>p, to - p, bound);
      while (mask !== 0) {
        const posting = p + <i32>ctz<u32>(mask);
        mask &= mask - 1;
        const code = <i32>load<u8>(codes + <usize>posting);
        if (code <= least) continue;
        const low = <i32>load<u16>(lows + ((<usize>posting) << 1));
        if (!canGetIn(low, own * code + here)) continue;
        offerDoc(low);
        least = leastCode(here, own);
        bound = splat(least);
      }
    }
  }
}

function leastCode(here: i32, own: i32): i32 {
  return limit > here ? (limit - here) / own : 0;
}

/** The most that the other lists can add to documents between two; 0 where one of them has none there. */
function boundOthers(from: i32, to: i32): i32 {
  let sum = 0;
  for (let z = 1; z < count; z++) {
    const c = ordered(z);
    const code = maxCodeIn(c, from, to);
    if (code === 0) return 0;
    store<i32>(scratch + SCRATCH_MOST + ((<usize>z) << 2), code);
    sum += load<i32>(c, WEIGHT) * code;
  }
  return sum;
}

/** Looks a document up in the other lists, and puts what they say in place of what they could. */
function canGetIn(low: i32, sum: i32): bool {
  let bound = sum;
  for (let z = 1; z < count; z++) {
    const c = ordered(z);
    const p = find(c, low);
    if (p < 0) return false;
    bound -= load<i32>(c, WEIGHT) * (load<i32>(scratch + SCRATCH_MOST + ((<usize>z) << 2)) - codeOf(c, p));
    if (bound <= limit) return false;
  }
  return true;
}
