// Where does what lie in the record of a sieve? Read by both sides; a stretch of documents, then a row for each number that
// documents are compared by, then their bitmap, then the documents that came through.
//
//   near, far   keys turned so that less comes first, as one u64 each

/** The document to go on with, a multiple of 32, and the end of the stretch. */
export const SIEVE_AT = 0;
export const SIEVE_END = 4;
/** The first document of the stretch: that of the bitmap's first bit. */
export const SIEVE_FROM = 8;
/** Documents that have keys. */
export const SIEVE_DOCS = 12;
export const SIEVE_LEVELS = 16;
/** Documents that came through, and visible ones seen so far that come before the near bound. */
export const SIEVE_FOUND = 20;
export const SIEVE_BEFORE = 24;
export const SIEVE_ROWS = 32;

/** Where the halves of the keys lie, and what is to be turned in both. */
export const LEVEL_HI = 0;
export const LEVEL_LO = 4;
export const LEVEL_FLIP = 8;
export const LEVEL_NEAR = 16;
export const LEVEL_FAR = 24;
export const LEVEL_BYTES = 32;
export const MOST_LEVELS = 4;

export const SIEVE_BITS = 160;
/** Documents of a stretch at most. */
export const MOST_STRETCH = 32768;
export const SIEVE_OUT = 4256;
/** It stops when there are more than this, which leaves room for those of one word. */
export const ENOUGH = 224;
export const SIEVE_BYTES = 5280;
