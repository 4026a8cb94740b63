// Can a document get in with what the lists add that were left out? They are looked up, the highest bound first, as long as
// it can.

import { codeOf, find, findAny, WEIGHT } from '../lists';
import { limit } from '../top';
import { boundSum, listByBound } from '../window';
import { noteCandidate } from './candidate-notes';

/** Completes a sum over the lists from `first` on, and notes the document. `known` as notes have it. */
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

/** The same for documents that do not come in ascending order. */
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
