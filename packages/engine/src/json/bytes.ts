// Conversions between UTF-8 bytes and strings: Node's internal slices, which also read shared memory,
// and a growable scratch buffer for rewritten text (unescaped, lower case).

const encoder = new TextEncoder();
const slices = Buffer.prototype as unknown as {
  utf8Slice(this: Uint8Array, start: number, end: number): string;
  latin1Slice(this: Uint8Array, start: number, end: number): string;
};
const utf8 = slices.utf8Slice;
const latin1 = slices.latin1Slice;

/** The text of a UTF-8 byte range. Bad sequences become U+FFFD. */
export function utf8Text(bytes: Uint8Array, start: number, end: number): string {
  return utf8.call(bytes, start, end);
}

/** The text of a byte range that is known to be ASCII. */
export function asciiText(bytes: Uint8Array, start: number, end: number): string {
  return latin1.call(bytes, start, end);
}

/**
 * Arrays of up to so many bytes lie in V8's own heap: creating one costs a seventh of what `TextEncoder`
 * takes.
 */
const SHORT = 64;

/** UTF-8 bytes of a text; lone surrogates become U+FFFD. */
export function bytesOf(text: string): Uint8Array {
  const n = text.length;
  if (n > SHORT) return encoder.encode(text);
  const out = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) return encoder.encode(text);
    out[i] = unit;
  }
  return out;
}

/** A byte buffer that grows. Contents are valid until the next use by its owner. */
export class ByteScratch {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity = 256) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Makes room for `more` bytes behind `length`; keeps what is there. */
  reserve(more: number): Uint8Array {
    if (this.length + more > this.bytes.length) {
      const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
      grown.set(this.bytes.subarray(0, this.length));
      this.bytes = grown;
    }
    return this.bytes;
  }

  /** Replaces the contents by the UTF-8 of a text and returns its length in bytes. */
  setText(text: string): number {
    this.length = 0;
    this.reserve(text.length * 3);
    this.length = encoder.encodeInto(text, this.bytes).written;
    return this.length;
  }
}
