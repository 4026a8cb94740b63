// What of all that was made is kept to be used again? What was used of late, in two generations: when the newer one is full it
// becomes the older, whose things are forgotten unless they were asked for meanwhile. Nothing is moved at each use, as in a list
// by last use, and what is used all the time is never made anew, as it is where everything is forgotten at once (the second chance
// of CLOCK: Corbató, 1968).

/** A map that keeps what was used of late. */
export class TwoGenerations<K, V> {
  readonly #most: number;
  #newer = new Map<K, V>();
  #older = new Map<K, V>();

  /** At most twice `most` are kept. REQUIRES: most > 0. */
  constructor(most: number) {
    this.#most = most;
  }

  /** O(1). */
  get(key: K): V | undefined {
    const value = this.#newer.get(key);
    if (value !== undefined) return value;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  /** O(1). */
  set(key: K, value: V): void {
    if (this.#newer.size >= this.#most && !this.#newer.has(key)) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
  }

  delete(key: K): void {
    this.#newer.delete(key);
    this.#older.delete(key);
  }
}
