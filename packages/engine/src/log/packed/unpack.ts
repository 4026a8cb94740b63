// Which bytes was a unit? Code by code; whatever the codes are, nothing is read or written elsewhere. The twin of
// kernels/assembly/pack/unpack.ts, and its oracle.

import { LITERAL, LITERAL_SHORT } from './code.ts';

/** Words by number, as in dictionary.ts. */
export interface Words {
  readonly short: number;
  readonly strings: Uint8Array;
  readonly entries: Uint32Array;
}

/**
 * Unpacks unit[from … end) to `target` at `at`, until there are `upTo` bytes or more; returns how many, or -1 where the
 * unit is none of `length` bytes. REQUIRES: upTo <= length; room for LITERAL_MAX bytes behind `length`.
 */
export function unpackUnit(
  { short, strings, entries }: Words,
  unit: Uint8Array,
  from: number,
  end: number,
  target: Uint8Array,
  at: number,
  length: number,
  upTo: number,
): number {
  const stop = at + upTo;
  let to = at;
  let p = from;
  while (to < stop) {
    if (p >= end) return -1;
    const first = unit[p++]!;
    if (first < LITERAL) {
      let number = first;
      if (first >= short) {
        if (p >= end) return -1;
        number = short + ((first - short) << 8) + unit[p++]!;
      }
      const entry = number < entries.length ? entries[number]! : 0;
      if (entry === 0) return -1;
      let q = entry >>> 6;
      for (const stopAt = to + (entry & 63); to < stopAt; ) target[to++] = strings[q++]!;
      continue;
    }
    let run = first - LITERAL + 1;
    if (run > LITERAL_SHORT) {
      if (p >= end) return -1;
      run += unit[p++]!;
    }
    if (run > end - p) return -1;
    for (const stopAt = to + run; to < stopAt; ) target[to++] = unit[p++]!;
  }
  const isWhole = upTo < length || (p === end && to === stop);
  return isWhole && to - at <= length ? to - at : -1;
}
