// The format of a packed segment file: pieces, each compressed by itself where that pays, so that
// several threads can read a file and damage can be located. In memory a segment is unpacked
// (format.ts), byte for byte as it was built. Version 1 has no derived pieces, version 2 no derived
// residues. Older files are unpacked segments; they begin with "OCTAVOSG".
//
//   file     = header entry*pieces piece*
//   header   = "OCTAVOSP" version:u32 pieces:u32 byteLength:f64 (of the segment) tableCrc:u32 headerCrc:u32
//              headerCrc covers the 28 bytes before it, tableCrc all entries
//   entry    = packing:u32 length:u32 (in the segment) stored:u32 (in the file) crc:u32 (CRC-32 of the stored bytes)
//   piece    = stored bytes; they follow each other without gaps and end with the file
//
// The first pieces are the segment's head, up to its first section; then the sections follow, each in pieces
// of 1 MiB, its last one shorter. A piece lies in the segment at the next multiple of 64 behind the one
// before; gaps are zeros.
//
//   packing    0 plain                  1 zstd (RFC 8878)       2 to 4: differences, in planes, then zstd
//              5 derived: not in the file (stored and crc are 0), computed from other sections as format.ts describes them:
//              dense from groups and lows; codes, residues, positionOffsets and positionHalves from groups, lows,
//              positionBytes and norms
//   2          words of 16 bits, each less the one before       (lows)
//   3          words of 32 bits, each less the one before       (starts, offsets)
//   4          words of 32 bits, each less the fourth one before (groups, seqNos)
//   planes     the lowest bytes of all words, then the next ones … Differences wrap around; before the piece are zeros

import { crc32 } from 'node:zlib';
import { ALIGN, KIND } from '../format.ts';

/** First bytes of a packed segment. */
const PACKED_MAGIC = 'OCTAVOSP';
/** The version that this code writes; it reads this one and all before it. */
export const PACKED_VERSION = 3;
export const PACKED_HEADER_BYTES = 32;
export const PIECE_ENTRY_BYTES = 16;
/** Bytes of a piece: a multiple of ALIGN. */
export const PIECE_BYTES: number = 1 << 20;

/** How a piece is stored. Numbers are never reused. */
export const ENCODING = { plain: 0, zstd: 1, words16: 2, words32: 3, records: 4, derived: 5 } as const;

/** An encoding of a piece. */
export type PieceEncoding = (typeof ENCODING)[keyof typeof ENCODING];

/** The best encoding by kind of section; others are compressed only. */
const BY_KIND: ReadonlyMap<number, PieceEncoding> = new Map<number, PieceEncoding>([
  [KIND.lows, ENCODING.words16],
  [KIND.groups, ENCODING.records],
  [KIND.seqNos, ENCODING.records],
  ...[
    KIND.positionOffsets,
    KIND.termStarts,
    KIND.termGroups,
    KIND.idStarts,
    KIND.routingStarts,
    KIND.columnStarts,
    KIND.sourceOffsets,
    KIND.runStarts,
  ].map((kind): [number, PieceEncoding] => [kind, ENCODING.words32]),
]);

/** How sections of a kind are stored, if compressing them pays. */
export function encodingOf(kind: number): PieceEncoding {
  return BY_KIND.get(kind) ?? ENCODING.zstd;
}

/** A piece of a packed file. */
export interface PackedPiece {
  readonly packing: PieceEncoding;
  /** Its place in the segment. */
  readonly start: number;
  readonly length: number;
  /** Its place in the file. */
  readonly at: number;
  readonly stored: number;
  readonly crc: number;
}

/** Where the next piece begins in the segment, behind one that ends at `end`. */
export function alignPiece(end: number): number {
  return Math.ceil(end / ALIGN) * ALIGN;
}

/** Whether a file is a packed segment of any version. */
export function isPackedSegment(file: Uint8Array): boolean {
  if (file.length < PACKED_MAGIC.length) return false;
  for (let i = 0; i < PACKED_MAGIC.length; i++) if (file[i] !== PACKED_MAGIC.charCodeAt(i)) return false;
  return true;
}

