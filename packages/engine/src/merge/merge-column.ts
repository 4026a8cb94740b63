// Merges columns: numbers are copied, ordinals are mapped from each old dictionary to the new one.

import { hasBit, wordsFor } from '../kernels/bits.ts';
import {
  type ColumnSummary,
  foldCounts,
  NO_COLUMN,
  needsStarts,
  ordinalArray,
  writePresence,
} from '../segment/columns.ts';
import { KIND, ordinalWidth } from '../segment/format.ts';
import type { Column } from '../segment/leaf.ts';
import type { SectionWriter } from '../segment/section-writer.ts';
import type { Remap } from './remap.ts';

/** Numbers of values per document, as starts; and whether some document has several. */
function mergeStarts(
  columns: readonly (Column | undefined)[],
  remap: Remap,
): { starts: Uint32Array; multi: boolean } {
  const starts = new Uint32Array(remap.docCount + 1);
  let multi = false;
  columns.forEach((column, input) => {
    if (column === undefined) return;
    const map = remap.newDoc[input]!;
    for (let doc = 0; doc < map.length; doc++) {
      if (map[doc]! < 0 || !hasBit(column.present, doc)) continue;
      const n = column.starts === undefined ? 1 : column.starts[doc + 1]! - column.starts[doc]!;
      if (n > 1) multi = true;
      starts[map[doc]! + 1] = n;
    }
  });
  return { starts, multi };
}

/** Calls `move(input, from, to, n)` for the values of every document that stays. */
function moveValues(
  columns: readonly (Column | undefined)[],
  remap: Remap,
  starts: Uint32Array | undefined,
  move: (input: number, from: number, to: number, n: number) => void,
): void {
  columns.forEach((column, input) => {
    if (column === undefined) return;
    const map = remap.newDoc[input]!;
    for (let doc = 0; doc < map.length; doc++) {
      const to = map[doc]!;
      if (to < 0 || !hasBit(column.present, doc)) continue;
      const from = column.starts === undefined ? doc : column.starts[doc]!;
      const n = column.starts === undefined ? 1 : column.starts[doc + 1]! - from;
      move(input, from, starts === undefined ? to : starts[to]!, n);
    }
  });
}

/**
 * Adds the merged column. `ordinals` maps old to new ordinals by input, and `termCount` are the new terms; both only
 * for ordinal columns.
 */
export function mergeColumn(
  columns: readonly (Column | undefined)[],
  remap: Remap,
  presence: Uint32Array,
  ordinals: readonly (Uint32Array | undefined)[],
  termCount: number,
  field: number,
  sections: SectionWriter,
): ColumnSummary {
  const { starts, multi } = mergeStarts(columns, remap);
  const present = foldCounts(starts);
  const valueCount = starts[remap.docCount]!;
  if (valueCount === 0) return NO_COLUMN;
  const sparse = needsStarts(remap.docCount, valueCount, multi);
  const size = sparse ? valueCount : remap.docCount;
  writePresence(field, presence, present, sections);
  if (sparse) sections.add(KIND.columnStarts, field, starts);
  const places = sparse ? starts : undefined;
  if (columns.some((column) => column?.kind === 'ordinal')) {
    const width = ordinalWidth(termCount);
    const values = ordinalArray(width, size);
    moveValues(columns, remap, places, (input, from, to, n) => {
      const column = columns[input]!;
      if (column.kind !== 'ordinal') return;
      const map = ordinals[input]!;
      for (let i = 0; i < n; i++) values[to + i] = map[column.ordinals[from + i]!]!;
    });
    sections.add(KIND.ordinals, field, values);
    return { valueCount, ordinalBytes: width };
  }
  const hi = new Uint32Array(size);
  const lo = new Uint32Array(size);
  moveValues(columns, remap, places, (input, from, to, n) => {
    const column = columns[input]!;
    if (column.kind !== 'numeric') return;
    for (let i = 0; i < n; i++) {
      hi[to + i] = column.hi[from + i]!;
      lo[to + i] = column.lo[from + i]!;
    }
  });
  sections.add(KIND.numericHi, field, hi);
  sections.add(KIND.numericLo, field, lo);
  return { valueCount, ordinalBytes: 0 };
}

/** Ordinals that documents which stay still use, as bitmaps by input. */
export function usedOrdinals(
  columns: readonly (Column | undefined)[],
  remap: Remap,
): (Uint32Array | undefined)[] {
  const used = columns.map((column) =>
    column?.kind === 'ordinal' ? new Uint32Array(wordsFor(column.terms.count)) : undefined,
  );
  moveValues(columns, remap, undefined, (input, from, _to, n) => {
    const column = columns[input]!;
    if (column.kind !== 'ordinal') return;
    const bits = used[input]!;
    for (let i = from; i < from + n; i++) bits[column.ordinals[i]! >>> 5]! |= 1 << (column.ordinals[i]! & 31);
  });
  return used;
}
