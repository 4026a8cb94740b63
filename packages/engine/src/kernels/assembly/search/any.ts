// Which documents do some terms rank highest together? The twin of score/any.ts: windows, in which the lists of the
// lowest bounds are looked up only (MaxScore) and those of the others added up, 16 bits a document.

import { above, splat } from './codes';
import { SCRATCH_SEEN, SCRATCH_SUMS, SCRATCH_WIDE } from './layout';
import {
  AT,
  BLOCK,
  CODES,
  codeOf,
  count,
  find,
  LOWS,
  list,
  MAX_CODE,
  maxCodeIn,
  postings,
  START,
  scratch,
  UNTIL,
  WEIGHT,
} from './lists';
import { beginNotes, note, settle } from './notes';
import { add, sparse, sparseCounting } from './sparse';
import { living, seesLiving } from './tally';
import { limit } from './top';
import { boundOf, enter, inOrder, leave, remaining, rest } from './window';

const WINDOW: i32 = 8192;
/** A chunk with fewer postings is one window. */
const ONE_WINDOW: i32 = 2048;
/** A window with fewer postings than its documents / this is walked by postings, not by documents. */
const SPARSE: i32 = 32;
/** All lists are added up unless those that could be left out are so many times as long: look-ups cost more. */
const LONGER: i32 = 32;
/** Documents that are looked at between two looks at the limit. */
const STRETCH: usize = 512;

/**
 * One chunk, of which the leaf has documents up to `docs`. Returns how many of its visible documents match where these are
 * to be counted and were on the way, else -1.
 */
export function bestOfAny(leaf: usize, docs: i32, counting: bool): i32 {
  let most = 0;
  for (let a = 0; a < count; a++) most += load<i32>(list(a), MAX_CODE) * load<i32>(list(a), WEIGHT);
  if (most <= limit) return -1;
  beginNotes(leaf);
  if (postings < ONE_WINDOW) return chunk(counting && seesLiving());
  for (let from = 0; from < 65536 && from < docs; from += WINDOW) window(from, docs);
  return -1;
}

/** A chunk that is one window. */
function chunk(counting: bool): i32 {
  const m = enter(0, 65536);
  let found = -1;
  if (rest(m) <= limit) return found;
  const first = split(m);
  const sums = scratch + SCRATCH_WIDE;
  if (first === m - 1) alone(first);
  else if (counting && first === 0) found = sparseCounting(m, sums, living());
  else sparse(first, m, sums);
  settle();
  return found;
}

function window(from: i32, docs: i32): void {
  const m = enter(from, from + WINDOW);
  if (rest(m) > limit) {
    const first = split(m);
    if (first === m - 1) alone(first);
    else if (added(first, m) * SPARSE < WINDOW) {
      sparse(first, m, scratch + SCRATCH_SUMS - ((<usize>from) << 1));
    } else full(first, m, from, min(WINDOW, docs - from));
    settle();
  }
  leave(m);
}

/** Postings of the lists from `first` on. */
function added(first: i32, m: i32): i32 {
  let sum = 0;
  for (let z = first; z < m; z++) sum += remaining(inOrder(z));
  return sum;
}

/** The first list, in the order of bounds, that has to be added up. */
function split(m: i32): i32 {
  let first = 0;
  let left = 0;
  for (; first < m && rest(first + 1) <= limit; first++) left += remaining(inOrder(first));
  if (first === 0) return 0;
  if (added(first, m) * LONGER <= left) return first;
  // One list whose highest codes alone can get a document in is passed over quickly.
  return first === m - 1 && (limit - rest(first)) * 4 >= boundOf(first) * 3 ? first : 0;
}

/** Only one list can get a document in: its blocks and postings are passed over as those of a single term. */
function alone(first: i32): void {
  const c = inOrder(first);
  const lows: usize = load<u32>(c, LOWS);
  const codes: usize = load<u32>(c, CODES);
  const blocks: usize = load<u32>(c, BLOCK);
  const weight = load<i32>(c, WEIGHT);
  const start = load<i32>(c, START);
  const until = load<i32>(c, UNTIL);
  const all = rest(first);
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
        complete(<i32>load<u16>(lows + ((<usize>posting) << 1)), weight * code, first, c, posting);
        least = limit > others ? (limit - others) / weight : 0;
        bound = splat(least);
      }
    }
    p = to;
  }
}

/** The most that lists left out can add to documents between two, both included. */
function othersIn(first: i32, from: i32, to: i32): i32 {
  let sum = 0;
  for (let z = 0; z < first; z++) {
    const c = inOrder(z);
    sum += maxCodeIn(c, from, to) * load<i32>(c, WEIGHT);
  }
  return sum;
}

/** Sums bounds of many postings, then looks at every document, some at a time. */
function full(first: i32, m: i32, from: i32, size: i32): void {
  const sums = scratch + SCRATCH_SUMS;
  for (let z = first; z < m; z++) add(inOrder(z), sums - ((<usize>from) << 1));
  const others = rest(first);
  const end = sums + ((<usize>((size + 15) & ~15)) << 1);
  for (let at = sums; at < end; at += STRETCH << 1) {
    const seen = collect(at, min(at + (STRETCH << 1), end), limit > others ? limit - others : 0);
    const low = from + <i32>((at - sums) >> 1);
    for (let noted = scratch + SCRATCH_SEEN; noted < seen; noted += 4) {
      const sum = <i32>load<u16>(noted, 2);
      if (sum + others <= limit) continue;
      if (first === 0) note(low + <i32>load<u16>(noted), sum, 0, -1);
      else complete(low + <i32>load<u16>(noted), sum, first, 0, -1);
    }
  }
}

/** Writes down places and sums above a bound, and clears the sums. Returns the end of what it wrote. */
function collect(from: usize, to: usize, least: i32): usize {
  const zero = i16x8.splat(0);
  const bound = i16x8.splat(<i16>min(least, 65535));
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

/** Adds the bounds of the lists that were left out, the largest first, as long as the document can get in. */
function complete(low: i32, sum: i32, first: i32, known: usize, posting: i32): void {
  let bound = sum;
  for (let z = first - 1; z >= 0; z--) {
    if (bound + rest(z + 1) <= limit) return;
    const c = inOrder(z);
    const p = find(c, low);
    if (p >= 0) bound += codeOf(c, p) * load<i32>(c, WEIGHT);
  }
  if (bound > limit) note(low, bound, known, posting);
}
