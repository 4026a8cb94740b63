// How do the values of a field in a run of documents become a column? Dense when each document has at most one value
// and most have one; else with the start of each document's values.

import { setBit, wordsFor } from '../kernels/bits.ts';
import { KIND, ordinalWidth } from '../segment/format.ts';
import type { Sections } from '../segment/sections.ts';
import type { ForwardField } from './forward.ts';

/** A column that was written, as its field's record tells it. */
export interface ColumnSummary {
  readonly valueCount: number;
  readonly ordinalBytes: number;
}

/** Ordinals of an array's width. */
export function ordinalArray(width: number, length: number): Uint8Array | Uint16Array | Uint32Array {
  return width === 1
    ? new Uint8Array(length)
    : width === 2
      ? new Uint16Array(length)
      : new Uint32Array(length);
}

/**
 * Whether a column has starts: some document has several values, or so few have one that starts are smaller.
 * `starts` are those of all documents.
 */
export function needsStarts(docCount: number, valueCount: number, multi: boolean): boolean {
  return multi || valueCount * 2 < docCount;
}

/** Writes presence of the column, where it differs from the field's. */
function writePresence(field: number, presence: Uint32Array, column: Uint32Array, sections: Sections): void {
  if (presence.some((word, i) => word !== column[i])) sections.add(KIND.columnPresent, field, column);
}

/** The ordinal column of entries [from, to): `ordinals` maps term numbers, or undefined for the numbers themselves. */
export function writeOrdinals(
  source: ForwardField,
  range: { from: number; to: number; base: number; docCount: number; presence: Uint32Array },
  ordinals: Uint32Array | undefined,
  termCount: number,
  field: number,
  sections: Sections,
): ColumnSummary {
  const { from, to, base, docCount } = range;
  const tokens = source.tokens.view;
  const starts = new Uint32Array(docCount + 1);
  let multi = false;
  for (let entry = from; entry < to; entry++) {
    const first = source.tokenAt(entry);
    const end = source.tokenAt(entry + 1);
    let n = first < end ? 1 : 0;
    for (let i = first + 1; i < end; i++) if (tokens[i] !== tokens[i - 1]) n++;
    if (n > 1) multi = true;
    starts[source.docs.view[entry]! - base + 1] = n;
  }
  const present = fold(starts);
  const valueCount = starts[docCount]!;
  if (valueCount === 0) return { valueCount: 0, ordinalBytes: 0 };
  const sparse = needsStarts(docCount, valueCount, multi);
  const width = ordinalWidth(termCount);
  const values = ordinalArray(width, sparse ? valueCount : docCount);
  for (let entry = from; entry < to; entry++) {
    const doc = source.docs.view[entry]! - base;
    let at = sparse ? starts[doc]! : doc;
    const first = source.tokenAt(entry);
    const end = source.tokenAt(entry + 1);
    for (let i = first; i < end; i++) {
      if (i > first && tokens[i] === tokens[i - 1]) continue;
      values[at++] = ordinals === undefined ? tokens[i]! : ordinals[tokens[i]!]!;
    }
  }
  writePresence(field, range.presence, present, sections);
  if (sparse) sections.add(KIND.columnStarts, field, starts);
  sections.add(KIND.ordinals, field, values);
  return { valueCount, ordinalBytes: width };
}

/** The numeric column of entries [from, to). */
export function writeNumbers(
  source: ForwardField,
  range: { from: number; to: number; base: number; docCount: number; presence: Uint32Array },
  field: number,
  sections: Sections,
): ColumnSummary {
  const { from, to, base, docCount } = range;
  const starts = new Uint32Array(docCount + 1);
  let multi = false;
  for (let entry = from; entry < to; entry++) {
    const n = source.valueAt(entry + 1) - source.valueAt(entry);
    if (n > 1) multi = true;
    starts[source.docs.view[entry]! - base + 1] = n;
  }
  const present = fold(starts);
  const valueCount = starts[docCount]!;
  if (valueCount === 0) return { valueCount: 0, ordinalBytes: 0 };
  const sparse = needsStarts(docCount, valueCount, multi);
  const first = source.valueAt(from);
  let hi = source.hi.view.subarray(first, first + valueCount);
  let lo = source.lo.view.subarray(first, first + valueCount);
  if (!sparse) {
    const denseHi = new Uint32Array(docCount);
    const denseLo = new Uint32Array(docCount);
    for (let entry = from; entry < to; entry++) {
      const at = source.valueAt(entry);
      if (at === source.valueAt(entry + 1)) continue;
      denseHi[source.docs.view[entry]! - base] = source.hi.view[at]!;
      denseLo[source.docs.view[entry]! - base] = source.lo.view[at]!;
    }
    hi = denseHi;
    lo = denseLo;
  }
  writePresence(field, range.presence, present, sections);
  if (sparse) sections.add(KIND.columnStarts, field, starts);
  sections.add(KIND.numericHi, field, hi);
  sections.add(KIND.numericLo, field, lo);
  return { valueCount, ordinalBytes: 0 };
}

/** Counts (shifted by one) become starts; returns the bitmap of documents with any. */
function fold(starts: Uint32Array): Uint32Array {
  const present = new Uint32Array(wordsFor(starts.length - 1));
  for (let doc = 0; doc + 1 < starts.length; doc++) {
    if (starts[doc + 1] !== 0) setBit(present, doc);
    starts[doc + 1]! += starts[doc]!;
  }
  return present;
}
