// Which frames were appended a short while ago? Followers of the log that keep up find theirs here, in the slabs in
// which they were built, and read nothing from the disk.

import type { FrameBuilder } from '../append/frame-builder.ts';

/** Records that are kept in sight. */
const RECORDS = 65_536;
/** Frames are shifted out in bulk. */
const SLACK = 1_024;

/** Where a frame lies. */
export interface FramePlace {
  readonly commit: number;
  readonly chunk: number;
  readonly offset: number;
  readonly length: number;
  readonly records: number;
}

/** The last frames of the log, oldest first: those of 65,536 records or so. */
export class RecentFrames {
  #frames: FramePlace[] = [];
  #start = 0;
  #records = 0;
  /** Everything after this commit is here. */
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
    // Empty commits cost room as well.
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

  /** Is everything from this commit on here? */
  covers(commit: number): boolean {
    return commit > this.#floor;
  }
}
