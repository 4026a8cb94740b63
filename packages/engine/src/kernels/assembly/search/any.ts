// Which documents do some terms rank highest together? The twin of score/any.ts: windows, in which the lists of the
// lowest bounds are looked up only (MaxScore) and those of the others added up, 16 bits a document.

import { above, splat } from './codes';
import {
  SCRATCH_BOUND,
  SCRATCH_ORDER,
  SCRATCH_REST,
  SCRATCH_SEEN,
  SCRATCH_SUMS,
  SCRATCH_WIDE,
} from './layout';
import {
  AT,
  BLOCK,
  CODES,
  codeOf,
  count,
  END,
  find,
  findAny,
  LOWS,
  list,
  MAX_CODE,
  maxCodeIn,
  maxOfBlocks,
  postings,
  START,
  scratch,
  seek,
  UNTIL,
  WEIGHT,
} from './lists';
import { beginNotes, note, settle } from './notes';
import { limit } from './top';

const WINDOW: i32 = 8192;
/** A chunk with fewer postings is one window. */
const ONE_WINDOW: i32 = 2048;
/** A window with fewer postings than its documents / this is walked by postings, not by documents. */
const SPARSE: i32 = 32;
/** All lists are added up unless those that could be left out are so many times as long: look-ups cost more. */
const LONGER: i32 = 32;
/** Documents that are looked at between two looks at the limit. */
const STRETCH: usize = 512;

function inOrder(z: i32): usize {
  return list(load<i32>(scratch + SCRATCH_ORDER + ((<usize>z) << 2)));
}

function boundOf(z: i32): i32 {
  return load<i32>(scratch + SCRATCH_BOUND + ((<usize>z) << 2));
}

/** Sum of the bounds of the first z lists. */
function rest(z: i32): i32 {
  return load<i32>(scratch + SCRATCH_REST + ((<usize>z) << 2));
}

/** One chunk, of which the leaf has documents up to `docs`. */
export function bestOfAny(leaf: usize, docs: i32): void {
  let most = 0;
  for (let a = 0; a < count; a++) most += load<i32>(list(a), MAX_CODE) * load<i32>(list(a), WEIGHT);
  if (most <= limit) return;
  beginNotes(leaf);
  const step = postings < ONE_WINDOW ? 65536 : WINDOW;
  for (let from = 0; from < 65536 && from < docs; from += step) window(from, from + step, docs);
}

function window(from: i32, to: i32, docs: i32): void {
  const m = enter(from, to);
  if (m === 0) return;
  let sum = 0;
  for (let z = 0; z < m; z++) sum += boundOf(z);
  if (sum > limit) {
    const first = split(m);
    let added = 0;
    for (let z = first; z < m; z++) added += remaining(inOrder(z));
    if (first === m - 1) alone(first);
    else if (added * SPARSE < to - from) sparse(first, m, to - from);
    else full(first, m, from, min(WINDOW, docs - from));
    settle();
  }
  for (let z = 0; z < m; z++) {
    const c = inOrder(z);
    store<i32>(c, load<i32>(c, UNTIL), AT);
  }
}

function remaining(c: usize): i32 {
  return load<i32>(c, UNTIL) - load<i32>(c, AT);
}

/** The first list, in the order of bounds, that has to be added up. */
function split(m: i32): i32 {
  const sums = scratch + SCRATCH_REST;
  let first = 0;
  let left = 0;
  store<i32>(sums, 0);
  for (; first < m; first++) {
    const sum = rest(first) + boundOf(first);
    if (sum > limit) break;
    store<i32>(sums + ((<usize>(first + 1)) << 2), sum);
    left += remaining(inOrder(first));
  }
  if (first === 0) return 0;
  let added = 0;
  for (let z = first; z < m; z++) added += remaining(inOrder(z));
  if (added * LONGER <= left) return first;
  // One list whose highest codes alone can get a document in is passed over quickly.
  return first === m - 1 && (limit - rest(first)) * 4 >= boundOf(first) * 3 ? first : 0;
}

