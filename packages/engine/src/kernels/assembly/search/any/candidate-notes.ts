// Notes candidates by their bounds while there are fewer results than requested. A sum of bounds is
// close to the score, so the best bounds already say what the others must beat; at the end of a window
// only candidates above the limit are scored.
//
//   code - 1 < 255 · tf / (tf + K0) <= code        so that        sure · unit · (sum - Σ codes - Σ weights) <= score
//
// where `sure` is the smallest ratio of the score of a code to its bound (score/bound-ratio.ts). Codes are at
// most 255 each, and together at most the sum divided by the least weight.

import { LEAF_SURE, SCRATCH_BEST, SCRATCH_NOTES } from '../layout';
import { base, codeOf, count, findAny, list, scoreOf, scratch, WEIGHT } from '../lists';
import { assumeBound, capacity, isFull, isVisible, limit, offer } from '../top';

/** Searches for more results score at once. */
const MOST_RESULTS: i32 = 32;
const MOST_NOTES: i32 = 256;

/** Whether documents are noted rather than scored at once. */
let noting: bool = false;
let notes: i32 = 0;
/** The end of the best bounds: one per requested result, ascending, 0 where there are fewer. */
let bestEnd: usize = 0;
let sure: f64 = 0;
let least: i32 = 1;
let codes: i32 = 0;
let weights: i32 = 0;

/** Moves to a chunk. */
export function beginNotes(leaf: usize): void {
  noting = !isFull() && capacity <= MOST_RESULTS;
  if (!noting) return;
  notes = 0;
  beginBest();
  least = 256;
  weights = 0;
  for (let a = 0; a < count; a++) {
    const weight = load<i32>(list(a), WEIGHT);
    weights += weight;
    least = min(least, weight);
  }
  codes = 255 * count;
  sure = load<f64>(leaf, LEAF_SURE);
}

/**
 * Takes a document with a bound above the limit. `known`: a list that has it, with its posting there; 0 if
 * unknown.
 */
export function noteCandidate(low: i32, bound: i32, known: usize, posting: i32): void {
  if (!isVisible(base + low)) return;
  if (!noting) {
    score(low, bound, known, posting);
    return;
  }
  if (notes === MOST_NOTES) scoreNotes();
  const at = scratch + SCRATCH_NOTES + ((<usize>notes) << 4);
  notes++;
  store<i32>(at, low);
  store<i32>(at, bound, 4);
  store<u32>(at, <u32>known, 8);
  store<i32>(at, posting, 12);
  rank(bound);
}

/** Clears the best bounds, with a sentinel behind them. */
function beginBest(): void {
  const bests = scratch + SCRATCH_BEST;
  bestEnd = bests + ((<usize>capacity) << 2);
  for (let at = bests; at < bestEnd; at += 16) v128.store(at, i32x4.splat(0));
  v128.store(bestEnd, i32x4.splat(i32.MAX_VALUE));
}

/** Inserts a bound into the best ones and raises the limit. Four at a time, without branches. */
function rank(bound: i32): void {
  const bests = scratch + SCRATCH_BEST;
  if (bound <= load<i32>(bests)) return;
  const own = i32x4.splat(bound);
  // Each bound stays, moves down by one, or is replaced by the new one.
  for (let at = bests; at < bestEnd; at += 16) {
    v128.store(at, i32x4.max_s(v128.load(at), i32x4.min_s(v128.load(at, 4), own)));
  }
  const worst = load<i32>(bests);
  if (worst > 0) assumeBound(<i32>(sure * <f64>(worst - min(worst / least, codes) - weights)));
}

function scoreNotes(): void {
  const end = scratch + SCRATCH_NOTES + ((<usize>notes) << 4);
  notes = 0;
  for (let at = scratch + SCRATCH_NOTES; at < end; at += 16) {
    const bound = load<i32>(at, 4);
    if (bound > limit) score(load<i32>(at), bound, load<u32>(at, 8), load<i32>(at, 12));
  }
}

/**
 * Offers a document with its score, summed in the order of the exhaustive search. Look-ups end once its bound
 * is used up.
 */
function score(low: i32, bound: i32, known: usize, posting: i32): void {
  const doc = base + low;
  let left = known === 0 ? bound : bound - codeOf(known, posting) * load<i32>(known, WEIGHT);
  let sum: f64 = 0;
  for (let a = 0; a < count; a++) {
    const c = list(a);
    let p = posting;
    if (c !== known) {
      p = left === 0 ? -1 : findAny(c, low);
      if (p < 0) continue;
      left -= codeOf(c, p) * load<i32>(c, WEIGHT);
    }
    sum += <f64>scoreOf(c, p, doc);
  }
  offer(<f64>(<f32>sum), doc);
}

/** Ends a window: scores the notes that may still get in. */
export function settleNotes(): void {
  if (!noting) return;
  scoreNotes();
  noting = !isFull();
}
