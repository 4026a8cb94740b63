// The file of a chunk, addressed by offsets in the chunk. It is the seam between the log and its files:
// pointers, frames, slabs and marks are offsets in the chunk and do not depend on how the file stores it. In
// format version 1 the chunk lies in the file as it is; from version 2 on in stretches, which have checksums
// from version 3 on.

import type { DiskFile } from '../../disk/disk.ts';
import type { PendingPack } from './packer.ts';
import type { DamagedRange } from './read-stretch.ts';
import type { FileRange } from './walk-stretches.ts';

/**
 * The file of a chunk. All positions are offsets in the chunk. From version 2 on:
 * - it is written at its end only, except for its header, which is written alone at 0;
 * - a short count of `write` is 0;
 * - bytes between intact stretches read as zeros.
 */
export interface ChunkFile extends Omit<DiskFile, 'descriptor' | 'readSync'> {
  readonly descriptor: number | undefined;
  readonly version: number;
  /** Whether every read verifies checksums: from version 3 on. */
  readonly isSummed: boolean;
  /**
   * As `DiskFile.readSync`. Bytes that cannot be read are zeros, and added to `damaged`.
   */
  readSync(into: Uint8Array, position: number, damaged?: DamagedRange[]): number;
  /**
   * As `DiskFile.writeThrough`. With `packs`, an append that is large enough is packed first; `pending` is a
   * packing of the same parts (without the header) that was started already.
   */
  writeThrough(
    parts: readonly Uint8Array[],
    position: number,
    packs?: boolean,
    pending?: PendingPack,
  ): Promise<number>;
  /**
   * Bytes of the file that hold the chunk up to `end`; Infinity for all of it. REQUIRES: an append ended
   * there.
   */
  storedBytes(end: number): number;
  /** Number of bytes at the end of the file that belong to no stretch: left by a torn append. */
  readonly strayEnd: number;
  /** All bytes of the file that belong to no stretch, at its end or before. */
  readonly allStrays: readonly FileRange[];
  /**
   * Treats zeros at the end of the file as preallocated, not as damage; returns their number. REQUIRES:
   * nothing was appended yet, and no other chunk was begun after this one.
   */
  adoptPreallocated(): number;
  /** Cuts preallocated zeros, durably. After a rejection the state of the file is unknown. */
  cutPreallocated(): Promise<void>;
  /**
   * Writes the bytes from `start` on again, unchanged; not yet durable. False if the disk is full. REQUIRES:
   * an append began there.
   */
  rewriteFrom(start: number): Promise<boolean>;
}
