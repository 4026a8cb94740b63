// Layout of the records of a search, as offsets in bytes. Read by both sides: the kernels, and the
// TypeScript that writes the records (score/kernel/compiled-query.ts, score/kernel/kernel-records.ts).
//
//   query    one search over some leaves of one arena; rows follow: leaves, terms, entries, chunks, lists
//   leaf     what of a leaf is visible, and where its documents begin
//   term     weight and length factors
//   entry    a term in a leaf: its field there and its groups; leaf after leaf, term by term
//   chunk    documents that may match, and their score bound: written once per query from the entries
//   list     a term in a chunk; the lists of a chunk lie side by side
//   short    a posting of a rare term; those of all leaves lie side by side: written once per query from the chunks
//   field    the sections of a field's postings in a leaf

export const QUERY_SHAPE = 0;
export const QUERY_TERMS = 4;
export const QUERY_LEAVES = 8;
export const QUERY_CAPACITY = 12;
/** Results so far, and their address: f64 score, u32 document, u32 number of the leaf. */
export const QUERY_SIZE = 16;
export const QUERY_HEAP = 20;
export const QUERY_LEAF_ROWS = 24;
export const QUERY_TERM_ROWS = 28;
export const QUERY_ENTRIES = 32;
export const QUERY_SCRATCH = 36;
/** The next chunk, and visible matches counted so far. */
export const QUERY_AT = 40;
export const QUERY_TOTAL = 44;
/** f64: scores below it cannot get in, because of results found elsewhere. */
export const QUERY_SEED = 48;
/** Chunks are counted while the total is at most this. */
export const QUERY_COUNT_TO = 56;
export const QUERY_CHUNK_ROWS = 60;
export const QUERY_CHUNKS = 64;
export const QUERY_LISTS = 68;
/** The short list, 0 without, and how many postings are in it. */
export const QUERY_SHORT = 72;
export const QUERY_SHORT_COUNT = 76;
export const QUERY_BYTES = 96;

export const ANY = 0;
export const ALL = 1;
export const PHRASE = 2;

export const LEAF_BYTES = 48;
/** Bitmaps; 0 if every document is in. */
export const LEAF_LIVE = 0;
export const LEAF_ACCEPT = 4;
/** Documents visible to the snapshot, and all documents. */
export const LEAF_VISIBLE = 8;
export const LEAF_DOCS = 12;
/** Number of the leaf among all. */
export const LEAF_PLACE = 16;
export const LEAF_FLAGS = 20;
/** f64: the score of a bound of 1. */
export const LEAF_UNIT = 24;
/** f64: the share of a sum of bounds that a score surely reaches (any/candidate-notes.ts). */
export const LEAF_SURE = 32;

/** The restriction has been counted; it leads; the leaf is excluded. */
export const RESTRICTION_CHECKED = 1;
export const RESTRICTION_LEADS = 2;
export const LEAF_EXCLUDED = 4;

export const TERM_BYTES = 16;
export const TERM_WEIGHT = 0;
export const TERM_INVERSES = 4;
/** In a phrase: positions behind its start. */
export const TERM_OFFSET = 8;

export const ENTRY_BYTES = 32;
export const ENTRY_FIELD = 0;
/** The first group and the end of groups; equal if the leaf lacks the term. */
export const ENTRY_GROUP = 4;
export const ENTRY_END = 8;
/** Integer weight. */
export const ENTRY_WEIGHT = 12;
/** f64: an upper and a lower bound of the score per code unit. */
export const ENTRY_UNIT = 16;
export const ENTRY_LEAST = 24;

export const CHUNK_BYTES = 32;
export const CHUNK_LEAF = 0;
export const CHUNK_LISTS = 4;
export const CHUNK_COUNT = 8;
/** First document. */
export const CHUNK_BASE = 12;
/** f64: no document scores more. */
export const CHUNK_BOUND = 16;
export const CHUNK_POSTINGS = 24;

export const LIST_BYTES = 64;

export const SHORT_BYTES = 16;
export const SHORT_DOC = 0;
/** Number of the leaf among all. */
export const SHORT_PLACE = 4;
/** Address of the bitmap word that says whether the document is alive. */
export const SHORT_WORD = 8;
/** f32: frequency · length factor. */
export const SHORT_TF = 12;
/** Before the first one: a word of ones, for leaves without deletions. */
export const SHORT_HEAD = 16;
/** Terms with more postings are searched chunk by chunk. */
export const MOST_SHORT = 128;

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
/** 0 in segments of version 1. */
export const FIELD_POSITION_HALVES = 48;
/** 0 in segments of versions 1 and 2. */
export const FIELD_POSITION_RESIDUES = 52;
export const FIELD_BYTES = 64;

export const HEAP_BYTES = 16;

export const GROUP_BYTES = 16;
export const DENSE_BYTES = 12288;
/** Bytes of the bitmap of a chunk, which precedes the ranks. */
export const BITMAP_BYTES = 8192;

/** Scratch: the order of lists, candidate notes, a bitmap, sums of a window and of a whole chunk. */
export const SCRATCH_ORDER = 0;
export const SCRATCH_BOUND = 128;
export const SCRATCH_REST = 256;
export const SCRATCH_NOTES = 576;
export const SCRATCH_BITS = 4672;
/** Sums are all zero between uses. */
export const SCRATCH_SUMS = 12864;
export const SCRATCH_WIDE = 29248;
/** Eights of a block of postings that share documents with another list. */
export const SCRATCH_SHARED = 160320;
/** Words of two bitmaps that share documents. */
export const SCRATCH_WORDS = 161344;
/** Sums of a stretch that are above the limit. */
export const SCRATCH_SEEN = 169536;
/**
 * For phrases: documents that two lists share; the first document per eight codes (all zero between uses); the batch whose
 * positions are read together; those of it that may hold the phrase; a single document; and a table of the n-th bits of
 * bytes (written when first needed).
 */
export const SCRATCH_SHARES = 171584;
export const SCRATCH_HEADS = 187968;
export const SCRATCH_BATCH = 188480;
export const SCRATCH_KEPT = 189504;
export const SCRATCH_SHARE = 189632;
export const SCRATCH_PLACES = 189696;
/** Bounds of the best candidate notes, and room behind them. */
export const SCRATCH_BEST = 192000;
/** Postings of documents that two lists share, in pairs, and room for those of one more word of a bitmap. */
export const SCRATCH_PAIRS = 192192;
export const SCRATCH_BYTES = 194496;

/**
 * A document that two lists share: its posting in each, its number, its code, the next one of those codes
 * (plus 1).
 */
export const SHARE_LOW = 8;
export const SHARE_CODE = 12;
export const SHARE_NEXT = 14;
/** In a batch: where its positions begin in each list. */
export const SHARE_START = 16;
export const SHARE_BYTES = 32;
