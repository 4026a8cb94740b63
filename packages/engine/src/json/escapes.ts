// Unescapes checked JSON strings to plain UTF-8, and classifies the bytes of bare words for error
// messages.

/** Value of a hexadecimal digit, or -1. */
export function hexDigit(c: number): number {
  if (c >= 48 && c <= 57) return c - 48;
  const l = c | 32;
  return l >= 97 && l <= 102 ? l - 87 : -1;
}

function hexUnit(bytes: Uint8Array, p: number): number {
  return (
    (hexDigit(bytes[p]!) << 12) |
    (hexDigit(bytes[p + 1]!) << 8) |
    (hexDigit(bytes[p + 2]!) << 4) |
    hexDigit(bytes[p + 3]!)
  );
}

const SHORT = new Uint8Array(128);
for (const [letter, code] of Object.entries({
  b: 8,
  t: 9,
  n: 10,
  f: 12,
  r: 13,
  '"': 34,
  '/': 47,
  '\\': 92,
})) {
  SHORT[letter.charCodeAt(0)] = code;
}

/**
 * Writes a checked JSON string without its escapes; returns the bytes written (never more than were read). A lone
 * surrogate becomes U+FFFD.
 */
export function unescapeInto(bytes: Uint8Array, start: number, stop: number, to: Uint8Array): number {
  let n = 0;
  for (let p = start; p < stop; ) {
    const c = bytes[p]!;
    if (c !== 92) {
      to[n++] = c;
      p++;
      continue;
    }
    const e = bytes[p + 1]!;
    if (e !== 117) {
      to[n++] = SHORT[e]!;
      p += 2;
      continue;
    }
    let code = hexUnit(bytes, p + 2);
    p += 6;
    if (code >= 0xd800 && code < 0xe000) {
      const low =
        code < 0xdc00 && p + 6 <= stop && bytes[p] === 92 && bytes[p + 1] === 117 ? hexUnit(bytes, p + 2) : 0;
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        p += 6;
      } else code = 0xfffd;
    }
    n = writeCodePoint(code, to, n);
  }
  return n;
}

/** Writes one code point as UTF-8 and returns the position behind it. */
function writeCodePoint(code: number, to: Uint8Array, at: number): number {
  let n = at;
  if (code < 0x80) to[n++] = code;
  else if (code < 0x800) {
    to[n++] = 0xc0 | (code >> 6);
    to[n++] = 0x80 | (code & 63);
  } else if (code < 0x10000) {
    to[n++] = 0xe0 | (code >> 12);
    to[n++] = 0x80 | ((code >> 6) & 63);
    to[n++] = 0x80 | (code & 63);
  } else {
    to[n++] = 0xf0 | (code >> 18);
    to[n++] = 0x80 | ((code >> 12) & 63);
    to[n++] = 0x80 | ((code >> 6) & 63);
    to[n++] = 0x80 | (code & 63);
  }
  return n;
}

/** Whether an ASCII character may stand in a bare word. */
export function isWord(c: number): boolean {
  return (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 95 || c === 36;
}

/** The beginning of the word at `from`, to be shown. */
export function wordAt(bytes: Uint8Array, from: number, end: number): string {
  let stop = from;
  while (stop < end && stop < from + 64 && isWord(bytes[stop]!)) stop++;
  return String.fromCharCode(...bytes.subarray(from, stop));
}
