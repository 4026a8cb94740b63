// Finds the documents that the two shortest lists of a chunk share, one block of the shorter list at a time,
// in its order. The longer list is probed through its bitmap, through a table of its postings by document, or
// by galloping. Only galloping branches on what it finds, because a branch on a match cannot be predicted.

import { popcount32 } from '../../kernels/bits.ts';
import { gallop } from '../../kernels/sorted-search.ts';
import { BLOCK_POSTINGS } from '../../segment/format.ts';
import type { PostingLists } from './posting-lists.ts';

/** A list this many times as long as the other gets no table. */
const MUCH_LONGER = 8;
/** The same where few postings of the shorter list are looked up. */
const LONGER = 2;
const RANKS = 4_096;

/** Two lists, and what a block of the shorter one shares with the longer one. */
export class ListIntersection {
  /** Of each document that is shared: its posting in the shorter list and in the longer one. */
  readonly first: Int32Array = new Int32Array(BLOCK_POSTINGS);
  readonly second: Int32Array = new Int32Array(BLOCK_POSTINGS);
  readonly #lists: PostingLists;
  /** For each document of a chunk its place in the longer list plus 1; all 0 between chunks. */
  #slots: Uint16Array = new Uint16Array(0);
  #lead = 0;
  #other = 0;
  #laid = false;
  #at = 0;

  constructor(lists: PostingLists) {
    this.#lists = lists;
  }

  /** Starts a chunk. `most` says that most postings of the shorter list will be looked up. */
  begin(lead: number, other: number, most: boolean): void {
    const { start, end, postings } = this.#lists;
    this.#lead = lead;
    this.#other = other;
    const from = start[other]!;
    const to = end[other]!;
    const length = end[lead]! - start[lead]!;
    this.#at = from;
    this.#laid = !this.#lists.isDense(other) && to - from <= length * (most ? MUCH_LONGER : LONGER);
    if (!this.#laid) return;
    if (this.#slots.length === 0) this.#slots = new Uint16Array(65_536);
    layOut(this.#slots, postings[other]!.lo, from, to);
  }

  /**
   * Finds which postings [from, to) of the shorter list with codes above `least` are shared. REQUIRES: a
   * block at most.
   */
  intersectBlock(from: number, to: number, least: number): number {
    const { lo, code } = this.#lists.postings[this.#lead]!;
    if (this.#laid) return this.#bySlots(lo, code, from, to, least);
    return this.#lists.isDense(this.#other)
      ? this.#byBits(lo, code, from, to, least)
      : this.#bySearch(lo, code, from, to, least);
  }

  /** Ends the chunk. */
  end(): void {
    if (!this.#laid) return;
    const { start, end, postings } = this.#lists;
    clear(this.#slots, postings[this.#other]!.lo, start[this.#other]!, end[this.#other]!);
  }

  #bySlots(lo: Uint16Array, code: Uint8Array, from: number, to: number, least: number): number {
    const slots = this.#slots;
    const { first, second } = this;
    const before = this.#lists.start[this.#other]! - 1;
    let n = 0;
    for (let p = from; p < to; p++) {
      const slot = slots[lo[p]!]!;
      first[n] = p;
      second[n] = before + slot;
      // 1 where there is a slot and the code is above the least.
      n += ((0 - slot) & (least - code[p]!)) >>> 31;
    }
    return n;
  }

  #byBits(lo: Uint16Array, code: Uint8Array, from: number, to: number, least: number): number {
    const { first, second } = this;
    const { arrays, ranks } = this.#lists.postings[this.#other]!;
    const words = arrays.dense;
    const base = this.#lists.denseAt(this.#other);
    let n = 0;
    for (let p = from; p < to; p++) {
      const low = lo[p]!;
      first[n] = p;
      n += (words[base + (low >>> 5)]! >>> (low & 31)) & ((least - code[p]!) >>> 31);
    }
    const start = this.#lists.start[this.#other]!;
    const rank = base * 2 + RANKS;
    for (let i = 0; i < n; i++) {
      const low = lo[first[i]!]!;
      const below = words[base + (low >>> 5)]! & ((1 << (low & 31)) - 1);
      second[i] = start + ranks[rank + (low >>> 5)]! + popcount32(below);
    }
    return n;
  }

  #bySearch(lo: Uint16Array, code: Uint8Array, from: number, to: number, least: number): number {
    const { first, second } = this;
    const others = this.#lists.postings[this.#other]!.lo;
    const end = this.#lists.end[this.#other]!;
    let n = 0;
    let at = this.#at;
    for (let p = from; p < to; p++) {
      if (code[p]! <= least) continue;
      const low = lo[p]!;
      at = gallop(others, at, end, low);
      if (at === end) break;
      if (others[at] !== low) continue;
      first[n] = p;
      second[n++] = at;
    }
    this.#at = at;
    return n;
  }
}

function layOut(slots: Uint16Array, lo: Uint16Array, from: number, to: number): void {
  const before = from - 1;
  for (let q = from; q < to; q++) slots[lo[q]!] = q - before;
}

function clear(slots: Uint16Array, lo: Uint16Array, from: number, to: number): void {
  for (let q = from; q < to; q++) slots[lo[q]!] = 0;
}
