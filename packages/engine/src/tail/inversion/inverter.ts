// Inverts tokens per document into documents per term, by counting: count each term's tokens, lay out a
// run per term, scatter (document, position) into the runs. Documents come in order, so every run is
// sorted. Work is split into slices that the caller spreads over time.

import type { PostingsWriter } from '../../segment/postings/postings-writer.ts';
import type { ScoreCodes } from '../../segment/postings/score-codes.ts';
import type { ForwardField } from '../forward/forward-field.ts';
import { PostingPairs } from './posting-pairs.ts';

/** Tokens between two yields: up to 40 µs. */
const SLICE_TOKENS = 1_500;
const FAR = 255;
/** A position up to this shares one word with its document. */
const MAX_NARROW_POSITION = 0xffff;
/** If the table has so many times more terms, sorting the ids is cheaper than a walk over the table. */
const SORT_BELOW = 16;

/** How far the tokens of some entries are scattered: the next entry and token, and the position before it. */
interface ScatterPlace {
  entry: number;
  token: number;
  position: number;
}

function atLeast(a: Uint32Array, n: number): Uint32Array {
  if (a.length >= n) return a;
  const b = new Uint32Array(Math.max(n, a.length * 2));
  b.set(a);
  return b;
}

/** Inverts runs of documents. Its arrays are reused. */
export class Inverter {
  /** Per term number: its token count, then the end of its run. Zero between uses. */
  #ends: Uint32Array = new Uint32Array(0);
  /** Per term number being written: the start of its run. */
  #starts: Uint32Array = new Uint32Array(0);
  #seen: Uint32Array = new Uint32Array(256);
  #seenCount = 0;
  /** Whether all ends are zero. */
  #isClean = true;
  /** The runs of all terms: documents, or pairs of document and position. */
  #runs: Uint32Array = new Uint32Array(0);
  /** Words per pair: 0 without positions; 1, document above position; or 2. */
  #words: 0 | 1 | 2 = 0;
  /** All positions, or-ed. */
  #positionBits = 0;
  #documents: Uint32Array = new Uint32Array(0);
  readonly #pairs: PostingPairs = new PostingPairs();

