// A growing byte writer and a checking byte reader, for any runtime. Integers are base-128 varints, signed
// ones zigzagged (the encoding of Protocol Buffers); texts follow their length.

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes of the longest varint: 10,000 bits, far beyond any sort value that fits a token. */
const MAX_VARINT = 1_430;

/** Collects bytes. */
export class ByteWriter {
  #bytes = new Uint8Array(128);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  #reserve(n: number): void {
    if (this.#length + n <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + n));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  byte(b: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = b;
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  double(x: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, x);
    this.#length += 8;
  }

  /** REQUIRES: x >= 0. */
  unsigned(x: bigint): void {
    let rest = x;
    while (rest >= 0x80n) {
      this.byte(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.byte(Number(rest));
  }

  signed(x: bigint): void {
    this.unsigned(x < 0n ? -x * 2n - 1n : x * 2n);
  }

  /** A header of twice the byte length, then UTF-8. For texts with lone surrogates the header is odd, then UTF-16. */
  string(text: string): void {
    if (text.isWellFormed()) {
      const bytes = encoder.encode(text);
      this.unsigned(BigInt(2 * bytes.length));
      this.raw(bytes);
      return;
    }
    this.unsigned(BigInt(4 * text.length + 1));
    for (let i = 0; i < text.length; i++) {
      this.byte(text.charCodeAt(i) >>> 8);
      this.byte(text.charCodeAt(i) & 0xff);
    }
  }

  /** The bytes so far, copied. */
  done(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }
}

/** Reads what a ByteWriter wrote. Every method throws RangeError (TypeError for bad UTF-8) if the bytes do not fit. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    if (this.left < 1) throw new RangeError('too short');
    return this.#bytes[this.#at++]!;
  }

  double(): number {
    if (this.left < 8) throw new RangeError('too short');
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8);
  }

  unsigned(): bigint {
    let x = 0n;
    for (let i = 0; i < MAX_VARINT; i++) {
      const b = this.byte();
      x |= BigInt(b & 0x7f) << BigInt(7 * i);
      if (b < 0x80) {
        if (b === 0 && i > 0) throw new RangeError('number not in its shortest form');
        return x;
      }
    }
    throw new RangeError('number too long');
  }

  signed(): bigint {
    const x = this.unsigned();
    return x & 1n ? -(x + 1n) / 2n : x / 2n;
  }

  string(): string {
    const header = Number(this.unsigned());
    const bytes = this.raw(Math.floor(header / 2));
    if (header % 2 === 0) return decoder.decode(bytes);
    let text = '';
    for (let i = 0; i + 1 < bytes.length; i += 2)
      text += String.fromCharCode((bytes[i]! << 8) | bytes[i + 1]!);
    if (bytes.length % 2 === 1 || text.isWellFormed()) throw new RangeError('text not in its shortest form');
    return text;
  }

  /** The next n bytes: a view. */
  raw(n: number): Uint8Array {
    if (n > this.left) throw new RangeError('too short');
    this.#at += n;
    return this.#bytes.subarray(this.#at - n, this.#at);
  }
}
