// Which documents that hold all terms, or a phrase, rank highest, and how many are there? The twin of score/all.ts: the shortest list
// of a chunk leads, and what it shares with the next one is looked up in the others.
//
//   two lists       shared documents are found
//   both dense      by their bitmaps and ranks
//   one dense       by looking each posting of the leader up in its bitmap
//   alike           eight postings of one against eight of the other, all pairs at once
//   one longer      by looking each posting of the leader up, galloping
//
// Source of the second: Schlegel, Willhalm and Lehner, "Fast Sorted-Set Intersection using SIMD Instructions" (ADMS 2011).

import { above, splat } from './codes';
import { BITMAP_BYTES, PHRASE, SCRATCH_ORDER, SCRATCH_SHARED, SCRATCH_WORDS } from './layout';
import {
  BLOCK,
  base,
  CODES,
  codeOf,
  count,
  DENSE,
  END,
  find,
  gallop,
  LOWS,
  list,
  lowOf,
  MAX_CODE,
  POSTING,
  START,
  scoreOf,
  scratch,
  shape,
  WEIGHT,
} from './lists';
import { holds, share } from './phrase';
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

/** A second list of more than so many times the leader's postings is looked up in. */
const MUCH_LONGER: i32 = 32;

let counting: bool = false;
let found: i32 = 0;
let lead: usize = 0;
let second: usize = 0;
/** Weight of the leader, and what the others can add at most: all of them, and those behind the second. */
let own: i32 = 0;
let others: i32 = 0;
let rest: i32 = 0;

/** Whether no document of the chunk can get in. */
export function isHopeless(): bool {
  let most = 0;
  for (let a = 0; a < count; a++) most += load<i32>(list(a), WEIGHT) * load<i32>(list(a), MAX_CODE);
  return most <= limit;
}

/** One chunk. Returns how many visible documents match where `all` of them are to be counted. REQUIRES: orderByLength. */
export function bestOfAll(all: bool): i32 {
  counting = all;
  found = 0;
  lead = ordered(0);
  second = ordered(1);
  // A phrase is bounded by the lowest of its codes.
  own = shape === PHRASE ? 1 : load<i32>(lead, WEIGHT);
  others = rest = 0;
  for (let z = count - 1; z > 0 && shape !== PHRASE; z--) {
    rest = others;
    others += load<i32>(ordered(z), WEIGHT) * load<i32>(ordered(z), MAX_CODE);
  }
  // Where codes may not get in they are passed sixteen at a time.
  if (load<u32>(second, DENSE) === 0) {
    if (length(second) > length(lead) * MUCH_LONGER) lookUp();
    else merge();
  } else if (load<u32>(lead, DENSE) !== 0 && (counting || leastCode() === 0)) shareBits();
  else lookUpBits();
  return found;
}

/** Documents of the chunk that both bitmaps have: words that share some are noted first, without a branch. */
function shareBits(): void {
  const one: usize = load<u32>(lead, DENSE);
  const two: usize = load<u32>(second, DENSE);
  const startOne = load<i32>(lead, START);
  const startTwo = load<i32>(second, START);
  const end = (<usize>(lowOf(lead, load<i32>(lead, END) - 1) >>> 5) + 1) << 2;
  const notes = scratch + SCRATCH_WORDS;
  let note = notes;
  for (let at: usize = 0; at < end; at += 4) {
    store<u32>(note, <u32>at);
    note += select<usize>(4, 0, (load<u32>(one + at) & load<u32>(two + at)) !== 0);
  }
  for (let noted = notes; noted < note; noted += 4) {
    const at = <usize>load<u32>(noted);
    const a = load<u32>(one + at);
    const b = load<u32>(two + at);
    const p = startOne + <i32>load<u16>(one + BITMAP_BYTES + (at >> 1));
    const q = startTwo + <i32>load<u16>(two + BITMAP_BYTES + (at >> 1));
    for (let both = a & b; both !== 0; both &= both - 1) {
      const below = (both & -both) - 1;
      meet(p + popcnt<i32>(a & below), q + popcnt<i32>(b & below), ((<i32>at) << 3) + ctz<i32>(both));
    }
  }
}

