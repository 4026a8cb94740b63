// A dense group as bits: one word of bitmap for each 32 documents of its chunk, and for each word the
// number of postings before it.

import { DENSE_WORDS } from '../format.ts';

/** Words of a chunk's bitmap. */
const BITMAP_WORDS = 2_048;

/**
 * Writes the record of lows [start, end), which ascend, to `words` from `at` on; nothing if there is no room.
 */
export function writeDenseGroup(
  lows: Uint16Array,
  start: number,
  end: number,
  words: Uint32Array,
  at: number,
): void {
  if (at + DENSE_WORDS > words.length) return;
  const bits = words.subarray(at, at + BITMAP_WORDS);
  const { buffer, byteOffset } = bits;
  const ranks = new Uint16Array(buffer, byteOffset + BITMAP_WORDS * 4, BITMAP_WORDS);
  let p = start;
  for (let word = 0; word < BITMAP_WORDS; word++) {
    ranks[word] = p - start;
    let set = 0;
    while (p < end && lows[p]! >>> 5 === word) set |= 1 << (lows[p++]! & 31);
    bits[word] = set;
  }
}
