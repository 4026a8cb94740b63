// What does the write side need to know of a field, and what does a mapped document become? The contract between
// mapping (which understands JSON and types) and tail (which stores terms and values).

import type { PlainText } from '../analysis/words/ascii-words.ts';

/** How one field is stored. `slot` is dense per index, and never becomes that of another field. */
export interface FieldSpec {
  readonly slot: number;
  readonly path: string;
  /** What the postings record: nothing, documents, frequencies too, positions too. */
  readonly index: 'none' | 'docs' | 'freqs' | 'positions';
  readonly norms: boolean;
  readonly column: 'none' | 'ordinal' | 'numeric';
}

/**
 * Receives the terms and values of one document at a time. Byte ranges are only valid during the call.
 * Any call marks the field as present in the document.
 */
export interface DocSink {
  /** One analysed term of a text field. Positions ascend within a field; `overlap` tokens do not count for the norm. */
  term(
    spec: FieldSpec,
    bytes: Uint8Array,
    start: number,
    end: number,
    position: number,
    overlap?: boolean,
  ): void;
  /**
   * Optional: all words of a plainly analysed text, the first at position `base`; returns how many positions they took.
   * The field is present afterwards even if there were none.
   */
  text?(
    spec: FieldSpec,
    bytes: Uint8Array,
    start: number,
    end: number,
    base: number,
    plain: PlainText,
  ): number;
  /** One whole value of a keyword or ip field: indexed and in the column as the spec says. */
  keyword(spec: FieldSpec, bytes: Uint8Array, start: number, end: number): void;
  /** One value of a numeric column, as a sortable 64-bit key. */
  numeric(spec: FieldSpec, hi: number, lo: number): void;
  /** The field has a value, though nothing is stored of it (or it analysed to nothing). */
  present(spec: FieldSpec): void;
}
