// Where do characters begin in a JavaScript string? Surrogate pairs are one character; a surrogate without its partner
// is none, and becomes U+FFFD, as every encoder to UTF-8 writes it.

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Is `at` between the two halves of a surrogate pair? */
export function insidePair(text: string, at: number): boolean {
  return at > 0 && at < text.length && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));
}

/** The position of the first surrogate without a partner, looking from `from`, or -1. O(n). */
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
 * The text with U+FFFD for every surrogate without a partner, and a space for U+0000, which many stores cannot keep; its
 * length stays, in every unit. O(n).
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