/** The table of a packed file. */
export interface PackedTable {
  /** Length of the segment. */
  readonly byteLength: number;
  readonly pieces: readonly PackedPiece[];
}

/** The header and entries of a file with these pieces. Starts and places follow from the lengths. */
export function encodePackedTable(
  byteLength: number,
  pieces: readonly Pick<PackedPiece, 'packing' | 'length' | 'stored' | 'crc'>[],
): Uint8Array {
  const head = new Uint8Array(PACKED_HEADER_BYTES + pieces.length * PIECE_ENTRY_BYTES);
  const view = new DataView(head.buffer);
  for (const [i, { packing, length, stored, crc }] of pieces.entries()) {
    const at = PACKED_HEADER_BYTES + i * PIECE_ENTRY_BYTES;
    view.setUint32(at, packing, true);
    view.setUint32(at + 4, length, true);
    view.setUint32(at + 8, stored, true);
    view.setUint32(at + 12, crc, true);
  }
  for (let i = 0; i < PACKED_MAGIC.length; i++) head[i] = PACKED_MAGIC.charCodeAt(i);
  view.setUint32(8, PACKED_VERSION, true);
  view.setUint32(12, pieces.length, true);
  view.setFloat64(16, byteLength, true);
  view.setUint32(24, crc32(head.subarray(PACKED_HEADER_BYTES)), true);
  view.setUint32(28, crc32(head.subarray(0, 28)), true);
  return head;
}

/**
 * The table of a file, or a sentence that says what is wrong. Pieces lie within the file and the segment.
 * `file` may be only its first bytes, up to the end of the table. O(pieces).
 */
export function decodePackedTable(file: Uint8Array, fileLength: number = file.length): PackedTable | string {
  if (!isPackedSegment(file)) return 'not a packed segment: wrong magic';
  if (file.length < PACKED_HEADER_BYTES) return 'shorter than the header of a packed segment';
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const version = view.getUint32(8, true);
  if (version < 1 || version > PACKED_VERSION)
    return `packed segment version ${version} is unknown; this build reads 1 to ${PACKED_VERSION}`;
  if (crc32(file.subarray(0, 28)) !== view.getUint32(28, true))
    return 'checksum of the header does not match';
  const count = view.getUint32(12, true);
  const byteLength = view.getFloat64(16, true);
  let at = PACKED_HEADER_BYTES + count * PIECE_ENTRY_BYTES;
  if (at > file.length) return `the table of ${count} pieces is cut short`;
  if (crc32(file.subarray(PACKED_HEADER_BYTES, at)) !== view.getUint32(24, true))
    return 'checksum of the table of pieces does not match';
  const pieces: PackedPiece[] = [];
  let end = 0;
  for (let i = 0; i < count; i++) {
    const entry = PACKED_HEADER_BYTES + i * PIECE_ENTRY_BYTES;
    const packing = view.getUint32(entry, true);
    const length = view.getUint32(entry + 4, true);
    const stored = view.getUint32(entry + 8, true);
    const crc = view.getUint32(entry + 12, true);
    const isKnown = version === 1 ? packing <= ENCODING.records : packing <= ENCODING.derived;
    const isStored = packing !== ENCODING.derived || (stored === 0 && crc === 0);
    if (!isKnown || !isStored || length > PIECE_BYTES) return `piece ${i} has an unknown encoding`;
    const start = alignPiece(end);
    pieces.push({ packing: packing as PieceEncoding, start, length, at, stored, crc });
    end = start + length;
    at += stored;
  }
  if (at !== fileLength) return `has ${fileLength} bytes, but its pieces end at ${at}`;
  if (alignPiece(end) !== byteLength) return `its pieces make ${end} bytes instead of ${byteLength}`;
  return { byteLength, pieces };
}
