// Prunes phrases. A phrase occurs no more often than the rarest of its terms, so the smallest code bounds it:
// positions are read only where every code beats the limit and the residues of positions allow a match.
//
//   starts of "a b c"     a: 3 9 20     b - 1: 3 8 20     c - 2: 20        what is left of a counts: 1

import { BLOCK_POSTINGS } from '../../segment/format.ts';
import { findPositionStarts } from '../../segment/postings/position-starts.ts';
import { rotateResidues } from '../../segment/postings/residues.ts';
import { termScore } from '../bm25.ts';
import { MOST_TERMS } from '../flat-query.ts';
import type { CandidateBounds } from '../lists/candidate-bounds.ts';
import type { ListIntersection } from '../lists/intersect-lists.ts';
import { orderByLength, type PostingLists } from '../lists/posting-lists.ts';
import { exactFrequency, type PhrasePositions } from './phrase-frequency.ts';
import { ADJACENT, APART, compareAdjacent, PairQueue } from './term-pairs.ts';

/**
 * Reading the highest codes first pays where so many documents of a chunk hold the phrase, by those read so
 * far.
 */
const MANY = 16;
/** Documents that are read before the limit is looked at again. */
const READ_BATCH = 32;

/** One phrase over the chunks of leaves. Its scratch is reused for a whole search. */
export class AdjacentPhrase {
  /** Whether every visible document that holds the phrase is to be counted. */
  counting = false;
  /** Documents that were counted, or found on the way. */
  total = 0;
  readonly #lists: PostingLists;
  readonly #candidates: CandidateBounds;
  readonly #intersection: ListIntersection;
  readonly #order: Int32Array = new Int32Array(MOST_TERMS);
  readonly #posting: Int32Array = new Int32Array(MOST_TERMS);
  #slots: PhrasePositions[] | undefined;
  /** Documents that hold both terms, and those of them that are read next. */
  readonly #pairs: PairQueue = new PairQueue();
  readonly #first: Int32Array = new Int32Array(READ_BATCH);
  readonly #second: Int32Array = new Int32Array(READ_BATCH);
  /** Where the positions of these documents begin, per list. */
  readonly #startsOne: Int32Array = new Int32Array(BLOCK_POSTINGS);
  readonly #startsOther: Int32Array = new Int32Array(BLOCK_POSTINGS);
  #starts: Int32Array = new Int32Array(64);
  #repeated = false;

  constructor(lists: PostingLists, candidates: CandidateBounds, intersection: ListIntersection) {
    this.#intersection = intersection;
    this.#lists = lists;
    this.#candidates = candidates;
  }

  /** Starts a search. */
  begin(): void {
    this.total = 0;
    this.#slots = undefined;
  }

