// Searches a window with few postings: sums bounds by document, then walks the lists from the highest
// bound down, so that each document is met in its best list first, and codes that cannot get in are
// skipped sixteen at a time. Matches are counted on the way: a sum that was 0 is a new document.

import { above, splat } from '../codes';
import { AT, CODES, LOWS, lowOf, UNTIL, WEIGHT } from '../lists';
import { limit } from '../top';
import { boundSum, listByBound } from '../window';
import { noteCandidate } from './candidate-notes';
import { addNonEssentialUnordered } from './non-essential';

/**
 * Searches the lists of a window from `first` on; those before are non-essential. The sum of a document lies at
 * sums + 2 · low; all sums are 0 before and after.
 */
export function searchSparseWindow(first: i32, m: i32, sums: usize): void {
  for (let z = first; z < m; z++) addBounds(listByBound(z), sums);
  walk(first, m, sums);
}

/** As `searchSparseWindow`, for all lists. Returns the number of matches that are in `bitmap` (0: all). */
export function searchSparseCounting(m: i32, sums: usize, bitmap: usize): i32 {
  let n = 0;
  for (let z = 0; z < m; z++) {
    n += bitmap === 0 ? addNew(listByBound(z), sums) : addCounting(listByBound(z), sums, bitmap);
  }
  walk(0, m, sums);
  return n;
}

/** Adds the bounds of a list's postings in the window to the sums. */
export function addBounds(c: usize, sums: usize): void {
  const weight = load<i32>(c, WEIGHT);
  const lows: usize = load<u32>(c, LOWS);
  const until = lows + ((<usize>load<i32>(c, UNTIL)) << 1);
  let low = lows + ((<usize>load<i32>(c, AT)) << 1);
  let code = <usize>load<u32>(c, CODES) + <usize>load<i32>(c, AT);
  for (; low + 6 < until; low += 8, code += 4) {
    bump(sums + ((<usize>load<u16>(low)) << 1), weight * <i32>load<u8>(code));
    bump(sums + ((<usize>load<u16>(low, 2)) << 1), weight * <i32>load<u8>(code, 1));
    bump(sums + ((<usize>load<u16>(low, 4)) << 1), weight * <i32>load<u8>(code, 2));
    bump(sums + ((<usize>load<u16>(low, 6)) << 1), weight * <i32>load<u8>(code, 3));
  }
  for (; low < until; low += 2, code++) {
    bump(sums + ((<usize>load<u16>(low)) << 1), weight * <i32>load<u8>(code));
  }
}

function bump(at: usize, bound: i32): void {
  store<u16>(at, <u16>(<i32>load<u16>(at) + bound));
}

/** As `addBounds`. Returns the number of new documents. */
function addNew(c: usize, sums: usize): i32 {
  const weight = load<i32>(c, WEIGHT);
  const codes: usize = load<u32>(c, CODES);
  const until = load<i32>(c, UNTIL);
  let n = 0;
  for (let p = load<i32>(c, AT); p < until; p++) {
    const at = sums + ((<usize>lowOf(c, p)) << 1);
    const sum = <i32>load<u16>(at);
    store<u16>(at, <u16>(sum + weight * <i32>load<u8>(codes + <usize>p)));
    n += (sum - 1) >>> 31;
  }
  return n;
}

/** As `addBounds`. Returns the number of new documents in the bitmap. */
function addCounting(c: usize, sums: usize, bitmap: usize): i32 {
  const weight = load<i32>(c, WEIGHT);
  const lows: usize = load<u32>(c, LOWS);
  const until = lows + ((<usize>load<i32>(c, UNTIL)) << 1);
  let low = lows + ((<usize>load<i32>(c, AT)) << 1);
  let code = <usize>load<u32>(c, CODES) + <usize>load<i32>(c, AT);
  let n = 0;
  for (; low + 6 < until; low += 8, code += 4) {
    n += bumpCounting(sums, <usize>load<u16>(low), weight * <i32>load<u8>(code), bitmap);
    n += bumpCounting(sums, <usize>load<u16>(low, 2), weight * <i32>load<u8>(code, 1), bitmap);
    n += bumpCounting(sums, <usize>load<u16>(low, 4), weight * <i32>load<u8>(code, 2), bitmap);
    n += bumpCounting(sums, <usize>load<u16>(low, 6), weight * <i32>load<u8>(code, 3), bitmap);
  }
  for (; low < until; low += 2, code++) {
    n += bumpCounting(sums, <usize>load<u16>(low), weight * <i32>load<u8>(code), bitmap);
  }
  return n;
}

// Without branches, which would be mispredicted.
function bumpCounting(sums: usize, low: usize, bound: i32, bitmap: usize): i32 {
  const at = sums + (low << 1);
  const sum = <i32>load<u16>(at);
  store<u16>(at, <u16>(sum + bound));
  return ((sum - 1) >>> 31) & (<i32>load<u8>(bitmap + (low >> 3)) >>> (<i32>low & 7));
}

/** Examines the documents list by list, and clears their sums. */
function walk(first: i32, m: i32, sums: usize): void {
  for (let z = m - 1; z >= first; z--) {
    const c = listByBound(z);
    if (boundSum(z + 1) > limit) look(c, boundSum(z), first, sums);
    clear(c, sums);
  }
}

/** Examines the documents of a list that are in no higher one; lower lists add at most `others`. */
function look(c: usize, others: i32, first: i32, sums: usize): void {
  const weight = load<i32>(c, WEIGHT);
  const codes: usize = load<u32>(c, CODES);
  const until = load<i32>(c, UNTIL);
  const left = boundSum(first);
  let known = limit;
  let bound = splat(known > others ? (known - others) / weight : 0);
  for (let p = load<i32>(c, AT); p < until; p += 16) {
    for (let mask = above(codes + <usize>p, until - p, bound); mask !== 0; mask &= mask - 1) {
      const posting = p + <i32>ctz<u32>(mask);
      const low = lowOf(c, posting);
      const sum = <i32>load<u16>(sums + ((<usize>low) << 1));
      if (sum === 0 || sum + left <= limit) continue;
      if (first === 0) noteCandidate(low, sum, c, posting);
      else addNonEssentialUnordered(low, sum, first, c, posting);
    }
    if (limit === known) continue;
    known = limit;
    bound = splat(known > others ? (known - others) / weight : 0);
  }
}

function clear(c: usize, sums: usize): void {
  const lows: usize = load<u32>(c, LOWS);
  const until = lows + ((<usize>load<i32>(c, UNTIL)) << 1);
  let low = lows + ((<usize>load<i32>(c, AT)) << 1);
  for (; low + 6 < until; low += 8) {
    store<u16>(sums + ((<usize>load<u16>(low)) << 1), 0);
    store<u16>(sums + ((<usize>load<u16>(low, 2)) << 1), 0);
    store<u16>(sums + ((<usize>load<u16>(low, 4)) << 1), 0);
    store<u16>(sums + ((<usize>load<u16>(low, 6)) << 1), 0);
  }
  for (; low < until; low += 2) store<u16>(sums + ((<usize>load<u16>(low)) << 1), 0);
}
