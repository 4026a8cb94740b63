// The best documents of a disjunction, window by window. Lists with the lowest bounds that cannot get a
// document in by themselves are non-essential (MaxScore): they are looked up only. The bounds of the
// essential lists are summed, 16 bits per document. The twin is score/prune/prune-any.ts.

import { countWindow, hasOnlyDeletions, liveBits } from '../count-matches';
import { SCRATCH_SUMS, SCRATCH_WIDE } from '../layout';
import { count, DENSE, list, MAX_CODE, postings, scratch, WEIGHT } from '../lists';
import { limit } from '../top';
import { boundOf, boundSum, enterWindow, leaveWindow, listByBound, remaining } from '../window';
import { beginNotes, settleNotes } from './candidate-notes';
import { searchDenseWindow } from './dense-window';
import { searchSingleEssential } from './single-essential';
import { searchSparseCounting, searchSparseWindow } from './sparse-window';

const WINDOW: i32 = 8192;
/** A chunk with fewer postings is one window. */
const ONE_WINDOW: i32 = 2048;
/** A window with fewer postings than documents / 12 is walked by postings, not by documents. */
const SPARSE: i32 = 12;
/**
 * Matches are counted separately if lists without bitmaps have fewer postings than the window's documents /
 * 32.
 */
const LOOSE: i32 = 32;
/**
 * Lists become non-essential only if they are so many times as long as the others: look-ups cost more than
 * adding.
 */
const LONGER: i32 = 8;
/** The same if only one essential list would be left: its documents are not summed first. */
const LONGER_THAN_ONE: i32 = 32;

/**
 * Searches one chunk; the leaf has `docs` documents. Returns the number of visible matches if they were counted on the way,
 * else -1.
 */
export function bestOfAny(leaf: usize, docs: i32, counting: bool): i32 {
  let most = 0;
  for (let a = 0; a < count; a++) most += load<i32>(list(a), MAX_CODE) * load<i32>(list(a), WEIGHT);
  if (most <= limit) return -1;
  beginNotes(leaf);
  const all = counting && hasOnlyDeletions();
  const end = min(docs, 65536);
  const step = postings < ONE_WINDOW ? 65536 : WINDOW;
  let found = 0;
  for (let from = 0; from < end; from += step) {
    const m = enterWindow(from, from + step);
    if (m > 0) found += window(m, from, min(end, from + step), all);
    leaveWindow(m);
  }
  return all ? found : -1;
}

/** Searches documents from … to-1. Returns the number of living matches if `counting`. */
function window(m: i32, from: i32, to: i32, counting: bool): i32 {
  if (boundSum(m) <= limit) return counting ? countWindow(m, from, to) : 0;
  const first = split(m);
  const sums = to - from > WINDOW ? scratch + SCRATCH_WIDE : scratch + SCRATCH_SUMS - ((<usize>from) << 1);
  const isSparse = added(first, m) * SPARSE < to - from;
  // Matches can be counted on the way if all lists are summed.
  const isApart = first > 0 || m === 1 || (!isSparse && loose(m) * LOOSE < to - from);
  let found = counting && isApart ? countWindow(m, from, to) : 0;
  if (first === m - 1) searchSingleEssential(first);
  else if (!isSparse) found += searchDenseWindow(first, m, from, to, sums, counting && !isApart);
  else if (counting && !isApart) found = searchSparseCounting(m, sums, liveBits());
  else searchSparseWindow(first, m, sums);
  settleNotes();
  return found;
}

/** Postings of the lists from `first` on. */
function added(first: i32, m: i32): i32 {
  let sum = 0;
  for (let z = first; z < m; z++) sum += remaining(listByBound(z));
  return sum;
}

/** Postings of lists without a bitmap. */
function loose(m: i32): i32 {
  let sum = 0;
  for (let z = 0; z < m; z++) if (load<u32>(listByBound(z), DENSE) === 0) sum += remaining(listByBound(z));
  return sum;
}

/** The first essential list, in the order of bounds. */
function split(m: i32): i32 {
  let first = 0;
  let left = 0;
  for (; first < m && boundSum(first + 1) <= limit; first++) left += remaining(listByBound(first));
  if (first === 0) return 0;
  if (added(first, m) * (first < m - 1 ? LONGER : LONGER_THAN_ONE) <= left) return first;
  // A single list of which only the highest codes matter is skipped quickly.
  return first === m - 1 && (limit - boundSum(first)) * 4 >= boundOf(first) * 3 ? first : 0;
}
