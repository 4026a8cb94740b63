// How is text kept for long? In one piece: what was put together with `+` is a tree of its pieces for V8, about ten times as
// large, and what was cut out keeps the whole that it was cut from.

/** A string holds this much beside its characters, rounding included. */
const HEAD = 24;
/** Shorter ones are never trees. */
const SHORT = 13;
/** Every character takes one byte. */
const ONE_BYTE = /^[\0-\xff]*$/;

/** The same text in one piece. O(length). */
export function flatText(text: string): string {
  if (text.length < SHORT) return text;
  return ONE_BYTE.test(text)
    ? Buffer.from(text, 'latin1').toString('latin1')
    : Buffer.from(text, 'utf16le').toString('utf16le');
}

/** Bytes that a text in one piece takes. O(length). */
export function textBytes(text: string): number {
  return HEAD + (ONE_BYTE.test(text) ? text.length : 2 * text.length);
}
