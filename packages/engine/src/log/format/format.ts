// Format of the document log on disk: chunk files `log/00000001.log`, each a header and frames. Chunk numbers are
// never reused. All numbers are little-endian; all frames start at a multiple of 8.
//
//   CHUNK    ┌──────── header, 48 bytes ────────┐┌── frame ──┐┌── frame ──┐ …     offsets in a chunk: as drawn here
//     0 magic 'OCTVLOG\n'   8 format version u32  12 chunk number u32  16 kind u32 (1 fresh, 2 moved)  20 zero
//    24 first commit u64   32 last commit u64    40 CRC-32 of bytes 0 … 39 u32                        44 zero
//
//   A *fresh* chunk holds commits as they came, one frame per commit. Its first commit follows the last one of the
//   chunk before; its last commit is 0 (unknown until the next fresh chunk is begun, or the chunk is scanned).
//   A *moved* chunk holds records that were still live in chunks since removed. It is written under a temporary name
//   and renamed, so it is there whole or not at all. Its records ascend by commit.
//
//   FRAME    ┌──────── header, 40 bytes ────────┐┌ record ┐┌ record ┐ … zeros up to a multiple of 8
//     0 magic 8F 4F 46 01   4 CRC-32 of bytes 8 … end u32   8 length with header and zeros u32
//    12 own offset in the chunk u32   16 append start u32   20 record count u32
//    24 commit u64 (moved: of its last record)   32 flags u32 (1 moved)   36 chunk number u32
//
//   Own offset and chunk number make a frame invalid elsewhere: in a copied chunk, or quoted in a document. *Append
//   start*: everything before this offset was durable when the frame was written. So a bad frame with a good one
//   behind it is damage if the append start of the good one lies behind the bad one, and otherwise a torn append.
//   (In a moved chunk the append start is the own offset: it is durable as a whole before it is renamed.)
//
//   RECORD   ┌──── 28 bytes ────┐
//     0 kind u8 (1 index, 2 delete, 3 moved index, 4 moved delete)   1 flags u8 (1 has type, 2 has routing)
//     2 id length u16   4 index number u32   8 seqNo u64   16 version u64   24 source length u32
//   then commit u64 (kinds 3 and 4), id, [length u16, type], [length u16, routing], source as it came
//
// In a file of version 1 the bytes of a chunk lie as they are. From version 2 on only the header does. What each append
// wrote behind it lies in a stretch (stretch/), in units of 4,096 bytes of the chunk: raw, or packed with words of a
// vocabulary. The last unit of a stretch may be shorter:
//
//   FILE     header ┌── stretch ──┐┌── stretch: words ──┐┌── stretch, packed ──┐┌── words again ──┐┌── stretch, packed …
//   STRETCH  ┌──── 36 bytes ────┐┌ CRC-32 of each unit u32 ┐┌ packed: length of each unit u16 ┐┌ payload: units, or words ┐
//     0 magic 8F 4F 53 03   4 CRC-32 of bytes 8 … end of the table   8 own offset in the file u32   12 chunk number u32
//    16 offset in the chunk of its first byte u32   20 bytes of the chunk u32 (words: 0)   24 length of payload u32
//    28 CRC-32 of the words u32 (raw: 0)   32 kind u16 (1 raw, 2 packed, 3 words)   34 zero
//
//   - Every read verifies the checksums of the units that it touches, so damage costs no more than a unit. They cover the
//     bytes as they lie in the file. The bytes of a damaged unit read as zeros, so the frames in it are bad.
//   - Version 2 has no checksums of units, and 02 at the end of the magic: what is read there is verified once, by frames.
//   - Words are written twice, because everything packed with them needs them.
//   - A stretch that begins inside older ones replaces them from there on. A torn append is replaced by its intact
//     part in this way, so that part is readable at any moment.
//   - The newest file may end in zeros for coming appends (stretch/preallocation.ts); in any other they are damage.

import { crc32 } from 'node:zlib';
import { get32, get64, put32, put64 } from './bytes.ts';
import { combineChecksums } from './checksum.ts';

/** The version that is written; versions from 1 on are read. */
export const LOG_VERSION = 3;

export const CHUNK_HEADER = 48;
export const FRAME_HEADER = 40;
export const RECORD_HEADER = 28;

/** Not UTF-8, and with a control character: cannot occur in a document. */
export const FRAME_MAGIC: Uint8Array = Uint8Array.of(0x8f, 0x4f, 0x46, 0x01);
const FRAME_MAGIC_WORD = get32(FRAME_MAGIC, 0);
const CHUNK_MAGIC = new TextEncoder().encode('OCTVLOG\n');

export const KIND_INDEX = 1;
export const KIND_DELETE = 2;
export const KIND_MOVED_INDEX = 3;
export const KIND_MOVED_DELETE = 4;
export const HAS_TYPE = 1;
export const HAS_ROUTING = 2;
const FLAG_MOVED = 1;

