// Where does what lie in the record of these kernels? Read by both sides: a stretch of documents, a row for each number that
// they are compared by, their bitmap, and what comes out: documents that came through a sieve, or counts by place in a range.
//
//   near, far   keys turned so that less comes first, as one u64 each; of a range its ends, both in it

/** The document to go on with, a multiple of 32, and the end of the stretch. */
export const STRETCH_AT = 0;
export const STRETCH_END = 4;
/** The first document of the stretch, a multiple of 32: that of the bitmap's first bit. */
export const STRETCH_FROM = 8;
/** Documents that have keys. */
export const STRETCH_DOCS = 12;
export const STRETCH_LEVELS = 16;
/** Documents that came through, and visible ones seen so far that come before the near bound. */
export const SIEVE_FOUND = 20;
export const SIEVE_BEFORE = 24;
/** Bits of the distance from the near end that do not count. */
export const TALLY_SHIFT = 28;

export const LEVELS = 32;
/** Where the halves of the keys lie, and what is to be turned in both. */
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
/** A sieve stops when there are more than this, which leaves room for those of one word. */
export const ENOUGH = 224;
/** Counts. */
export const PLACES = 1024;
export const RECORD_BYTES = 8384;
