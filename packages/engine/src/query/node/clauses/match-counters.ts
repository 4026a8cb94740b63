// Counts for every document of a chunk how many of n sets hold it, bit-sliced: plane k holds bit k of every
// count. Adding a set is a ripple of word operations, and comparing takes one pass over the planes.

import { CHUNK_WORDS } from '../../../segment/leaf.ts';

/** Counts of the documents of a chunk. */
export class MatchCounters {
  readonly #planes: Uint32Array[];
  #used = 0;

  /** REQUIRES: at most `sets` calls of `add` between two of `clear`. */
  constructor(sets: number) {
    this.#planes = Array.from({ length: 32 - Math.clz32(sets) }, () => new Uint32Array(CHUNK_WORDS));
  }

  clear(): void {
    for (let k = 0; k < this.#used; k++) this.#planes[k]!.fill(0);
    this.#used = 0;
  }

  /** Adds one to the count of every document in bits. */
  add(bits: Uint32Array): void {
    const planes = this.#planes;
    for (let w = 0; w < CHUNK_WORDS; w++) {
      let carry = bits[w]!;
      for (let k = 0; carry !== 0; k++) {
        const plane = planes[k]!;
        const before = plane[w]!;
        plane[w] = before ^ carry;
        carry &= before;
        if (k >= this.#used) this.#used = k + 1;
      }
    }
  }

  /** Overwrites bits with the documents whose count is at least m. Returns whether there are any. */
  atLeast(m: number, bits: Uint32Array): boolean {
    const planes = this.#planes;
    if (m >= 2 ** planes.length) {
      bits.fill(0);
      return false;
    }
    let any = 0;
    for (let w = 0; w < CHUNK_WORDS; w++) {
      let more = 0;
      let equal = 0xffffffff | 0;
      for (let k = planes.length - 1; k >= 0; k--) {
        const plane = planes[k]![w]!;
        if (((m >>> k) & 1) === 0) {
          more |= equal & plane;
          equal &= ~plane;
        } else {
          equal &= plane;
        }
      }
      any |= bits[w] = more | equal;
    }
    return any !== 0;
  }
}
