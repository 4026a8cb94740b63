// Layout of the head of log/packed/packing.ts, and the numbers of log/packed/code.ts.

export const HEAD_SHORT: usize = 0;
export const HEAD_RECORDS: usize = 4;
export const HEAD_STRINGS: usize = 8;
export const HEAD_ENTRIES: usize = 12;
export const HEAD_BUCKETS: usize = 16;
export const HEAD_MASK: usize = 20;
export const HEAD_FILTERS: usize = 24;
export const HEAD_TOKENS: usize = 28;

export const UNIT: usize = 4096;
export const LITERAL: u32 = 248;
export const LITERAL_SHORT: u32 = 7;
export const LITERAL_MAX: usize = 263;
export const WORD_MAX: u32 = 32;
export const PIECE_MAX: u32 = 8;
export const BARE_MAX: u32 = 12;
/** Bytes of a word that a record has room for. */
export const RECORD_WORD: u32 = 7;
