// An open chunk of the log: its file, its bounds, and what is known of its integrity.

import type { ChunkFile } from '../stretch/chunk-file.ts';
import type { FrameMarks } from './frame-marks.ts';

/** An open chunk file. */
export interface Chunk {
  readonly number: number;
  readonly kind: 'fresh' | 'moved';
  readonly file: ChunkFile;
  /** Bounds of its commits: firstCommit <= commit <= lastCommit; it is empty if lastCommit is less. */
  readonly firstCommit: number;
  lastCommit: number;
  /** Entry points by commit; empty until it is checked. */
  marks: FrameMarks;
  /** Offset behind the last durable frame. */
  end: number;
  /** True until this process has read its frames (check-chunk.ts) ... */
  unchecked?: boolean;
  /** ... except for those from this offset on, if it is the chunk that is appended to. */
  intactFrom?: number;
  /** While unchecked: frames that were read and are intact. */
  intactFrames?: { readonly offset: number; readonly length: number }[];
  /** Damaged ranges. */
  bad?: readonly { readonly offset: number; readonly length: number }[];
}

/** The public figures of a chunk. */
export interface ChunkInfo {
  readonly number: number;
  readonly kind: 'fresh' | 'moved';
  /** Offset behind its last durable frame. */
  readonly bytes: number;
  /** Bytes of its file that hold these. */
  readonly stored: number;
  readonly firstCommit: number;
  readonly lastCommit: number;
}

/** What another thread needs to read a chunk. */
export interface SharedChunk {
  readonly number: number;
  readonly name: string;
  /** Descriptor of the file, which stays open as long as anyone may read it. */
  readonly descriptor: number;
  readonly version: number;
  readonly end: number;
  /** Bytes of the file that hold what is before `end`. */
  readonly stored: number;
  /** True once all of it was checked and found intact. */
  readonly isIntact: boolean;
}

/** A finding: something in the log that differs from what was written. */
export interface LogFinding {
  readonly chunk: number;
  readonly offset: number;
  /** Bytes that cannot be read; 0 if the finding is not about bytes. */
  readonly length: number;
  /**
   * 'damaged': acknowledged records are lost. 'torn': the rest of an append that was never acknowledged.
   * 'foreign': the file belongs elsewhere.
   */
  readonly kind: 'damaged' | 'torn' | 'foreign';
  readonly reason: string;
}

/** The figures of a chunk. */
export function chunkInfo(chunk: Chunk): ChunkInfo {
  const { number, kind, firstCommit, lastCommit } = chunk;
  return {
    ...{ number, kind, firstCommit, lastCommit, stored: storedBytes(chunk) },
    // For a chunk that was not read yet this walks over its whole file.
    get bytes() {
      return chunk.end;
    },
  };
}

/** Whether the bytes at an offset of a chunk were not checked yet. */
export function isUnchecked({ unchecked, intactFrom }: Chunk, offset: number): boolean {
  return unchecked === true && (intactFrom === undefined || offset < intactFrom);
}

/** Whether bytes of a chunk can be read without a look at its frames. */
export function isReadable({ file, unchecked, bad }: Chunk): boolean {
  return file.isSummed || (unchecked !== true && bad === undefined);
}

/** Whether only the header of a chunk was read. */
function isUnread({ unchecked, intactFrom }: Chunk): boolean {
  return unchecked === true && intactFrom === undefined;
}

/** Bytes of the file in use. A chunk that was not read yet is not written to either: all of its file. */
export function storedBytes(chunk: Chunk): number {
  return chunk.file.storedBytes(isUnread(chunk) ? Number.POSITIVE_INFINITY : chunk.end);
}

/** Bytes in files per byte of the chunks that were read; 1 if there are none. */
export function storedShare<C extends Chunk>(
  chunks: Iterable<C>,
  storedBytesOf: (chunk: C) => number,
): number {
  let [bytes, stored] = [0, 0];
  for (const chunk of chunks) {
    if (isUnread(chunk)) continue;
    bytes += chunk.end;
    stored += storedBytesOf(chunk);
  }
  return bytes === 0 ? 1 : stored / bytes;
}
