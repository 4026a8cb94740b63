// Intersects the two shortest lists of a chunk and passes on pairs of postings, in batches. Matches are
// written down without branches, which would be unpredictable. The twin is
// score/prune/intersect-lists.ts.
//
//   both dense       by bitmaps and ranks
//   second dense     each posting of the leader is looked up in the bitmap
//   similar lengths  eight postings against eight, all pairs at once
//   second longer    each posting of the leader is looked up, galloping
//
// Source of the third: Schlegel, Willhalm and Lehner, "Fast Sorted-Set Intersection using SIMD Instructions"
// (ADMS 2011).

import { above, splat } from '../codes';
import { BITMAP_BYTES, SCRATCH_PAIRS, SCRATCH_SHARED, SCRATCH_WORDS } from '../layout';
import { BLOCK, CODES, DENSE, END, find, gallop, LOWS, lowOf, START, scratch } from '../lists';
import { isPassed, leastCode, takeShared } from './best-of-all';

/** A second list that is more than so many times longer than the leader is galloped. */
const MUCH_LONGER: i32 = 32;
/** Pairs passed on at a time, beside those of one more bitmap word. */
const MOST_PAIRS: usize = 256;

let lead: usize = 0;
let second: usize = 0;

/** Intersects two lists of the chunk. REQUIRES: the first one is not longer. */
export function intersect(one: usize, two: usize): void {
  lead = one;
  second = two;
  // Codes that cannot get in are skipped sixteen at a time.
  if (load<u32>(two, DENSE) === 0) {
    if (length(two) > length(one) * MUCH_LONGER) lookUp();
    else merge();
  } else if (load<u32>(one, DENSE) !== 0 && leastCode() === 0) shareBits();
  else lookUpBits();
}

function length(c: usize): i32 {
  return load<i32>(c, END) - load<i32>(c, START);
}

/** Intersects two bitmaps. Words with common bits are noted first, without a branch. */
function shareBits(): void {
  const one: usize = load<u32>(lead, DENSE);
  const two: usize = load<u32>(second, DENSE);
  const startOne = load<i32>(lead, START);
  const startTwo = load<i32>(second, START);
  const end = (<usize>(lowOf(lead, load<i32>(lead, END) - 1) >>> 5) + 1) << 2;
  const notes = scratch + SCRATCH_WORDS;
  const pairs = scratch + SCRATCH_PAIRS;
  let pair = pairs;
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
      store<i32>(pair, p + popcnt<i32>(a & below));
      store<i32>(pair, q + popcnt<i32>(b & below), 4);
      pair += 8;
    }
    if (pair - pairs < MOST_PAIRS * 8) continue;
    takeShared(pair);
    pair = pairs;
  }
  takeShared(pair);
}

/**
 * Looks up the leader's postings in the bitmap of the second list, block by block; hits are noted without a
 * branch.
 */
function lookUpBits(): void {
  const codes: usize = load<u32>(lead, CODES);
  const lows: usize = load<u32>(lead, LOWS);
  const bitmap: usize = load<u32>(second, DENSE);
  const start = load<i32>(second, START);
  const end = load<i32>(lead, END);
  const notes = scratch + SCRATCH_SHARED;
  let block: usize = load<u32>(lead, BLOCK);
  for (let from = load<i32>(lead, START); from < end; from += 128, block++) {
    if (isPassed(block)) continue;
    const to = min(from + 128, end);
    const least = leastCode();
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
    let pair = scratch + SCRATCH_PAIRS;
    for (let noted = notes; noted < note; noted += 4) {
      const posting = load<i32>(noted);
      const low = load<u16>(lows + ((<usize>posting) << 1));
      const word = <usize>(low >>> 5);
      const rank = <i32>load<u16>(bitmap + BITMAP_BYTES + (word << 1));
      const below = load<u32>(bitmap + (word << 2)) & ((1 << (<u32>low & 31)) - 1);
      store<i32>(pair, posting);
      store<i32>(pair, start + rank + <i32>popcnt<u32>(below), 4);
      pair += 8;
    }
    takeShared(pair);
  }
}

/** Looks up the leader's postings in the second list. */
function lookUp(): void {
  const codes: usize = load<u32>(lead, CODES);
  const end = load<i32>(lead, END);
  let block: usize = load<u32>(lead, BLOCK);
  for (let from = load<i32>(lead, START); from < end; from += 128, block++) {
    if (isPassed(block)) continue;
    let pair = scratch + SCRATCH_PAIRS;
    const to = min(from + 128, end);
    for (let p = from; p < to; p += 16) {
      let mask = above(codes + <usize>p, to - p, splat(leastCode()));
      for (; mask !== 0; mask &= mask - 1) {
        const posting = p + <i32>ctz<u32>(mask);
        const low = lowOf(lead, posting);
        const q = find(second, low);
        store<i32>(pair, posting);
        store<i32>(pair, q, 4);
        pair += (<usize>(q >= 0)) << 3;
      }
    }
    takeShared(pair);
  }
}

/**
 * Merges both lists, eight postings at a time; the eight with the lower last document advances. Eights with common documents
 * are noted without a branch and resolved after each block.
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
    if (isPassed(block)) continue;
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
    let pair = scratch + SCRATCH_PAIRS;
    for (let at = notes; at < note; at += 4) {
      const noted = load<u32>(at);
      pair = pairEight(from + <i32>((noted >>> 8) & 0xff), start + <i32>(noted >>> 16), noted & 0xff, pair);
    }
    while (p < to && q < until) {
      const a = <i32>load<u16>(one + ((<usize>p) << 1));
      const b = <i32>load<u16>(two + ((<usize>q) << 1));
      store<i32>(pair, p);
      store<i32>(pair, q, 4);
      pair += (<usize>(a === b)) << 3;
      p += <i32>(a <= b);
      q += <i32>(b <= a);
    }
    takeShared(pair);
  }
}

/** Appends the pairs of eight postings of each list; `mask`: those of the leader that have a partner. */
function pairEight(p: i32, q: i32, mask: u32, pairs: usize): usize {
  const b = v128.load(<usize>load<u32>(second, LOWS) + ((<usize>q) << 1));
  const lows = <usize>load<u32>(lead, LOWS) + ((<usize>p) << 1);
  let pair = pairs;
  for (let left = mask; left !== 0; left &= left - 1) {
    const k = <i32>ctz<u32>(left);
    const low = load<i16>(lows + ((<usize>k) << 1));
    store<i32>(pair, p + k);
    store<i32>(pair, q + <i32>ctz<i32>(i16x8.bitmask(i16x8.eq(b, i16x8.splat(low)))), 4);
    pair += 8;
  }
  return pair;
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
