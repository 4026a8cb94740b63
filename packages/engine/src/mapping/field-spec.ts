// The contract between mapping (which knows JSON and types) and the write side (which stores terms and
// values): how a field is stored, and the sink that receives a mapped document.

import type { PlainText } from '../analysis/words/ascii-words.ts';

/** How one field is stored. `slot` is dense per index and never reused for another field. */
export interface FieldSpec {
  readonly slot: number;
  readonly path: string;
  /** The contents of the postings: nothing; documents; frequencies too; positions too. */
  readonly index: 'none' | 'docs' | 'freqs' | 'positions';
  readonly norms: boolean;
  readonly column: 'none' | 'ordinal' | 'numeric';
}

/**
 * Receives the terms and values of one document at a time. Byte ranges are only valid during the call.
 * Any call marks the field as present in the document.
 */
export interface DocSink {
  /**
   * One analysed term of a text field. Positions ascend within a field; `overlap` tokens do not count for the
   * norm.
   */
  term(
    spec: FieldSpec,
    bytes: Uint8Array,
    start: number,
    end: number,
    position: number,
    overlap?: boolean,
  ): void;
  /**
   * Optional: all words of a text with a plain analyzer, the first at position `base`; returns the number of positions used.
   * The field is present afterwards even without words.
   */
  text?(
    spec: FieldSpec,
    bytes: Uint8Array,
    start: number,
    end: number,
    base: number,
    plain: PlainText,
  ): number;
  /** One whole value of a keyword or ip field, indexed and put in the column as the spec says. */
  keyword(spec: FieldSpec, bytes: Uint8Array, start: number, end: number): void;
  /** One value of a numeric column, as a sortable 64-bit key. */
  numeric(spec: FieldSpec, hi: number, lo: number): void;
  /** The field has a value of which nothing is stored (or no term was left of it). */
  present(spec: FieldSpec): void;
}

/** Drops what it gets. */
export const NO_SINK: DocSink = { term() {}, text: () => 0, keyword() {}, numeric() {}, present() {} };
