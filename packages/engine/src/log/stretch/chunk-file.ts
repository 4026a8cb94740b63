// Where do the bytes of a chunk lie in its file? Up to format version 1 where they are in the chunk; from version 2 on in
// stretches, packed. Whoever reads frames asks for places in the chunk and need not know.

import type { DiskFile } from '../../disk/disk.ts';
import type { PendingPack } from './packer.ts';
import type { StrayBytes } from './walk-stretches.ts';

/**
 * The file of a chunk. All positions are offsets in the chunk. From version 2 on it is written to at its end only, or at
 * 0 its header alone; a short count of `write` is 0; and what is between stretches that are whole reads as zeros.
 */
export interface ChunkFile extends Omit<DiskFile, 'descriptor'> {
  readonly descriptor: number | undefined;
  readonly version: number;
  /**
   * As a file does; what is too long to be written as it is, and `packs`, is packed before. `ahead`: the same parts, but for
   * the header, which are being packed already.
   */
  writeThrough(
    parts: readonly Uint8Array[],
    position: number,
    packs?: boolean,
    ahead?: PendingPack,
  ): Promise<number>;
  /** Bytes of the file that hold the chunk up to here; Infinity for all of it. REQUIRES: an append ended here. */
  storedBytes(end: number): number;
  /** Bytes at the end of the file that belong to nothing: an append that was cut short left them. */
  readonly strayEnd: number;
  /** Bytes of the file, at its end or before it, that belong to nothing. */
  readonly allStrays: readonly StrayBytes[];
  /**
   * Takes the zeros at the end of the file for such as were written ahead of appends, not for damage; returns their bytes.
   * REQUIRES: nothing was appended yet, and no other chunk was begun after this one.
   */
  adoptPreallocated(): number;
  /** Cuts zeros that were written ahead of appends, durably. A rejection means that nothing is known. */
  cutPreallocated(): Promise<void>;
  /**
   * Writes what was appended from `start` on once more, as it is; not yet durable. False: the disk is full.
   * REQUIRES: an append began there.
   */
  rewriteFrom(start: number): Promise<boolean>;
}