/** Finds the part of each list that lies in the window, and orders the lists by bound. Returns how many there are. */
function enter(from: i32, to: i32): i32 {
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
  return m;
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
        complete(<i32>load<u16>(lows + ((<usize>posting) << 1)), weight * code, first);
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

/** Adds the bounds of a list's postings in the window to the sums. */
function add(c: usize, sums: usize): void {
  const mask: usize = WINDOW - 1;
  const weight = load<i32>(c, WEIGHT);
  const until: usize = load<u32>(c, LOWS) + ((<usize>load<i32>(c, UNTIL)) << 1);
  let low: usize = load<u32>(c, LOWS) + ((<usize>load<i32>(c, AT)) << 1);
  let code: usize = load<u32>(c, CODES) + <usize>load<i32>(c, AT);
  for (; low + 6 < until; low += 8, code += 4) {
    const four = load<u64>(low);
    const codes = load<u32>(code);
    bump(sums + ((<usize>four & mask) << 1), weight * <i32>(codes & 255));
    bump(sums + ((<usize>(four >>> 16) & mask) << 1), weight * <i32>((codes >>> 8) & 255));
    bump(sums + ((<usize>(four >>> 32) & mask) << 1), weight * <i32>((codes >>> 16) & 255));
    bump(sums + ((<usize>(four >>> 48) & mask) << 1), weight * <i32>(codes >>> 24));
  }
  for (; low < until; low += 2, code++) {
    bump(sums + ((<usize>load<u16>(low) & mask) << 1), weight * <i32>load<u8>(code));
  }
}

/** The same where they are few, and the window may be a whole chunk. */
function addFew(c: usize, sums: usize, mask: usize): void {
  const weight = load<i32>(c, WEIGHT);
  const until: usize = load<u32>(c, LOWS) + ((<usize>load<i32>(c, UNTIL)) << 1);
  let code: usize = load<u32>(c, CODES) + <usize>load<i32>(c, AT);
  for (
    let low: usize = load<u32>(c, LOWS) + ((<usize>load<i32>(c, AT)) << 1);
    low < until;
    low += 2, code++
  ) {
    bump(sums + ((<usize>load<u16>(low) & mask) << 1), weight * <i32>load<u8>(code));
  }
}

function bump(at: usize, bound: i32): void {
  store<u16>(at, <u16>(<i32>load<u16>(at) + bound));
}

/** Sums bounds of many postings, then looks at every document, some at a time. */
function full(first: i32, m: i32, from: i32, size: i32): void {
  const sums = scratch + SCRATCH_SUMS;
  for (let z = first; z < m; z++) add(inOrder(z), sums);
  const others = rest(first);
  const end = sums + ((<usize>((size + 15) & ~15)) << 1);
  for (let at = sums; at < end; at += STRETCH << 1) {
    const seen = collect(at, min(at + (STRETCH << 1), end), limit > others ? limit - others : 0);
    const low = from + <i32>((at - sums) >> 1);
    for (let noted = scratch + SCRATCH_SEEN; noted < seen; noted += 4) {
      const sum = <i32>load<u16>(noted, 2);
      if (sum + others <= limit) continue;
      if (first === 0) note(low + <i32>load<u16>(noted), sum);
      else complete(low + <i32>load<u16>(noted), sum, first);
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

/** Sums bounds of few postings, then looks at their documents, list by list. */
function sparse(first: i32, m: i32, size: i32): void {
  const sums = scratch + (size === WINDOW ? SCRATCH_SUMS : SCRATCH_WIDE);
  const mask = <usize>size - 1;
  for (let z = first; z < m; z++) addFew(inOrder(z), sums, mask);
  const others = rest(first);
  for (let z = first; z < m; z++) {
    const c = inOrder(z);
    const lows: usize = load<u32>(c, LOWS);
    const until = load<i32>(c, UNTIL);
    for (let p = load<i32>(c, AT); p < until; p++) {
      const low = <i32>load<u16>(lows + ((<usize>p) << 1));
      const at = sums + ((<usize>low & mask) << 1);
      const sum = <i32>load<u16>(at);
      store<u16>(at, 0);
      if (sum === 0 || sum + others <= limit) continue;
      if (first === 0) note(low, sum);
      else completeAny(low, sum, first);
    }
  }
}

/** Adds the bounds of the lists that were left out, the largest first, as long as the document can get in. */
function complete(low: i32, known: i32, first: i32): void {
  let bound = known;
  for (let z = first - 1; z >= 0; z--) {
    if (bound + rest(z + 1) <= limit) return;
    const c = inOrder(z);
    const p = find(c, low);
    if (p >= 0) bound += codeOf(c, p) * load<i32>(c, WEIGHT);
  }
  if (bound > limit) note(low, bound);
}

/** The same for documents that do not come in ascending order. */
function completeAny(low: i32, known: i32, first: i32): void {
  let bound = known;
  for (let z = first - 1; z >= 0; z--) {
    if (bound + rest(z + 1) <= limit) return;
    const c = inOrder(z);
    const p = findAny(c, low);
    if (p >= 0) bound += codeOf(c, p) * load<i32>(c, WEIGHT);
  }
  if (bound > limit) note(low, bound);
}