  /** Prunes one chunk. Bounds are codes. */
  pruneChunk(): void {
    const lists = this.#lists;
    const candidates = this.#candidates;
    const counting = this.counting;
    for (let a = 0; a < lists.count && !counting; a++) if (lists.maxCode[a]! <= candidates.limit) return;
    orderByLength(lists, this.#order);
    const lead = this.#order[0]!;
    const shared = this.#intersection;
    const { lo, blockMax } = lists.postings[lead]!;
    const end = lists.end[lead]!;
    let block = lists.block[lead]!;
    shared.begin(lead, this.#order[1]!, counting || candidates.limit < 0);
    const start = lists.start[lead]!;
    const before = this.total;
    let inOrder = counting || candidates.limit < 0;
    for (let from = lists.start[lead]!; from < end; from += BLOCK_POSTINGS, block++) {
      if (!counting && blockMax[block]! <= candidates.limit) continue;
      const least = counting ? 0 : Math.min(255, Math.max(0, candidates.limit));
      const n = shared.intersectBlock(from, Math.min(from + BLOCK_POSTINGS, end), least);
      if (lists.count > 2) {
        for (let i = 0; i < n; i++)
          this.#candidate(shared.first[i]!, shared.second[i]!, lo[shared.first[i]!]!);
        continue;
      }
      const met = this.#meeting(shared.first, shared.second, n);
      if (inOrder) {
        this.#readPairs(shared.first, shared.second, met);
        inOrder = counting || (this.total - before) * (end - start) < MANY * (from + BLOCK_POSTINGS - start);
      } else this.#queuePairs(shared.first, shared.second, met);
    }
    shared.end();
    this.#readQueue();
  }

  /**
   * Keeps of the documents that two lists share those whose residues allow the terms to be adjacent. Returns
   * how many.
   */
  #meeting(first: Int32Array, second: Int32Array, count: number): number {
    const { postings, query } = this.#lists;
    const [a, b] = [this.#order[0]!, this.#order[1]!];
    const own = postings[a]!.arrays.positionResidues;
    const other = postings[b]!.arrays.positionResidues;
    if (own.length === 0 || other.length === 0) return count;
    const [turn, otherTurn] = [query.offsets[a]!, query.offsets[b]!];
    let n = 0;
    for (let i = 0; i < count; i++) {
      const p = first[i]!;
      const q = second[i]!;
      first[n] = p;
      second[n] = q;
      // 1 where they share a bit; branch-free, because it cannot be predicted.
      n += -(rotateResidues(own[p]!, turn) & rotateResidues(other[q]!, otherTurn)) >>> 31;
    }
    return n;
  }

  /** Residues of the places where the phrase may start, by a posting of a term. */
  #startsOf(a: number, posting: number): number {
    const { postings, query } = this.#lists;
    const { positionResidues } = postings[a]!.arrays;
    return positionResidues.length === 0
      ? 0xff
      : rotateResidues(positionResidues[posting]!, query.offsets[a]!);
  }

  /** Queues documents that two lists share, by their postings there. */
  #queuePairs(first: Int32Array, second: Int32Array, count: number): void {
    const own = this.#lists.postings[this.#order[0]!]!.code;
    const other = this.#lists.postings[this.#order[1]!]!.code;
    const pairs = this.#pairs;
    for (let i = 0; i < count; i++) {
      const code = Math.min(own[first[i]!]!, other[second[i]!]!);
      if (code > this.#candidates.limit) pairs.add(first[i]!, second[i]!, code);
      if (pairs.isFull) this.#readQueue();
    }
  }

  #readQueue(): void {
    const { limit } = this.#candidates;
    let n = this.#pairs.take(limit, READ_BATCH, this.#first, this.#second);
    while (n > 0) {
      this.#readPairs(this.#first, this.#second, n);
      n = this.#pairs.take(this.#candidates.limit, READ_BATCH, this.#first, this.#second);
    }
  }

  /** Reads documents that two lists share: those that can get in, or all where all are counted. */
  #readPairs(first: Int32Array, second: Int32Array, count: number): void {
    const { postings, query, base } = this.#lists;
    const candidates = this.#candidates;
    const [a, b] = [this.#order[0]!, this.#order[1]!];
    const { lo, code, arrays, positionWords } = postings[a]!;
    const { code: otherCode, arrays: others, positionWords: otherWords } = postings[b]!;
    const { positionBytes } = arrays;
    const { positionBytes: otherBytes } = others;
    const starts = this.#startsOne;
    const otherStarts = this.#startsOther;
    findPositionStarts(arrays, positionWords, first, count, starts);
    findPositionStarts(others, otherWords, second, count, otherStarts);
    const ahead = query.offsets[b]! - query.offsets[a]!;
    for (let i = 0; i < count; i++) {
      const p = first[i]!;
      const q = second[i]!;
      const canGetIn = Math.min(code[p]!, otherCode[q]!) > candidates.limit;
      if (!canGetIn && !this.counting) continue;
      const stand = compareAdjacent(positionBytes, starts[i]!, otherBytes, otherStarts[i]!, ahead);
      if (stand === APART) continue;
      const doc = base + lo[p]!;
      if (!candidates.isVisible(doc)) continue;
      if (canGetIn || stand !== ADJACENT) this.#take(p, q, doc, canGetIn);
      else this.total++;
    }
  }

