// Which documents that hold all terms rank highest? The twin of score/all.ts: the shortest list of a chunk leads. Where
// the second is not dense, its codes are laid out by document: one load in place of a search for each of the leader's.

import { above, splat } from './codes';
import { SCRATCH_MOST, SCRATCH_ORDER, SCRATCH_WIDE } from './layout';
import {
  BLOCK,
  base,
  CODES,
  codeOf,
  count,
  DENSE,
  END,
  find,
  LOWS,
  list,
  MAX_CODE,
  maxCodeIn,
  POSTING,
  START,
  scoreOf,
  scratch,
  WEIGHT,
} from './lists';
import { isVisible, limit, offer } from './top';

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

/** A second list of more than so many times the leader's postings is not laid out. */
const LONGER: i32 = 4;
/** The same where the chunk will be counted, too: then each of the leader's is looked up. */
const MUCH_LONGER: i32 = 16;

/** Codes of the second list by document, 0 where it has none; 0 where they are not laid out. */
export let column: usize = 0;

/** Orders the lists, and lays out the second one where that is worth it. To be followed by closeAll. */
export function openAll(counting: bool): void {
  orderByLength();
  column = 0;
  const c = ordered(1);
  if (load<u32>(c, DENSE) !== 0) return;
  if (length(c) > length(ordered(0)) * (counting ? MUCH_LONGER : LONGER)) return;
  column = scratch + SCRATCH_WIDE;
  const lows: usize = load<u32>(c, LOWS);
  const codes: usize = load<u32>(c, CODES);
  const end = load<i32>(c, END);
  for (let p = load<i32>(c, START); p < end; p++) {
    store<u8>(column + <usize>load<u16>(lows + ((<usize>p) << 1)), load<u8>(codes + <usize>p));
  }
}

/** Leaves the scratch as it was. */
export function closeAll(): void {
  if (column === 0) return;
  const c = ordered(1);
  const lows: usize = load<u32>(c, LOWS);
  const end = load<i32>(c, END);
  for (let p = load<i32>(c, START); p < end; p++) {
    store<u8>(column + <usize>load<u16>(lows + ((<usize>p) << 1)), 0);
  }
  column = 0;
}

/** Whether no document of the chunk can get in. */
export function isHopeless(): bool {
  let most = 0;
  for (let a = 0; a < count; a++) most += load<i32>(list(a), WEIGHT) * load<i32>(list(a), MAX_CODE);
  return most <= limit;
}

/** One chunk. Bounds are sums of weight · code. */
export function bestOfAll(): void {
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
        store<i32>(lead, posting, POSTING);
        offerFound(low);
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
    let code: i32;
    if (z === 1 && column !== 0) {
      code = <i32>load<u8>(column + <usize>low);
      if (code === 0) return false;
      store<i32>(c, -1, POSTING);
    } else {
      const p = find(c, low);
      if (p < 0) return false;
      store<i32>(c, p, POSTING);
      code = codeOf(c, p);
    }
    bound -= load<i32>(c, WEIGHT) * (load<i32>(scratch + SCRATCH_MOST + ((<usize>z) << 2)) - code);
    if (bound <= limit) return false;
  }
  return true;
}

/** Scores a document whose postings are known, but for that of a list that was laid out. */
function offerFound(low: i32): void {
  const doc = base + low;
  if (!isVisible(doc)) return;
  let sum: f64 = 0;
  for (let a = 0; a < count; a++) {
    const c = list(a);
    const posting = load<i32>(c, POSTING);
    sum += <f64>scoreOf(c, posting < 0 ? find(c, low) : posting, doc);
  }
  offer(<f64>(<f32>sum), doc);
}
