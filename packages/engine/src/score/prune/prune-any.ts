// Prunes disjunctions. A chunk is read in windows. In each window terms are ordered by their largest bounds;
// those whose sum cannot get a document in by themselves are only looked up (MaxScore). Bounds of the rest
// are summed per document in 16 bits, and documents above the limit are completed and scored.
//
//   lists by bound       2   5   9 | 30   44        limit 20: 2 + 5 + 9 <= 20
//                        looked up | added up
//
// Source: Turtle and Flood, "Query Evaluation: Strategies and Optimizations" (1995); windows as in Lucene's
// MaxScoreBulkScorer; block maxima as in prune-single.ts.

import { popcount32 } from '../../kernels/bits.ts';
import { BLOCK_POSTINGS } from '../../segment/format.ts';
import { MOST_TERMS } from '../flat-query.ts';
import type { CandidateBounds } from '../lists/candidate-bounds.ts';
import type { PostingLists } from '../lists/posting-lists.ts';
import { PendingCandidates } from './pending-candidates.ts';

/** 16-bit words of a bitmap, before its ranks. */
const RANKS = 4_096;
const WINDOW = 4_096;
/** A chunk with fewer postings is one window. */
const ONE_WINDOW = 2_048;
/** A window with fewer postings than its documents / this is walked by postings, not by documents. */
const SPARSE = 16;
/** A window with fewer postings than its documents / this adds up all of its lists: looking up costs more. */
const THIN = 8;
/** So does a window in which the lists to be added up hold more than 1 / this of all postings. */
const MOSTLY = 4;

function add(sums: Uint16Array, lo: Uint16Array, code: Uint8Array, from: number, to: number, weight: number) {
  const mask = sums.length - 1;
  for (let p = from; p < to; p++) sums[lo[p]! & mask]! += weight * code[p]!;
}

/** Disjunctions over the chunks of leaves. Its scratch is reused for a whole search. */
export class AnyPruner {
  readonly #lists: PostingLists;
  readonly #candidates: CandidateBounds;
  readonly #pending: PendingCandidates;
  /**
   * Sums of bounds by document of the window, all zero between windows; the same for a window of a whole
   * chunk.
   */
  readonly #sums: Uint16Array = new Uint16Array(WINDOW);
  readonly #pairs: Uint32Array = new Uint32Array(this.#sums.buffer);
  #wide: Uint16Array | undefined;
  /** Postings of a block that another list shares. */
  readonly #shared: Int32Array = new Int32Array(BLOCK_POSTINGS);
  /** Lists of the window by ascending bound, and sums of the bounds up to each. */
  readonly #order: Int32Array = new Int32Array(MOST_TERMS);
  readonly #bound: Int32Array = new Int32Array(MOST_TERMS);
  readonly #rest: Int32Array = new Int32Array(MOST_TERMS + 1);

  constructor(lists: PostingLists, candidates: CandidateBounds) {
    this.#lists = lists;
    this.#candidates = candidates;
    this.#pending = new PendingCandidates(lists, candidates);
  }

  /** Prunes one chunk, of which the leaf has the documents below `docs`. */
  pruneChunk(docs: number): void {
    const lists = this.#lists;
    const { count, maxCode, weight, start, end } = lists;
    let most = 0;
    let postings = 0;
    for (let a = 0; a < count; a++) {
      most += maxCode[a]! * weight[a]!;
      postings += end[a]! - start[a]!;
    }
    if (most <= this.#candidates.limit) return;
    this.#pending.begin();
    const step = postings < ONE_WINDOW ? 65_536 : WINDOW;
    for (let from = 0; from < 65_536 && from < docs; from += step) this.#window(from, from + step, docs);
  }

  #window(from: number, to: number, docs: number): void {
    const { at, until } = this.#lists;
    const order = this.#order;
    const m = this.#enter(from, to);
    if (m === 0) return;
    let sum = 0;
    for (let z = 0; z < m; z++) sum += this.#bound[z]!;
    if (sum > this.#candidates.limit) {
      const first = this.#split(m, to - from);
      let postings = 0;
      for (let z = first; z < m; z++) postings += until[order[z]!]! - at[order[z]!]!;
      if (first === m - 1) this.#singleEssential(first);
      else if (postings * SPARSE < to - from) this.#sparse(first, m, to - from);
      else this.#full(first, m, from, Math.min(WINDOW, docs - from));
      this.#pending.settle();
    }
    for (let z = 0; z < m; z++) at[order[z]!] = until[order[z]!]!;
  }