  /** Looks at the documents of the chunk that are in a bitmap of the leaf. */
  scoreFew(accept: Uint32Array): void {
    const lists = this.#lists;
    orderByLength(lists, this.#order);
    const lead = this.#order[0]!;
    const { lo } = lists.postings[lead]!;
    const end = lists.end[lead]!;
    const first = lists.base >>> 5;
    for (let p = lists.start[lead]!; p < end; p++) {
      const low = lo[p]!;
      if (((accept[first + (low >>> 5)]! >>> (low & 31)) & 1) === 0) continue;
      const q = lists.find(this.#order[1]!, low);
      if (q >= 0) this.#candidate(p, q, low);
    }
  }

  /** A document that the two shortest lists share, by its postings there. */
  #candidate(lead: number, second: number, low: number): void {
    const lists = this.#lists;
    const candidates = this.#candidates;
    const order = this.#order;
    const own = lists.postings[order[0]!]!.code[lead]!;
    const other = lists.postings[order[1]!]!.code[second]!;
    let code = Math.min(own, other);
    if (code <= candidates.limit && !this.counting) return;
    let starts = this.#startsOf(order[0]!, lead) & this.#startsOf(order[1]!, second);
    for (let z = 2; z < lists.count; z++) {
      const p = lists.find(order[z]!, low);
      if (p < 0) return;
      starts &= this.#startsOf(order[z]!, p);
      this.#posting[z] = p;
      const third = lists.postings[order[z]!]!.code[p]!;
      if (third < code) code = third;
    }
    const canGetIn = code > candidates.limit;
    const doc = lists.base + low;
    if (starts === 0 || (!canGetIn && !this.counting) || !candidates.isVisible(doc)) return;
    this.#take(lead, second, doc, canGetIn);
  }

  /** Takes a visible document, by its postings, if it holds the phrase. */
  #take(lead: number, second: number, doc: number, canGetIn: boolean): void {
    this.#posting[0] = lead;
    this.#posting[1] = second;
    const frequency = this.#frequency();
    if (frequency === 0) return;
    this.total++;
    if (!canGetIn) return;
    const { weight, inverses } = this.#lists.query.terms[0]!;
    this.#candidates.offer(termScore(weight, frequency, inverses[this.#lists.norm(0, doc)]!), doc);
  }

  #frequency(): number {
    const { count } = this.#lists;
    this.#repeated = false;
    let n = this.#read();
    for (let z = 1; z < count && n > 0; z++) n = this.#intersect(z, n);
    return n > 0 && this.#repeated ? this.#slowly() : n;
  }

  /** Reads where the phrase would start for each position of the leading term. Returns how many there are. */
  #read(): number {
    const { postings, query } = this.#lists;
    const a = this.#order[0]!;
    const view = postings[a]!;
    const bytes = view.arrays.positionBytes;
    let at = view.positionStart(this.#posting[0]!);
    let start = -query.offsets[a]!;
    let n = 0;
    for (;;) {
      let byte = bytes[at++]!;
      let shift = 0;
      let distance = 0;
      for (; byte >= 0x80; byte = bytes[at++]!) {
        distance |= (byte & 0x7f) << shift;
        shift += 7;
      }
      distance |= (byte & 0x3f) << shift;
      if (distance === 0 && n > 0) this.#repeated = true;
      start += distance;
      if (n === this.#starts.length) this.#grow();
      this.#starts[n++] = start;
      if ((byte & 0x40) !== 0) return n;
    }
  }

  /** Keeps those of the first n starts that the z-th term has too. */
  #intersect(z: number, n: number): number {
    const { postings, query } = this.#lists;
    const a = this.#order[z]!;
    const view = postings[a]!;
    const bytes = view.arrays.positionBytes;
    const starts = this.#starts;
    let at = view.positionStart(this.#posting[z]!);
    let start = -query.offsets[a]!;
    let first = true;
    let i = 0;
    let kept = 0;
    for (;;) {
      let byte = bytes[at++]!;
      let shift = 0;
      let distance = 0;
      for (; byte >= 0x80; byte = bytes[at++]!) {
        distance |= (byte & 0x7f) << shift;
        shift += 7;
      }
      distance |= (byte & 0x3f) << shift;
      if (distance === 0 && !first) this.#repeated = true;
      first = false;
      start += distance;
      while (i < n && starts[i]! < start) i++;
      if (i === n) return kept;
      if (starts[i] === start) starts[kept++] = starts[i++]!;
      if ((byte & 0x40) !== 0) return kept;
    }
  }

  /** The frequency where a term has two tokens at one position: which list leads then decides what counts. */
  #slowly(): number {
    const { count, postings, query } = this.#lists;
    this.#slots ??= query.offsets.map((offset) => {
      return { offset, positions: new Uint32Array(64), count: 0, group: -1 };
    });
    for (let z = 0; z < count; z++) {
      const slot = this.#slots[this.#order[z]!]!;
      slot.count = postings[this.#order[z]!]!.positions(0, this.#posting[z]!, slot);
    }
    return exactFrequency(this.#slots);
  }

  #grow(): void {
    const more = new Int32Array(this.#starts.length * 2);
    more.set(this.#starts);
    this.#starts = more;
  }
}
