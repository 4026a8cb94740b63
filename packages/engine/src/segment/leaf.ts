// The read contract between stored documents (sealed segments, the tail's mini-segments) and their
// readers (queries, orders, fetch). Everything is a view over shared bytes: no method allocates per
// document.
//
//   leaf        docs 0 … docCount-1, in commit order
//   chunk       65,536 docs: docs >>> 16; a query is evaluated chunk by chunk
//   group       the postings of one term in one chunk: lo[start … end), raw 16-bit doc numbers, ascending
//   block       128 postings of a group; blockMax holds the largest code of each

/** Documents of a chunk, and the 32-bit words of its bitmap. */
export const CHUNK_DOCS = 65_536;
export const CHUNK_WORDS = 2_048;

/** An immutable run of documents. Only its death log grows. */
export interface Leaf {
  /** Unique in the process for ever: the key of caches. */
  readonly uid: number;
  readonly docCount: number;
  /** True for documents of a tail: the leaf will soon become part of a larger one. */
  readonly isMini?: boolean;
  readonly docs: DocTable;
  readonly deaths: DeathLog;
  /** Paths of all fields that any document has a value of. */
  readonly fields: Iterable<string>;
  /**
   * Inverted terms of an indexed text, keyword or ip field (and `_type`, `_routing`, `_ignored`), if any
   * document has one.
   */
  terms(path: string): Terms | undefined;
  /** Doc values, if the field has a column and any document a value. */
  column(path: string): Column | undefined;
  /**
   * Bitmap (docCount bits, 32 to a word) of documents with a value, for any kind of field; undefined when
   * none.
   */
  present(path: string): Uint32Array | undefined;
  /**
   * Length byte per document (Lucene SmallFloat.intToByte4), 0 where the field is missing; undefined without
   * norms.
   */
  norms(path: string): Uint8Array | undefined;
}

/** Identity, order and place of each document. */
export interface DocTable {
  /** The bytes of `_id`: view `idBytes.subarray(idStarts[doc], idStarts[doc + 1])`. */
  readonly idBytes: Uint8Array;
  readonly idStarts: Uint32Array;
  id(doc: number): string;
  /**
   * The newest document with this id in the leaf (dead or not) whose number is below `before` (docCount by default),
   * or -1. O(1). Older versions of an id can be alive in older snapshots: walk them with `find(id, doc)`.
   */
  find(id: Uint8Array, before?: number): number;
  /** Whether this is the id of a document; false for one that is not there. O(bytes). */
  isId(doc: number, id: Uint8Array): boolean;
  seqNo(doc: number): number;
  version(doc: number): number;
  /** `_type` as given on a typed path, else '_doc'. */
  type(doc: number): string;
  routing(doc: number): string | undefined;
  /** The commit that wrote the document. */
  commit(doc: number): number;
  /** How many documents were written at or before commit S: they are the prefix 0 … n-1. O(log n). */
  countAt(commit: number): number;
  /** Where the source lies in the document log. */
  sourceChunk(doc: number): number;
  sourceOffset(doc: number): number;
  sourceLength(doc: number): number;
}

/**
 * Documents as the writer sees them: without fields, so they need not be searchable yet. Every leaf is such a range.
 */
export interface DocumentRange {
  readonly docCount: number;
  readonly docs: DocumentRangeTable;
  readonly deaths: DeathLog;
  /** The terms of one document in the field of a slot. Absent in a leaf, which is asked by path. */
  readonly termsOf?: (slot: number, doc: number) => readonly Uint8Array[];
}

/** A document version in a leaf, or in a range that is not searchable yet. */
export interface DocumentLocation {
  readonly leaf: DocumentRange;
  readonly doc: number;
}

/** The part of a doc table that is available before its documents can be searched. */
export type DocumentRangeTable = Omit<DocTable, 'idBytes' | 'idStarts' | 'id' | 'isId' | 'find'>;

/** The deleted documents and the commits that deleted them. Append-only, in commit order. */
export interface DeathLog {
  /** Number of entries. */
  readonly count: number;
  doc(entry: number): number;
  commit(entry: number): number;
  /** Entries with commit <= S: a prefix. O(log n). */
  countAt(commit: number): number;
  /** REQUIRES: commit >= the last entry's; doc not dead yet. Called by the writer only. */
  append(doc: number, commit: number): void;
  /** True when the document was deleted by any commit. O(1) after the first call. */
  isDead(doc: number): boolean;
  /** Removes entries from `count` on (a batch whose log write failed). */
  truncate(count: number): void;
  /**
   * Bitmap of the documents alive at S (bits of docs beyond countAt(S) of the DocTable may be set), or undefined
   * when none had died. Cached for the newest S; the result must not be changed.
   */
  liveAt(commit: number): Uint32Array | undefined;
}

