// Tracks whether documents of an index are overwritten soon after they were written. Then a full tail is not
// worth a seal yet: documents that die while the next tails fill need not be sorted, packed and merged, and a
// tail that is wholly dead is dropped.

/** A version is young until so many tails were written after it. */
const YOUNG_TAILS = 2;
/** The share is averaged over this part of a tail. */
const SAMPLE_PART = 8;

/** A moving share of writes that overwrite a young version. */
export class OverwriteTracker {
  /** Exponential moving average; the last write counts most. */
  #share = 0;

  /**
   * Notes a write that replaced a version `age` operations old (infinity: there was none), to a tail of at
   * most `limit` documents.
   */
  record(age: number, limit: number): void {
    const isYoung = age < limit * YOUNG_TAILS;
    this.#share += ((isYoung ? 1 : 0) - this.#share) / Math.max(1, limit / SAMPLE_PART);
  }

  /** Whether most writes replace a young version. */
  get isHigh(): boolean {
    return this.#share > 0.5;
  }
}
