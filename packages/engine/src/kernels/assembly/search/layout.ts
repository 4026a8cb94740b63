// Where does everything lie in the records that a search hands over? Offsets in bytes. Read by both sides: the kernels,
// and the TypeScript that writes the records (score/compiled.ts, score/shelf.ts).
//
//   query    one search over some leaves of one arena        rows follow: leaves, then terms, then entries
//   leaf     what of a leaf is visible, and where its documents begin
//   term     weight and length factors
//   entry    a term in a leaf: its field there and its groups; leaf after leaf, term by term
//   field    the sections of a field's postings in a leaf

export const QUERY_SHAPE = 0;
export const QUERY_TERMS = 4;
export const QUERY_LEAVES = 8;
export const QUERY_CAPACITY = 12;
/** Results kept so far, and where: pairs of f64, score and position. */
export const QUERY_SIZE = 16;
export const QUERY_HEAP = 20;
export const QUERY_LEAF_ROWS = 24;
export const QUERY_TERM_ROWS = 28;
export const QUERY_ENTRIES = 32;
export const QUERY_SCRATCH = 36;
/** The leaf that is searched, and visible matches counted so far. */
export const QUERY_LEAF = 40;
export const QUERY_TOTAL = 44;
/** f64: what documents found elsewhere ask of a score. */
export const QUERY_SEED = 48;
/** Leaves are counted while the total is at most this. */
export const QUERY_COUNT_TO = 56;
export const QUERY_BYTES = 64;

export const ANY = 0;
export const ALL = 1;
export const PHRASE = 2;

export const LEAF_BYTES = 32;
/** Bitmaps, 0 where every document is in. */
export const LEAF_LIVE = 0;
export const LEAF_ACCEPT = 4;
/** Documents that the snapshot shows, and all. */
export const LEAF_VISIBLE = 8;
export const LEAF_DOCS = 12;
/** Number of the leaf among all. */
export const LEAF_PLACE = 16;
export const LEAF_FLAGS = 20;

/** Matches are to be counted; they are counted already; a restriction leads; the leaf has been begun. */
export const COUNTING = 1;
export const COUNTED = 2;
export const FEW = 4;
export const BEGUN = 8;

export const TERM_BYTES = 16;
export const TERM_WEIGHT = 0;
export const TERM_INVERSES = 4;
/** Of a phrase: places behind its start. */
export const TERM_OFFSET = 8;

export const ENTRY_BYTES = 32;
export const ENTRY_FIELD = 0;
/** The next group and the end of groups; equal where the leaf does not have the term. */
export const ENTRY_GROUP = 4;
export const ENTRY_END = 8;
/** Whole-number weight, made when the leaf is begun. */
export const ENTRY_WEIGHT = 12;
/** f64: bound of the score of a code of 1. */
export const ENTRY_UNIT = 16;

export const FIELD_LOWS = 0;
export const FIELD_CODES = 4;
export const FIELD_BLOCK_MAX = 8;
export const FIELD_GROUPS = 12;
export const FIELD_DENSE = 16;
/** 0 without norms. */
export const FIELD_NORMS = 20;
export const FIELD_FREQS = 24;
export const FIELD_EXCEPTIONS = 28;
export const FIELD_EXCEPTION_COUNT = 32;
export const FIELD_POSITIONS = 36;
export const FIELD_POSITIONS_END = 40;
export const FIELD_POSITION_OFFSETS = 44;
export const FIELD_BYTES = 64;

export const HEAP_BYTES = 16;

export const GROUP_BYTES = 16;
export const DENSE_BYTES = 12288;
/** Bytes of a bitmap over a chunk: what comes before the ranks. */
export const BITMAP_BYTES = 8192;

/** Scratch: lists of a chunk, their order, a bitmap, sums of a window and of a whole chunk (all zero between uses). */
export const SCRATCH_LISTS = 0;
export const SCRATCH_ORDER = 2048;
export const SCRATCH_BOUND = 2176;
export const SCRATCH_REST = 2304;
export const SCRATCH_MOST = 2448;
export const SCRATCH_BITS = 4096;
export const SCRATCH_SUMS = 12288;
export const SCRATCH_WIDE = 28672;
/** Eights of a block of postings that share documents with another list. */
export const SCRATCH_SHARED = 159744;
/** Words of two bitmaps that share documents. */
export const SCRATCH_WORDS = 160768;
export const SCRATCH_BYTES = 168960;
