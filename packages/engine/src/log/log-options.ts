// What can be set of a log, what does its start find, and where does it say that bytes lie?

import type { CheckerOptions } from './check/chunk-checker.ts';
import type { LogFinding } from './chunk/chunk.ts';
import type { PackerOptions } from './stretch/packer.ts';

/** Options of the log. */
export interface LogOptions {
  /** A chunk that has reached this size takes no more frames. @default 64 MiB */
  readonly chunkBytes?: number;
  /** Memory for bytes of chunks. @default 256 MiB */
  readonly cacheBytes?: number;
  /** Memory is taken in pieces of this size. @default 1 MiB */
  readonly slabBytes?: number;
  /** Size of the ballast file; 0 for none. @default 16 MiB */
  readonly ballastBytes?: number;
  /** While the disk is full, how often to try whether there is space again. @default 1000 */
  readonly retryMs?: number;
  /** A start reads all of the newest chunk where it is smaller than this, else its last append. @default 4 MiB */
  readonly scanBelow?: number;
  /** How what is appended is packed. */
  readonly packing?: PackerOptions;
  /** Who checks what a start has not read. */
  readonly checking?: CheckerOptions;
  /**
   * Told what there is before any of it is mended, or anything made. Where it rejects the log is not opened, and nothing of it
   * has been changed.
   */
  readonly confirm?: (found: LogFound) => Promise<void>;
  /** Told of damage that is found after the start, in chunks that the start does not scan. */
  readonly onFinding?: (finding: LogFinding) => void;
}

/** What a start finds of a log. */
export interface LogFound {
  /** 0 in an empty log. */
  readonly lastCommit: number;
  /** Number of the chunk that is appended to; 0 where there is none. */
  readonly newest: number;
}

/** A run of a chunk in memory: the byte at an offset of the chunk is `bytes[offset - start]`, and never changes. */
export interface LogPlace {
  readonly bytes: Uint8Array;
  readonly start: number;
}
