// Skips over the plain bytes of a JSON string: up to a quote, a backslash, a control character or a byte
// beyond ASCII.

const SPECIAL = new Uint8Array(256);
SPECIAL.fill(1, 0, 32);
SPECIAL.fill(1, 128);
SPECIAL[34] = SPECIAL[92] = 1;

/** Longer strings are read eight bytes at a time; for the first bytes steps of four are cheaper. */
const NEAR = 16;

/**
 * The first byte in [from, end) that is not plain, or `end`. `view` covers the whole buffer that the bytes lie in.
 */
export function skipPlainBytes(bytes: Uint8Array, from: number, end: number, view: DataView): number {
  const s = SPECIAL;
  const near = Math.min(from + NEAR, end - 3);
  let p = from;
  while (p < near && (s[bytes[p]!]! | s[bytes[p + 1]!]! | s[bytes[p + 2]!]! | s[bytes[p + 3]!]!) === 0)
    p += 4;
  if (p - from >= NEAR) {
    const place = bytes.byteOffset;
    const last = place + end - 8;
    let at = place + p;
    while (at <= last && !hasSpecial(view.getInt32(at, true), view.getInt32(at + 4, true))) at += 8;
    p = at - place;
  }
  while (p < end && s[bytes[p]!] === 0) p++;
  return p;
}

/**
 * Whether one of eight bytes is special. The highest bit of a byte is set if it is beyond ASCII, if subtracting 32 borrows
 * (a control character), or if subtracting 1 from its difference to a quote or backslash borrows. Only a special byte borrows.
 */
function hasSpecial(a: number, b: number): boolean {
  const controls = (a - 0x20202020) | (b - 0x20202020);
  const quotes = ((a ^ 0x22222222) - 0x01010101) | ((b ^ 0x22222222) - 0x01010101);
  const backslashes = ((a ^ 0x5c5c5c5c) - 0x01010101) | ((b ^ 0x5c5c5c5c) - 0x01010101);
  return ((a | b | controls | quotes | backslashes) & 0x80808080) !== 0;
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
