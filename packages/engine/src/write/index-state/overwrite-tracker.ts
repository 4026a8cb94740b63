// Are the documents of an index written over soon after they have come? Then a tail that is full is not worth a seal yet:
// what dies while the next ones fill need not be sorted, packed and merged, and what is wholly dead is dropped.

/** Tails after which a version is not young any more. */
const YOUNG_TAILS = 2;
/** This part of a tail tells what the whole is like. */
const TELLING = 8;

/** What the last writes of an index have written over. */
export class OverwriteTracker {
  /** Of young versions among them, the last counting most. */
  #share = 0;

  /**
   * A document came in place of a version that was so many operations old (infinitely old for one that was not there), to a
   * tail of at most `limit`.
   */
  record(age: number, limit: number): void {
    const isYoung = age < limit * YOUNG_TAILS;
    this.#share += ((isYoung ? 1 : 0) - this.#share) / Math.max(1, limit / TELLING);
  }

  /** True where most writes go over a version that is hardly older than the tails. */
  get isHigh(): boolean {
    return this.#share > 0.5;
  }
}