/** The header of a chunk file. */
export interface ChunkHeader {
  readonly version: number;
  readonly number: number;
  readonly kind: 'fresh' | 'moved';
  readonly firstCommit: number;
  /** 0 in a fresh chunk. */
  readonly lastCommit: number;
}

/** The header of a frame. */
export interface FrameHeader {
  readonly length: number;
  readonly offset: number;
  readonly appendStart: number;
  readonly records: number;
  readonly commit: number;
  readonly moved: boolean;
  readonly chunk: number;
}

/** Name of a chunk file, without folder: `00000001.log`. */
export function chunkName(number: number, ending = 'log'): string {
  return `${String(number).padStart(8, '0')}.${ending}`;
}

export function encodeChunkHeader(header: ChunkHeader): Uint8Array {
  const bytes = new Uint8Array(CHUNK_HEADER);
  bytes.set(CHUNK_MAGIC);
  put32(bytes, 8, header.version);
  put32(bytes, 12, header.number);
  put32(bytes, 16, header.kind === 'fresh' ? 1 : 2);
  put64(bytes, 24, header.firstCommit);
  put64(bytes, 32, header.lastCommit);
  put32(bytes, 40, crc32(bytes.subarray(0, 40)));
  return bytes;
}

/** The header of a fresh chunk. */
export function encodeFreshHeader(version: number, number: number, firstCommit: number): Uint8Array {
  return encodeChunkHeader({ version, number, kind: 'fresh', firstCommit, lastCommit: 0 });
}

/** Undefined if it is not an intact header. Throws on a later version: that is no damage. */
export function decodeChunkHeader(bytes: Uint8Array, file: string): ChunkHeader | undefined {
  if (bytes.length < CHUNK_HEADER || CHUNK_MAGIC.some((byte, at) => byte !== bytes[at])) return undefined;
  if (get32(bytes, 40) !== crc32(bytes.subarray(0, 40))) return undefined;
  const version = get32(bytes, 8);
  if (version > LOG_VERSION)
    throw new Error(
      `${file} has format version ${version}; this Octavo reads versions 1 to ${LOG_VERSION}. Use a newer one`,
    );
  const kind = get32(bytes, 16) === 2 ? 'moved' : 'fresh';
  return {
    version,
    number: get32(bytes, 12),
    kind,
    firstCommit: get64(bytes, 24),
    lastCommit: get64(bytes, 32),
  };
}

/**
 * Writes the header of a frame into its first 40 bytes. `sum` is the CRC-32 of the bytes behind them, if it
 * is known. REQUIRES: `frame` is the whole frame, padded, records in place.
 */
export function sealFrame(
  frame: Uint8Array,
  header: Omit<FrameHeader, 'length'>,
  sum: number = crc32(frame.subarray(FRAME_HEADER)),
): void {
  put32(frame, 0, FRAME_MAGIC_WORD);
  put32(frame, 8, frame.length);
  put32(frame, 12, header.offset);
  put32(frame, 16, header.appendStart);
  put32(frame, 20, header.records);
  put64(frame, 24, header.commit);
  put32(frame, 32, header.moved ? FLAG_MOVED : 0);
  put32(frame, 36, header.chunk);
  const own = crc32(frame.subarray(8, FRAME_HEADER));
  put32(frame, 4, combineChecksums(own, sum, frame.length - FRAME_HEADER));
}

/** Decodes the header at `at`; undefined if it is not one. The checksum is not verified. */
export function decodeFrameHeader(bytes: Uint8Array, at: number): FrameHeader | undefined {
  if (get32(bytes, at) !== FRAME_MAGIC_WORD) return undefined;
  return {
    length: get32(bytes, at + 8),
    offset: get32(bytes, at + 12),
    appendStart: get32(bytes, at + 16),
    records: get32(bytes, at + 20),
    commit: get64(bytes, at + 24),
    moved: (get32(bytes, at + 32) & FLAG_MOVED) !== 0,
    chunk: get32(bytes, at + 36),
  };
}

/** Whether the checksum of a frame is right. */
export function isIntactFrame(frame: Uint8Array): boolean {
  return get32(frame, 4) === crc32(frame.subarray(8));
}

/** The same for a frame in parts, the first of which has its header. */
export class FrameChecksum {
  #stated = -1;
  #sum = 0;

  /** The next part. */
  add(part: Uint8Array): void {
    const isFirst = this.#stated < 0;
    if (isFirst) this.#stated = get32(part, 4);
    this.#sum = crc32(isFirst ? part.subarray(8) : part, this.#sum);
  }

  /** After the last one. */
  get isIntact(): boolean {
    return this.#sum === this.#stated;
  }
}
