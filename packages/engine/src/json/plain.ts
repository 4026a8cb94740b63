// How far do the bytes of a string go on without anything to look at? Up to a quote, a backslash, a control character or a
// byte beyond ASCII.

const SPECIAL = new Uint8Array(256);
SPECIAL.fill(1, 0, 32);
SPECIAL.fill(1, 128);
SPECIAL[34] = SPECIAL[92] = 1;

/** The first place in [from, end) that is to be looked at, or `end`. Four bytes at a time: most strings are plain. */
export function plainUntil(bytes: Uint8Array, from: number, end: number): number {
  const s = SPECIAL;
  let p = from;
  while (p + 4 <= end && (s[bytes[p]!]! | s[bytes[p + 1]!]! | s[bytes[p + 2]!]! | s[bytes[p + 3]!]!) === 0)
    p += 4;
  while (p < end && s[bytes[p]!] === 0) p++;
  return p;
}

const { indexOf } = Buffer.prototype;

/** The quote that closes a string which begins at `from`, of bytes that were checked before; -1 where there is none. */
export function closingQuote(bytes: Uint8Array, from: number): number {
  for (let at = from; ; at++) {
    at = indexOf.call(bytes, 34, at);
    if (at < 0) return -1;
    let backslashes = 0;
    while (at - backslashes > from && bytes[at - backslashes - 1] === 92) backslashes++;
    if ((backslashes & 1) === 0) return at;
  }
}
