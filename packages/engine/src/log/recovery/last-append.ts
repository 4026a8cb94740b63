// Finds the last append to a chunk, from header to header. If it is intact, nothing of the chunk is torn and
// the rest need not be read: every frame states where its append began, and everything before that was
// durable when it was written.

import { headerAt, isIntactAt } from '../check/check-chunk.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { FrameMarks } from '../chunk/frame-marks.ts';
import { CHUNK_HEADER, FRAME_HEADER, type FrameHeader } from '../format/format.ts';

/** Headers read to find the last frame; with more, reading all frames is as fast. */
const MAX_HOPS = 2_000;

/** The last append of a chunk. */
interface LastAppend {
  readonly lastCommit: number;
  readonly appendStart: number;
  /** Marks of frames; except in the last append, only their headers were read. */
  readonly marks: FrameMarks;
}

/**
 * The last append to a fresh chunk; undefined if anything is not as an acknowledged append leaves it: then
 * all frames have to be read. REQUIRES: chunk.end is that of the file.
 */
export function findLastAppend(chunk: Chunk): LastAppend | undefined {
  if (chunk.file.allStrays.length > 0 || chunk.file.strayEnd > 0) return undefined;
  const marks = new FrameMarks();
  const frames: FrameHeader[] = [];
  const head = new Uint8Array(FRAME_HEADER);
  for (let at = CHUNK_HEADER; at < chunk.end; ) {
    const header = headerAt(chunk, at, head);
    const before = frames.at(-1)?.commit ?? chunk.firstCommit - 1;
    if (header === undefined || header.moved || header.commit <= before) return undefined;
    if (frames.push(header) > MAX_HOPS) return undefined;
    marks.add(header.commit, at);
    at += header.length;
  }
  const last = frames.at(-1);
  if (last === undefined) return undefined;
  const { appendStart, commit } = last;
  const appended = frames.filter(({ offset }) => offset >= appendStart);
  const isOne = appended.every((frame) => frame.appendStart === appendStart);
  const isWhole = isOne && appended.every(({ offset, length }) => isIntactAt(chunk, offset, length));
  return isWhole ? { lastCommit: commit, appendStart, marks } : undefined;
}
