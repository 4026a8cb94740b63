// Finds where the positions of a posting begin: behind the postings of its block of eight. Each posting
// ends with a byte whose two highest bits are 01, so the ends are counted four bytes at a time.

import type { PostingsArrays } from './postings-arrays.ts';

const ONES = 0x01010101;

/**
 * The place behind the next `postings` ends from `from` on. `words` are the aligned words of the same bytes.
 */
function skipPostings(bytes: Uint8Array, words: Uint32Array, from: number, postings: number): number {
  let skip = postings;
  if (skip === 0) return from;
  let word = from >>> 2;
  let within = -1 << ((from & 3) << 3);
  // Two words per step. Which of them holds the last end is unpredictable, so it is computed without a
  // branch.
  for (; word + 1 < words.length; word += 2) {
    const sums = sumsOf(words[word]!, within);
    const next = sumsOf(words[word + 1]!, -1);
    const found = sums >>> 24;
    const both = found + (next >>> 24);
    if (both >= skip) {
      const behind = (found - skip) >> 31;
      const ends = sums ^ ((sums ^ next) & behind);
      const reached = (ends + Math.imul(0x80 - skip + (found & behind), ONES)) & 0x80808080;
      return (word << 2) + (behind & 4) + ((31 - Math.clz32(reached & -reached)) >>> 3) + 1;
    }
    skip -= both;
    within = -1;
  }
  let at = Math.max(from, word << 2);
  for (; skip > 0; at++) if ((bytes[at]! & 0xc0) === 0x40) skip--;
  return at;
}

/** Byte k of the result: how many of bytes 0 … k end a posting. */
function sumsOf(four: number, within: number): number {
  return Math.imul(((four & ~(four >>> 1)) >>> 6) & ONES & within, ONES);
}

/** Writes to `starts` where the positions of `count` postings begin. */
export function findPositionStarts(
  { positionBytes, positionOffsets, positionHalves }: PostingsArrays,
  words: Uint32Array,
  postings: Int32Array,
  count: number,
  starts: Int32Array,
): void {
  const hasHalves = positionHalves.length > 0;
  for (let i = 0; i < count; i++) {
    const posting = postings[i]!;
    const sixteen = posting >>> 4;
    const half = hasHalves && (posting & 8) !== 0 ? positionHalves[sixteen]! : 0;
    const skip = (posting & 15) - (half > 0 ? 8 : 0);
    starts[i] = skipPostings(positionBytes, words, positionOffsets[sixteen]! + half, skip);
  }
}