  /** Resets after a run that was not written to its end. */
  clear(): void {
    if (!this.#isClean) this.#ends.fill(0);
    this.#isClean = true;
    this.#seenCount = 0;
  }

  /** Bytes of the scratch. */
  get byteLength(): number {
    const arrays = [this.#ends, this.#starts, this.#seen, this.#documents, this.#pairs];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Counts the tokens of a field's entries [from, to); returns the distinct terms, ascending by number. */
  *terms(field: ForwardField, from: number, to: number): Generator<void, Uint32Array> {
    const size = field.table.count;
    if (this.#ends.length < size) this.#ends = new Uint32Array(Math.max(size, this.#ends.length * 2));
    const end = field.tokenAt(to);
    this.#isClean = false;
    for (let at = field.tokenAt(from); at < end; at += SLICE_TOKENS) {
      this.#count(field.tokens.view, at, Math.min(end, at + SLICE_TOKENS));
      yield;
    }
    const n = this.#seenCount;
    this.#seenCount = 0;
    if (n * SORT_BELOW < size) return this.#seen.slice(0, n).sort();
    const ends = this.#ends;
    const ids = new Uint32Array(n);
    for (let id = 0, i = 0; i < n; id++) if (ends[id] !== 0) ids[i++] = id;
    return ids;
  }

  /** Undoes the counting of `terms`. */
  uncount(ids: Uint32Array): void {
    for (let i = 0; i < ids.length; i++) this.#ends[ids[i]!] = 0;
    this.#isClean = true;
  }

  /**
   * Writes the postings of the entries, terms in the order of `order` (all of `ids`, which `terms` gave), documents counted
   * from `base` on. `norms` are by document from base on, or undefined: then each is 1. `codes` are the writer's.
   */
  *write(
    field: ForwardField,
    from: number,
    to: number,
    base: number,
    ids: Uint32Array,
    order: Uint32Array,
    norms: Uint8Array | undefined,
    codes: ScoreCodes | undefined,
    writer: PostingsWriter,
  ): Generator<void, void> {
    const { total, longest } = this.#layOut(ids);
    const { hasPositions } = field;
    const last = field.docs.view[to - 1]! - base;
    const most = SLICE_TOKENS + longest;
    let compiled = hasPositions && this.#pairs.reserve(total, most, last, 1);
    this.#words = compiled ? 1 : hasPositions ? 2 : 0;
    if (!hasPositions) this.#documents = atLeast(this.#documents, total);
    this.#runs = hasPositions ? this.#pairs.view : this.#documents;
    yield* this.#scatterAll(field, from, to, base);
    if (compiled && this.#positionBits > MAX_NARROW_POSITION) {
      // Texts of so many words are rare: scatter again, with two words per pair.
      for (let i = 0; i < ids.length; i++) this.#ends[ids[i]!] = this.#starts[ids[i]!]!;
      compiled = this.#pairs.reserve(total, most, last, 2);
      this.#words = 2;
      this.#runs = this.#pairs.view;
      yield* this.#scatterAll(field, from, to, base);
    }
    if (compiled) this.#pairs.begin(norms, codes!);
    for (let i = 0; i < order.length; ) {
      const next = this.#sliceEnd(order, i);
      if (compiled) this.#pairs.addTo(writer, order, this.#starts, this.#ends, i, next);
      else this.#emit(order, i, next, hasPositions, norms, writer);
      i = next;
      yield;
    }
    this.uncount(order);
  }

  /**
   * Lays out a run per term, in the order of term numbers, which is roughly by frequency: most tokens go to runs that lie
   * close together. In byte order they would be scattered over the memory.
   */
  #layOut(ids: Uint32Array): { total: number; longest: number } {
    const ends = this.#ends;
    if (this.#starts.length < ends.length) this.#starts = new Uint32Array(ends.length);
    const starts = this.#starts;
    let [total, longest] = [0, 0];
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i]!;
      const count = ends[id]!;
      starts[id] = ends[id] = total;
      total += count;
      longest = Math.max(longest, count);
    }
    return { total, longest };
  }

  *#scatterAll(field: ForwardField, from: number, to: number, base: number): Generator<void, void> {
    this.#positionBits = 0;
    const place = { entry: from, token: field.tokenAt(from), position: 0 };
    while (place.entry < to) {
      this.#scatter(field, place, to, base);
      yield;
    }
  }

  #count(tokens: Uint32Array, from: number, to: number): void {
    const counts = this.#ends;
    const seen = (this.#seen = atLeast(this.#seen, this.#seenCount + to - from));
    let n = this.#seenCount;
    for (let i = from; i < to; i++) if (counts[tokens[i]!]!++ === 0) seen[n++] = tokens[i]!;
    this.#seenCount = n;
  }

  /** Scatters a slice of tokens, which may end inside of a document. */
  #scatter(field: ForwardField, place: ScatterPlace, to: number, base: number): void {
    const ends = this.#ends;
    const runs = this.#runs;
    const words = this.#words;
    const tokens = field.tokens.view;
    const distances = field.distances.view;
    const far = field.far.view;
    const last = place.token + SLICE_TOKENS;
    let { entry, token: at, position } = place;
    let nextFar = words > 0 ? field.farAt(at) : 0;
    let bits = 0;
    for (; entry < to && at < last; entry++, position = 0) {
      const doc = field.docs.view[entry]! - base;
      const whole = field.tokenAt(entry + 1);
      const end = Math.min(whole, last);
      for (; at < end; at++) {
        const run = ends[tokens[at]!]!++;
        if (words === 0) {
          runs[run] = doc;
          continue;
        }
        const distance = distances[at]!;
        if (distance < FAR) position += distance;
        else {
          position += far[nextFar + 1]!;
          nextFar += 2;
        }
        bits |= position;
        if (words === 1) runs[run] = (doc << 16) | position;
        else {
          runs[run * 2] = doc;
          runs[run * 2 + 1] = position;
        }
      }
      if (at < whole) break;
    }
    place.entry = entry;
    place.token = at;
    place.position = position;
    this.#positionBits |= bits;
  }

  /** Postings of the run [start, end) of documents. */
  #emitDocs(writer: PostingsWriter, start: number, end: number, norms: Uint8Array | undefined): void {
    const runs = this.#runs;
    for (let i = start; i < end; ) {
      const doc = runs[i]!;
      let j = i + 1;
      while (j < end && runs[j] === doc) j++;
      writer.add(doc, j - i, norms === undefined ? 1 : norms[doc]!);
      i = j;
    }
  }

  /** As `#emitDocs`, with positions. */
  #emitPositions(writer: PostingsWriter, start: number, end: number, norms: Uint8Array | undefined): void {
    const runs = this.#runs;
    for (let i = start; i < end; ) {
      const doc = runs[i * 2]!;
      let j = i + 1;
      while (j < end && runs[j * 2] === doc) j++;
      writer.add(doc, j - i, norms === undefined ? 1 : norms[doc]!);
      let before = 0;
      for (let k = i; k < j; k++) {
        const position = runs[k * 2 + 1]!;
        writer.position(position - before, k === j - 1);
        before = position;
      }
      i = j;
    }
  }

  /** Index behind the terms that fill a slice, from `first` on. */
  #sliceEnd(order: Uint32Array, first: number): number {
    let tokens = 0;
    let i = first;
    while (i < order.length && tokens < SLICE_TOKENS)
      tokens += this.#ends[order[i]!]! - this.#starts[order[i++]!]!;
    return i;
  }

  /** Emits terms [first, to). */
  #emit(
    order: Uint32Array,
    first: number,
    to: number,
    positions: boolean,
    norms: Uint8Array | undefined,
    writer: PostingsWriter,
  ): void {
    for (let i = first; i < to; i++) {
      const start = this.#starts[order[i]!]!;
      const end = this.#ends[order[i]!]!;
      writer.term();
      if (positions) this.#emitPositions(writer, start, end, norms);
      else this.#emitDocs(writer, start, end, norms);
    }
  }
}
