// Which documents are worth a score while little is known? As long as there are fewer results than asked for, documents
// that may get in are noted by their bounds. A sum of bounds is close to the score, so that the best of them say what the
// rest have to beat before anything is scored; at the end of a window only what is still above the limit is.
//
//   code - 1 < 255 · tf / (tf + K0) <= code        so that        sure · unit · (sum - Σ codes - Σ weights) <= score
//
// where `sure` is the worst ratio of what a code is worth and the bound of it (looseness.ts). Codes are 255 at most, and
// together no more than the sum by the least weight.

import type { CandidateBounds } from '../lists/candidate-bounds.ts';
import type { PostingLists } from '../lists/posting-lists.ts';

/** More results than this are not worth it. */
const MOST_RESULTS = 32;
const MOST_NOTES = 512;

/** Notes of one search over the lists of a chunk. */
export class PendingCandidates {
  readonly #lists: PostingLists;
  readonly #survivors: CandidateBounds;
  /** Document and bound, one after the other. */
  readonly #notes: Int32Array = new Int32Array(2 * MOST_NOTES);
  #count = 0;
  /** Bounds of the best notes, ascending. */
  readonly #best: Int32Array = new Int32Array(MOST_RESULTS);
  #bestCount = 0;
  #noting = false;
  #sure = 1;
  #least = 1;
  #codes = 0;
  #weights = 0;

  constructor(lists: PostingLists, survivors: CandidateBounds) {
    this.#lists = lists;
    this.#survivors = survivors;
  }

  /** Goes on to a chunk. */
  begin(): void {
    const { count, weight, term, terms } = this.#lists;
    this.#noting = !this.#survivors.isFull && this.#survivors.capacity <= MOST_RESULTS;
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

  /** Takes a document with a bound above the limit. */
  add(low: number, bound: number): void {
    const lists = this.#lists;
    const doc = lists.base + low;
    if (!this.#survivors.isVisible(doc)) return;
    if (!this.#noting) {
      this.#survivors.offer(Math.fround(lists.scoreAny(low)), doc);
      return;
    }
    if (this.#count === MOST_NOTES) this.#score();
    const at = 2 * this.#count++;
    this.#notes[at] = low;
    this.#notes[at + 1] = bound;
    this.#rank(bound);
  }

  /** Puts a bound among the best; the least of them becomes the limit. */
  #rank(bound: number): void {
    const best = this.#best;
    let at = 0;
    if (this.#bestCount < this.#survivors.capacity) {
      for (at = this.#bestCount++; at > 0 && best[at - 1]! > bound; at--) best[at] = best[at - 1]!;
      best[at] = bound;
      if (this.#bestCount < this.#survivors.capacity) return;
    } else {
      if (bound <= best[0]!) return;
      const last = this.#bestCount - 1;
      for (; at < last && best[at + 1]! < bound; at++) best[at] = best[at + 1]!;
      best[at] = bound;
    }
    const worst = best[0]!;
    const codes = Math.min(worst / this.#least, this.#codes);
    this.#survivors.assume(Math.floor(this.#sure * (worst - codes - this.#weights)));
  }

  #score(): void {
    const lists = this.#lists;
    const survivors = this.#survivors;
    const notes = this.#notes;
    const end = 2 * this.#count;
    this.#count = 0;
    for (let i = 0; i < end; i += 2) {
      if (notes[i + 1]! <= survivors.limit) continue;
      const low = notes[i]!;
      survivors.offer(Math.fround(lists.scoreAny(low)), lists.base + low);
    }
  }

  /** Ends a window: scores what was noted and may still get in. */
  settle(): void {
    if (!this.#noting) return;
    this.#score();
    this.#noting = !this.#survivors.isFull;
  }
}
