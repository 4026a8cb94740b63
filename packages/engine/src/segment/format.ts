// The format of a segment in memory, and of an unpacked segment file (packed files: packed/packed-format.ts).
// This comment is the reference: a reader can be written from it. All numbers are little-endian; `f64` holds
// integers up to 2^53; bitmaps are 32-bit words, bit n in word n >>> 5 at n & 31. A mini-segment of the tail
// has other term sections.
//
//   segment  = header entry*sections section*
//   header   = "OCTAVOSG" version:u32 flags:u32 docCount:u32 sections:u32 byteLength:f64 tableCrc:u32 headerCrc:u32
//              then zeros up to 64 bytes. headerCrc covers the 36 bytes before it, tableCrc all entries.
//   flags    = 1: term numbers refer to a shared table outside the segment (tail only)
//   entry    = kind:u16 field:u16 offset:u32 length:u32 crc:u32      field is 0xffff for sections without a field
//   section  = bytes at `offset` from the start of the segment (the next multiple of 64 behind the section before),
//              `length` long; CRC-32 as in zlib. Gaps are zeros
//
// Empty sections are left out. A field is identified by its index in `fields`.
//
//   fields         count:u32 poolStart:u32, count records, path bytes from poolStart on. A record (64 bytes):
//                  pathStart:u32 pathEnd:u32 (from poolStart) index:u8 (0 none 1 docs 2 freqs 3 positions)
//                  column:u8 (0 none 1 ordinal 2 numeric) norms:u8 ordinalBytes:u8 bucket:i32 termCount:u32
//                  postingCount:u32 docCount:f64 sumDocFreq:f64 sumTotalTermFreq:f64 valueCount:u32 zeros
//
// Documents (see doc-view.ts)
//   idBytes idStarts:u32[n+1]   the `_id`s, concatenated
//   idHash:u32[2^k]             doc + 1 or 0, open addressing from hashBytes(id) & mask on, the newest version of an id only
//   idPrevious:u32[n]           number + 1 of the version before, 0 for the first. Left out when every id occurs once
//   seqNos:f64[n]               ascending
//   versions:f64[n]             left out when all are 1
//   types:u16[n] typeNames      type number; names as length:u16 bytes. Left out when all are `_doc`
//   routingBytes routingStarts  as ids; empty means none. Left out when no document has one
//   runStarts:u32[r] runCommits:f64[r]   commits as runs: documents from runStarts[i] on were written by runCommits[i]
//   sourceChunks sourceOffsets sourceLengths :u32[n]   place of the source in the document log
//
// Terms of a field (terms.ts): ordinal t = 0 … termCount-1, ascending by bytes
//   termBytes termStarts:u32[t+1]
//   termHash:u32[2^k]           ordinal + 1 or 0, open addressing from hashBytes(term) & mask on
//   termIds:u32[t]              (flag 1, instead of the three above) numbers in the shared table, ascending
//
// Postings of a field (postings/postings-view.ts): chunk = doc >>> 16
//   termGroups:u32[t+1]         first group of each term
//   termFreqs:u32[t]            total term frequency (index >= freqs)
//   groups                      one head of 16 bytes per (term, chunk), and one more that ends the last:
//                               start:u32 (posting) firstBlock:u32 chunk:u16 maxCode:u8 flags:u8 (1 dense) dense:u32
//   lows:u16[p]                 doc & 0xffff, ascending in a group
//   codes:u8[p]                 (freqs) ceil(255·tf/(tf+K0(norm))), K0 from the bucket (postings/score-codes.ts)
//   blockMax:u8[b]              (freqs) largest code of each 128 postings of a group
//   exceptions:u32[2e]          (freqs) posting, tf: where (norm, code) does not determine tf; ascending
//   dense                       for each dense group (2,048 postings or more) 2,048 words of bitmap, then 2,048 u16:
//                               postings of the group before each word. `dense` of the head counts these records
//   positionBytes               (positions) for each posting, for each position the distance from the one before
//                               (from 0): groups of 7 low bits first with 0x80, then 6 bits; 0x40 there ends the posting
//   positionOffsets:u32[p/16]   (positions) where postings 0, 16, 32, … begin in positionBytes
//   positionHalves:u8[p/16]     (positions, since version 2) distance from there to postings 8, 24, 40, …; 0 where it is
//                               more than 255 or there is no such posting
//   positionResidues:u8[p]      (positions, since version 3) bit r is set where a position of the posting is r modulo 8
//
// Values of a field (columns.ts)
//   norms:u8[n]                 Lucene's SmallFloat.intToByte4 of the length, 0 where the field is missing
//   present:u32[n/32]           documents with the field
//   columnPresent:u32[n/32]     documents with a value in the column; left out when equal to `present`
//   columnStarts:u32[n+1]       first value of each document; left out when each has at most one: then value i is doc i's
//   numericHi numericLo :u32[v] sortable keys (mapping/types/sortable-key.ts), ascending within a document
//   ordinals:u8|u16|u32[v]      term ordinals (flag 1: term numbers), distinct, ascending by bytes within a document

