// How does a file become a segment again? Pieces are checked here and decompressed by the system's pool of threads, several
// at a time, into their place. What has the right checksums is what was written: its shapes are not looked at again.

import { promisify } from 'node:util';
import { crc32, zstdDecompress } from 'node:zlib';
import { SegmentDamaged } from './open.ts';
import { decodeTable, PACKING, type PackedTable, type Piece } from './packed.ts';
import { fromPlanes16, fromPlanes32 } from './planes.ts';

const decompress = promisify<Uint8Array, { chunkSize: number; maxOutputLength: number }, Buffer>(
  zstdDecompress,
);
/** Pieces under way: enough for every thread of the pool, and some that wait. */
const AT_ONCE = 6;

/** The table of a packed file. Throws SegmentDamaged where it cannot be trusted. */
export function packedTable(file: Uint8Array): PackedTable {
  const table = decodeTable(file);
  if (typeof table === 'string') throw new SegmentDamaged(table);
  return table;
}

/**
 * Writes the segment of a packed file to `into`, which has its length. Rejects with SegmentDamaged where a piece is not what
 * was written; what `into` holds then says nothing. O(bytes).
 */
export async function unpackSegment(
  file: Uint8Array,
  { pieces }: PackedTable,
  into: Uint8Array,
): Promise<void> {
  let next = 0;
  let end = 0;
  let damage: unknown;
  const work = async (): Promise<void> => {
    while (next < pieces.length && damage === undefined) {
      const number = next++;
      const piece = pieces[number]!;
      into.fill(0, end, piece.start);
      end = piece.start + piece.length;
      await restore(file, piece, number, into);
    }
  };
  // All are waited for, whatever one of them ends in: nobody may write to `into` once the caller has it back.
  await Promise.all(Array.from({ length: AT_ONCE }, () => work().catch((error) => (damage ??= error))));
  if (damage !== undefined) throw damage;
  into.fill(0, end);
}

async function restore(file: Uint8Array, piece: Piece, number: number, into: Uint8Array): Promise<void> {
  const { packing, start, length, at, stored, crc } = piece;
  const bytes = file.subarray(at, at + stored);
  if (crc32(bytes) !== crc) throw new SegmentDamaged(`checksum of piece ${number} at ${at} does not match`);
  const place = into.subarray(start, start + length);
  const restored = packing === PACKING.plain ? bytes : await inflated(bytes, length);
  if (restored?.length !== length)
    throw new SegmentDamaged(`piece ${number} at ${at} is not of ${length} bytes`);
  const { buffer, byteOffset } = place;
  if (packing === PACKING.words16) fromPlanes16(restored, new Uint16Array(buffer, byteOffset, length >>> 1));
  else if (packing === PACKING.words32)
    fromPlanes32(restored, new Uint32Array(buffer, byteOffset, length >>> 2), 1);
  else if (packing === PACKING.records)
    fromPlanes32(restored, new Uint32Array(buffer, byteOffset, length >>> 2), 4);
  else place.set(restored);
}

/** What was compressed; undefined when it is no zstd, or longer than it says. */
async function inflated(bytes: Uint8Array, length: number): Promise<Uint8Array | undefined> {
  try {
    return await decompress(bytes, { chunkSize: Math.max(64, length), maxOutputLength: Math.max(1, length) });
  } catch {
    return undefined;
  }
}
