// Unpacks a unit, code by code. Whatever the codes are, nothing outside its bounds is read or written. The
// twin of kernels/assembly/pack/unpack.ts, and its oracle in tests.

import { LITERAL, LITERAL_SHORT } from './code.ts';

/** Longest word that fits into a record. */
const RECORD_WORD = 7;
export const RECORD_BYTES = 8;

/**
 * Words by number. A record is a word of up to 7 bytes with its length behind it; for a longer word, its
 * position among the strings and the length. A number without a word has length 0.
 */
export interface WordTable {
  readonly short: number;
  readonly records: Uint8Array;
  readonly strings: Uint8Array;
}

/** Fills the records of consecutive words. REQUIRES: room for them, all zero. */
export function fillRecords({ records, strings }: WordTable, lengths: Uint8Array): void {
  for (let number = 0, from = 0; number < lengths.length; number++) {
    const length = lengths[number]!;
    const at = number * RECORD_BYTES;
    records[at + RECORD_WORD] = length;
    if (length > RECORD_WORD) {
      for (let i = 0; i < 4; i++) records[at + i] = from >>> (i << 3);
      from += length;
    } else for (let to = at; to < at + length; ) records[to++] = strings[from++]!;
  }
}

/**
 * Unpacks unit[from … end) to `target` at `at`, until there are at least `upTo` bytes; returns how many, or
 * -1 if it is not a unit of `length` bytes. REQUIRES: upTo <= length; room for LITERAL_MAX bytes behind
 * `length`.
 */
export function unpackUnit(
  { short, records, strings }: WordTable,
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
      const record = number * RECORD_BYTES;
      const size = records[record + RECORD_WORD]!;
      let q = record;
      let words = records;
      if (size > RECORD_WORD) {
        q = records[record]! | (records[record + 1]! << 8) | (records[record + 2]! << 16);
        words = strings;
      }
      for (const stopAt = to + size; to < stopAt; ) target[to++] = words[q++]!;
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
