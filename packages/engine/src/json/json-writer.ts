// Writes JSON as bytes into one growing buffer, without strings in between. Short pieces are copied byte
// by byte: a call into Node costs more.

import { bytesOf, utf8Text } from './bytes.ts';

const SHORT = 64;
const BILLION = 1_000_000_000;
const QUOTE = 34;
const BACKSLASH = 92;

const WORD = 8;

/**
 * ASCII text that is written often, prepared as 64-bit words: eight bytes are written at a time. ASCII bytes never form a
 * NaN, whose bits a machine may change, so the words can pass as doubles, which a DataView writes at any offset.
 */
export class Piece {
  readonly length: number;
  /** The bytes of the text, little-endian; filled up with spaces. */
  readonly words: Float64Array;

  /** REQUIRES: ASCII. */
  constructor(text: string) {
    this.length = text.length;
    this.words = new Float64Array(Math.ceil(text.length / WORD));
    const { buffer, byteOffset } = bytesOf(text.padEnd(this.words.length * WORD));
    const view = new DataView(buffer, byteOffset);
    for (let i = 0; i < this.words.length; i++) this.words[i] = view.getFloat64(i * WORD, true);
  }
}

/** `Buffer.copy` for any byte array: copies a range without creating a view of it. */
const copy = Buffer.prototype.copy as (
  this: Uint8Array,
  target: Uint8Array,
  at: number,
  start: number,
  end: number,
) => number;

/** A buffer and the position behind the bytes written. */
export class JsonWriter {
  bytes: Buffer;
  at: number;
  #view: DataView;

  /** Writes from `at` on. */
  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
    this.#view = viewOf(bytes);
  }

  /** Makes room for `more` bytes. */
  reserve(more: number): void {
    if (this.at + more <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + more));
    grown.set(this.bytes.subarray(0, this.at));
    this.bytes = grown;
    this.#view = viewOf(grown);
  }

  /** Prepared text. */
  piece({ length, words }: Piece): void {
    // The last word may reach beyond the end of the text.
    this.reserve(length + 7);
    const view = this.#view;
    let { at } = this;
    for (let i = 0; i < words.length; i++, at += 8) view.setFloat64(at, words[i]!, true);
    this.at += length;
  }

  /** ASCII text as it is. */
  ascii(text: string): void {
    const { length } = text;
    this.reserve(length);
    const { bytes, at } = this;
    if (length < SHORT) for (let i = 0; i < length; i++) bytes[at + i] = text.charCodeAt(i);
    else bytes.latin1Write(text, at, length);
    this.at += length;
  }

  /** Any text as it is. */
  text(text: string): void {
    this.reserve(3 * text.length);
    this.at += this.bytes.utf8Write(text, this.at, 3 * text.length);
  }

  /** Bytes as they are. */
  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  /** A range of bytes as it is. */
  range(source: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    copy.call(source, this.bytes, this.at, start, end);
    this.at += end - start;
  }

  /** As `range`, for a few bytes: copied one by one, which costs less than a call into Node. */
  short(source: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    const { bytes } = this;
    let { at } = this;
    for (let i = start; i < end; i++) bytes[at++] = source[i]!;
    this.at = at;
  }

  /** Any text as a JSON string. */
  string(text: string): void {
    const { length } = text;
    this.reserve(length + 2);
    const { bytes } = this;
    let { at } = this;
    bytes[at++] = QUOTE;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code < 32 || code > 126 || code === QUOTE || code === BACKSLASH) {
        this.text(JSON.stringify(text));
        return;
      }
      bytes[at++] = code;
    }
    bytes[at++] = QUOTE;
    this.at = at;
  }

  /** A range of UTF-8 as a JSON string. */
  quoted(utf8: Uint8Array, start: number, end: number): void {
    this.reserve(end - start + 2);
    const { bytes } = this;
    let { at } = this;
    bytes[at++] = QUOTE;
    for (let i = start; i < end; i++) {
      const byte = utf8[i]!;
      if (byte < 32 || byte === QUOTE || byte === BACKSLASH) {
        this.text(JSON.stringify(utf8Text(utf8, start, end)));
        return;
      }
      bytes[at++] = byte;
    }
    bytes[at++] = QUOTE;
    this.at = at;
  }

  /** An integer. REQUIRES: safe. */
  integer(value: number): void {
    this.reserve(20);
    let left = value;
    if (left < 0) {
      this.bytes[this.at++] = 45;
      left = -left;
    }
    // In 32-bit numbers: division of doubles takes several times as long.
    if (left < BILLION) {
      this.#digits(left | 0, 0);
      return;
    }
    const high = Math.floor(left / BILLION);
    this.#digits(high | 0, 0);
    this.#digits((left - high * BILLION) | 0, 9);
  }

  /** `value / 10,000` with one to four decimals. REQUIRES: a safe integer, at least 0. */
  tenThousandths(value: number): void {
    const whole = Math.floor(value / 10_000);
    this.integer(whole);
    let left = (value - whole * 10_000) | 0;
    let count = 4;
    while (count > 1 && left % 10 === 0) {
      left = (left / 10) | 0;
      count--;
    }
    this.reserve(5);
    this.bytes[this.at++] = 46;
    this.#digits(left, count);
  }

  /** The digits of a number below a billion, with zeros before them up to `least`. */
  #digits(value: number, least: number): void {
    let count = 1;
    for (let bound = 10; bound <= value; bound *= 10) count++;
    if (count < least) count = least;
    const { bytes } = this;
    let left = value;
    for (let at = this.at + count - 1; at >= this.at; at--) {
      const rest = (left / 10) | 0;
      bytes[at] = 48 + left - rest * 10;
      left = rest;
    }
    this.at += count;
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}

declare global {
  interface Buffer {
    /** `write` as Latin-1 without looking at the encoding. */
    latin1Write(text: string, offset: number, length?: number): number;
    /** `write` without looking at the encoding. */
    utf8Write(text: string, offset: number, length?: number): number;
  }
}
