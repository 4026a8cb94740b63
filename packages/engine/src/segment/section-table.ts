// The table of sections of a segment, and its sections as typed views. Only the head is checked here.

import { ENTRY_BYTES, HEADER_BYTES, MAGIC, NO_FIELD, SEGMENT_VERSION, type SectionKind } from './format.ts';

/** The segment is damaged or has an unknown format. It must be rebuilt from the document log. */
export class SegmentDamagedError extends Error {
  override readonly name = 'SegmentDamagedError';
}

/** The table of sections of a segment, as typed views. */
export class SectionTable {
  readonly bytes: Uint8Array;
  readonly docCount: number;
  readonly flags: number;
  readonly #places: Map<number, { offset: number; length: number; sum: number }> = new Map();

  /** Throws SegmentDamagedError when the head is not valid for these bytes. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    if (bytes.length < HEADER_BYTES) throw new SegmentDamagedError('shorter than a segment header');
    for (let i = 0; i < MAGIC.length; i++) {
      if (bytes[i] !== MAGIC.charCodeAt(i)) throw new SegmentDamagedError('not a segment: wrong magic');
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const version = view.getUint32(8, true);
    if (version < 1 || version > SEGMENT_VERSION) {
      throw new SegmentDamagedError(
        `segment format ${version} is unknown; this build reads 1 to ${SEGMENT_VERSION}`,
      );
    }
    this.flags = view.getUint32(12, true);
    this.docCount = view.getUint32(16, true);
    const count = view.getUint32(20, true);
    const length = view.getFloat64(24, true);
    if (!(length <= bytes.length) || HEADER_BYTES + count * ENTRY_BYTES > bytes.length) {
      throw new SegmentDamagedError(`segment of ${length} bytes is truncated to ${bytes.length}`);
    }
    for (let i = 0; i < count; i++) {
      const at = HEADER_BYTES + i * ENTRY_BYTES;
      const key = view.getUint16(at, true) * 0x10000 + view.getUint16(at + 2, true);
      const place = {
        offset: view.getUint32(at + 4, true),
        length: view.getUint32(at + 8, true),
        sum: view.getUint32(at + 12, true),
      };
      if (place.offset + place.length > bytes.length)
        throw new SegmentDamagedError('a section lies beyond the end');
      this.#places.set(key, place);
    }
  }

  u8(kind: SectionKind, field: number = NO_FIELD): Uint8Array {
    const place = this.#places.get(kind * 0x10000 + field);
    if (place === undefined) return this.bytes.subarray(0, 0);
    return this.bytes.subarray(place.offset, place.offset + place.length);
  }

  /** Where a section begins in the segment; -1 if it is missing. */
  start(kind: SectionKind, field: number = NO_FIELD): number {
    return this.#places.get(kind * 0x10000 + field)?.offset ?? -1;
  }

  /** The expected CRC-32 of a section; 0 if it is missing. */
  sum(kind: SectionKind, field: number = NO_FIELD): number {
    return this.#places.get(kind * 0x10000 + field)?.sum ?? 0;
  }

  has(kind: SectionKind, field: number = NO_FIELD): boolean {
    return this.#places.has(kind * 0x10000 + field);
  }

  u16(kind: SectionKind, field: number = NO_FIELD): Uint16Array {
    const b = this.u8(kind, field);
    return new Uint16Array(b.buffer, b.byteOffset, b.byteLength >>> 1);
  }

  u32(kind: SectionKind, field: number = NO_FIELD): Uint32Array {
    const b = this.u8(kind, field);
    return new Uint32Array(b.buffer, b.byteOffset, b.byteLength >>> 2);
  }

  f64(kind: SectionKind): Float64Array {
    const b = this.u8(kind);
    return new Float64Array(b.buffer, b.byteOffset, b.byteLength >>> 3);
  }
}
