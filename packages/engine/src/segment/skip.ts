// Where do the positions of a posting begin? Behind those of the postings of its eight before it, each of which ends with a
// byte whose two highest bits are 01: four bytes are looked at a time, and none of them by itself.

const ONES = 0x01010101;

/** The place behind the next `postings` that end from `from` on. `words` are the same bytes, as far as they are aligned. */
function skipPostings(bytes: Uint8Array, words: Uint32Array, from: number, postings: number): number {
  let skip = postings;
  if (skip === 0) return from;
  let word = from >>> 2;
  let within = -1 << ((from & 3) << 3);
  for (; word < words.length; word++) {
    const four = words[word]!;
    // Byte k of the sums says how many end up to it.
    const sums = Math.imul(((four & ~(four >>> 1)) >>> 6) & ONES & within, ONES);
    const found = sums >>> 24;
    if (found >= skip) {
      const reached = (sums + Math.imul(0x80 - skip, ONES)) & 0x80808080;
      return (word << 2) + ((31 - Math.clz32(reached & -reached)) >>> 3) + 1;
    }
    skip -= found;
    within = -1;
  }
  let at = Math.max(from, words.length << 2);
  for (; skip > 0; at++) if ((bytes[at]! & 0xc0) === 0x40) skip--;
  return at;
}

/** The same for a posting of a field, by the sections of format.ts. */
export function positionStart(
  bytes: Uint8Array,
  words: Uint32Array,
  offsets: Uint32Array,
  halves: Uint8Array,
  posting: number,
): number {
  const sixteen = posting >>> 4;
  const at = offsets[sixteen]!;
  if ((posting & 8) !== 0 && halves.length > 0) {
    const half = halves[sixteen]!;
    if (half > 0) return skipPostings(bytes, words, at + half, posting & 7);
  }
  return skipPostings(bytes, words, at, posting & 15);
}
