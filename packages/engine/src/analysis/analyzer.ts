// The contract of text analysis: text in, terms with positions and offsets out.

import type { PlainText } from './words/ascii-words.ts';

/** One token. Offsets are UTF-16 units of the text, `end` exclusive. */
export interface Token {
  term: string;
  start: number;
  end: number;
  position: number;
  /** Positions spanned; 1 but for graph filters. */
  positionLength: number;
  /** The type, named as in Lucene: '<ALPHANUM>', '<NUM>', '<IDEOGRAPHIC>', 'word', … */
  type: string;
  /** Marked as a keyword: stemmers leave it alone. */
  keyword?: boolean;
  /** Bytes that a filter attached. They are shown, but not stored. */
  payload?: Uint8Array;
  /** How often the token counts; 1 unless a filter set it. */
  frequency?: number;
}

/** A chain of character filters, one tokenizer and token filters. Stateless between calls. */
export interface Analyzer {
  readonly name: string;
  /** Positions left between two values of an array (Lucene's position_increment_gap). */
  readonly positionGap: number;
  /** Present if the chain only cuts words and lowers them: for callers that cut ASCII words themselves. */
  readonly plain?: PlainText | undefined;
  /** True if a token may count several times: `emit` then gets its frequency. */
  readonly setsFrequencies?: boolean;
  /** True if queries take its token graphs flat. */
  readonly disablesGraph?: boolean;
  analyze(text: string): Token[];
  /** As `analyze`; yields between the parts of the chain. Tokens that are not wanted may be left out. */
  analyzeSteps(text: string, isWanted?: (term: string) => boolean): Generator<void, Token[], undefined>;
  /**
   * As `analyze`, for a UTF-8 byte range, without strings if the chain allows it: calls `emit` for each term with its
   * position (from 0) and returns the position after the last one. Bytes given to `emit` are valid during the call.
   */
  analyzeBytes(
    bytes: Uint8Array,
    start: number,
    end: number,
    emit: (
      bytes: Uint8Array,
      start: number,
      end: number,
      position: number,
      overlap: boolean,
      frequency?: number,
    ) => void,
  ): number;
}