/** First bytes of a segment. */
export const MAGIC = 'OCTAVOSG';
/** The version that this code writes; it reads this one and all before it. */
export const SEGMENT_VERSION = 3;
export const HEADER_BYTES = 64;
export const ENTRY_BYTES = 16;
export const FIELD_BYTES = 64;
export const GROUP_WORDS = 4;
/** Alignment of sections, so that typed views and SIMD loads fit. */
export const ALIGN = 64;
export const NO_FIELD = 0xffff;
/** Header flag: dictionaries are lists of numbers in a shared term table. */
export const SHARED_TERMS = 1;
/** A group with so many postings or more also has a bitmap: 1/32 of a chunk. */
export const DENSE_POSTINGS = 2048;
/** Words of a dense record: 2,048 of bitmap and 1,024 of ranks. */
export const DENSE_WORDS = 3072;
export const BLOCK_POSTINGS = 128;

/** Kinds of sections. Numbers are never reused. */
export const KIND = {
  fields: 1,
  idBytes: 2,
  idStarts: 3,
  idHash: 4,
  seqNos: 5,
  versions: 6,
  types: 7,
  typeNames: 8,
  routingBytes: 9,
  routingStarts: 10,
  runStarts: 11,
  runCommits: 12,
  sourceChunks: 13,
  sourceOffsets: 14,
  sourceLengths: 15,
  idPrevious: 16,
  termBytes: 20,
  termStarts: 21,
  termHash: 22,
  termIds: 23,
  termGroups: 24,
  termFreqs: 25,
  groups: 30,
  lows: 31,
  codes: 32,
  blockMax: 33,
  exceptions: 34,
  dense: 35,
  positionBytes: 36,
  positionOffsets: 37,
  positionHalves: 38,
  positionResidues: 39,
  norms: 40,
  present: 41,
  columnPresent: 42,
  columnStarts: 43,
  numericHi: 44,
  numericLo: 45,
  ordinals: 46,
} as const;

/** A kind of section. */
export type SectionKind = (typeof KIND)[keyof typeof KIND];

/** Index levels, by the number in a field's record. */
export const INDEX_LEVELS = ['none', 'docs', 'freqs', 'positions'] as const;
/** Kinds of columns, by the number in a field's record. */
export const COLUMN_KINDS = ['none', 'ordinal', 'numeric'] as const;

/** A field's record in `fields`. */
export interface FieldRecord {
  readonly path: string;
  /** 0 none, 1 docs, 2 freqs, 3 positions. */
  readonly index: number;
  /** 0 none, 1 ordinal, 2 numeric. */
  readonly column: number;
  readonly norms: boolean;
  /** Width of `ordinals`: 1, 2 or 4; 0 without. */
  readonly ordinalBytes: number;
  readonly bucket: number;
  readonly termCount: number;
  readonly postingCount: number;
  readonly docCount: number;
  readonly sumDocFreq: number;
  readonly sumTotalTermFreq: number;
  readonly valueCount: number;
}

/** Width of an array of ordinals below `count`. */
export function ordinalWidth(count: number): number {
  return count <= 0x100 ? 1 : count <= 0x10000 ? 2 : 4;
}
