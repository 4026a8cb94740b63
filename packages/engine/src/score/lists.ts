// Where does a document stand in the postings of each term? The groups of a flat query's terms, one chunk at a time, as
// plain numbers in arrays: what the kernels of this room walk over. List a of a chunk is a term that occurs in it.
//
//   start[a] … at[a] … until[a] … end[a]       the group, how far it has been read, the end of the window

import { popcount32 } from '../kernels/bits.ts';
import { gallop } from '../kernels/search.ts';
import { DENSE_WORDS } from '../segment/format.ts';
import type { Leaf } from '../segment/leaf.ts';
import { NO_POSTINGS, PostingsView } from '../segment/postings.ts';
import { NO_NORM, termScore } from './bm25.ts';
import { type FlatQuery, MOST_TERMS } from './flat.ts';
import { scorePerCode } from './looseness.ts';
import type { Survivors } from './survivors.ts';

const NO_NORMS = new Uint8Array(0);
const NO_VIEW = new PostingsView(NO_POSTINGS, undefined, false, undefined);

const ints = (): Int32Array => new Int32Array(MOST_TERMS);

/** What became of opening a leaf. `unbounded`: codes are missing, all of it has to be scored. */
export type Opened = 'open' | 'empty' | 'unbounded';

const NO_QUERY: FlatQuery = { shape: 'any', terms: [], offsets: [] };

/** The lists of a flat query. One search at a time. */
export class Lists {
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
  /** Whether documents are asked for in ascending order: then lists are left where they were found. */
  forward = true;
  /** First word of the bitmap of a dense group, else -1. */
  readonly #dense: Int32Array = ints();
  readonly #bitmaps: (Uint32Array | undefined)[] = new Array<undefined>(MOST_TERMS).fill(undefined);
  /** The query's term of each list. */
  readonly term: Int32Array = ints();
  readonly #views: PostingsView[] = new Array<PostingsView>(MOST_TERMS).fill(NO_VIEW);
  readonly #norms: Uint8Array[] = new Array<Uint8Array>(MOST_TERMS).fill(NO_NORMS);
  readonly #weights: Int32Array = ints();
  readonly #group: Int32Array = ints();
  readonly #groupEnd: Int32Array = ints();

  /** Starts a search. */
  begin(query: FlatQuery): void {
    this.query = query;
    this.forward = true;
  }

  /** Lets go of everything that belongs to the search. */
  release(): void {
    this.query = NO_QUERY;
    this.postings.fill(NO_VIEW);
    this.#views.fill(NO_VIEW);
    this.#norms.fill(NO_NORMS);
    this.#bitmaps.fill(undefined);
  }

  /** Finds the terms in a leaf. */
  open(leaf: Leaf): Opened {
    const { terms, shape } = this.query;
    let found = 0;
    for (let i = 0; i < terms.length; i++) {
      const { path, bytes } = terms[i]!;
      this.#group[i] = this.#groupEnd[i] = 0;
      const field = leaf.terms(path);
      const usable = field !== undefined && (shape === 'phrase' ? field.hasPositions : field.indexed);
      const ordinal = usable ? field.find(bytes, 0, bytes.length) : -1;
      if (ordinal < 0) {
        if (shape !== 'any') return 'empty';
        continue;
      }
      const { postings, hasFreqs } = field!;
      if (!hasFreqs || !(postings instanceof PostingsView)) return 'unbounded';
      this.#group[i] = postings.firstGroup(ordinal);
      this.#groupEnd[i] = postings.endGroup(ordinal);
      this.#views[i] = postings;
      this.#norms[i] = leaf.norms(path) ?? NO_NORMS;
      found++;
    }
    return found === 0 ? 'empty' : 'open';
  }

  /** Forgets the leaf: there is nothing in it. */
  close(): void {
    this.#group.fill(0);
    this.#groupEnd.fill(0);
  }

