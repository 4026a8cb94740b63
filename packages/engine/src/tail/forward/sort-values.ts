// Sorts the column values of one document: terms by bytes, numbers by size. Few values are sorted by
// insertion.

import type { GrowableWords } from '../terms/growable.ts';
import type { TermTable } from '../terms/term-table.ts';

/** Up to so many values are sorted by insertion. */
const FEW = 24;

/** Sorts the tokens from `from` on by the bytes of their terms. */
export function sortTermNumbers(table: TermTable, tokens: GrowableWords, from: number): void {
  const ids = tokens.view;
  const end = tokens.length;
  if (end - from > FEW) {
    const sorted = Array.from(ids.subarray(from, end)).sort((a, b) => table.compare(a, b));
    ids.set(sorted, from);
    return;
  }
  for (let i = from + 1; i < end; i++) {
    const id = ids[i]!;
    let j = i;
    for (; j > from && table.compare(ids[j - 1]!, id) > 0; j--) ids[j] = ids[j - 1]!;
    ids[j] = id;
  }
}

/** Sorts the numbers from `from` on. */
export function sortNumbers(high: GrowableWords, low: GrowableWords, from: number): void {
  const hi = high.view;
  const lo = low.view;
  const end = high.length;
  if (end - from > FEW) {
    // One native sort of 64-bit numbers, low word first in memory: objects would take ten times as long.
    const words = new Uint32Array(2 * (end - from));
    for (let i = from, at = 0; i < end; i++) {
      words[at++] = lo[i]!;
      words[at++] = hi[i]!;
    }
    new BigUint64Array(words.buffer).sort();
    for (let i = from, at = 0; i < end; i++) {
      lo[i] = words[at++]!;
      hi[i] = words[at++]!;
    }
    return;
  }
  for (let i = from + 1; i < end; i++) {
    const h = hi[i]!;
    const l = lo[i]!;
    let j = i;
    for (; j > from && (hi[j - 1]! > h || (hi[j - 1]! === h && lo[j - 1]! > l)); j--) {
      hi[j] = hi[j - 1]!;
      lo[j] = lo[j - 1]!;
    }
    hi[j] = h;
    lo[j] = l;
  }
}
