// The sequence numbers of a segment, in document order. If the segment file is lost, it is made again from
// the log with them, exactly as it was, and its deaths file still fits.
//
//   magic 'OSEQ' u32 | count u32 | CRC-32 of the rest u32 | 0 u32 | count × varint of the difference to the one before

import { crc32 } from 'node:zlib';

const MAGIC = 0x5145534f;

/** Ascending numbers as a file, about a byte each. */
export function encodeNumbers(numbers: Float64Array): Uint8Array {
  const bytes = new Uint8Array(16 + numbers.length * 8);
  let at = 16;
  let last = 0;
  for (const number of numbers) {
    let rest = number - last;
    last = number;
    while (rest >= 128) {
      bytes[at++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    bytes[at++] = rest;
  }
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, numbers.length, true);
  view.setUint32(8, crc32(bytes.subarray(16, at)), true);
  return bytes.subarray(0, at);
}

/** How many numbers a file has; undefined if it is damaged. Only the checksum is verified. */
export function decodeCount(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isWhole =
    bytes.length >= 16 &&
    view.getUint32(0, true) === MAGIC &&
    view.getUint32(12, true) === 0 &&
    view.getUint32(8, true) === crc32(bytes.subarray(16));
  const count = isWhole ? view.getUint32(4, true) : 0;
  return isWhole && count <= bytes.length - 16 ? count : undefined;
}

/** The numbers of a file; undefined if it is damaged. */
export function decodeNumbers(bytes: Uint8Array): Float64Array | undefined {
  const count = decodeCount(bytes);
  if (count === undefined) return undefined;
  const numbers = new Float64Array(count);
  let at = 16;
  let last = 0;
  for (let i = 0; i < count; i++) {
    let scale = 1;
    for (;;) {
      const byte = bytes[at++];
      if (byte === undefined) return undefined;
      last += (byte & 127) * scale;
      if (byte < 128) break;
      scale *= 128;
    }
    numbers[i] = last;
  }
  return at === bytes.length ? numbers : undefined;
}
