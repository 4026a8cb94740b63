// Layout of the record of these kernels, read by both sides: a stretch of documents, a row per key that
// they are compared by, their bitmap, and the output: documents that passed a sieve, or counts by
// bucket.
//
//   near, far   keys, flipped so that smaller comes first, as u64; the ends of a range, both included

/** The document to go on with, a multiple of 32, and the end of the stretch. */
export const STRETCH_AT = 0;
export const STRETCH_END = 4;
/** The first document of the stretch, a multiple of 32: that of the bitmap's first bit. */
export const STRETCH_FROM = 8;
/** Documents that have keys. */
export const STRETCH_DOCS = 12;
export const STRETCH_LEVELS = 16;
/** Documents that passed, and visible ones so far that sort before the near bound. */
export const SIEVE_FOUND = 20;
export const SIEVE_BEFORE = 24;
/** Bits of the distance from the near end that are shifted out: the width of a bucket. */
export const TALLY_SHIFT = 28;

export const LEVELS = 32;
/** Addresses of the halves of the keys, and the flip of both. */
export const LEVEL_HI = 0;
export const LEVEL_LO = 4;
export const LEVEL_FLIP = 8;
export const LEVEL_NEAR = 16;
export const LEVEL_FAR = 24;
export const LEVEL_BYTES = 32;
export const MOST_LEVELS = 4;

/** u64: the least and the greatest key in the range. */
export const EXTENT_LEAST = 160;
export const EXTENT_GREATEST = 168;

export const STRETCH_BITS = 176;
/** Documents of a stretch at most. */
export const MOST_STRETCH = 32768;

export const OUT = 4272;
/** A sieve stops above this number, which leaves room for the documents of one word. */
export const ENOUGH = 224;
/** Counts. */
export const PLACES = 1024;
export const RECORD_BYTES = 8384;
