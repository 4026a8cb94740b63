// A stretch: the bytes of one append in a file of format version 2, raw or packed unit by unit. Its layout is
// drawn in ../format/format.ts.

import { crc32 } from 'node:zlib';
import { get16, get32, put16, put32 } from '../format/bytes.ts';

export const STRETCH_HEADER = 36;

/** Not UTF-8, and with a control character: cannot occur in a document. */
export const STRETCH_MAGIC: Uint8Array = Uint8Array.of(0x8f, 0x4f, 0x53, 0x02);
const MAGIC_WORD = get32(STRETCH_MAGIC, 0);

const KINDS = ['raw', 'packed', 'vocabulary'] as const;

/** The longest packed unit that fits into the table of a stretch. */
export const LONGEST_UNIT = 0xffff;

/** The header of a stretch. */
export interface FileStretch {
  readonly kind: (typeof KINDS)[number];
  /** Offset of the stretch in its file. */
  readonly place: number;
  readonly chunk: number;
  /** Offset in the chunk of its first byte. */
  readonly start: number;
  /** Bytes of the chunk in it; 0 for a vocabulary. */
  readonly length: number;
  /** Bytes in the file behind header and table. */
  readonly payload: number;
  /** CRC-32 of the vocabulary that it is or is packed with; 0 if raw. */
  readonly vocabulary: number;
  readonly units: number;
}

/** Bytes before the payload. */
export function headLength({ units }: Pick<FileStretch, 'units'>): number {
  return STRETCH_HEADER + units * 2;
}

/** Offset in the file behind a stretch. */
export function stretchEnd(stretch: FileStretch): number {
  return stretch.place + headLength(stretch) + stretch.payload;
}

/**
 * Encodes header and table. `ends` are the ends of units in the payload; empty unless packed. REQUIRES: no
 * unit is longer than LONGEST_UNIT.
 */
export function encodeStretch(stretch: Omit<FileStretch, 'units'>, ends: Uint32Array): Uint8Array {
  const head = new Uint8Array(STRETCH_HEADER + ends.length * 2);
  put32(head, 0, MAGIC_WORD);
  put32(head, 8, stretch.place);
  put32(head, 12, stretch.chunk);
  put32(head, 16, stretch.start);
  put32(head, 20, stretch.length);
  put32(head, 24, stretch.payload);
  put32(head, 28, stretch.vocabulary);
  put16(head, 32, KINDS.indexOf(stretch.kind) + 1);
  put16(head, 34, 0);
  let before = 0;
  ends.forEach((end, unit) => {
    put16(head, STRETCH_HEADER + unit * 2, end - before);
    before = end;
  });
  put32(head, 4, crc32(head.subarray(8)));
  return head;
}

/** Decodes a plausible header at `at`, or undefined; its checksum and table are not verified. */
export function decodeStretch(
  bytes: Uint8Array,
  at: number,
  chunk: number,
  place: number,
  unit: number,
): FileStretch | undefined {
  if (get32(bytes, at) !== MAGIC_WORD || get32(bytes, at + 8) !== place || get32(bytes, at + 12) !== chunk)
    return undefined;
  const kind = KINDS[get16(bytes, at + 32) - 1];
  if (kind === undefined) return undefined;
  const length = get32(bytes, at + 20);
  const payload = get32(bytes, at + 24);
  if ((kind === 'raw' && payload !== length) || (kind === 'vocabulary') !== (length === 0)) return undefined;
  return {
    ...{ kind, place, chunk, start: get32(bytes, at + 16), length, payload },
    vocabulary: get32(bytes, at + 28),
    units: kind === 'packed' ? Math.ceil(length / unit) : 0,
  };
}

/** Decodes the ends of units in the file; undefined if header and table are damaged. */
export function decodeUnitEnds(head: Uint8Array, stretch: FileStretch): Uint32Array | undefined {
  if (get32(head, 4) !== crc32(head.subarray(8))) return undefined;
  const ends = new Uint32Array(stretch.units);
  let end = stretch.place + head.length;
  for (let unit = 0; unit < ends.length; unit++) {
    end += get16(head, STRETCH_HEADER + unit * 2);
    ends[unit] = end;
  }
  return stretch.kind === 'packed' && end !== stretchEnd(stretch) ? undefined : ends;
}
