// A bounded heap of the best documents so far, the worst of them on top. Order is score descending, then
// document ascending, so that ties come out in insertion order as Lucene's do.

/**
 * Keeps the k best (score, document) pairs that it is offered. O(log k) for one that gets in, O(1) for
 * others.
 */
export class TopK {
  readonly capacity: number;
  #size = 0;
  /** Plain arrays of doubles: allocating small typed arrays costs more than a short search. */
  readonly #scores: number[] = [];
  readonly #docs: number[] = [];

  /** REQUIRES: capacity >= 1. Takes 16 bytes per place that is filled. */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * What a document must beat to get in: -Infinity until the heap is full. A later document must beat it
   * strictly.
   */
  get threshold(): number {
    return this.#size < this.capacity ? Number.NEGATIVE_INFINITY : this.#scores[0]!;
  }

  /** True when the pair was kept. Documents may come in any order; numbers up to 2^53. */
  offer(score: number, doc: number): boolean {
    const scores = this.#scores;
    const docs = this.#docs;
    if (this.#size < this.capacity) {
      this.#up(this.#size++, score, doc);
      return true;
    }
    if (score < scores[0]! || (score === scores[0]! && doc > docs[0]!)) return false;
    this.#down(score, doc, this.#size);
    return true;
  }

  /** The kept pairs, best first. Empties the heap. */
  drain(): { scores: readonly number[]; docs: readonly number[] } {
    const size = this.#size;
    const scores: number[] = this.#scores.slice(0, size);
    const docs: number[] = this.#docs.slice(0, size);
    for (let i = size - 1; i >= 0; i--) {
      scores[i] = this.#scores[0]!;
      docs[i] = this.#docs[0]!;
      this.#down(this.#scores[i]!, this.#docs[i]!, i);
    }
    this.#size = 0;
    return { scores, docs };
  }

  /** Puts the pair at hole i and lifts it while its parent is better. */
  #up(hole: number, score: number, doc: number): void {
    const scores = this.#scores;
    const docs = this.#docs;
    let i = hole;
    while (i > 0) {
      const parent = (i - 1) >>> 1;
      const s = scores[parent]!;
      if (s < score || (s === score && docs[parent]! > doc)) break;
      scores[i] = s;
      docs[i] = docs[parent]!;
      i = parent;
    }
    scores[i] = score;
    docs[i] = doc;
  }

  /** Replaces the top of the first `size` places with the pair and sinks it. */
  #down(score: number, doc: number, size: number): void {
    const scores = this.#scores;
    const docs = this.#docs;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= size) break;
      const right = child + 1;
      if (right < size) {
        const a = scores[child]!;
        const b = scores[right]!;
        if (b < a || (b === a && docs[right]! > docs[child]!)) child = right;
      }
      const s = scores[child]!;
      if (s > score || (s === score && docs[child]! < doc)) break;
      scores[i] = s;
      docs[i] = docs[child]!;
      i = child;
    }
    if (size > 0) {
      scores[i] = score;
      docs[i] = doc;
    }
  }
}
