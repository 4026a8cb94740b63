// Writes the column of a field for a range of the tail's documents.

import {
  type ColumnSummary,
  foldCounts,
  NO_COLUMN,
  needsStarts,
  ordinalArray,
  writePresence,
} from '../../segment/columns.ts';
import { KIND, ordinalWidth } from '../../segment/format.ts';
import type { SectionWriter } from '../../segment/section-writer.ts';
import type { ForwardField } from '../forward/forward-field.ts';

/** The documents of a column: entries of the field, and their numbers and presence in the segment. */
export interface ColumnRange {
  readonly from: number;
  readonly to: number;
  readonly base: number;
  readonly docCount: number;
  readonly presence: Uint32Array;
}

/**
 * The ordinal column of entries [from, to): `ordinals` maps term numbers, or undefined for the numbers
 * themselves.
 */
export function writeOrdinals(
  source: ForwardField,
  range: ColumnRange,
  ordinals: Uint32Array | undefined,
  termCount: number,
  field: number,
  sections: SectionWriter,
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
  const present = foldCounts(starts);
  const valueCount = starts[docCount]!;
  if (valueCount === 0) return NO_COLUMN;
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
  range: ColumnRange,
  field: number,
  sections: SectionWriter,
): ColumnSummary {
  const { from, to, base, docCount } = range;
  const starts = new Uint32Array(docCount + 1);
  let multi = false;
  for (let entry = from; entry < to; entry++) {
    const n = source.valueAt(entry + 1) - source.valueAt(entry);
    if (n > 1) multi = true;
    starts[source.docs.view[entry]! - base + 1] = n;
  }
  const present = foldCounts(starts);
  const valueCount = starts[docCount]!;
  if (valueCount === 0) return NO_COLUMN;
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
