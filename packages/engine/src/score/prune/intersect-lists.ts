// Which documents do the two shortest lists of a chunk share? Found a block of the shorter one at a time, in its order. The
// longer one is asked by its bitmap, by where its postings have been laid out by document, or by galloping; but for the
// last none of that branches on what it finds, which nothing could foretell.

import { popcount32 } from '../../kernels/bits.ts';
import { gallop } from '../../kernels/sorted-search.ts';
import { BLOCK_POSTINGS } from '../../segment/format.ts';
import type { Lists } from './posting-lists.ts';

/** A list this many times as long as the other is not laid out. */
const MUCH_LONGER = 8;
/** Nor is one that is more than twice as long, where few postings of the other are looked up. */
const LONGER = 2;
const RANKS = 4_096;

/** Two lists, and what a block of one shares with the other. */
export class Shared {
  /** Of each document that is shared: its posting in the shorter list and in the longer one. */
  readonly first: Int32Array = new Int32Array(BLOCK_POSTINGS);
  readonly second: Int32Array = new Int32Array(BLOCK_POSTINGS);
  readonly #lists: Lists;
  /** Of each document of a chunk 1 more than its place in the longer list; all 0 between chunks. */
  #slots: Uint16Array = new Uint16Array(0);
  #lead = 0;
  #other = 0;
  #laid = false;
  #at = 0;

  constructor(lists: Lists) {
    this.#lists = lists;
  }

  /** Goes on to a chunk. `most` says that most postings of the leader will be looked up. */
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

  /** Finds what postings from … to-1 of the leader with codes above `least` share. REQUIRES: a block at most. */
  block(from: number, to: number, least: number): number {
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
