// What do the serving thread and the one that checks the log say to each other? A chunk at a time, one answer each.

import type { SharedChunk } from '../chunk/chunk.ts';
import type { FrameMarksData } from '../chunk/frame-marks.ts';

export interface CheckJob extends Pick<SharedChunk, 'number' | 'name' | 'descriptor' | 'version'> {
  /** Bytes of the file to look at; undefined for all. */
  readonly stored: number | undefined;
}

/** Its marks where all of it is as it was written. */
export interface CheckAnswer {
  readonly marks: FrameMarksData | undefined;
}
