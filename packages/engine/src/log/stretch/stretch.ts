// A stretch: the bytes of one append in a file from format version 2 on, raw or packed unit by unit. Its layout
// is drawn in ../format/format.ts.

import { crc32 } from 'node:zlib';
import { get16, get32, put16, put32 } from '../format/bytes.ts';
import { UNIT } from '../packed/word-packing.ts';

export const STRETCH_HEADER = 36;

/** Not UTF-8, and with a control character: cannot occur in a document. The last byte of the magic follows. */
export const STRETCH_MAGIC: Uint8Array = Uint8Array.of(0x8f, 0x4f, 0x53);
/** The whole magic, without and with checksums of units. */
const MAGIC_WORDS = [2, 3].map((version) => get32(Uint8Array.of(...STRETCH_MAGIC, version), 0));

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
  /** Whether its units have checksums: from format version 3 on. */
  readonly isSummed: boolean;
}

/** The table of a stretch. */
export interface UnitTable {
  /** Ends of its units; empty unless packed. */
  readonly ends: Uint32Array;
  /** CRC-32 of each unit as it lies in the file; empty if they have none. */
  readonly sums: Uint32Array;
}

/** Number of units. A raw stretch without checksums has none. */
export function unitsOf({
  kind,
  length,
  isSummed,
}: Pick<FileStretch, 'kind' | 'length' | 'isSummed'>): number {
  return kind === 'packed' || isSummed ? Math.ceil(length / UNIT) : 0;
}

/** Bytes before the payload. */
export function headLength(stretch: Pick<FileStretch, 'kind' | 'length' | 'isSummed'>): number {
  const perUnit = (stretch.isSummed ? 4 : 0) + (stretch.kind === 'packed' ? 2 : 0);
  return STRETCH_HEADER + unitsOf(stretch) * perUnit;
}

/** Offset in the file behind a stretch. */
export function stretchEnd(stretch: FileStretch): number {
  return stretch.place + headLength(stretch) + stretch.payload;
}

/** Encodes header and table; `ends` count from the payload on. REQUIRES: no unit is longer than LONGEST_UNIT. */
export function encodeStretch(stretch: FileStretch, { ends, sums }: UnitTable): Uint8Array {
  const head = new Uint8Array(headLength(stretch));
  put32(head, 0, MAGIC_WORDS[stretch.isSummed ? 1 : 0]!);
  put32(head, 8, stretch.place);
  put32(head, 12, stretch.chunk);
  put32(head, 16, stretch.start);
  put32(head, 20, stretch.length);
  put32(head, 24, stretch.payload);
  put32(head, 28, stretch.vocabulary);
  put16(head, 32, KINDS.indexOf(stretch.kind) + 1);
  put16(head, 34, 0);
  let at = STRETCH_HEADER;
  for (const sum of sums) {
    put32(head, at, sum);
    at += 4;
  }
  let before = 0;
  for (const end of ends) {
    put16(head, at, end - before);
    at += 2;
    before = end;
  }
  put32(head, 4, crc32(head.subarray(8)));
  return head;
}

/** Decodes a plausible header at `at`, or undefined; its checksum and table are not verified. */
export function decodeStretch(
  bytes: Uint8Array,
  at: number,
  chunk: number,
  place: number,
): FileStretch | undefined {
  const version = MAGIC_WORDS.indexOf(get32(bytes, at));
  if (version < 0 || get32(bytes, at + 8) !== place || get32(bytes, at + 12) !== chunk) return undefined;
  const kind = KINDS[get16(bytes, at + 32) - 1];
  if (kind === undefined) return undefined;
  const length = get32(bytes, at + 20);
  const payload = get32(bytes, at + 24);
  if ((kind === 'raw' && payload !== length) || (kind === 'vocabulary') !== (length === 0)) return undefined;
  return {
    ...{ kind, place, chunk, start: get32(bytes, at + 16), length, payload },
    vocabulary: get32(bytes, at + 28),
    isSummed: version === 1,
  };
}

/** Decodes the table, with ends in the file; undefined if header and table are damaged. */
export function decodeTable(head: Uint8Array, stretch: FileStretch): UnitTable | undefined {
  if (get32(head, 4) !== crc32(head.subarray(8))) return undefined;
  const units = unitsOf(stretch);
  const sums = new Uint32Array(stretch.isSummed ? units : 0);
  let at = STRETCH_HEADER;
  for (let unit = 0; unit < sums.length; unit++, at += 4) sums[unit] = get32(head, at);
  const ends = new Uint32Array(stretch.kind === 'packed' ? units : 0);
  let end = stretch.place + head.length;
  for (let unit = 0; unit < ends.length; unit++, at += 2) {
    end += get16(head, at);
    ends[unit] = end;
  }
  return stretch.kind === 'packed' && end !== stretchEnd(stretch) ? undefined : { ends, sums };
}
