// Which documents do some terms rank highest together? The twin of score/any.ts: windows, in which the lists of the
// lowest bounds are looked up only (MaxScore) and those of the others added up, 16 bits a document.

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
/** A window with fewer postings than its documents / this is walked by postings, not by documents. */
const SPARSE: i32 = 12;
/** Documents are counted apart where lists without bitmaps have fewer postings than the window's documents / this. */
const LOOSE: i32 = 32;
/** All lists are added up unless those that could be left out are so many times as long: look-ups cost more. */
const LONGER: i32 = 8;
/** The same where one list only would be left, whose documents are not added up first. */
const LONGER_THAN_ONE: i32 = 32;

/**
 * One chunk, of which the leaf has documents up to `docs`. Returns how many of its visible documents match where these are
 * to be counted and were on the way, else -1.
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

/** Documents from … to-1. Returns how many living ones match where these are to be counted. */
function window(m: i32, from: i32, to: i32, counting: bool): i32 {
  if (boundSum(m) <= limit) return counting ? countWindow(m, from, to) : 0;
  const first = split(m);
  const sums = to - from > WINDOW ? scratch + SCRATCH_WIDE : scratch + SCRATCH_SUMS - ((<usize>from) << 1);
  const isSparse = added(first, m) * SPARSE < to - from;
  // All that are added up can be counted on the way.
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

/** Postings of lists that have no bitmap. */
function loose(m: i32): i32 {
  let sum = 0;
  for (let z = 0; z < m; z++) if (load<u32>(listByBound(z), DENSE) === 0) sum += remaining(listByBound(z));
  return sum;
}

/** The first list, in the order of bounds, that has to be added up. */
function split(m: i32): i32 {
  let first = 0;
  let left = 0;
  for (; first < m && boundSum(first + 1) <= limit; first++) left += remaining(listByBound(first));
  if (first === 0) return 0;
  if (added(first, m) * (first < m - 1 ? LONGER : LONGER_THAN_ONE) <= left) return first;
  // One list whose highest codes alone can get a document in is passed over quickly.
  return first === m - 1 && (limit - boundSum(first)) * 4 >= boundOf(first) * 3 ? first : 0;
}
