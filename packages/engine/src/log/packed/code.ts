// Which bytes stand for which word? A dense code of one and two bytes (after the (s,c)-dense codes of Brisaboa, Fariña,
// Navarro and Esteller, 2003): the words are numbered from the most frequent one on, and the first byte says how many
// bytes a code has. What no word covers is kept as it is, in runs.
//
//   0 … short-1     the word of that number
//   short … 247     with the byte behind it: word short + (first - short) × 256 + second
//   248 … 254       1 … 7 bytes as they are, which follow
//   255             the byte behind it, plus 8, is the number of bytes as they are, which follow

/** The first byte from here on announces bytes as they are. */
export const LITERAL = 248;
/** Bytes that a run can have whose length is in its first byte. */
export const LITERAL_SHORT = 7;
/** Bytes that any one run can have. */
export const LITERAL_MAX: number = LITERAL_SHORT + 1 + 255;

/** Longest word. */
export const WORD_MAX = 32;
/** Longest word that is looked for at any place, and not only where a run of letters or others begins. */
export const PIECE_MAX = 8;
/** A run of letters or others that is no word is kept as it is; one of more bytes is looked through for pieces. */
export const BARE_MAX = 12;
/** Most words of a vocabulary. */
export const WORDS_MAX = 8_192;

/** First bytes of codes of two bytes, for so many words of which `short` have codes of one. */
export function leadsFor(words: number, short: number): number {
  return Math.ceil(Math.max(0, words - short) / 256);
}
