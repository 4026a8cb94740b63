// What a level needs so that the documents of a leaf can be counted at once, without passing them on one by one: their values as
// ordinals, and a way to take counts in place of documents.

/** The ordinals of a column. */
export interface PlacedOrdinals {
  readonly present: Uint32Array;
  readonly starts: Uint32Array | undefined;
  /** By place in the column. */
  readonly ordinals: Uint8Array | Uint16Array | Uint32Array;
  /** Whether equal ordinals of a document count each, and not once. */
  readonly repeats: boolean;
}

/** What numbers the values of a leaf. */
export interface CountedSource {
  /** What tells its counts of the leaf from those of other sources. */
  readonly identity: string;
  /** Above all ordinals that have been given out. */
  readonly width: number;
  /** The ordinal of documents without a value; negative where they have none. */
  readonly missingOrdinal: number;
  /** The ordinals, valid for the documents of some words of a bitmap; undefined where no document has a value. */
  placed(bits: Uint32Array, from: number, to: number): PlacedOrdinals | undefined;
}

/** Documents that fall into a bucket above, and have an ordinal of the leaf. Each pair is there once. */
export interface CountedRows {
  readonly buckets: Uint32Array;
  readonly ordinals: Uint32Array;
  readonly docs: Uint32Array;
  count: number;
}

/** A level that only counts documents by their ordinals. */
export interface CountedLevel {
  readonly source: CountedSource;
  addCounts(rows: CountedRows): void;
}
