// The code of the log: a dense code of one and two bytes (after the (s,c)-dense codes of Brisaboa, Fariña,
// Navarro and Esteller, 2003). Words are numbered from the most frequent on, and the first byte gives the
// length of the code. Bytes that no word covers are kept as literals, in runs.
//
//   0 … short-1     the word of that number
//   short … 247     with the next byte: word short + (first - short) × 256 + second
//   248 … 254       1 … 7 literal bytes follow
//   255             the next byte plus 8 is the number of literal bytes that follow

/** First bytes from here on announce literals. */
export const LITERAL = 248;
/** Longest run of literals whose length is in its first byte. */
export const LITERAL_SHORT = 7;
/** Longest run of literals. */
export const LITERAL_MAX: number = LITERAL_SHORT + 1 + 255;

/** Longest word. */
export const WORD_MAX = 32;
/** Longest word that is looked for at any position, and not only at the start of a token. */
export const PIECE_MAX = 8;
/** A token that is no word is kept as literals up to this length; a longer one is searched for pieces. */
export const BARE_MAX = 12;
/** Most words of a vocabulary. */
export const WORDS_MAX = 8_192;

/** Number of lead bytes of two-byte codes, for so many words of which `short` have one-byte codes. */
export function leadsFor(words: number, short: number): number {
  return Math.ceil(Math.max(0, words - short) / 256);
}
