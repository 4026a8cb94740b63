// Which documents hold a phrase most often for their length? It occurs no more often than the rarest of its terms, so
// that the smallest code bounds it: positions are read only where every code beats the limit.
//
//   starts of "a b c"     a: 3 9 20     b - 1: 3 8 20     c - 2: 20        what is left of a counts: 1

import { BLOCK_POSTINGS } from '../segment/format.ts';
import { byLength } from './all.ts';
import { termScore } from './bm25.ts';
import { MOST_TERMS } from './flat.ts';
import type { Lists } from './lists.ts';
import type { Shared } from './shared.ts';
import { exactFrequency, type Slot } from './sloppy.ts';
import type { Survivors } from './survivors.ts';

/** Scratch of a phrase: kept for a whole search. */
export class Adjacent {
  /** Whether every visible document that holds the phrase is to be counted. */
  counting = false;
  /** How many were, and those that came by the way. */
  total = 0;
  readonly #lists: Lists;
  readonly #survivors: Survivors;
  readonly #shared: Shared;
  readonly #order: Int32Array = new Int32Array(MOST_TERMS);
  readonly #posting: Int32Array = new Int32Array(MOST_TERMS);
  #slots: Slot[] | undefined;
  /** Of each list, the posting whose positions were read last, and where they begin. */
  readonly #known: Int32Array = new Int32Array(MOST_TERMS);
  readonly #knownAt: Int32Array = new Int32Array(MOST_TERMS);
  #starts: Int32Array = new Int32Array(64);
  #repeated = false;

  constructor(lists: Lists, survivors: Survivors, shared: Shared) {
    this.#shared = shared;
    this.#lists = lists;
    this.#survivors = survivors;
  }

  /** Starts a search. */
  begin(): void {
    this.total = 0;
    this.#slots = undefined;
  }

  /** One chunk. Bounds are codes. */
  chunk(): void {
    const lists = this.#lists;
    const survivors = this.#survivors;
    const counting = this.counting;
    for (let a = 0; a < lists.count && !counting; a++) if (lists.maxCode[a]! <= survivors.limit) return;
    byLength(lists, this.#order);
    this.#known.fill(-1);
    const lead = this.#order[0]!;
    const shared = this.#shared;
    const { lo, blockMax } = lists.postings[lead]!;
    const end = lists.end[lead]!;
    let block = lists.block[lead]!;
    shared.begin(lead, this.#order[1]!, counting || survivors.limit < 0);
    for (let from = lists.start[lead]!; from < end; from += BLOCK_POSTINGS, block++) {
      if (!counting && blockMax[block]! <= survivors.limit) continue;
      const least = counting ? 0 : Math.min(255, Math.max(0, survivors.limit));
      const n = shared.block(from, Math.min(from + BLOCK_POSTINGS, end), least);
      for (let i = 0; i < n; i++) this.#candidate(shared.first[i]!, shared.second[i]!, lo[shared.first[i]!]!);
    }
    shared.end();
  }

  /** The documents of the chunk that are in a bitmap of the leaf. */
  few(accept: Uint32Array): void {
    const lists = this.#lists;
    byLength(lists, this.#order);
    this.#known.fill(-1);
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
    const survivors = this.#survivors;
    const order = this.#order;
    const own = lists.postings[order[0]!]!.code[lead]!;
    const other = lists.postings[order[1]!]!.code[second]!;
    let code = Math.min(own, other);
    if (code <= survivors.limit && !this.counting) return;
    this.#posting[0] = lead;
    this.#posting[1] = second;
    for (let z = 2; z < lists.count; z++) {
      const p = lists.find(order[z]!, low);
      if (p < 0) return;
      this.#posting[z] = p;
      const third = lists.postings[order[z]!]!.code[p]!;
      if (third < code) code = third;
    }
    const canGetIn = code > survivors.limit;
    const doc = lists.base + low;
    if ((!canGetIn && !this.counting) || !survivors.isVisible(doc)) return;
    const frequency = this.#frequency();
    if (frequency === 0) return;
    this.total++;
    if (!canGetIn) return;
    const { weight, inverses } = lists.query.terms[0]!;
    survivors.offer(termScore(weight, frequency, inverses[lists.norm(0, doc)]!), doc);
  }

  #frequency(): number {
    const { count } = this.#lists;
    this.#repeated = false;
    let n = this.#read();
    for (let z = 1; z < count && n > 0; z++) n = this.#intersect(z, n);
    return n > 0 && this.#repeated ? this.#slowly() : n;
  }

  /** Where the phrase would have to start for each position of the leading term. */
  #read(): number {
    const { postings, query } = this.#lists;
    const a = this.#order[0]!;
    const view = postings[a]!;
    const bytes = view.arrays.positionBytes;
    let at = this.#positionsOf(a, this.#posting[0]!);
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

  /** Keeps the first n starts that the z-th term has, too. */
  #intersect(z: number, n: number): number {
    const { postings, query } = this.#lists;
    const a = this.#order[z]!;
    const view = postings[a]!;
    const bytes = view.arrays.positionBytes;
    const starts = this.#starts;
    let at = this.#positionsOf(a, this.#posting[z]!);
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

  /** Where the positions of a posting begin: looked for from the last one on where that is nearer. */
  #positionsOf(a: number, posting: number): number {
    const view = this.#lists.postings[a]!;
    const known = this.#known[a]!;
    let skip = posting & 15;
    let at = 0;
    if (known >= posting - skip && known <= posting) {
      at = this.#knownAt[a]!;
      skip = posting - known;
    } else {
      at = view.arrays.positionOffsets[posting >>> 4]!;
    }
    if (skip > 0) at = skipPostings(view.arrays.positionBytes, view.positionWords, at, skip);
    this.#known[a] = posting;
    this.#knownAt[a] = at;
    return at;
  }

  /** Where a term stands twice on one place, which list leads decides what counts. */
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

/**
 * Passes over the positions of some postings, four bytes at a time: each ends with a byte that has the two highest bits 01.
 * `words` are the same bytes.
 */
function skipPostings(bytes: Uint8Array, words: Uint32Array, from: number, postings: number): number {
  let at = from;
  let skip = postings;
  for (; skip > 0 && (at & 3) !== 0; at++) if ((bytes[at]! & 0xc0) === 0x40) skip--;
  if (skip === 0) return at;
  let word = at >>> 2;
  for (; word < words.length; word++) {
    const four = words[word]!;
    const ends = ((four & ~(four >>> 1)) >>> 6) & 0x01010101;
    const n = Math.imul(ends, 0x01010101) >>> 24;
    if (n >= skip) break;
    skip -= n;
  }
  for (at = word << 2; skip > 0; at++) if ((bytes[at]! & 0xc0) === 0x40) skip--;
  return at;
}
