// Cuts a text into tokens: a run of letters, digits, underscores and bytes beyond ASCII, with the space
// before it ("spaceless words": de Moura, Navarro, Ziviani and Baeza-Yates, 2000), or a run of other bytes. A
// separator, a word and the separator behind it may form one phrase, as the names of JSON members do:
// `","title":"`.
//
//   a text    "id":"a b","n":1        │"│id│":"│a│ b│","│n│":│1│        │":"│a│ b│ is no phrase, │"│id│":"│ is one

import { WORD_MAX } from './code.ts';

const SPACE = 0x20;

/** 1 for bytes of words. */
const IS_WORD: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isDigit = byte >= 0x30 && byte <= 0x39;
  const isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
  return isDigit || isLetter || byte === 0x5f || byte >= 0x80 ? 1 : 0;
});

/** The tokens of a text: token i is bytes[starts[i] … starts[i + 1]). */
export interface Tokens {
  readonly count: number;
  readonly starts: Uint32Array;
  /** 1 for a separator (a run of other bytes). */
  readonly others: Uint8Array;
}

/** Cuts bytes[from … end). O(bytes). */
export function cutTokens(bytes: Uint8Array, from: number, end: number): Tokens {
  const starts = new Uint32Array(end - from + 1);
  const others = new Uint8Array(end - from + 1);
  let count = 0;
  for (let at = from; at < end; count++) {
    starts[count] = at;
    const isWord = IS_WORD[bytes[at]!]! | joins(bytes, at, end);
    others[count] = 1 - isWord;
    at++;
    if (isWord === 1) while (at < end && IS_WORD[bytes[at]!] === 1) at++;
    else while (at < end && (IS_WORD[bytes[at]!]! | joins(bytes, at, end)) === 0) at++;
  }
  starts[count] = end;
  return { count, starts, others };
}

/** 1 for a space before a word. */
function joins(bytes: Uint8Array, at: number, end: number): number {
  return bytes[at] === SPACE && at + 1 < end ? IS_WORD[bytes[at + 1]!]! : 0;
}

/** Length of the phrase that begins with token `i`; 0 if there is none, or it is longer than WORD_MAX. */
export function phraseAt({ count, starts, others }: Tokens, i: number): number {
  if (others[i] === 0 || i + 2 >= count || others[i + 2] === 0) return 0;
  const length = starts[i + 3]! - starts[i]!;
  return length <= WORD_MAX ? length : 0;
}
