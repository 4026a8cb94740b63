// Entry points into a chunk: about every 256 KiB the commit and offset of a frame, noted by whoever passes
// over the frames (append, start, check, move). A reader that starts in the middle of the history reads at
// most one such stretch too much.

import { CHUNK_HEADER } from '../format/format.ts';

const MARK_BYTES = 256 << 10;

/** The marks as data for another thread. */
export interface FrameMarksData {
  readonly commits: readonly number[];
  readonly offsets: readonly number[];
  readonly last: number | undefined;
}

/** Offsets of some frames of a chunk with their commits, ascending. */
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

  /** Commit of the last frame. */
  get lastCommit(): number | undefined {
    return this.#last;
  }

  /** To be called for every frame in order; keeps one of many. */
  add(commit: number, offset: number): void {
    this.#last = commit;
    if (offset - (this.#offsets.at(-1) ?? CHUNK_HEADER) < MARK_BYTES) return;
    this.#commits.push(commit);
    this.#offsets.push(offset);
  }

  /** The offset of a frame before which all frames have this commit or an earlier one. O(log n). */
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