  /** Score of a code of 1 where one weight decides: a term, or a phrase. */
  singleUnit(): number {
    const { weight, inverses } = this.query.terms[0]!;
    return weight * scorePerCode(this.#views[0]!.bucket, inverses);
  }

  /** Gives each term a whole-number weight, so that no sum of bounds leaves 16 bits; returns the unit they are in. */
  weigh(): number {
    const { terms } = this.query;
    let sum = 0;
    for (let i = 0; i < terms.length; i++) {
      if (this.#group[i] !== this.#groupEnd[i]) sum += this.#perCode(i);
    }
    const unit = sum / (256 - terms.length);
    for (let i = 0; i < terms.length; i++) {
      const exact = this.#group[i] === this.#groupEnd[i] ? 0 : this.#perCode(i) / unit;
      this.#weights[i] = Math.ceil(exact);
    }
    return unit;
  }

  #perCode(i: number): number {
    const { weight, inverses } = this.query.terms[i]!;
    return weight * scorePerCode(this.#views[i]!.bucket, inverses);
  }

  /** Moves to the next chunk in which documents may match. False when there is none. */
  nextChunk(): boolean {
    const n = this.query.terms.length;
    const all = this.query.shape !== 'any';
    for (;;) {
      let chunk = all ? -1 : 0x10000;
      for (let i = 0; i < n; i++) {
        if (this.#group[i]! >= this.#groupEnd[i]!) {
          if (all) return false;
          continue;
        }
        const own = this.#views[i]!.chunk(this.#group[i]!);
        if (all ? own > chunk : own < chunk) chunk = own;
      }
      if (chunk === 0x10000) return false;
      this.count = 0;
      for (let i = 0; i < n; i++) {
        const end = this.#groupEnd[i]!;
        let group = this.#group[i]!;
        while (group < end && this.#views[i]!.chunk(group) < chunk) group++;
        if (group < end && this.#views[i]!.chunk(group) === chunk) this.#put(i, group++);
        this.#group[i] = group;
      }
      this.base = chunk * 65_536;
      if (!all || this.count === n) return true;
    }
  }

  #put(i: number, group: number): void {
    const a = this.count++;
    const view = this.#views[i]!;
    this.postings[a] = view;
    this.start[a] = this.at[a] = view.start(group);
    this.end[a] = view.end(group);
    this.block[a] = view.firstBlock(group);
    this.maxCode[a] = view.maxCode(group);
    this.weight[a] = this.#weights[i]!;
    this.term[a] = i;
    const dense = view.denseRecord(group);
    this.#dense[a] = dense < 0 ? -1 : dense * DENSE_WORDS;
    this.#bitmaps[a] = dense < 0 ? undefined : view.bits(group);
  }

  /** Documents of the leaf that the first term is in. REQUIRES: no chunk has been asked for yet. */
  docFreq(): number {
    const view = this.#views[0]!;
    return view.start(this.#groupEnd[0]!) - view.start(this.#group[0]!);
  }

  /** The bitmap of a dense list. */
  bitmap(a: number): Uint32Array | undefined {
    return this.#bitmaps[a];
  }

  /** The posting of a document of the chunk in list a, or -1. */
  find(a: number, low: number): number {
    const view = this.postings[a]!;
    const dense = this.#dense[a]!;
    if (dense >= 0) {
      const at = low >>> 5;
      const word = view.arrays.dense[dense + at]!;
      const bit = 1 << (low & 31);
      if ((word & bit) === 0) return -1;
      return this.start[a]! + view.ranks[(dense + 2_048) * 2 + at]! + popcount32(word & (bit - 1));
    }
    const end = this.end[a]!;
    const p = gallop(view.lo, this.at[a]!, end, low);
    if (this.forward) this.at[a] = p;
    return p < end && view.lo[p] === low ? p : -1;
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
   * The largest code that list a may have between two documents of the chunk, both included; 0 where it has none.
   * O(blocks between them).
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
    const norms = this.#norms[this.term[a]!]!;
    return norms.length === 0 ? NO_NORM : norms[doc]!;
  }

  /** Score of one posting of list a. */
  scoreOf(a: number, posting: number, doc: number): number {
    const { weight, inverses } = this.query.terms[this.term[a]!]!;
    const norm = this.norm(a, doc);
    return termScore(weight, this.postings[a]!.freq(posting, norm), inverses[norm]!);
  }

  /** Offers a document of the chunk that is known to match. */
  offer(low: number, survivors: Survivors): void {
    const doc = this.base + low;
    if (survivors.isVisible(doc)) survivors.offer(Math.fround(this.score(low)), doc);
  }

  /** Score of a document of the chunk, summed as the exhaustive way does and not yet rounded; -1 where it does not match. */
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
}