/** Statistics for scores, deleted documents included. */
export interface TermStats {
  /** Documents with at least one term in the field. */
  readonly docCount: number;
  readonly sumDocFreq: number;
  readonly sumTotalTermFreq: number;
}

/** The dictionary and postings of one field. A term's number is its ordinal. */
export interface Terms {
  readonly count: number;
  /**
   * True when ordinals ascend with the terms' bytes; false in the tail, where they are scattered but stable.
   */
  readonly sorted: boolean;
  readonly stats: TermStats;
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  /** False for a field with doc values only: the dictionary serves its column, and there are no postings. */
  readonly indexed: boolean;
  /** Ordinal of a term or -1. O(1). */
  find(bytes: Uint8Array, start: number, end: number): number;
  /** Where `sorted`: all terms one after the other, and where each begins (count + 1 entries). */
  readonly bytes?: Uint8Array;
  readonly starts?: Uint32Array;
  /** Bytes of a term: a view, valid while the leaf is. */
  term(ordinal: number): Uint8Array;
  /** The first ordinal whose term is >= bytes (count when none). REQUIRES: sorted. O(log n). */
  lowerBound(bytes: Uint8Array): number;
  docFreq(ordinal: number): number;
  totalTermFreq(ordinal: number): number;
  /**
   * Ordinals that have postings or values in this leaf, ascending (for an unsorted dictionary shared by
   * several leaves).
   */
  ordinals(): Iterable<number>;
  readonly postings: Postings;
}

/** The postings of one field: flat arrays, addressed by group and posting number. */
export interface Postings {
  /** Low 16 bits of each posting's document. */
  readonly lo: Uint16Array;
  /**
   * ceil(255·tf/(tf+K0(norm))): monotone in the score, and with the norm it gives tf back. Empty without
   * freqs.
   */
  readonly code: Uint8Array;
  /** Largest code of each block of 128 postings. Empty without freqs. */
  readonly blockMax: Uint8Array;
  /** Groups of a term: groupStart(ord) … groupStart end, one per chunk that has it, chunks ascending. */
  firstGroup(ordinal: number): number;
  endGroup(ordinal: number): number;
  chunk(group: number): number;
  start(group: number): number;
  end(group: number): number;
  /** First block of the group in blockMax. */
  firstBlock(group: number): number;
  /** Largest code of the group (255 without freqs). */
  maxCode(group: number): number;
  /** The group as a bitmap of 2,048 words where it is dense, else undefined. */
  bits(group: number): Uint32Array | undefined;
  /** The posting of doc `lo` in the group, or -1. */
  find(group: number, lo: number): number;
  /** Term frequency of (norm << 8 | code), 0 where `freq` must be called; undefined without freqs. */
  readonly freqs: Uint8Array | undefined;
  /** Term frequency of a posting, given the norm byte of its document (1 without freqs). */
  freq(posting: number, norm: number): number;
  /**
   * Positions of posting `p` of `group`, ascending, into `out` (grown as needed by the callee); returns how
   * many.
   */
  positions(group: number, posting: number, out: { positions: Uint32Array }): number;
}

/** Doc values of one field. */
export type Column = NumericColumn | OrdinalColumn;

/**
 * Numbers, dates, booleans as 64-bit keys whose unsigned order is the order of the values (see mapping/types/sortable-key.ts):
 * compare `hi` first, then `lo`. Values of a document ascend. Single-valued columns have no `starts`: value i is doc i's,
 * meaningless where `present` has no bit.
 */
export interface NumericColumn {
  readonly kind: 'numeric';
  readonly starts: Uint32Array | undefined;
  readonly hi: Uint32Array;
  readonly lo: Uint32Array;
  readonly present: Uint32Array;
}

/** Keywords and ips as ordinals of `terms`. Values of a document ascend by bytes and are distinct. */
export interface OrdinalColumn {
  readonly kind: 'ordinal';
  readonly starts: Uint32Array | undefined;
  readonly ordinals: Uint8Array | Uint16Array | Uint32Array;
  readonly terms: Terms;
  readonly present: Uint32Array;
}

/** A leaf as a snapshot sees it: the first `docCount` documents, less those dead at S. */
export interface LeafView {
  readonly leaf: Leaf;
  /** Documents written at or before S. */
  readonly docCount: number;
  /** Alive at S, or undefined when all are. Bits at and beyond docCount are undefined. */
  readonly live: Uint32Array | undefined;
  /** Documents alive and visible at S. */
  readonly liveCount: number;
  /** Entries of the death log that S sees: with leaf.uid and docCount, the identity of the view. */
  readonly deathCount: number;
}
