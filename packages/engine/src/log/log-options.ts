// Options of the document log, what its start finds, and positions of bytes in memory.

import type { CheckerOptions } from './check/chunk-checker.ts';
import type { LogFinding } from './chunk/chunk.ts';
import type { PackerOptions } from './stretch/packer.ts';

/** Options of the log. */
export interface LogOptions {
  /** A chunk of this size takes no more frames. @default 64 MiB */
  readonly chunkBytes?: number;
  /** Size of the cache. @default 256 MiB */
  readonly cacheBytes?: number;
  /** Size of a slab of the cache. @default 1 MiB */
  readonly slabBytes?: number;
  /** Size of the ballast file; 0 for none. @default 16 MiB */
  readonly ballastBytes?: number;
  /** While the disk is full: time between attempts to restore the ballast, in milliseconds. @default 1000 */
  readonly retryMs?: number;
  /**
   * A start reads all of the newest chunk if it is smaller than this, else its last append. @default 4 MiB
   */
  readonly scanBelow?: number;
  /** How appends are packed. */
  readonly packing?: PackerOptions;
  /** How chunks are checked that a start has not read. */
  readonly checking?: CheckerOptions;
  /**
   * Called with what was found before anything is repaired or created. If it rejects, the log is not opened
   * and nothing has been changed.
   */
  readonly confirm?: (found: LogFound) => Promise<void>;
  /** Gets damage that is found after the start, in chunks that the start does not scan. */
  readonly onFinding?: (finding: LogFinding) => void;
}

/** What a start finds. */
export interface LogFound {
  /** 0 in an empty log. */
  readonly lastCommit: number;
  /** Number of the chunk that is appended to; 0 if there is none. */
  readonly newest: number;
  /** Whether something acknowledged in that chunk cannot be read. */
  readonly isNewestDamaged: boolean;
  /** Numbers of the indices with records behind a commit. O(records). */
  readonly indexNumbers: (after: number) => Promise<ReadonlySet<number>>;
}

/**
 * Bytes of a chunk in memory: the byte at an offset of the chunk is `bytes[offset - start]`, and never
 * changes.
 */
export interface LogPlace {
  readonly bytes: Uint8Array;
  readonly start: number;
}
