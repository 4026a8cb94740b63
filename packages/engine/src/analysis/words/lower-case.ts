// Lower and upper case per code point, without locale, as Java's Character.toLowerCase: no final sigma,
// and U+0130 becomes a plain i.

/** 65–90 mapped to 97–122, every other byte to itself. */
export const ASCII_LOWER: Uint8Array = Uint8Array.from({ length: 256 }, (_, c) =>
  c >= 65 && c <= 90 ? c + 32 : c,
);

/** Lower case of a text. */
export function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  // Only Σ (context) and İ (expands) differ from the mapping of single code points.
  return /[\u03a3\u0130]/.test(text) ? Array.from(text, lowerOne).join('') : lower;
}

function lowerOne(c: string): string {
  return c === '\u03a3' ? 'σ' : c === '\u0130' ? 'i' : c.toLowerCase();
}

/**
 * Upper case of a text. Characters whose upper case is longer stay as they are, except Greek letters with iota subscript,
 * which have a single title-case letter (such as U+1F88, 8 behind the small letter).
 */
export function upperCase(text: string): string {
  return Array.from(text, (c) => {
    const upper = c.toUpperCase();
    if (upper.length === c.length) return upper;
    const code = c.charCodeAt(0);
    if (code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3) return String.fromCharCode(code + 9);
    return code >= 0x1f80 && code < 0x1fb0 && (code & 8) === 0 ? String.fromCharCode(code + 8) : c;
  }).join('');
}
