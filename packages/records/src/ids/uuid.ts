// Ids that rise: UUIDv7 (RFC 9562, section 5.7), 48 bits of milliseconds, then 74 bits that start at random
// and go up by a random step within a millisecond (its section 6.2, method 2), so that no id ever sorts below
// an earlier one.

import { randomFillSync } from 'node:crypto';

/** How an id looks: lower case, so that text order is number order. */
const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const BITS_12 = 0xfff;
const BITS_30 = 0x3fffffff;
const TWO_32 = 0x1_0000_0000;
const HYPHEN = 0x2d;

/** Unpredictable bits: 32 for each call, unsigned. */
type RandomBits = () => number;

/** True for a UUIDv7 in lower case. */
export function isUuid7(text: string): boolean {
  return text.length === 36 && SHAPE.test(text);
}

/** The milliseconds since 1970 that an id was given at, or later. REQUIRES: `isUuid7(id)`. */
export function uuid7Time(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The lowest id of a millisecond: every id given at `ms` or later is above it or equal. */
export function lowestUuid7(ms: number): string {
  return layout(ms, 0, 0, 0);
}

/** Bytes of an id. */
export const UUID_BYTES = 16;

/** An id as its 16 bytes, which sort as its text does. */
export function uuidBytes(id: string): Uint8Array {
  const bytes = new Uint8Array(UUID_BYTES);
  writeUuid(id, bytes, 0);
  return bytes;
}

/** Writes the 16 bytes of an id. REQUIRES: `isUuid7(id)`. */
export function writeUuid(id: string, bytes: Uint8Array, start: number): void {
  let at = start;
  for (let i = 0; i < 36; i += 2) {
    if (id.charCodeAt(i) === HYPHEN) i += 1;
    bytes[at++] = (hexDigit(id.charCodeAt(i)) << 4) | hexDigit(id.charCodeAt(i + 1));
  }
}

/** The value of a lower-case hex digit. */
function hexDigit(code: number): number {
  return code < 0x3a ? code - 0x30 : code - 0x57;
}

let lastHigh = -1;
let lastMiddle = -1;
let lastThird = -1;
let lastPrefix = '';

/** The text of the id at offset `at`. Neighbours mostly differ only in their last 32 bits. */
export function uuidText(bytes: DataView, at: number): string {
  const high = bytes.getUint32(at);
  const middle = bytes.getUint32(at + 4);
  const third = bytes.getUint32(at + 8);
  if (high !== lastHigh || middle !== lastMiddle || third !== lastThird) {
    const variant = hex32(third);
    const version = hex32(middle);
    lastPrefix = `${hex32(high)}-${version.slice(0, 4)}-${version.slice(4)}-${variant.slice(0, 4)}-${variant.slice(4)}`;
    lastHigh = high;
    lastMiddle = middle;
    lastThird = third;
  }
  return lastPrefix + hex32(bytes.getUint32(at + 12));
}

/** Gives ids that rise strictly, whatever the clock does. */
export class Uuid7Sequence {
  readonly #random: RandomBits;
  #ms = -1;
  /** The 74 bits below the time: 12, 30 and 32 of them. */
  #high = 0;
  #middle = 0;
  #low = 0;
  /** All but the lowest 32 bits as text: it stays for most of a millisecond. */
  #prefix = '';

  /** Goes on after `last`, an id of an earlier life. */
  constructor(last: string | undefined, random: RandomBits) {
    this.#random = random;
    if (last === undefined) return;
    if (!isUuid7(last)) throw new RangeError(`${last} is no UUIDv7 in lower case`);
    this.#ms = uuid7Time(last);
    this.#high = Number.parseInt(last.slice(15, 18), 16);
    this.#middle = Number.parseInt(last.slice(19, 23) + last.slice(24, 28), 16) & BITS_30;
    this.#low = Number.parseInt(last.slice(28), 16);
    this.#prefix = layout(this.#ms, this.#high, this.#middle, 0).slice(0, 28);
  }

  /** The next id. It counts on from the last one where the clock stands still or steps back. */
  next(now: number): string {
    this.#advance(now);
    return this.#prefix + hex32(this.#low);
  }

  #advance(now: number): void {
    if (now > this.#ms) this.#start(now);
    else this.#step();
  }

  #start(ms: number): void {
    this.#ms = ms;
    // The highest bit is left free: 2^73 steps before a carry into the time.
    this.#high = this.#random() & (BITS_12 >> 1);
    this.#middle = this.#random() & BITS_30;
    this.#low = this.#random();
    this.#prefix = layout(ms, this.#high, this.#middle, 0).slice(0, 28);
  }

  #step(): void {
    this.#low += 1 + (this.#random() >>> 4);
    if (this.#low < TWO_32) return;
    this.#low -= TWO_32;
    this.#middle += 1;
    if (this.#middle > BITS_30) {
      this.#middle = 0;
      this.#high += 1;
    }
    if (this.#high > BITS_12) this.#start(this.#ms + 1);
    this.#prefix = layout(this.#ms, this.#high, this.#middle, 0).slice(0, 28);
  }
}

function layout(ms: number, high: number, middle: number, low: number): string {
  const time = hex(ms, 12);
  const variant = hex(0x80000000 + middle, 8);
  return (
    `${time.slice(0, 8)}-${time.slice(8)}-7${hex(high, 3)}-` +
    `${variant.slice(0, 4)}-${variant.slice(4)}${hex(low, 8)}`
  );
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => hex(byte, 2));

/** Eight digits of 32 bits; numbers beyond 2^31 print slowly otherwise. */
function hex32(value: number): string {
  return HEX[value >>> 24]! + HEX[(value >>> 16) & 255]! + HEX[(value >>> 8) & 255]! + HEX[value & 255]!;
}

/** Random bits of the system, read 4 KB at a time: a call for each id would cost more than the id. */
export function randomBits(): RandomBits {
  const pool = new Uint32Array(1024);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    return pool[at++]!;
  };
}
