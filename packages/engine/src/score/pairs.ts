// Which documents hold two terms side by side? The twin of the part of kernels/assembly/search/phrase.ts that reads:
// documents that share both are gathered, and those with the highest codes read first, since what they score spares the
// others. Where all are counted, they are read in their order.

const MOST_SHARES = 1024;
const CODES = 256;

/** Documents to be read, by their postings in either list, in the order that they are to be read in. */
export class Gathered {
  readonly #first: Int32Array = new Int32Array(MOST_SHARES);
  readonly #second: Int32Array = new Int32Array(MOST_SHARES);
  /** The first document of each code and the next one of the same, both plus 1. Heads are all 0 between uses. */
  readonly #heads: Uint16Array = new Uint16Array(CODES);
  readonly #next: Uint16Array = new Uint16Array(MOST_SHARES);
  #size = 0;
  #highest = 0;

  get isFull(): boolean {
    return this.#size === MOST_SHARES;
  }

  add(first: number, second: number, code: number): void {
    const at = this.#size++;
    this.#first[at] = first;
    this.#second[at] = second;
    this.#next[at] = this.#heads[code]!;
    this.#heads[code] = at + 1;
    if (code > this.#highest) this.#highest = code;
  }

  /** Takes up to so many of the highest codes, above a limit; none when there are no more, and then all are gone. */
  take(limit: number, most: number, first: Int32Array, second: Int32Array): number {
    let n = 0;
    let code = this.#highest;
    for (; code > limit && n < most; code--) {
      let at = this.#heads[code]!;
      for (; at !== 0 && n < most; at = this.#next[at - 1]!) {
        first[n] = this.#first[at - 1]!;
        second[n++] = this.#second[at - 1]!;
      }
      this.#heads[code] = at;
      if (at !== 0) break;
    }
    this.#highest = code;
    if (n > 0) return n;
    this.#heads.fill(0, 0, code + 1);
    this.#size = this.#highest = 0;
    return 0;
  }
}

/** What is known of two terms side by side: they are not, they are, or a distance is too long to say. */
export const APART = 0;
export const BESIDE = 1;
export const OPEN = 2;

/** Whether a document has a position of the one list so many places before one of the other. */
export function standBeside(
  one: Uint8Array,
  startOne: number,
  other: Uint8Array,
  startOther: number,
  ahead: number,
): typeof APART | typeof BESIDE | typeof OPEN {
  let a = startOne;
  let b = startOther;
  let left = ahead;
  let right = 0;
  let lastOne = 0;
  let lastOther = 0;
  // Which to read on: 1 the one, 2 the other, at first both.
  for (let reads = 3; ; ) {
    if (reads !== 2) {
      let byte = one[a++]!;
      if (byte >= 0x80) {
        left += byte & 0x7f;
        byte = one[a++]!;
        if (byte >= 0x80) return OPEN;
        left += (byte & 0x3f) << 7;
      } else left += byte & 0x3f;
      lastOne = byte & 0x40;
    }
    if (reads !== 1) {
      let byte = other[b++]!;
      if (byte >= 0x80) {
        right += byte & 0x7f;
        byte = other[b++]!;
        if (byte >= 0x80) return OPEN;
        right += (byte & 0x3f) << 7;
      } else right += byte & 0x3f;
      lastOther = byte & 0x40;
    }
    if (left === right) return BESIDE;
    reads = left < right ? 1 : 2;
    if ((reads === 1 ? lastOne : lastOther) !== 0) return APART;
  }
}
