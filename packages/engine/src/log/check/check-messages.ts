// Messages between the serving thread and the thread that checks the log: one chunk per job, one answer each.

import type { SharedChunk } from '../chunk/chunk.ts';
import type { FrameMarksData } from '../chunk/frame-marks.ts';

export interface CheckJob extends Pick<SharedChunk, 'number' | 'name' | 'descriptor' | 'version'> {
  /** Bytes of the file to check; undefined for all. */
  readonly stored: number | undefined;
}

/** Marks of the chunk if all of it is intact. */
export interface CheckAnswer {
  readonly marks: FrameMarksData | undefined;
}
