// Skips over the plain bytes of a JSON string: up to a quote, a backslash, a control character or a byte
// beyond ASCII.

const SPECIAL = new Uint8Array(256);
SPECIAL.fill(1, 0, 32);
SPECIAL.fill(1, 128);
SPECIAL[34] = SPECIAL[92] = 1;

/** The first place in [from, end) whose byte is not plain; `end` without one. */
export function skipPlainBytes(bytes: Uint8Array, from: number, end: number): number {
  const s = SPECIAL;
  const most = end - 3;
  let p = from;
  // Four at a time: most strings are short.
  while (p < most && (s[bytes[p]!]! | s[bytes[p + 1]!]! | s[bytes[p + 2]!]! | s[bytes[p + 3]!]!) === 0)
    p += 4;
  while (p < end && s[bytes[p]!] === 0) p++;
  return p;
}

const { indexOf } = Buffer.prototype;

/** The closing quote of a string that begins at `from`, in checked bytes; -1 without one. */
export function findClosingQuote(bytes: Uint8Array, from: number): number {
  for (let at = from; ; at++) {
    at = indexOf.call(bytes, 34, at);
    if (at < 0) return -1;
    let backslashes = 0;
    while (at - backslashes > from && bytes[at - backslashes - 1] === 92) backslashes++;
    if ((backslashes & 1) === 0) return at;
  }
}
