// Where do the bytes of a chunk lie in memory, between being laid out and being forgotten? In slabs: buffers that each
// cover a run of a chunk. Frames are built in place, written from there, and read from there afterwards.
//
//   chunk  …│■■■■■■■■■■■■■■■■■│■■■■■■■■■□□□□│        A frame never crosses from slab to slab: one that outgrows its slab
//           └ slab, 1 MiB ────┘└ slab ───────┘        is copied to the start of a new one.

import type { SpareSlabs } from './spare-slabs.ts';

/** A buffer that covers the bytes of a chunk from `start` to `end`. */
export interface Slab {
  readonly chunk: number;
  /** Offset in the chunk of the first byte. */
  readonly start: number;
  readonly bytes: Uint8Array;
  /** Offset in the chunk behind the last byte laid out. */
  end: number;
  /** Nothing more will be laid out here, and all of it is durable: may be forgotten. */
  isEvictable: boolean;
  /** Was it read since the cache last asked? */
  isReferenced: boolean;
  /** Has somebody been given a view of it, who may have it for as long as he likes? */
  hasViews: boolean;
  /** Bytes of records whose documents were written over or deleted. */
  deadBytes: number;
}

/** Slabs for large frames are a multiple of this, or of a slab. */
const STEP = 65_536;

/** A slab with room for `need` bytes, starting at an offset of a chunk; in memory that was used before, where there is any. */
export function newSlab(
  chunk: number,
  start: number,
  need: number,
  slabBytes: number,
  spares?: SpareSlabs,
): Slab {
  const step = Math.min(slabBytes, STEP);
  const length = Math.max(slabBytes, Math.ceil(need / step) * step);
  const bytes = spares?.take(length) ?? new Uint8Array(length);
  return {
    chunk,
    start,
    bytes,
    end: start,
    isEvictable: false,
    isReferenced: true,
    hasViews: false,
    deadBytes: 0,
  };
}
