// The one iterator over the documents of a chunk bitmap: their numbers are listed in a shared array, and
// callers loop over that. Listing and looping takes no longer than a loop over the bits (0.1 % to 100 % of
// the bits set).
//
// - The list is valid until the next call: a caller that lets another node score lists its documents
//   afterwards.

import { CHUNK_DOCS, CHUNK_WORDS } from '../../segment/leaf.ts';

/** The documents that were listed last, by their low 16 bits, ascending. */
export const chunkDocs: Uint16Array = new Uint16Array(CHUNK_DOCS);

/**
 * Lists the documents of a bitmap in `chunkDocs`. `words`: how many words to look at. Returns how many
 * documents there are.
 */
export function listDocs(bits: Uint32Array, words: number = CHUNK_WORDS): number {
  let n = 0;
  for (let w = 0; w < words; w++) {
    let word = bits[w]!;
    const base = (w << 5) + 31;
    while (word !== 0) {
      const low = word & -word;
      word ^= low;
      chunkDocs[n++] = base - Math.clz32(low);
    }
  }
  return n;
}
