// Delays scoring while the heap of results is not full. Documents that may get in are noted by their
// bounds. A sum of bounds is close to the score, so the best notes tell what the rest must beat before
// anything is scored; at the end of a window only notes still above the limit are scored.
//
//   code - 1 < 255 · tf / (tf + K0) <= code        so that        sure · unit · (sum - Σ codes - Σ weights) <= score
//
// where `sure` is the worst ratio of what a code is worth and the bound of it (bound-ratio.ts). Codes are 255
// at most, and together no more than the sum divided by the least weight.

import type { CandidateBounds } from '../lists/candidate-bounds.ts';
import type { PostingLists } from '../lists/posting-lists.ts';

/** Delaying does not pay for more results. */
const MAX_RESULTS = 32;
const MAX_NOTES = 512;

/** The notes of one search. */
export class PendingCandidates {
  readonly #lists: PostingLists;
  readonly #candidates: CandidateBounds;
  /** Document and bound, one after the other. */
  readonly #notes: Int32Array = new Int32Array(2 * MAX_NOTES);
  #count = 0;
  /** Bounds of the best notes, ascending. */
  readonly #best: Int32Array = new Int32Array(MAX_RESULTS);
  #bestCount = 0;
  #noting = false;
  #sure = 1;
  #least = 1;
  #codes = 0;
  #weights = 0;

  constructor(lists: PostingLists, candidates: CandidateBounds) {
    this.#lists = lists;
    this.#candidates = candidates;
  }

  /** Starts a chunk. */
  begin(): void {
    const { count, weight, term, terms } = this.#lists;
    this.#noting = !this.#candidates.isFull && this.#candidates.capacity <= MAX_RESULTS;
    if (!this.#noting) return;
    this.#count = this.#bestCount = 0;
    let least = 256;
    let sum = 0;
    let sure = 1;
    for (let a = 0; a < count; a++) {
      const own = weight[a]!;
      const i = term[a]!;
      sum += own;
      if (own < least) least = own;
      const share = terms.least[i]! / terms.most[i]!;
      if (share < sure) sure = share;
    }
    this.#sure = sure;
    this.#least = least;
    this.#codes = 255 * count;
    this.#weights = sum;
  }

  /** Adds a document whose bound is above the limit. */
  add(low: number, bound: number): void {
    const lists = this.#lists;
    const doc = lists.base + low;
    if (!this.#candidates.isVisible(doc)) return;
    if (!this.#noting) {
      this.#candidates.offer(Math.fround(lists.scoreAny(low)), doc);
      return;
    }
    if (this.#count === MAX_NOTES) this.#score();
    const at = 2 * this.#count++;
    this.#notes[at] = low;
    this.#notes[at + 1] = bound;
    this.#rank(bound);
  }

  /** Inserts a bound among the best; the least of them raises the limit. */
  #rank(bound: number): void {
    const best = this.#best;
    let at = 0;
    if (this.#bestCount < this.#candidates.capacity) {
      for (at = this.#bestCount++; at > 0 && best[at - 1]! > bound; at--) best[at] = best[at - 1]!;
      best[at] = bound;
      if (this.#bestCount < this.#candidates.capacity) return;
    } else {
      if (bound <= best[0]!) return;
      const last = this.#bestCount - 1;
      for (; at < last && best[at + 1]! < bound; at++) best[at] = best[at + 1]!;
      best[at] = bound;
    }
    const worst = best[0]!;
    const codes = Math.min(worst / this.#least, this.#codes);
    this.#candidates.assume(Math.floor(this.#sure * (worst - codes - this.#weights)));
  }

  #score(): void {
    const lists = this.#lists;
    const candidates = this.#candidates;
    const notes = this.#notes;
    const end = 2 * this.#count;
    this.#count = 0;
    for (let i = 0; i < end; i += 2) {
      if (notes[i + 1]! <= candidates.limit) continue;
      const low = notes[i]!;
      candidates.offer(Math.fround(lists.scoreAny(low)), lists.base + low);
    }
  }

  /** Ends a window: scores the notes that can still get in. */
  settle(): void {
    if (!this.#noting) return;
    this.#score();
    this.#noting = !this.#candidates.isFull;
  }
}