  /**
   * The first list, in the order of bounds, that must be added up: the lists before it cannot get a document
   * in by themselves. 0 where adding them up too costs less than looking them up.
   */
  #split(m: number, size: number): number {
    const { at, until } = this.#lists;
    const order = this.#order;
    const rest = this.#rest;
    const { limit } = this.#candidates;
    let first = 0;
    let left = 0;
    rest[0] = 0;
    for (; first < m && rest[first]! + this.#bound[first]! <= limit; first++) {
      rest[first + 1] = rest[first]! + this.#bound[first]!;
      left += until[order[first]!]! - at[order[first]!]!;
    }
    if (first === 0) return 0;
    let added = 0;
    for (let z = first; z < m; z++) added += until[order[z]!]! - at[order[z]!]!;
    const cheaper = first === m - 1 ? (added + left) * THIN < size : added * MOSTLY > added + left;
    return cheaper ? 0 : first;
  }

  /**
   * Finds the part of each list that lies in the window, and orders the lists by bound. Returns how many
   * there are.
   */
  #enter(from: number, to: number): number {
    const lists = this.#lists;
    const { at, until, start, block, weight } = lists;
    const order = this.#order;
    const bound = this.#bound;
    let m = 0;
    for (let a = 0; a < lists.count; a++) {
      const { lo, blockMax } = lists.postings[a]!;
      const end = lists.end[a]!;
      if (at[a]! < end && lo[at[a]!]! < from) at[a] = lists.seek(a, from);
      const p = at[a]!;
      if (p >= end || lo[p]! >= to) continue;
      const next = lists.seek(a, to);
      until[a] = next;
      const last = block[a]! + ((next - 1 - start[a]!) >>> 7);
      let largest = 0;
      for (let b = block[a]! + ((p - start[a]!) >>> 7); b <= last; b++) {
        if (blockMax[b]! > largest) largest = blockMax[b]!;
      }
      const own = largest * weight[a]!;
      let k = m++;
      for (; k > 0 && bound[k - 1]! > own; k--) {
        bound[k] = bound[k - 1]!;
        order[k] = order[k - 1]!;
      }
      bound[k] = own;
      order[k] = a;
    }
    return m;
  }

  /**
   * Prunes a window in which only one list can get a document in: its blocks and postings are skipped as for
   * one term.
   */
  #singleEssential(first: number): void {
    const lists = this.#lists;
    const candidates = this.#candidates;
    const a = this.#order[first]!;
    const { lo, code, blockMax } = lists.postings[a]!;
    const weight = lists.weight[a]!;
    const start = lists.start[a]!;
    const firstBlock = lists.block[a]!;
    const until = lists.until[a]!;
    const all = this.#rest[first]!;
    let p = lists.at[a]!;
    while (p < until) {
      const block = (p - start) >>> 7;
      const to = Math.min(start + (block + 1) * BLOCK_POSTINGS, until);
      const largest = blockMax[firstBlock + block]! * weight;
      if (largest + all <= candidates.limit) {
        p = to;
        continue;
      }
      const others = this.#othersIn(first, lo[p]!, lo[to - 1]!);
      if (largest + others <= candidates.limit) {
        p = to;
        continue;
      }
      let least = Math.max(0, Math.floor((candidates.limit - others) / weight));
      if (first === 1 && largest <= candidates.limit && lists.isDense(this.#order[0]!)) {
        this.#both(a, this.#order[0]!, p, to, least);
        p = to;
        continue;
      }
      for (; p < to; p++) {
        if (code[p]! <= least) continue;
        this.#complete(lo[p]!, weight * code[p]!, first, true);
        least = Math.max(0, Math.floor((candidates.limit - others) / weight));
      }
    }
  }

  /**
   * Takes from a block, of which no document gets in by itself, those that a dense list has too. Branch-free,
   * because matches cannot be predicted.
   */
  #both(a: number, other: number, from: number, to: number, least: number): void {
    const lists = this.#lists;
    const candidates = this.#candidates;
    const shared = this.#shared;
    const { lo, code } = lists.postings[a]!;
    const { arrays, ranks, code: codes } = lists.postings[other]!;
    const words = arrays.dense;
    const base = lists.denseAt(other);
    let n = 0;
    for (let p = from; p < to; p++) {
      const low = lo[p]!;
      shared[n] = p;
      n += (words[base + (low >>> 5)]! >>> (low & 31)) & ((least - code[p]!) >>> 31);
    }
    const weight = lists.weight[a]!;
    const otherWeight = lists.weight[other]!;
    const start = lists.start[other]!;
    const rank = base * 2 + RANKS;
    for (let i = 0; i < n; i++) {
      const p = shared[i]!;
      const low = lo[p]!;
      const below = words[base + (low >>> 5)]! & ((1 << (low & 31)) - 1);
      const q = start + ranks[rank + (low >>> 5)]! + popcount32(below);
      const bound = weight * code[p]! + otherWeight * codes[q]!;
      if (bound > candidates.limit) this.#pending.add(low, bound);
    }
  }

  /** The most that non-essential lists can add to documents from … to, both included. */
  #othersIn(first: number, from: number, to: number): number {
    const lists = this.#lists;
    let sum = 0;
    for (let z = 0; z < first; z++) {
      const a = this.#order[z]!;
      sum += lists.maxCodeIn(a, from, to) * lists.weight[a]!;
    }
    return sum;
  }

  /** Sums bounds of many postings, then looks at every document. */
  #full(first: number, m: number, from: number, size: number): void {
    const lists = this.#lists;
    const candidates = this.#candidates;
    const sums = this.#sums;
    const pairs = this.#pairs;
    for (let z = first; z < m; z++) {
      const a = this.#order[z]!;
      const { lo, code } = lists.postings[a]!;
      add(sums, lo, code, lists.at[a]!, lists.until[a]!, lists.weight[a]!);
    }
    const others = this.#rest[first]!;
    let least = Math.max(0, candidates.limit - others);
    const end = (size + 1) >>> 1;
    for (let i = 0; i < end; i++) {
      const pair = pairs[i]!;
      if (pair === 0) continue;
      if ((pair & 0xffff) > least) {
        this.#complete(from + 2 * i, pair & 0xffff, first, true);
        least = Math.max(0, candidates.limit - others);
      }
      if (pair >>> 16 > least) {
        this.#complete(from + 2 * i + 1, pair >>> 16, first, true);
        least = Math.max(0, candidates.limit - others);
      }
    }
    sums.fill(0, 0, 2 * end);
  }

  /** Sums bounds of few postings, then looks at their documents, list by list. */
  #sparse(first: number, m: number, size: number): void {
    const lists = this.#lists;
    const candidates = this.#candidates;
    const sums = size === WINDOW ? this.#sums : (this.#wide ??= new Uint16Array(65_536));
    const mask = sums.length - 1;
    for (let z = first; z < m; z++) {
      const a = this.#order[z]!;
      const { lo, code } = lists.postings[a]!;
      add(sums, lo, code, lists.at[a]!, lists.until[a]!, lists.weight[a]!);
    }
    const others = this.#rest[first]!;
    for (let z = first; z < m; z++) {
      const a = this.#order[z]!;
      const { lo } = lists.postings[a]!;
      const until = lists.until[a]!;
      for (let p = lists.at[a]!; p < until; p++) {
        const low = lo[p]!;
        const sum = sums[low & mask]!;
        sums[low & mask] = 0;
        if (sum !== 0 && sum + others > candidates.limit) this.#complete(low, sum, first, false);
      }
    }
  }

  /**
   * Adds the bounds of the non-essential lists, the largest first, as long as the document can get in.
   * `ascending`: documents come in ascending order, so that lists are read on instead of searched.
   */
  #complete(low: number, known: number, first: number, ascending: boolean): void {
    const lists = this.#lists;
    const candidates = this.#candidates;
    let bound = known;
    for (let z = first - 1; z >= 0; z--) {
      if (bound + this.#rest[z + 1]! <= candidates.limit) return;
      const a = this.#order[z]!;
      const p = ascending ? lists.find(a, low) : lists.findAny(a, low);
      if (p >= 0) bound += lists.postings[a]!.code[p]! * lists.weight[a]!;
    }
    if (bound > candidates.limit) this.#pending.add(low, bound);
  }
}
