// The postings of a flat query's terms, one chunk at a time, as plain numbers in arrays that the loops of
// this room walk over. List a of a chunk is a term that occurs in it.
//
//   start[a] … at[a] … until[a] … end[a]       the group, how far it has been read, the end of the window

import { popcount32 } from '../../kernels/bits.ts';
import { gallop } from '../../kernels/sorted-search.ts';
import { DENSE_WORDS } from '../../segment/format.ts';
import type { PostingsView } from '../../segment/postings/postings-view.ts';
import { NO_NORM, termScore } from '../bm25.ts';
import { type FlatQuery, MOST_TERMS } from '../flat-query.ts';
import { type LeafTerms, NO_VIEW } from '../locate-terms.ts';

const ints = (): Int32Array => new Int32Array(MOST_TERMS);

const NO_TERMS: LeafTerms = { postings: [], norms: [], group: [], end: [], most: [], least: [] };
const NO_QUERY: FlatQuery = { shape: 'any', terms: [], offsets: [] };

/**
 * First posting whose document is not before x. For one kind of array only, so that its reads are compiled
 * for it.
 */
function lowerBound16(lo: Uint16Array, from: number, end: number, x: number): number {
  let low = from;
  let high = end;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (lo[mid]! < x) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** The lists of a flat query. One search at a time. */
export class PostingLists {
  query: FlatQuery = NO_QUERY;
  /** Lists of the chunk, in the order of the query's terms. */
  count = 0;
  /** First document of the chunk. */
  base = 0;
  readonly start: Int32Array = ints();
  readonly end: Int32Array = ints();
  readonly at: Int32Array = ints();
  readonly until: Int32Array = ints();
  /** First block of the group, its largest code, and the unit bound of a code of 1. */
  readonly block: Int32Array = ints();
  readonly maxCode: Int32Array = ints();
  readonly weight: Int32Array = ints();
  readonly postings: PostingsView[] = new Array<PostingsView>(MOST_TERMS).fill(NO_VIEW);
  /** First word of the bitmap of a dense group, else -1. */
  readonly #dense: Int32Array = ints();
  readonly #groups: Int32Array = ints();
  /** The query's term of each list. */
  readonly term: Int32Array = ints();
  /** The query's terms in the leaf. */
  terms: LeafTerms = NO_TERMS;
  readonly #weights: Int32Array = ints();
  readonly #group: Int32Array = ints();

  /** Starts a search. */
  begin(query: FlatQuery): void {
    this.query = query;
  }

  /** Drops everything that belongs to the search. */
  release(): void {
    this.query = NO_QUERY;
    this.terms = NO_TERMS;
    this.postings.fill(NO_VIEW);
  }

  /** Moves to a leaf that has the terms. */
  enterLeaf(terms: LeafTerms): void {
    this.terms = terms;
    for (let i = 0; i < terms.group.length; i++) this.#group[i] = terms.group[i]!;
  }

  /** Leaves a leaf that has no matches. */
  leaveLeaf(): void {
    this.terms = NO_TERMS;
  }

  /**
   * Gives each term a whole-number weight, so that no sum of bounds leaves 16 bits; returns the unit they are
   * in.
   */
  weigh(): number {
    const { most } = this.terms;
    let sum = 0;
    for (let i = 0; i < most.length; i++) sum += most[i]!;
    const unit = sum / (256 - most.length);
    for (let i = 0; i < most.length; i++) this.#weights[i] = Math.ceil(most[i]! / unit);
    return unit;
  }

  /** Moves to the next chunk in which documents may match. False when there is none. */
  nextChunk(): boolean {
    const { postings, end: ends } = this.terms;
    const n = postings.length;
    const all = this.query.shape !== 'any';
    if (n === 0) return false;
    for (;;) {
      let chunk = all ? -1 : 0x10000;
      for (let i = 0; i < n; i++) {
        if (this.#group[i]! >= ends[i]!) {
          if (all) return false;
          continue;
        }
        const own = postings[i]!.chunk(this.#group[i]!);
        if (all ? own > chunk : own < chunk) chunk = own;
      }
      if (chunk === 0x10000) return false;
      this.count = 0;
      for (let i = 0; i < n; i++) {
        const end = ends[i]!;
        let group = this.#group[i]!;
        while (group < end && postings[i]!.chunk(group) < chunk) group++;
        if (group < end && postings[i]!.chunk(group) === chunk) this.#put(i, group++);
        this.#group[i] = group;
      }
      this.base = chunk * 65_536;
      if (!all || this.count === n) return true;
    }
  }

  #put(i: number, group: number): void {
    const a = this.count++;
    const view = this.terms.postings[i]!;
    this.postings[a] = view;
    this.start[a] = this.at[a] = view.start(group);
    this.end[a] = view.end(group);
    this.block[a] = view.firstBlock(group);
    this.maxCode[a] = view.maxCode(group);
    this.weight[a] = this.#weights[i]!;
    this.term[a] = i;
    const dense = view.denseRecord(group);
    this.#dense[a] = dense < 0 ? -1 : dense * DENSE_WORDS;
    this.#groups[a] = group;
  }

  /** Documents of the leaf that the first term is in. */
  docFreq(): number {
    const { postings, group, end } = this.terms;
    return postings[0]!.start(end[0]!) - postings[0]!.start(group[0]!);
  }

  isDense(a: number): boolean {
    return this.#dense[a]! >= 0;
  }

  /** Whether all lists have bitmaps. */
  areDense(): boolean {
    for (let a = 0; a < this.count; a++) if (this.#dense[a]! < 0) return false;
    return true;
  }

  /** The first word of a dense list among those of its postings. */
  denseAt(a: number): number {
    return this.#dense[a]!;
  }

  /** The bitmap of a dense list. */
  bitmap(a: number): Uint32Array | undefined {
    return this.#dense[a]! < 0 ? undefined : this.postings[a]!.bits(this.#groups[a]!);
  }

  /**
   * The posting of a document of the chunk in list a, or -1. REQUIRES: documents are asked for in ascending
   * order.
   */
  find(a: number, low: number): number {
    if (this.#dense[a]! >= 0) return this.#findDense(a, low);
    const { lo } = this.postings[a]!;
    const end = this.end[a]!;
    const p = gallop(lo, this.at[a]!, end, low);
    this.at[a] = p;
    return p < end && lo[p] === low ? p : -1;
  }

  #findDense(a: number, low: number): number {
    const view = this.postings[a]!;
    const dense = this.#dense[a]!;
    const at = low >>> 5;
    const word = view.arrays.dense[dense + at]!;
    const bit = 1 << (low & 31);
    if ((word & bit) === 0) return -1;
    return this.start[a]! + view.ranks[(dense + 2_048) * 2 + at]! + popcount32(word & (bit - 1));
  }

  /** The posting of any document of the chunk in list a, or -1. */
  findAny(a: number, low: number): number {
    if (this.#dense[a]! >= 0) return this.#findDense(a, low);
    const { lo } = this.postings[a]!;
    const end = this.end[a]!;
    const p = lowerBound16(lo, this.start[a]!, end, low);
    return p < end && lo[p] === low ? p : -1;
  }

  /** The first posting of list a, from at[a] on, that is not before a document of the chunk. */
  seek(a: number, low: number): number {
    const dense = this.#dense[a]!;
    if (low >= 65_536) return this.end[a]!;
    if (dense >= 0 && (low & 31) === 0) {
      return this.start[a]! + this.postings[a]!.ranks[(dense + 2_048) * 2 + (low >>> 5)]!;
    }
    return gallop(this.postings[a]!.lo, this.at[a]!, this.end[a]!, low);
  }

  /**
   * The largest code that list a may have between two documents of the chunk, both included; 0 where it has
   * none. O(blocks between them).
   */
  maxCodeIn(a: number, from: number, to: number): number {
    const p = this.seek(a, from & ~31);
    const end = this.seek(a, (to | 31) + 1);
    if (p >= end) return 0;
    const { blockMax } = this.postings[a]!;
    const start = this.start[a]!;
    const last = this.block[a]! + ((end - 1 - start) >>> 7);
    let largest = 0;
    for (let b = this.block[a]! + ((p - start) >>> 7); b <= last; b++) {
      if (blockMax[b]! > largest) largest = blockMax[b]!;
    }
    return largest;
  }

  norm(a: number, doc: number): number {
    const norms = this.terms.norms[this.term[a]!]!;
    return norms.length === 0 ? NO_NORM : norms[doc]!;
  }

  /** Score of one posting of list a. */
  scoreOf(a: number, posting: number, doc: number): number {
    const { weight, inverses } = this.query.terms[this.term[a]!]!;
    const norm = this.norm(a, doc);
    return termScore(weight, this.postings[a]!.freq(posting, norm), inverses[norm]!);
  }

  /**
   * Score of a document of the chunk, summed as a full scan sums it and not yet rounded; -1 where it does not
   * match.
   */
  score(low: number): number {
    const doc = this.base + low;
    let sum = 0;
    let found = 0;
    for (let a = 0; a < this.count; a++) {
      const posting = this.find(a, low);
      if (posting < 0) continue;
      sum += this.scoreOf(a, posting, doc);
      found++;
    }
    return found === 0 || (this.query.shape === 'all' && found < this.count) ? -1 : sum;
  }

  /** Score of any document of the chunk that one of the lists has; not yet rounded. */
  scoreAny(low: number): number {
    const doc = this.base + low;
    let sum = 0;
    for (let a = 0; a < this.count; a++) {
      const posting = this.findAny(a, low);
      if (posting >= 0) sum += this.scoreOf(a, posting, doc);
    }
    return sum;
  }
}

/** Orders the lists of a chunk, the shortest first. */
export function orderByLength(lists: PostingLists, into: Int32Array): void {
  const { start, end } = lists;
  for (let a = 0; a < lists.count; a++) {
    const length = end[a]! - start[a]!;
    let k = a;
    for (; k > 0 && end[into[k - 1]!]! - start[into[k - 1]!]! > length; k--) into[k] = into[k - 1]!;
    into[k] = a;
  }
}
