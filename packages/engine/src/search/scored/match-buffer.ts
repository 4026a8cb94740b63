// Collects the matches of a scan and their scores in arrays that the next search reuses: fresh memory costs a
// page fault for every 4 KiB. The result is copied to arrays of the right length.

import { chunkDocs, listDocs } from '../../query/node/chunk-docs.ts';
import type { ScoredList } from '../caches/scored-lists.ts';

/** Arrays for more matches than this are not reused: 12 MiB. */
const MAX_REUSED = 1 << 20;
const FIRST_LENGTH = 1 << 12;

let spare: MatchBuffer | undefined;

/** Matches with their scores, in the order in which they come. */
export class MatchBuffer {
  #positions = new Float64Array(FIRST_LENGTH);
  #scores = new Float32Array(FIRST_LENGTH);
  #count = 0;

  /** An empty buffer. `finish` gives it back; one that is dropped instead is garbage. */
  static borrow(): MatchBuffer {
    const buffer = spare ?? new MatchBuffer();
    spare = undefined;
    buffer.#count = 0;
    return buffer;
  }

  /**
   * Adds the documents of a chunk whose bits are set. `base` is the position of its first document, `words`
   * the number of words to look at. O(words + matches).
   */
  addChunk(base: number, bits: Uint32Array, words: number, scores: Float64Array): void {
    const n = listDocs(bits, words);
    while (this.#count + n > this.#positions.length) this.#grow();
    const [positions, into] = [this.#positions, this.#scores];
    const at = this.#count;
    for (let i = 0; i < n; i++) {
      const doc = chunkDocs[i]!;
      positions[at + i] = base + doc;
      into[at + i] = scores[doc]!;
    }
    this.#count = at + n;
  }

  /** A copy of all matches; the buffer is given back. */
  finish(): ScoredList {
    const list = {
      positions: this.#positions.slice(0, this.#count),
      scores: this.#scores.slice(0, this.#count),
    };
    if (this.#positions.length <= MAX_REUSED) spare = this;
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
