// Packs a unit. Each phrase and token that is a word becomes its code. Other tokens are kept as literals or,
// if they are long (ids, texts without spaces), searched for pieces. The twin of
// kernels/assembly/pack/pack.ts, and its oracle in tests.

import { BARE_MAX, LITERAL, LITERAL_MAX, LITERAL_SHORT, WORD_MAX } from './code.ts';
import { cutTokens, phraseAt } from './tokens.ts';
import { findPiece, findWord, type WordDictionary } from './word-dictionary.ts';

/** The output. */
interface Codes {
  readonly short: number;
  readonly target: Uint8Array;
  to: number;
}

/**
 * Packs bytes[from … end) to `target` at `at`; returns the end there. A unit that does not get smaller is
 * copied. REQUIRES: room for twice as many bytes and LITERAL_MAX more.
 */
export function packUnit(
  dictionary: WordDictionary,
  short: number,
  bytes: Uint8Array,
  from: number,
  end: number,
  target: Uint8Array,
  at: number,
): number {
  const limit = at + end - from;
  const tokens = cutTokens(bytes, from, end);
  const { count, starts } = tokens;
  const codes: Codes = { short, target, to: at };
  for (let i = 0; i < count && codes.to < limit; ) {
    const p = starts[i]!;
    const phrase = phraseAt(tokens, i);
    const named = phrase > 0 ? findWord(dictionary, bytes, p, phrase) : -1;
    if (named >= 0) {
      putCode(codes, named);
      i += 3;
      continue;
    }
    const next = starts[++i]!;
    const number = next - p <= WORD_MAX ? findWord(dictionary, bytes, p, next - p) : -1;
    if (number >= 0) putCode(codes, number);
    else if (next - p <= BARE_MAX) putLiterals(codes, bytes, p, next);
    else spell(dictionary, codes, bytes, p, next);
  }
  if (codes.to < limit) return codes.to;
  target.set(bytes.subarray(from, end), at);
  return limit;
}

/** Writes the pieces of bytes[from … end), and literals between them. */
function spell(dictionary: WordDictionary, codes: Codes, bytes: Uint8Array, from: number, end: number): void {
  let bare = from;
  for (let p = from; p < end; ) {
    const found = findPiece(dictionary, bytes, p, end);
    if (found < 0) {
      p++;
      continue;
    }
    putLiterals(codes, bytes, bare, p);
    putCode(codes, found >>> 8);
    p += found & 0xff;
    bare = p;
  }
  putLiterals(codes, bytes, bare, end);
}

function putCode(codes: Codes, number: number): void {
  const { short, target } = codes;
  if (number < short) target[codes.to++] = number;
  else {
    target[codes.to++] = short + ((number - short) >>> 8);
    target[codes.to++] = (number - short) & 0xff;
  }
}

function putLiterals(codes: Codes, bytes: Uint8Array, from: number, end: number): void {
  const { target } = codes;
  for (let p = from; p < end; ) {
    const length = Math.min(end - p, LITERAL_MAX);
    if (length <= LITERAL_SHORT) target[codes.to++] = LITERAL + length - 1;
    else {
      target[codes.to++] = LITERAL + LITERAL_SHORT;
      target[codes.to++] = length - LITERAL_SHORT - 1;
    }
    for (const stop = p + length; p < stop; ) target[codes.to++] = bytes[p++]!;
  }
}
