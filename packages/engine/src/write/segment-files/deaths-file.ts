// The deaths file of a segment: entries of (document, commit), written anew at each checkpoint. The log
// replays the deaths that came after it.
//
//   magic 'ODEL' u32 | count u32 | CRC-32 of the entries u32 | 0 u32 | count × (document f64, commit f64)

import { crc32 } from 'node:zlib';
import type { Leaf } from '../../segment/leaf.ts';

/** A file of a segment is missing or damaged: the segment is rebuilt from the log. */
export class DamagedSegment extends Error {
  override readonly name = 'DamagedSegment';
}

const MAGIC = 0x4c45444f;

/** The first `count` entries as a file. */
export function encodeDeaths(leaf: Leaf, count: number): Uint8Array {
  const bytes = new Uint8Array(16 + count * 16);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < count; i++) {
    view.setFloat64(16 + i * 16, leaf.deaths.doc(i), true);
    view.setFloat64(24 + i * 16, leaf.deaths.commit(i), true);
  }
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, count, true);
  view.setUint32(8, crc32(bytes.subarray(16)), true);
  return bytes;
}

/** Whether a file is whole. */
export function isDeathsFile(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return (
    bytes.length >= 16 &&
    view.getUint32(0, true) === MAGIC &&
    view.getUint32(12, true) === 0 &&
    bytes.length === 16 + view.getUint32(4, true) * 16 &&
    view.getUint32(8, true) === crc32(bytes.subarray(16))
  );
}

/** Throws `DamagedSegment` unless the file is whole; `name` is for the message. */
export function checkDeaths(bytes: Uint8Array, name: string): DataView {
  if (!isDeathsFile(bytes)) throw new DamagedSegment(`${name}: checksum does not match`);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Appends the entries of a file to the (empty) death log of a leaf. */
export function decodeDeaths(bytes: Uint8Array, leaf: Leaf, name: string): void {
  const view = checkDeaths(bytes, name);
  const count = view.getUint32(4, true);
  for (let i = 0; i < count; i++)
    leaf.deaths.append(view.getFloat64(16 + i * 16, true), view.getFloat64(24 + i * 16, true));
}
