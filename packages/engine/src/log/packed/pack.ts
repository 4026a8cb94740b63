// Which codes does a unit become? At each place the longest of: a phrase, a token, a piece; else the byte as it is. The
// twin of kernels/assembly/pack/pack.ts, and its oracle.

import { LITERAL, LITERAL_MAX, LITERAL_SHORT, WORD_MAX } from './code.ts';
import { type Dictionary, find, findPiece } from './dictionary.ts';
import { phraseAt, tokenAt } from './tokens.ts';

/** Number << 8 | length of the word to take at `at`, or -1. */
export function wordAt(dictionary: Dictionary, bytes: Uint8Array, at: number, end: number): number {
  const phrase = phraseAt(bytes, at, end);
  if (phrase > 0) {
    const number = find(dictionary, bytes, at, phrase);
    if (number >= 0) return (number << 8) | phrase;
  }
  const token = tokenAt(bytes, at, end);
  if (token <= WORD_MAX) {
    const number = find(dictionary, bytes, at, token);
    if (number >= 0) return (number << 8) | token;
  }
  return findPiece(dictionary, bytes, at, end);
}

/**
 * Packs bytes[from … end) to `target` at `at`; returns where it ends there. What does not get smaller is copied.
 * REQUIRES: room for twice as many bytes and LITERAL_MAX more.
 */
export function packUnit(
  dictionary: Dictionary,
  short: number,
  bytes: Uint8Array,
  from: number,
  end: number,
  target: Uint8Array,
  at: number,
): number {
  const limit = at + end - from;
  let to = at;
  /** Where bytes begin that no word covers. */
  let bare = from;
  for (let p = from; p < end && to < limit; ) {
    const found = wordAt(dictionary, bytes, p, end);
    if (found < 0) {
      p++;
      continue;
    }
    to = putLiterals(bytes, bare, p, target, to);
    const number = found >>> 8;
    if (number < short) target[to++] = number;
    else {
      target[to++] = short + ((number - short) >>> 8);
      target[to++] = (number - short) & 0xff;
    }
    p += found & 0xff;
    bare = p;
  }
  if (to < limit) to = putLiterals(bytes, bare, end, target, to);
  if (to < limit) return to;
  target.set(bytes.subarray(from, end), at);
  return limit;
}

function putLiterals(bytes: Uint8Array, from: number, end: number, target: Uint8Array, at: number): number {
  let to = at;
  for (let p = from; p < end; ) {
    const length = Math.min(end - p, LITERAL_MAX);
    if (length <= LITERAL_SHORT) target[to++] = LITERAL + length - 1;
    else {
      target[to++] = LITERAL + LITERAL_SHORT;
      target[to++] = length - LITERAL_SHORT - 1;
    }
    for (const stop = p + length; p < stop; ) target[to++] = bytes[p++]!;
  }
  return to;
}
