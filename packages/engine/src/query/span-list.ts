// Spans: stretches of positions of one document, and the contracts of what finds them. A source is part of a
// plan; it is opened over anything that knows the positions of terms: the postings of a leaf, or the tokens of
// one text (highlighting).

/** Spans of one document in the order in which Lucene's iterators give them. Reused from document to document. */
export class SpanList {
  readonly starts: number[] = [];
  /** The position behind each span. */
  readonly ends: number[] = [];
  /** How much looser a span is than its terms side by side: its slop, or the gaps of an interval. */
  readonly widths: number[] = [];
  /** Positions that a span counts for within another one: all of it, except where repeated words leave gaps. */
  readonly extents: number[] = [];
  count = 0;

  add(start: number, end: number, width: number, extent: number = end - start): void {
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.extents[this.count] = extent;
    this.widths[this.count++] = width;
  }

  addFrom(other: SpanList, i: number): void {
    this.add(other.starts[i]!, other.ends[i]!, other.widths[i]!, other.extents[i]!);
  }
}

/** The empty list. */
export const NO_SPANS: SpanList = Object.freeze(new SpanList());

/** Spans of the documents of one leaf, one chunk at a time. */
export interface SpanReader {
  /** Documents that may have spans, at most. */
  readonly cost: number;
  /** Overwrites `bits` with the documents of the chunk that may have spans; false where there are none. */
  candidates(chunk: number, bits: Uint32Array): boolean;
  /** The spans of any document of the chunk that `candidates` got last. Good until the next call. */
  read(doc: number): SpanList;
}

/** Opens the positions of any of some terms of a field. */
export type OpenTerms = (path: string, terms: readonly Uint8Array[]) => SpanReader;

/** Finds spans; settled for one view. */
export interface SpanSource {
  /** Equal text, equal spans. */
  readonly key: string;
  open(terms: OpenTerms): SpanReader;
}
