// Tables for cutting ASCII words, and `PlainText`: text that only needs UAX #29 words in lower case. The
// writer of terms cuts and hashes ASCII words in one loop over these tables
// (tail/forward/forward-field.ts), and calls `next` for all other words.

import { ASCII_LOWER } from './lower-case.ts';
import type { WordCutter } from './word-cutter.ts';

/** The words of a chain that only cuts and lowers them. */
export interface PlainText {
  /** ASCII words of more bytes must be cut by `next`. */
  readonly maxLength: number;
  /** Moves to the next word that begins at `at` or behind it; false when there is none. */
  next(bytes: Uint8Array, at: number, end: number): boolean;
  /** Position behind that word. */
  readonly stop: number;
  /** The word in lower case. Valid until the next call. */
  readonly term: Uint8Array;
}

/**
 * By byte: its lower case, with its kind (ASCII_LETTER, DIGIT, LOW_LINE) above it; 0 between words; BEYOND
 * from 128 on.
 */
export const WORD_BYTES: Uint16Array = new Uint16Array(256);
export const ASCII_LETTER = 1;
export const DIGIT = 2;
export const LOW_LINE = 4;
export const BEYOND = 0x8000;
/**
 * By byte: the kinds (ASCII_LETTER, DIGIT) between two of which it does not break a word (WB6, WB7, WB11,
 * WB12).
 */
export const BRIDGES: Uint8Array = new Uint8Array(256);

for (let c = 65; c <= 90; c++) WORD_BYTES[c] = WORD_BYTES[c + 32] = (ASCII_LETTER << 8) | ASCII_LOWER[c]!;
for (let c = 48; c <= 57; c++) WORD_BYTES[c] = (DIGIT << 8) | c;
WORD_BYTES[95] = (LOW_LINE << 8) | 95;
WORD_BYTES.fill(BEYOND, 128);
for (const c of ":.'") BRIDGES[c.charCodeAt(0)]! |= ASCII_LETTER;
for (const c of ",;.'") BRIDGES[c.charCodeAt(0)]! |= DIGIT;

/** `PlainText` over a word tokenizer and a filter of single words. */
export class PlainWords implements PlainText {
  readonly maxLength: number;
  stop = 0;
  term: Uint8Array = new Uint8Array(0);
  readonly #words: WordCutter;
  readonly #lower: (words: WordCutter, bytes: Uint8Array) => Uint8Array;

  constructor(
    words: WordCutter,
    maxLength: number,
    lower: (words: WordCutter, bytes: Uint8Array) => Uint8Array,
  ) {
    this.maxLength = maxLength;
    this.#words = words;
    this.#lower = lower;
  }

  next(bytes: Uint8Array, at: number, end: number): boolean {
    const words = this.#words;
    words.reset(bytes, at, end);
    if (!words.next()) return false;
    this.stop = words.stop;
    this.term = this.#lower(words, bytes);
    return true;
  }
}
