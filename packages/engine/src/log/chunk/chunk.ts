// What is known of a chunk of the log while it is open?

import type { ChunkFile } from '../stretch/chunk-file.ts';
import type { FrameMarks } from './frame-marks.ts';

/** An open chunk file. */
export interface Chunk {
  readonly number: number;
  readonly kind: 'fresh' | 'moved';
  readonly file: ChunkFile;
  /** Bounds of its commits: all in it are >= firstCommit and <= lastCommit; none are in it when lastCommit is less. */
  readonly firstCommit: number;
  lastCommit: number;
  /** Ways into it by commit; none until it is checked. */
  marks: FrameMarks;
  /** Offset behind the last durable frame. */
  end: number;
  /** True until its frames have been read by this process (check.ts) ... */
  unchecked?: boolean;
  /** ... but for those from here on, where it is the one that is appended to. */
  intactFrom?: number;
  /** While it is: frames that were read and are as they were written. */
  intactFrames?: { readonly offset: number; readonly length: number }[];
  /** Ranges whose bytes are not those that were written. */
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

/** A chunk as another thread reads it. */
export interface SharedChunk {
  readonly number: number;
  readonly name: string;
  /** Of the file, which stays open as long as anybody may read it. */
  readonly descriptor: number;
  readonly version: number;
  readonly end: number;
  /** Bytes of the file that hold what is before `end`. */
  readonly stored: number;
  /** True once all of it was read and found to be as it was written. */
  readonly isIntact: boolean;
}

/** Something in the log that differs from what was written. */
export interface LogFinding {
  readonly chunk: number;
  readonly offset: number;
  /** Bytes that cannot be read; 0 where that is not the point. */
  readonly length: number;
  /** 'damaged' lost what was acknowledged; 'torn' is the rest of an append that was never acknowledged; 'foreign' belongs to another place. */
  readonly kind: 'damaged' | 'torn' | 'foreign';
  readonly reason: string;
}

/** The figures of a chunk. */
export function chunkInfo(chunk: Chunk): ChunkInfo {
  const { number, kind, firstCommit, lastCommit } = chunk;
  return {
    ...{ number, kind, firstCommit, lastCommit, stored: storedBytes(chunk) },
    // Of a chunk that nobody has read yet it takes a look at all of its file.
    get bytes() {
      return chunk.end;
    },
  };
}

/** Whether nobody has checked yet what lies at an offset of a chunk. */
export function isUnchecked({ unchecked, intactFrom }: Chunk, offset: number): boolean {
  return unchecked === true && (intactFrom === undefined || offset < intactFrom);
}

/** Whether nothing is known of a chunk but its header. */
function isUnread({ unchecked, intactFrom }: Chunk): boolean {
  return unchecked === true && intactFrom === undefined;
}

/** What nobody has read yet is not written to either: all of the file. */
export function storedBytes(chunk: Chunk): number {
  return chunk.file.storedBytes(isUnread(chunk) ? Number.POSITIVE_INFINITY : chunk.end);
}

/** Bytes in files for a byte of a chunk, over those that were read; 1 where there is none. */
export function storedShare<C extends Chunk>(chunks: Iterable<C>, storedOf: (chunk: C) => number): number {
  let [bytes, stored] = [0, 0];
  for (const chunk of chunks) {
    if (isUnread(chunk)) continue;
    bytes += chunk.end;
    stored += storedOf(chunk);
  }
  return bytes === 0 ? 1 : stored / bytes;
}
