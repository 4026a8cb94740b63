// Counts the visible documents of a chunk that match, apart from scores: by bitmaps where lists are dense,
// else by single bits. Phrases are counted where their positions are read.

import { popcount32 } from '../../kernels/bits.ts';
import { CHUNK_DOCS, CHUNK_WORDS, type LeafView } from '../../segment/leaf.ts';
import type { PostingLists } from './posting-lists.ts';

const NONE = new Uint32Array(0);

/** The count over all chunks of all leaves. */
export class MatchCounter {
  total = 0;
  readonly #lists: PostingLists;
  readonly #bits: Uint32Array = new Uint32Array(CHUNK_WORDS);
  #live: Uint32Array = NONE;
  #accept: Uint32Array = NONE;
  #docCount = 0;
  #whole = false;

  constructor(lists: PostingLists) {
    this.#lists = lists;
  }

  begin(): void {
    this.total = 0;
  }

  release(): void {
    this.#live = this.#accept = NONE;
  }

  /** Moves to the leaf of the lists. True where its count is known without looking at chunks. */
  enterLeaf(view: LeafView, accept: Uint32Array | undefined): boolean {
    this.#live = view.live ?? NONE;
    this.#accept = accept ?? NONE;
    this.#docCount = view.docCount;
    this.#whole = view.docCount === view.leaf.docCount;
    const lists = this.#lists;
    if (lists.query.terms.length > 1 || !this.#whole || view.live !== undefined || accept !== undefined) {
      return false;
    }
    this.total += lists.docFreq();
    return true;
  }

  /** Counts the chunk that the lists stand on. REQUIRES: all lists of a conjunction have bitmaps. */
  countChunk(): void {
    const lists = this.#lists;
    const words = Math.min(CHUNK_WORDS, (this.#docCount - lists.base + 31) >>> 5);
    if (words <= 0) return;
    if (lists.count === 1 && !lists.isDense(0)) this.#one();
    else if (lists.query.shape === 'any') this.#any(words);
    else this.#all(words);
  }

  /** Documents in the only list, which has no bitmap. */
  #one(): void {
    const lists = this.#lists;
    const { lo } = lists.postings[0]!;
    const start = lists.start[0]!;
    const end = lists.end[0]!;
    if (this.#whole && this.#accept.length === 0) {
      const live = this.#live;
      this.total += live.length === 0 ? end - start : countLive(lo, start, end, live, lists.base >>> 5);
      return;
    }
    for (let p = start; p < end; p++) if (this.#isVisible(lists.base + lo[p]!)) this.total++;
  }

  /** Documents in any of the lists. */
  #any(words: number): void {
    const lists = this.#lists;
    if (
      lists.count <= 2 &&
      lists.areDense() &&
      this.#whole &&
      this.#live.length > 0 &&
      this.#accept.length === 0
    ) {
      const one = lists.bitmap(0)!;
      const other = lists.count === 2 ? lists.bitmap(1)! : one;
      this.total += countEither(one, other, this.#live, lists.base >>> 5, words);
      return;
    }
    const bits = this.#bits;
    let empty = true;
    for (let a = 0; a < lists.count; a++) {
      const own = lists.bitmap(a);
      if (own === undefined) continue;
      if (empty) bits.set(own);
      else for (let w = 0; w < words; w++) bits[w]! |= own[w]!;
      empty = false;
    }
    if (empty) bits.fill(0, 0, words);
    for (let a = 0; a < lists.count; a++) {
      if (!lists.isDense(a)) set(bits, lists.postings[a]!.lo, lists.start[a]!, lists.end[a]!);
    }
    this.total += this.#visible(bits, words);
  }

  /** Documents in all of the lists. */
  #all(words: number): void {
    const lists = this.#lists;
    const bits = this.#bits;
    bits.set(lists.bitmap(0)!);
    for (let a = 1; a < lists.count; a++) {
      const own = lists.bitmap(a)!;
      for (let w = 0; w < words; w++) bits[w]! &= own[w]!;
    }
    this.total += this.#visible(bits, words);
  }

  #isVisible(doc: number): boolean {
    const bit = 1 << (doc & 31);
    if (this.#live.length !== 0 && (this.#live[doc >>> 5]! & bit) === 0) return false;
    if (this.#accept.length !== 0 && (this.#accept[doc >>> 5]! & bit) === 0) return false;
    return doc < this.#docCount;
  }

  /** Number of visible documents of a chunk bitmap, which is overwritten. */
  #visible(bits: Uint32Array, words: number): number {
    const { base } = this.#lists;
    const first = base >>> 5;
    if (!this.#whole && this.#docCount < base + CHUNK_DOCS && (this.#docCount & 31) !== 0) {
      bits[words - 1]! &= -1 >>> (32 - (this.#docCount & 31));
    }
    if (this.#accept.length !== 0) {
      const accept = this.#accept;
      for (let w = 0; w < words; w++) bits[w]! &= accept[first + w]!;
    }
    const live = this.#live;
    return live.length === 0 ? count(bits, words) : countBoth(bits, live, first, words);
  }
}

function set(bits: Uint32Array, lo: Uint16Array, start: number, end: number): void {
  for (let p = start; p < end; p++) bits[lo[p]! >>> 5]! |= 1 << (lo[p]! & 31);
}

/** Postings whose documents are alive. Branch-free, because deaths cannot be predicted. */
function countLive(lo: Uint16Array, start: number, end: number, live: Uint32Array, first: number): number {
  let n = 0;
  for (let p = start; p < end; p++) n += (live[first + (lo[p]! >>> 5)]! >>> (lo[p]! & 31)) & 1;
  return n;
}

function count(bits: Uint32Array, words: number): number {
  let n = 0;
  for (let w = 0; w < words; w++) n += popcount32(bits[w]!);
  return n;
}

function countBoth(bits: Uint32Array, live: Uint32Array, first: number, words: number): number {
  let n = 0;
  for (let w = 0; w < words; w++) n += popcount32(bits[w]! & live[first + w]!);
  return n;
}

function countEither(
  one: Uint32Array,
  other: Uint32Array,
  live: Uint32Array,
  first: number,
  words: number,
): number {
  let n = 0;
  for (let w = 0; w < words; w++) n += popcount32((one[w]! | other[w]!) & live[first + w]!);
  return n;
}
