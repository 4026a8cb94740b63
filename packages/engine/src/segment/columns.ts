// What all writers of columns share. A column is dense when every document has at most one value and
// many have one; otherwise it stores where the values of each document start (format.ts).

import { setBit, wordsFor } from '../kernels/bits.ts';
import { KIND } from './format.ts';
import type { SectionWriter } from './section-writer.ts';

/** A written column, as its field's record describes it. */
export interface ColumnSummary {
  readonly valueCount: number;
  readonly ordinalBytes: number;
}

/** The record of a column without values. */
export const NO_COLUMN: ColumnSummary = { valueCount: 0, ordinalBytes: 0 };

/** An array for ordinals of this width in bytes. */
export function ordinalArray(width: number, length: number): Uint8Array | Uint16Array | Uint32Array {
  return width === 1
    ? new Uint8Array(length)
    : width === 2
      ? new Uint16Array(length)
      : new Uint32Array(length);
}

/**
 * Whether a column has starts: some document has several values, or so few have one that starts take less room.
 */
export function needsStarts(docCount: number, valueCount: number, multi: boolean): boolean {
  return multi || valueCount * 2 < docCount;
}

/** Writes the presence of the column if it differs from the field's. */
export function writePresence(
  field: number,
  presence: Uint32Array,
  column: Uint32Array,
  sections: SectionWriter,
): void {
  if (presence.some((word, i) => word !== column[i])) sections.add(KIND.columnPresent, field, column);
}

/** Turns counts (shifted by one) into starts; returns the bitmap of documents with values. */
export function foldCounts(starts: Uint32Array): Uint32Array {
  const present = new Uint32Array(wordsFor(starts.length - 1));
  for (let doc = 0; doc + 1 < starts.length; doc++) {
    if (starts[doc + 1] !== 0) setBit(present, doc);
    starts[doc + 1]! += starts[doc]!;
  }
  return present;
}
