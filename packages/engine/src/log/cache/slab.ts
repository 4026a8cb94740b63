// Slabs: buffers that each cover a range of a chunk. Frames are built in them, written from them, and read
// from them afterwards.
//
//   chunk  …│■■■■■■■■■■■■■■■■■│■■■■■■■■■□□□□│        A frame never crosses slabs: one that outgrows its slab
//           └ slab, 1 MiB ────┘└ slab ───────┘        is copied to the start of a new one.

/** A buffer that covers the bytes of a chunk from `start` to `end`. */
export interface Slab {
  readonly chunk: number;
  /** Offset in the chunk of the first byte. */
  readonly start: number;
  readonly bytes: Uint8Array;
  /** Offset in the chunk behind the last byte laid out. */
  end: number;
  /** No more frames will be laid out here, and all of it is durable. */
  isEvictable: boolean;
  /** Read since the clock hand last passed. */
  isReferenced: boolean;
  /** A view was handed out, whose holder may keep it for ever. */
  hasViews: boolean;
  /** Bytes of records whose documents were overwritten or deleted. */
  deadBytes: number;
}

/** Sizes of slabs for large frames are multiples of this. */
const STEP = 65_536;

/** A slab with room for `need` bytes, starting at an offset of a chunk. */
export function newSlab(chunk: number, start: number, need: number, slabBytes: number): Slab {
  const step = Math.min(slabBytes, STEP);
  const length = Math.max(slabBytes, Math.ceil(need / step) * step);
  const bytes = new Uint8Array(length);
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
