// Where in a chunk does a commit begin, roughly? A mark every 256 KiB or so, set by whoever passes over the frames
// (append, start, check, move), so that a reader from the middle of history reads no more than one stretch too much.

import { CHUNK_HEADER } from '../format/format.ts';

const STRETCH = 256 << 10;

/** What marks are made of, to be told to another thread. */
export interface FrameMarksData {
  readonly commits: readonly number[];
  readonly offsets: readonly number[];
  readonly last: number | undefined;
}

/** Offsets of some frames of a chunk with their last commits, ascending. */
export class FrameMarks {
  readonly #commits: number[];
  readonly #offsets: number[];
  #last: number | undefined;

  constructor({ commits, offsets, last }: FrameMarksData = { commits: [], offsets: [], last: undefined }) {
    this.#commits = [...commits];
    this.#offsets = [...offsets];
    this.#last = last;
  }

  get data(): FrameMarksData {
    return { commits: this.#commits, offsets: this.#offsets, last: this.#last };
  }

  /** Commit of the last frame that was passed. */
  get lastCommit(): number | undefined {
    return this.#last;
  }

  /** Told of every frame, in order; keeps one of many. */
  add(commit: number, offset: number): void {
    this.#last = commit;
    if (offset - (this.#offsets.at(-1) ?? CHUNK_HEADER) < STRETCH) return;
    this.#commits.push(commit);
    this.#offsets.push(offset);
  }

  /** The offset of a frame, such that no frame before it ends behind this commit. O(log n). */
  before(commit: number): number {
    let low = 0;
    let high = this.#commits.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#commits[middle]! <= commit) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? CHUNK_HEADER : this.#offsets[low - 1]!;
  }
}
