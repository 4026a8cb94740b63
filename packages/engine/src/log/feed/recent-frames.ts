// The frames appended last, with about 65,536 records. Followers that keep up read them from the slabs in
// which they were built, and nothing from the disk.

import type { FrameBuilder } from '../append/frame-builder.ts';

/** Records kept. */
const RECORDS = 65_536;
/** Frames are removed from the array in bulk. */
const SLACK = 1_024;

/** Position of a frame. */
interface FramePlace {
  readonly commit: number;
  readonly chunk: number;
  readonly offset: number;
  readonly length: number;
  readonly records: number;
}

/** The last frames of the log, oldest first. */
export class RecentFrames {
  #frames: FramePlace[] = [];
  #start = 0;
  #records = 0;
  /** All commits after this one are here. */
  #floor: number;

  constructor(lastCommit: number) {
    this.#floor = lastCommit;
  }

  append(frames: readonly FrameBuilder[]): void {
    for (const { commit, chunk, offset, length, records } of frames) {
      this.#frames.push({ commit, chunk, offset, length, records });
      this.#records += records;
    }
    while (this.#records > RECORDS && this.#start < this.#frames.length - 1) {
      const oldest = this.#frames[this.#start++]!;
      this.#records -= oldest.records;
      this.#floor = oldest.commit;
    }
    // Empty commits take entries too.
    while (this.#frames.length - this.#start > RECORDS) this.#floor = this.#frames[this.#start++]!.commit;
    if (this.#start >= SLACK) {
      this.#frames = this.#frames.slice(this.#start);
      this.#start = 0;
    }
  }

  /** The frames of this commit and all later ones. */
  *from(commit: number): Generator<FramePlace> {
    let low = this.#start;
    let high = this.#frames.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#frames[middle]!.commit < commit) low = middle + 1;
      else high = middle;
    }
    for (const frames = this.#frames; low < frames.length; low++) yield frames[low]!;
  }

  /** Whether all commits from this one on are here. */
  covers(commit: number): boolean {
    return commit > this.#floor;
  }
}
