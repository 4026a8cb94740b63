// The best documents of all leaves so far, and the limit that the rest must beat. Bounds are compared as
// whole numbers of a unit that each leaf chooses. Only a document above the limit is checked for visibility
// and scored.

import type { LeafView } from '../../segment/leaf.ts';
import { TopK } from '../top-k.ts';

const NONE = new Uint32Array(0);
const NO_TOP = new TopK(1);
/** Above every bound. */
const HIGHEST = 0x3fffffff;

/** The best documents of all leaves, and the bound that the rest have to beat. */
export class CandidateBounds {
  /** Documents with a bound of at most this cannot get in; -1 while everything can. */
  limit = -1;
  #top: TopK = NO_TOP;
  #unit = 1;
  #least = Number.NEGATIVE_INFINITY;
  /** A limit that is known before anything is scored (pending-candidates.ts). */
  #assumed = -1;
  #live: Uint32Array = NONE;
  #accept: Uint32Array = NONE;
  #docCount = 0;
  #base = 0;

  /** Starts a search. */
  begin(top: TopK): void {
    this.#top = top;
  }

  /** Drops everything that belongs to the search. */
  release(): void {
    this.#top = NO_TOP;
    this.#live = this.#accept = NONE;
  }

  /**
   * Moves to a leaf whose first document has the number `base`. `accept` restricts it to some of its
   * documents; `unit` is the score of a bound of 1.
   */
  enterLeaf(view: LeafView, accept: Uint32Array | undefined, base: number, unit: number): void {
    this.#live = view.live ?? NONE;
    this.#accept = accept ?? NONE;
    this.#docCount = view.docCount;
    this.#base = base;
    this.#unit = unit;
    this.#assumed = -1;
    this.#raise();
  }

  /** How many documents are kept. */
  get capacity(): number {
    return this.#top.capacity;
  }

  get isFull(): boolean {
    return this.#top.size === this.#top.capacity;
  }

  /**
   * Raises the limit: `capacity` documents of the leaf are known to score more than a bound of `bound` is
   * worth.
   */
  assume(bound: number): void {
    if (bound > this.#assumed) this.#assumed = bound;
    if (bound > this.limit) this.limit = bound;
  }

  isVisible(doc: number): boolean {
    if (doc >= this.#docCount) return false;
    const bit = 1 << (doc & 31);
    const word = doc >>> 5;
    if (this.#live.length !== 0 && (this.#live[word]! & bit) === 0) return false;
    return this.#accept.length === 0 || (this.#accept[word]! & bit) !== 0;
  }

  /** Takes the score, a float32, of a visible document of the leaf. */
  offer(score: number, doc: number): void {
    if (score < this.#least) return;
    if (this.#top.offer(score, this.#base + doc)) this.#raise();
  }

  // Bounds are loose by more than rounding, so that a document that ties with the worst kept score has a
  // bound above the limit: ties are offered in any order, and the heap decides them.
  #raise(): void {
    this.#least = this.#top.threshold;
    this.limit = this.#assumed;
    if (this.#least < 0) return;
    this.limit = Math.max(this.#assumed, Math.min(HIGHEST, Math.floor(this.#least / this.#unit)));
  }
}
