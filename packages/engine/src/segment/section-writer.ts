// Lays out sections as a segment: collects (kind, field, array), then returns the parts of a file with
// checksums, or of a mini-segment without.

import { crc32 } from 'node:zlib';
import { copyBytes } from '../memory/copy.ts';
import {
  ALIGN,
  ENTRY_BYTES,
  HEADER_BYTES,
  MAGIC,
  NO_FIELD,
  SEGMENT_VERSION,
  type SectionKind,
} from './format.ts';

/** A segment ready to be written: its bytes are the parts one after the other. */
export interface SegmentBytes {
  readonly byteLength: number;
  readonly docCount: number;
  readonly parts: readonly Uint8Array[];
}

/** Typed arrays that a section may be. */
type SectionArray = Uint8Array | Uint16Array | Uint32Array | Float64Array;

interface Section {
  readonly kind: SectionKind;
  readonly field: number;
  readonly bytes: Uint8Array;
}

const ZEROS = new Uint8Array(ALIGN);
/** Bytes checksummed between two yields. */
const SLICE = 1 << 20;

function aligned(n: number): number {
  return Math.ceil(n / ALIGN) * ALIGN;
}

function copyOf(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copyBytes(bytes, 0, bytes.length, copy, 0);
  return copy;
}

/** Collects the sections of one segment. */
export class SectionWriter {
  readonly #sections: Section[] = [];

  /**
   * Adds a section unless it is empty. With `copy` false the array must not change until the segment is done.
   */
  add(kind: SectionKind, field: number, array: SectionArray | undefined, copy: boolean = false): void {
    if (array === undefined || array.length === 0) return;
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    this.#sections.push({ kind, field, bytes: copy ? copyOf(bytes) : bytes });
  }

  /** Adds a section that belongs to no field. */
  addPlain(kind: SectionKind, array: SectionArray | undefined): void {
    this.add(kind, NO_FIELD, array);
  }

  /** Lays out a segment with checksums, for a file. Yields as it goes. */
  *seal(docCount: number): Generator<void, SegmentBytes> {
    const sums: number[] = [];
    for (const { bytes } of this.#sections) {
      let sum = 0;
      for (let at = 0; at < bytes.length; at += SLICE) {
        sum = crc32(bytes.subarray(at, at + SLICE), sum);
        if (bytes.length > SLICE) yield;
      }
      sums.push(sum);
    }
    return this.finish(docCount, 0, sums);
  }

  /** Lays out a segment. Without `sums` the checksums are 0: for segments that never become a file. */
  finish(docCount: number, flags: number, sums?: readonly number[]): SegmentBytes {
    const sections = this.#sections;
    const head = new Uint8Array(aligned(HEADER_BYTES + sections.length * ENTRY_BYTES));
    const view = new DataView(head.buffer);
    const parts: Uint8Array[] = [head];
    let offset = head.length;
    sections.forEach((section, i) => {
      const at = HEADER_BYTES + i * ENTRY_BYTES;
      const { bytes } = section;
      view.setUint16(at, section.kind, true);
      view.setUint16(at + 2, section.field, true);
      view.setUint32(at + 4, offset, true);
      view.setUint32(at + 8, bytes.length, true);
      view.setUint32(at + 12, sums === undefined ? 0 : sums[i]!, true);
      const end = aligned(bytes.length);
      parts.push(bytes);
      if (end > bytes.length) parts.push(ZEROS.subarray(0, end - bytes.length));
      offset += end;
      if (offset > 0xffffffff) throw new RangeError('a segment must stay below 4 GiB');
    });
    for (let i = 0; i < MAGIC.length; i++) head[i] = MAGIC.charCodeAt(i);
    view.setUint32(8, SEGMENT_VERSION, true);
    view.setUint32(12, flags, true);
    view.setUint32(16, docCount, true);
    view.setUint32(20, sections.length, true);
    view.setFloat64(24, offset, true);
    const table = head.subarray(HEADER_BYTES, HEADER_BYTES + sections.length * ENTRY_BYTES);
    view.setUint32(32, sums === undefined ? 0 : crc32(table), true);
    view.setUint32(36, sums === undefined ? 0 : crc32(head.subarray(0, 36)), true);
    return { byteLength: offset, docCount, parts };
  }
}

/** Copies a segment into `target` (an arena block). REQUIRES: target is at least byteLength long. */
export function copySegment(segment: SegmentBytes, target: Uint8Array): void {
  let at = 0;
  for (const part of segment.parts) {
    copyBytes(part, 0, part.length, target, at);
    at += part.length;
  }
}
