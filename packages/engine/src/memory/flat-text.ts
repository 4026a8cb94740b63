// Flattens strings that are kept for long. V8 stores a string built with `+` as a tree of its parts,
// about ten times as large, and a substring keeps the whole string alive.

/** Heap bytes of a string without its characters, rounding included. */
const HEAD = 24;
/** Shorter strings are always flat. */
const SHORT = 13;
/** Strings in which every character takes one byte. */
const ONE_BYTE = /^[\0-\xff]*$/;

/** The same text as a flat string. O(length). */
export function flatText(text: string): string {
  if (text.length < SHORT) return text;
  return ONE_BYTE.test(text)
    ? Buffer.from(text, 'latin1').toString('latin1')
    : Buffer.from(text, 'utf16le').toString('utf16le');
}

/** Heap bytes of a flat text. O(length). */
export function textBytes(text: string): number {
  return HEAD + (ONE_BYTE.test(text) ? text.length : 2 * text.length);
}
