// Where does a text have its joints? At a run of letters, digits, low lines and bytes beyond ASCII, with the space before
// it ("spaceless words": de Moura, Navarro, Ziviani and Baeza-Yates, 2000); at a run of all others; and at such a run
// with the letters and the others behind it, as the names of JSON have them: `","title":"`.

import { WORD_MAX } from './code.ts';

const SPACE = 0x20;
/** Longer runs are told as long as this. */
const RUN_MAX = 64;

/** 1 for the bytes of words. */
export const IS_WORD: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isDigit = byte >= 0x30 && byte <= 0x39;
  const isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
  return isDigit || isLetter || byte === 0x5f || byte >= 0x80 ? 1 : 0;
});

/** Length of the run of one class from `at` on. */
function run(bytes: Uint8Array, at: number, end: number, isWord: number): number {
  const stop = Math.min(end, at + RUN_MAX);
  let to = at;
  while (to < stop && IS_WORD[bytes[to]!] === isWord) to++;
  return to - at;
}

/** Length of a run of others; a space before a word is the word's. */
function others(bytes: Uint8Array, at: number, end: number): number {
  const length = run(bytes, at, end, 0);
  const to = at + length;
  return length > 0 && length < RUN_MAX && to < end && bytes[to - 1] === SPACE ? length - 1 : length;
}

/** Length of what begins at `at`, at least 1. REQUIRES: at < end. */
export function tokenAt(bytes: Uint8Array, at: number, end: number): number {
  if (IS_WORD[bytes[at]!] === 1) return run(bytes, at, end, 1);
  return others(bytes, at, end) || 1 + run(bytes, at + 1, end, 1);
}

/** Length of others, word and others together; 0 where it is none, or longer than WORD_MAX. */
export function phraseAt(bytes: Uint8Array, at: number, end: number): number {
  let to = at + others(bytes, at, end);
  if (to === at || to >= end || to - at > WORD_MAX) return 0;
  if (bytes[to] === SPACE) to++;
  to += run(bytes, to, end, 1);
  if (to >= end || to - at >= WORD_MAX) return 0;
  const behind = others(bytes, to, end);
  const length = to + behind - at;
  return behind > 0 && length <= WORD_MAX ? length : 0;
}
