// Where do matches and their scores go while a search goes through its leaves? Into arrays that are used again by the next one:
// memory that comes anew costs a page fault for every 4 KiB. What is kept of them in the end are copies of the right length.

import type { ScoredList } from './ranked-list.ts';

/** Matches from which on arrays are not used again: 12 MiB. */
const MOST = 1 << 20;
const FIRST = 1 << 12;

let spare: Gathered | undefined;

/** Matches with their scores, as they come. */
export class Gathered {
  #positions = new Float64Array(FIRST);
  #scores = new Float32Array(FIRST);
  #count = 0;

  /** An empty one. `giveBack` ends it; one that never is, is garbage. */
  static borrow(): Gathered {
    const gathered = spare ?? new Gathered();
    spare = undefined;
    gathered.#count = 0;
    return gathered;
  }

  /** Takes the documents of a chunk whose bits are set. `base`: position of its first document. `words`: of the bits. O(words + matches). */
  take(base: number, bits: Uint32Array, words: number, scores: Float64Array): void {
    for (let w = 0; w < words; w++) {
      let word = bits[w]!;
      if (word === 0) continue;
      if (this.#count + 32 > this.#positions.length) this.#grow();
      const [positions, into] = [this.#positions, this.#scores];
      let n = this.#count;
      while (word !== 0) {
        const low = word & -word;
        const doc = (w << 5) + 31 - Math.clz32(low);
        positions[n] = base + doc;
        into[n++] = scores[doc]!;
        word ^= low;
      }
      this.#count = n;
    }
  }

  /** All that came. */
  giveBack(): ScoredList {
    const list = {
      positions: this.#positions.slice(0, this.#count),
      scores: this.#scores.slice(0, this.#count),
    };
    if (this.#positions.length <= MOST) spare = this;
    return list;
  }

  #grow(): void {
    const [positions, scores] = [this.#positions, this.#scores];
    this.#positions = new Float64Array(2 * positions.length);
    this.#positions.set(positions);
    this.#scores = new Float32Array(2 * scores.length);
    this.#scores.set(scores);
  }
}
