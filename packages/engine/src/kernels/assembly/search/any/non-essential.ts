// Adds the bounds of the non-essential lists to a sum, the highest bound first, as long as the document
// can still get in.

import { codeOf, find, findAny, WEIGHT } from '../lists';
import { limit } from '../top';
import { boundSum, listByBound } from '../window';
import { noteCandidate } from './candidate-notes';

/**
 * Completes the sum of a document over the lists from `first` on, and notes it. `known`: see
 * candidate-notes.ts.
 */
export function addNonEssential(low: i32, sum: i32, first: i32, known: usize, posting: i32): void {
  let bound = sum;
  for (let z = first - 1; z >= 0; z--) {
    if (bound + boundSum(z + 1) <= limit) return;
    const c = listByBound(z);
    const p = find(c, low);
    if (p >= 0) bound += codeOf(c, p) * load<i32>(c, WEIGHT);
  }
  if (bound > limit) noteCandidate(low, bound, known, posting);
}

/** As `addNonEssential`, for documents in any order. */
export function addNonEssentialUnordered(low: i32, sum: i32, first: i32, known: usize, posting: i32): void {
  let bound = sum;
  for (let z = first - 1; z >= 0; z--) {
    if (bound + boundSum(z + 1) <= limit) return;
    const c = listByBound(z);
    const p = findAny(c, low);
    if (p >= 0) bound += codeOf(c, p) * load<i32>(c, WEIGHT);
  }
  if (bound > limit) noteCandidate(low, bound, known, posting);
}
