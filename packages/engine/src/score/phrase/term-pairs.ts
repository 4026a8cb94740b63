// Which documents hold two terms side by side? The twin of the part of kernels/assembly/search/phrase.ts that reads:
// documents that share both are gathered where many hold the phrase, and those with the highest codes read first, since what
// they score spares the others. Where few do, or all are counted, they are read in their order.

const MOST_SHARES = 1024;
/** Codes are taken by eights, so that few branches are guessed wrong. */
const EIGHTS = 32;

/** Documents to be read, by their postings in either list, in the order that they are to be read in. */
export class PairQueue {
  readonly #first: Int32Array = new Int32Array(MOST_SHARES);
  readonly #second: Int32Array = new Int32Array(MOST_SHARES);
  /** The first document of each eight codes and the next one of the same, both plus 1. Heads are all 0 between uses. */
  readonly #heads: Uint16Array = new Uint16Array(EIGHTS);
  readonly #next: Uint16Array = new Uint16Array(MOST_SHARES);
  #size = 0;
  #eight = EIGHTS - 1;

  get isFull(): boolean {
    return this.#size === MOST_SHARES;
  }

  add(first: number, second: number, code: number): void {
    const at = this.#size++;
    this.#first[at] = first;
    this.#second[at] = second;
    this.#next[at] = this.#heads[code >>> 3]!;
    this.#heads[code >>> 3] = at + 1;
  }

  /** Takes up to `most` of the highest codes; none when there are no more that may be above the limit, and then all are gone. */
  take(limit: number, most: number, first: Int32Array, second: Int32Array): number {
    if (this.#size === 0) return 0;
    let n = 0;
    let eight = this.#eight;
    for (const least = Math.max(0, limit) >>> 3; eight >= least && n < most; eight--) {
      let at = this.#heads[eight]!;
      while (at !== 0 && n < most) {
        first[n] = this.#first[at - 1]!;
        second[n++] = this.#second[at - 1]!;
        at = this.#next[at - 1]!;
      }
      this.#heads[eight] = at;
      if (at !== 0) break;
    }
    this.#eight = eight;
    if (n > 0) return n;
    this.#heads.fill(0);
    this.#size = 0;
    this.#eight = EIGHTS - 1;
    return 0;
  }
}

/** What is known of two terms side by side: they are not, they are, or a distance is too long to say. */
export const APART = 0;
export const ADJACENT = 1;
export const UNKNOWN = 2;

const LAST = 1 << 24;

/** A distance read from two bytes or less: itself, its length and whether it is the posting's last, or 0 where it is longer. */
function short(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]!;
  if (byte < 0x80) return (byte & 0x3f) | 0x10000 | ((byte & 0x40) << 18);
  const next = bytes[at + 1]!;
  return next < 0x80 ? (byte & 0x7f) | ((next & 0x3f) << 7) | 0x20000 | ((next & 0x40) << 18) : 0;
}

/** Whether a document has a position of the one list so many places before one of the other. */
export function compareAdjacent(
  one: Uint8Array,
  startOne: number,
  other: Uint8Array,
  startOther: number,
  ahead: number,
): typeof APART | typeof ADJACENT | typeof UNKNOWN {
  let a = startOne;
  let b = startOther;
  let own = short(one, a);
  let next = short(other, b);
  if (own === 0 || next === 0) return UNKNOWN;
  let left = (own & 0xffff) + ahead;
  let right = next & 0xffff;
  while (left !== right) {
    if (left < right) {
      if (own >= LAST) return APART;
      a += own >>> 16;
      own = short(one, a);
      if (own === 0) return UNKNOWN;
      left += own & 0xffff;
    } else {
      if (next >= LAST) return APART;
      b += next >>> 16;
      next = short(other, b);
      if (next === 0) return UNKNOWN;
      right += next & 0xffff;
    }
  }
  return ADJACENT;
}
