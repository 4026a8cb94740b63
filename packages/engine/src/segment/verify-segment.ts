// Verifies a segment or its file: first the checksums, which find damage on the disk, then the
// structure, so that not even a wrong file makes a reader leave its bounds or loop for ever.

import { crc32 } from 'node:zlib';
import type { DiskFile } from '../disk/disk.ts';
import { checkStructure } from './check-structure.ts';
import { ALIGN, ENTRY_BYTES, HEADER_BYTES, KIND, SHARED_TERMS } from './format.ts';
import {
  decodePackedTable,
  isPackedSegment,
  PACKED_HEADER_BYTES,
  PIECE_ENTRY_BYTES,
} from './packed/packed-format.ts';
import { readPackedTable, unpackSegment } from './packed/unpack.ts';
import { SectionTable, SegmentDamagedError } from './section-table.ts';

/** Header bytes with a meaning, its checksum included. */
const SUMMED_HEADER = 40;
const NAMES = new Map<number, string>(Object.entries(KIND).map(([name, kind]) => [kind, name]));

/**
 * Everything that is wrong with the bytes of a sealed segment. Never throws. O(bytes).
 */
export function verifySegment(bytes: Uint8Array): string[] {
  try {
    const table = new SectionTable(bytes);
    const findings = checksumFindings(bytes);
    if (findings.length > 0) return findings;
    if ((table.flags & SHARED_TERMS) !== 0) return ['it is a mini-segment, whose terms lie outside of it'];
    return checkStructure(table);
  } catch (error) {
    if (error instanceof SegmentDamagedError || error instanceof RangeError) return [error.message];
    throw error;
  }
}

/** Everything that is wrong with a segment's file, packed or as older versions wrote it. O(bytes). */
export async function verifyFile(file: Uint8Array): Promise<string[]> {
  if (!isPackedSegment(file)) return verifySegment(file);
  try {
    const table = readPackedTable(file);
    const bytes = new Uint8Array(table.byteLength);
    await unpackSegment(file, table, bytes);
    return verifySegment(bytes);
  } catch (error) {
    if (error instanceof SegmentDamagedError || error instanceof RangeError) return [error.message];
    throw error;
  }
}

/**
 * Compares the checksums of a segment's file, piece by piece; its structure is not verified. Yields after every
 * piece: what is wrong, or undefined.
 */
export function* verifyPieces(file: Pick<DiskFile, 'size' | 'readSync'>): Generator<string | undefined> {
  const size = file.size();
  const read = (at: number, length: number): Uint8Array => {
    const bytes = new Uint8Array(Math.min(length, Math.max(0, size - at)));
    return bytes.subarray(0, file.readSync(bytes, at));
  };
  const header = read(0, PACKED_HEADER_BYTES);
  if (!isPackedSegment(header)) {
    yield verifySegment(read(0, size))[0];
    return;
  }
  const count = header.length < PACKED_HEADER_BYTES ? 0 : new DataView(header.buffer).getUint32(12, true);
  const table = decodePackedTable(read(0, PACKED_HEADER_BYTES + count * PIECE_ENTRY_BYTES), size);
  if (typeof table === 'string') {
    yield table;
    return;
  }
  for (const { at, stored, crc } of table.pieces)
    yield crc32(read(at, stored)) === crc ? undefined : `checksum of the piece at ${at} does not match`;
}

function checksumFindings(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint32(20, true);
  const entries = bytes.subarray(HEADER_BYTES, HEADER_BYTES + count * ENTRY_BYTES);
  if (crc32(bytes.subarray(0, 36)) !== view.getUint32(36, true))
    return ['checksum of the header does not match'];
  if (crc32(entries) !== view.getUint32(32, true)) return ['checksum of the section table does not match'];
  const findings: string[] = [];
  // Bytes that no checksum covers must be zero, so that no damage goes unnoticed.
  let end = HEADER_BYTES + count * ENTRY_BYTES;
  if (!zeros(bytes, SUMMED_HEADER, HEADER_BYTES)) findings.push('the header is not zero behind its checksum');
  for (let i = 0; i < count; i++) {
    const at = HEADER_BYTES + i * ENTRY_BYTES;
    const offset = view.getUint32(at + 4, true);
    const length = view.getUint32(at + 8, true);
    const name = `${NAMES.get(view.getUint16(at, true)) ?? 'unknown'} of field ${view.getUint16(at + 2, true)}`;
    if (offset !== Math.ceil(end / ALIGN) * ALIGN)
      findings.push(`section ${name} is misaligned at ${offset}`);
    else if (!zeros(bytes, end, offset)) findings.push(`the bytes before section ${name} are not zero`);
    else if (crc32(bytes.subarray(offset, offset + length)) !== view.getUint32(at + 12, true)) {
      findings.push(`checksum of section ${name} at ${offset} does not match`);
    }
    end = offset + length;
  }
  if (!zeros(bytes, end, bytes.length)) findings.push('the bytes behind the last section are not zero');
  return findings;
}

function zeros(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== 0) return false;
  return true;
}