/** The least code of the leader that can get in, less 1. */
function leastCode(): i32 {
  return limit > others ? (limit - others) / own : 0;
}

/** Looks the leader's postings up in the bitmap of the second list: what is there is noted without a branch, block after block. */
function lookUpBits(): void {
  const codes: usize = load<u32>(lead, CODES);
  const lows: usize = load<u32>(lead, LOWS);
  const bitmap: usize = load<u32>(second, DENSE);
  const start = load<i32>(second, START);
  const end = load<i32>(lead, END);
  const notes = scratch + SCRATCH_SHARED;
  let block: usize = load<u32>(lead, BLOCK);
  for (let from = load<i32>(lead, START); from < end; from += 128, block++) {
    if (!counting && own * <i32>load<u8>(block) + others <= limit) continue;
    const to = min(from + 128, end);
    const least = counting ? 0 : leastCode();
    let note = notes;
    for (let p = from; p < to && least === 0; p++) {
      const low = <usize>load<u16>(lows + ((<usize>p) << 1));
      store<i32>(note, p);
      note += (<usize>((load<u32>(bitmap + ((low >>> 5) << 2)) >>> (<u32>low & 31)) & 1)) << 2;
    }
    for (let p = from; p < to && least > 0; p += 16) {
      for (let mask = above(codes + <usize>p, to - p, splat(least)); mask !== 0; mask &= mask - 1) {
        const posting = p + <i32>ctz<u32>(mask);
        const low = <usize>load<u16>(lows + ((<usize>posting) << 1));
        store<i32>(note, posting);
        note += (<usize>((load<u32>(bitmap + ((low >>> 5) << 2)) >>> (<u32>low & 31)) & 1)) << 2;
      }
    }
    for (let noted = notes; noted < note; noted += 4) {
      const posting = load<i32>(noted);
      const low = load<u16>(lows + ((<usize>posting) << 1));
      const word = <usize>(low >>> 5);
      const rank = <i32>load<u16>(bitmap + BITMAP_BYTES + (word << 1));
      const below = load<u32>(bitmap + (word << 2)) & ((1 << (<u32>low & 31)) - 1);
      meet(posting, start + rank + <i32>popcnt<u32>(below), <i32>low);
    }
  }
}

/** Looks the leader's postings up in the second list. */
function lookUp(): void {
  const codes: usize = load<u32>(lead, CODES);
  const end = load<i32>(lead, END);
  let block: usize = load<u32>(lead, BLOCK);
  for (let from = load<i32>(lead, START); from < end; from += 128, block++) {
    if (!counting && own * <i32>load<u8>(block) + others <= limit) continue;
    const to = min(from + 128, end);
    for (let p = from; p < to; p += 16) {
      let mask = above(codes + <usize>p, to - p, splat(counting ? 0 : leastCode()));
      for (; mask !== 0; mask &= mask - 1) {
        const posting = p + <i32>ctz<u32>(mask);
        const low = lowOf(lead, posting);
        const q = find(second, low);
        if (q >= 0) meet(posting, q, low);
      }
    }
  }
}

/**
 * Goes through both lists, eight postings of each at a time: those whose last is the lower one are passed. Eights that
 * share something are noted without a branch, which nothing could foretell, and looked at block after block.
 */
