// Epoch-based reclamation: a reader carries the generation in which it began; a freed block waits until
// all readers of its generation and older ones have left.
//
//   generation   1        2             3
//   readers      r──────────────┐
//                         r─────────────────────
//   frees            a,b         │  c
//                                └ a, b are reusable when the first reader leaves; c also waits for the second

/** Open readings by generation. */
export class ReaderGenerations {
  #generation = 1;
  #freedSince = false;
  /**
   * Readings by their generation. Generations are added in ascending order, so the first key is the oldest.
   */
  readonly #open = new Map<number, number>();

  /** Starts a reading; returns its generation. */
  enter(): number {
    if (this.#freedSince) {
      this.#generation++;
      this.#freedSince = false;
    }
    this.#open.set(this.#generation, (this.#open.get(this.#generation) ?? 0) + 1);
    return this.#generation;
  }

  /** Ends a reading; true when it was the last one of the oldest generation. */
  leave(generation: number): boolean {
    const count = this.#open.get(generation)! - 1;
    if (count > 0) {
      this.#open.set(generation, count);
      return false;
    }
    const oldest = this.oldest() === generation;
    this.#open.delete(generation);
    return oldest;
  }

  /** The mark of a block freed now: reusable when `oldest()` is greater. */
  mark(): number {
    this.#freedSince = true;
    return this.#generation;
  }

  /** Generation of the oldest open reading, Infinity when there is none. */
  oldest(): number {
    for (const generation of this.#open.keys()) return generation;
    return Number.POSITIVE_INFINITY;
  }
}
