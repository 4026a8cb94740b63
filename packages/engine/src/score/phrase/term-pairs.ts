// Reads whether two terms are adjacent in a document. The twin of the reading part of
// kernels/assembly/search/phrase.ts: where many documents hold the phrase, those with the highest codes are
// read first, since their scores spare reading the others. Where few do, or all are counted, documents are
// read in their order.

const CAPACITY = 1024;
/** Codes are queued in groups of group, which keeps branches predictable. */
const GROUPS = 32;

/** Documents to be read, by their postings in both lists, the highest codes first. */
export class PairQueue {
  readonly #first: Int32Array = new Int32Array(CAPACITY);
  readonly #second: Int32Array = new Int32Array(CAPACITY);
  /**
   * The first document of each group of codes and the next one of the same group, both plus 1. Heads are 0
   * between uses.
   */
  readonly #heads: Uint16Array = new Uint16Array(GROUPS);
  readonly #next: Uint16Array = new Uint16Array(CAPACITY);
  #size = 0;
  #group = GROUPS - 1;

  get isFull(): boolean {
    return this.#size === CAPACITY;
  }

  add(first: number, second: number, code: number): void {
    const at = this.#size++;
    this.#first[at] = first;
    this.#second[at] = second;
    this.#next[at] = this.#heads[code >>> 3]!;
    this.#heads[code >>> 3] = at + 1;
  }

  /**
   * Takes up to `most` documents of the highest codes. Returns 0, and empties the queue, when no other can
   * beat the limit.
   */
  take(limit: number, most: number, first: Int32Array, second: Int32Array): number {
    if (this.#size === 0) return 0;
    let n = 0;
    let group = this.#group;
    for (const least = Math.max(0, limit) >>> 3; group >= least && n < most; group--) {
      let at = this.#heads[group]!;
      while (at !== 0 && n < most) {
        first[n] = this.#first[at - 1]!;
        second[n++] = this.#second[at - 1]!;
        at = this.#next[at - 1]!;
      }
      this.#heads[group] = at;
      if (at !== 0) break;
    }
    this.#group = group;
    if (n > 0) return n;
    this.#heads.fill(0);
    this.#size = 0;
    this.#group = GROUPS - 1;
    return 0;
  }
}

/**
 * What two position lists say: the terms are not adjacent, are adjacent, or a distance is too long to tell
 * here.
 */
export const APART = 0;
export const ADJACENT = 1;
export const UNKNOWN = 2;

const LAST = 1 << 24;

/**
 * A distance of at most two bytes: its value, length and whether it is the posting's last, packed; 0 where it
 * is longer.
 */
function short(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]!;
  if (byte < 0x80) return (byte & 0x3f) | 0x10000 | ((byte & 0x40) << 18);
  const next = bytes[at + 1]!;
  return next < 0x80 ? (byte & 0x7f) | ((next & 0x3f) << 7) | 0x20000 | ((next & 0x40) << 18) : 0;
}

/** Whether a document has a position of the one list `ahead` places before a position of the other. */
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
