// Layout of the head of tail/inversion/posting-pairs.ts, and numbers of segment/format.ts.

export const PAIRS: usize = 0;
/** Start and end of the pairs of each term. */
export const RUNS: usize = 4;
export const TERMS: usize = 8;
export const NORMS: usize = 12;
export const CODE_TABLE: usize = 16;
export const FREQ_TABLE: usize = 20;
export const LENGTH_PARTS: usize = 24;
export const POSTINGS: usize = 28;
export const BYTES: usize = 32;
export const BLOCKS: usize = 36;
export const LOWS: usize = 40;
export const CODES: usize = 44;
export const RESIDUES: usize = 48;
export const POSITION_BYTES: usize = 52;
export const OFFSETS: usize = 56;
export const HALVES: usize = 60;
export const BLOCK_MAX: usize = 64;
export const GROUPS: usize = 68;
export const TERM_FREQS: usize = 72;
export const EXCEPTIONS: usize = 76;
export const EXCEPTION_COUNT: usize = 80;

/** Frequencies below this have their code in a table. */
export const CODED: u32 = 256;
export const BLOCK_MASK: u32 = 127;
export const DENSE_POSTINGS: u32 = 2048;
/** Set in the third word of a group that also has a bitmap. */
export const DENSE: u32 = 1 << 24;
/** Distances up to this take at most two bytes. */
export const MOST_IN_TWO: u32 = (1 << 13) - 1;