function merge(): void {
  const one: usize = load<u32>(lead, LOWS);
  const two: usize = load<u32>(second, LOWS);
  const start = load<i32>(second, START);
  const end = load<i32>(lead, END);
  const until = load<i32>(second, END);
  const notes = scratch + SCRATCH_SHARED;
  let block: usize = load<u32>(lead, BLOCK);
  let q = start;
  for (let from = load<i32>(lead, START); from < end; from += 128, block++) {
    if (!counting && own * <i32>load<u8>(block) + others <= limit) continue;
    const to = min(from + 128, end);
    q = gallop(two, q, until, <i32>load<u16>(one + ((<usize>from) << 1)));
    let p = from;
    let note = notes;
    while (p + 8 <= to && q + 8 <= until) {
      const atOne = one + ((<usize>p) << 1);
      const atTwo = two + ((<usize>q) << 1);
      const mask = sharedBy(v128.load(atOne), v128.load(atTwo));
      store<u32>(note, mask | ((p - from) << 8) | ((q - start) << 16));
      note += select<usize>(4, 0, mask !== 0);
      const lastOne = <i32>load<u16>(atOne, 14);
      const lastTwo = <i32>load<u16>(atTwo, 14);
      p += select(8, 0, lastOne <= lastTwo);
      q += select(8, 0, lastTwo <= lastOne);
    }
    for (let at = notes; at < note; at += 4) {
      const noted = load<u32>(at);
      meetEight(from + <i32>((noted >>> 8) & 0xff), start + <i32>(noted >>> 16), noted & 0xff);
    }
    while (p < to && q < until) {
      const a = <i32>load<u16>(one + ((<usize>p) << 1));
      const b = <i32>load<u16>(two + ((<usize>q) << 1));
      if (a === b) meet(p, q, a);
      p += <i32>(a <= b);
      q += <i32>(b <= a);
    }
  }
}

/** Eight postings of each list, of which those in `mask` have a document of the others. */
function meetEight(p: i32, q: i32, mask: u32): void {
  const b = v128.load(<usize>load<u32>(second, LOWS) + ((<usize>q) << 1));
  for (let left = mask; left !== 0; left &= left - 1) {
    const k = <i32>ctz<u32>(left);
    const low = lowOf(lead, p + k);
    meet(p + k, q + <i32>ctz<i32>(i16x8.bitmask(i16x8.eq(b, i16x8.splat(<i16>low)))), low);
  }
}

/** A bit for each of eight documents that is among eight others. */
function sharedBy(a: v128, b: v128): i32 {
  let same = i16x8.eq(a, b);
  same = v128.or(same, i16x8.eq(a, v128.shuffle<u16>(b, b, 1, 2, 3, 4, 5, 6, 7, 0)));
  same = v128.or(same, i16x8.eq(a, v128.shuffle<u16>(b, b, 2, 3, 4, 5, 6, 7, 0, 1)));
  same = v128.or(same, i16x8.eq(a, v128.shuffle<u16>(b, b, 3, 4, 5, 6, 7, 0, 1, 2)));
  same = v128.or(same, i16x8.eq(a, v128.shuffle<u16>(b, b, 4, 5, 6, 7, 0, 1, 2, 3)));
  same = v128.or(same, i16x8.eq(a, v128.shuffle<u16>(b, b, 5, 6, 7, 0, 1, 2, 3, 4)));
  same = v128.or(same, i16x8.eq(a, v128.shuffle<u16>(b, b, 6, 7, 0, 1, 2, 3, 4, 5)));
  same = v128.or(same, i16x8.eq(a, v128.shuffle<u16>(b, b, 7, 0, 1, 2, 3, 4, 5, 6)));
  return i16x8.bitmask(same);
}

/** A document that the leader and the second list share, by its postings there. */
function meet(p: i32, q: i32, low: i32): void {
  if (shape === PHRASE) {
    if (count === 2) share(p, q, low);
    else found += holds(lead, p, q, low, counting);
    return;
  }
  let bound = own * codeOf(lead, p) + load<i32>(second, WEIGHT) * codeOf(second, q) + rest;
  if (bound <= limit && !counting) return;
  const doc = base + low;
  if (!isVisible(doc)) return;
  for (let z = 2; z < count; z++) {
    const c = ordered(z);
    const r = find(c, low);
    if (r < 0) return;
    store<i32>(c, r, POSTING);
    bound -= load<i32>(c, WEIGHT) * (load<i32>(c, MAX_CODE) - codeOf(c, r));
  }
  found++;
  if (bound <= limit) return;
  store<i32>(lead, p, POSTING);
  store<i32>(second, q, POSTING);
  let sum: f64 = 0;
  for (let a = 0; a < count; a++) sum += <f64>scoreOf(list(a), load<i32>(list(a), POSTING), doc);
  offer(<f64>(<f32>sum), doc);
}
