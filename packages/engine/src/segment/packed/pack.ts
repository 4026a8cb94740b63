// Packs a segment into its file, piece by piece. The serving thread has pieces compressed by Node's
// thread pool and works a few milliseconds per piece; a background thread compresses by itself at its
// own low priority, because pool threads would compete with the serving thread for both cores. A piece
// that does not shrink by a sixteenth is stored plain; derived sections are left out.

import { promisify } from 'node:util';
import { constants, crc32, type ZstdOptions, zstdCompress, zstdCompressSync } from 'node:zlib';
import { ENTRY_BYTES, HEADER_BYTES } from '../format.ts';
import { SectionTable } from '../section-table.ts';
import { findDerivedSections } from './derived-sections.ts';
import {
  alignPiece,
  ENCODING,
  encodePackedTable,
  encodingOf,
  type PackedPiece,
  PIECE_BYTES,
  type PieceEncoding,
} from './packed-format.ts';
import { toPlanes16, toPlanes32 } from './planes.ts';

/** A compressor: the pool's, or synchronous. */
type Compress = (bytes: Uint8Array, options: ZstdOptions) => Buffer | Promise<Buffer>;

const pooled = promisify<Uint8Array, ZstdOptions, Buffer>(zstdCompress);
/** The fastest level: higher ones take twice as long to save 3 %. */
const LEVEL = 1;
/** Smaller pieces are stored plain: the way to the pool and back costs more than it saves. */
const SMALLEST = 2_048;
const NOTHING = new Uint8Array(0);

interface Part {
  readonly start: number;
  readonly length: number;
  readonly packing: PieceEncoding;
}

/** A packed piece. */
interface Stored {
  readonly entry: Pick<PackedPiece, 'packing' | 'length' | 'stored' | 'crc'>;
  readonly bytes: Uint8Array;
}

/**
 * A sealed segment as a file: its bytes are the parts one after the other. The segment must not change
 * meanwhile.
 */
export function packSegment(segment: Uint8Array): Promise<Uint8Array<ArrayBuffer>[]> {
  return pack(segment, pooled, () => {});
}

/** As `packSegment`, without the pool; `rest` is called between pieces, every millisecond or two. */
export function packSegmentInThread(
  segment: Uint8Array,
  rest: () => void,
): Promise<Uint8Array<ArrayBuffer>[]> {
  return pack(segment, zstdCompressSync, rest);
}

async function pack(
  segment: Uint8Array,
  compress: Compress,
  rest: () => void,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const stored: Stored[] = [];
  // Two at a time: the pool compresses one while the planes of the next are computed.
  let before: Promise<Stored> | undefined;
  const derived = findDerivedSections(new SectionTable(segment));
  for (const part of partsOf(segment, derived)) {
    const next = store(segment, part, compress);
    if (before !== undefined) stored.push(await before);
    before = next;
    rest();
  }
  if (before !== undefined) stored.push(await before);
  const entries = stored.map(({ entry }) => entry);
  const parts = stored.map(({ bytes }) => bytes).filter(({ length }) => length > 0);
  return [encodePackedTable(segment.length, entries), ...parts] as Uint8Array<ArrayBuffer>[];
}

function* partsOf(segment: Uint8Array, derived: ReadonlySet<number>): Generator<Part> {
  const view = new DataView(segment.buffer, segment.byteOffset, segment.byteLength);
  const count = view.getUint32(20, true);
  yield* cut(0, alignPiece(HEADER_BYTES + count * ENTRY_BYTES), ENCODING.zstd);
  for (let i = 0; i < count; i++) {
    const at = HEADER_BYTES + i * ENTRY_BYTES;
    const start = view.getUint32(at + 4, true);
    const packing = derived.has(start) ? ENCODING.derived : encodingOf(view.getUint16(at, true));
    yield* cut(start, view.getUint32(at + 8, true), packing);
  }
}

function* cut(start: number, length: number, packing: PieceEncoding): Generator<Part> {
  for (let at = 0; at < length; at += PIECE_BYTES)
    yield { start: start + at, length: Math.min(PIECE_BYTES, length - at), packing };
}

async function store(
  segment: Uint8Array,
  { start, length, packing }: Part,
  compress: Compress,
): Promise<Stored> {
  if (packing === ENCODING.derived) return storedAs(packing, length, NOTHING);
  // A copy: the pool must not get memory that other threads can write to.
  const plain = segment.slice(start, start + length);
  if (length >= SMALLEST) {
    const bytes = await compress(arranged(plain, packing), {
      params: {
        [constants.ZSTD_c_compressionLevel]: LEVEL,
        [constants.ZSTD_c_contentSizeFlag]: 1,
      },
      // One step: the default returns to JavaScript every 16 KiB.
      chunkSize: length + 1024,
    });
    if (bytes.length < length - (length >>> 4)) return storedAs(packing, length, own(bytes));
  }
  return storedAs(ENCODING.plain, length, plain);
}

function storedAs(packing: PieceEncoding, length: number, bytes: Uint8Array): Stored {
  return { entry: { packing, length, stored: bytes.length, crc: crc32(bytes) }, bytes };
}

/** The bytes in a buffer of exactly their size. */
function own(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

function arranged(bytes: Uint8Array, packing: PieceEncoding): Uint8Array {
  const { buffer, byteOffset, length } = bytes;
  if (packing === ENCODING.words16) return toPlanes16(new Uint16Array(buffer, byteOffset, length >>> 1));
  if (packing === ENCODING.words32) return toPlanes32(new Uint32Array(buffer, byteOffset, length >>> 2), 1);
  if (packing === ENCODING.records) return toPlanes32(new Uint32Array(buffer, byteOffset, length >>> 2), 4);
  return bytes;
}
