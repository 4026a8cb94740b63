// Surrogates in JavaScript strings. A pair is one character. A lone surrogate is none and becomes U+FFFD, as
// in every UTF-8 encoder.

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** The position of the first lone surrogate at or behind `from`, or -1. O(n). */
export function loneSurrogate(text: string, from = 0): number {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    if (isLow(unit) || !isLow(text.charCodeAt(at + 1))) return at;
    at++;
  }
  return -1;
}

/**
 * The text with U+FFFD for every lone surrogate and a space for U+0000, which many stores cannot hold. Its length in
 * UTF-16 stays the same. O(n).
 */
export function wellFormed(given: string): string {
  const text = given.replaceAll('\0', ' ');
  let lone = loneSurrogate(text);
  if (lone === -1) return text;
  const parts: string[] = [];
  let from = 0;
  for (; lone !== -1; lone = loneSurrogate(text, from)) {
    parts.push(text.slice(from, lone), '\ufffd');
    from = lone + 1;
  }
  return parts.join('') + text.slice(from);
}
