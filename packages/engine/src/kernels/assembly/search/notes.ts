// Which documents are worth a score while little is known? As long as there are fewer results than asked for, documents
// that may get in are noted by their bounds. A sum of bounds is close to the score, so that the best of them say what the
// rest have to beat before anything is scored; at the end of a window only what is still above the limit is.
//
//   code - 1 < 255 · tf / (tf + K0) <= code        so that        sure · unit · (sum - Σ codes - Σ weights) <= score
//
// where `sure` is the worst ratio of what a code is worth and the bound of it (score/looseness.ts). Codes are 255 at most,
// and together no more than the sum by the least weight.

import { LEAF_SURE, SCRATCH_BEST, SCRATCH_NOTES } from './layout';
import { base, count, list, offerAny, scratch, WEIGHT } from './lists';
import { assume, capacity, isFull, isVisible, limit } from './top';

/** More results than this are not worth it. */
const MOST_RESULTS: i32 = 32;
const MOST_NOTES: i32 = 512;

/** Whether documents are noted, not scored at once. */
let noting: bool = false;
let notes: i32 = 0;
/** Bounds of the best notes, ascending, and how many there are. */
let best: i32 = 0;
let sure: f64 = 0;
let least: i32 = 1;
let codes: i32 = 0;
let weights: i32 = 0;

/** Goes on to a chunk. */
export function beginNotes(leaf: usize): void {
  noting = !isFull() && capacity <= MOST_RESULTS;
  if (!noting) return;
  notes = best = 0;
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

/** Takes a document with a bound above the limit. */
export function note(low: i32, bound: i32): void {
  if (!isVisible(base + low)) return;
  if (!noting) {
    offerAny(low);
    return;
  }
  if (notes === MOST_NOTES) score();
  const at = scratch + SCRATCH_NOTES + ((<usize>notes) << 3);
  notes++;
  store<i32>(at, low);
  store<i32>(at, bound, 4);
  rank(bound);
}

/** Puts a bound among the best; the least of them becomes the limit. */
function rank(bound: i32): void {
  const bests = scratch + SCRATCH_BEST;
  let at = bests;
  if (best < capacity) {
    const end = bests + ((<usize>best) << 2);
    best++;
    for (at = end; at > bests && load<i32>(at - 4) > bound; at -= 4) store<i32>(at, load<i32>(at - 4));
    store<i32>(at, bound);
    if (best < capacity) return;
  } else {
    if (bound <= load<i32>(bests)) return;
    const last = bests + ((<usize>(best - 1)) << 2);
    for (; at < last && load<i32>(at, 4) < bound; at += 4) store<i32>(at, load<i32>(at, 4));
    store<i32>(at, bound);
  }
  const worst = load<i32>(bests);
  assume(<i32>(sure * <f64>(worst - min(worst / least, codes) - weights)));
}

function score(): void {
  const end = scratch + SCRATCH_NOTES + ((<usize>notes) << 3);
  notes = 0;
  for (let at = scratch + SCRATCH_NOTES; at < end; at += 8) {
    if (load<i32>(at, 4) > limit) offerAny(load<i32>(at));
  }
}

/** Ends a window: scores what was noted and may still get in. */
export function settle(): void {
  if (!noting) return;
  score();
  noting = !isFull();
}
