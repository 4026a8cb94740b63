// The forward index of one field: per document that has the field one entry, and behind it the entry's
// tokens (term numbers and position distances) or numbers. Minis, their merges and the seal are all
// built from it, so no term is compared with another before the seal.
//
//   entries   docs[e] norms[e] firstToken[e] firstValue[e]
//   tokens    firstToken[e] … firstToken[e+1]: term number; distance from the last position (255: see `far`)
//   numbers   firstValue[e] … firstValue[e+1]: hi, lo

import {
  ASCII_LETTER,
  BEYOND,
  BRIDGES,
  DIGIT,
  LOW_LINE,
  type PlainText,
  WORD_BYTES,
} from '../../analysis/words/ascii-words.ts';
import { EngineError } from '../../errors.ts';
import { lowerBound } from '../../kernels/sorted-search.ts';
import { immenseTermFault } from '../../mapping/document/write-scalar.ts';
import type { FieldSpec } from '../../mapping/field-spec.ts';
import type { Memory } from '../../memory/memory.ts';
import { normOf } from '../../segment/postings/norms.ts';
import { ForeignTermNumbers } from '../terms/foreign-term-numbers.ts';
import type { ForeignTerms } from '../terms/foreign-terms.ts';
import { GrowableBytes, GrowableWords } from '../terms/growable.ts';
import { sortTerms } from '../terms/sort-terms.ts';
import { type LentTerms, MAX_TERM_BYTES, TermTable } from '../terms/term-table.ts';
import { DONE, NEEDS_CALLER, type TextWindow } from '../terms/text-window.ts';
import { sortNumbers, sortTermNumbers } from './sort-values.ts';

const FAR = 255;
/** Larger arrays are reserved ahead, with a margin; smaller ones grow by doubling. */
const MANY = 65_536;
const MARGIN = 1.125;
/** So many values of a document are sorted in slices. */
const MANY_VALUES = 4_096;
/** Shorter texts are cut here: a kernel call costs more than it saves. */
const SHORT = 24;

/** Kinds of bytes, as encoded in WORD_BYTES. */
const ALPHANUMERIC = (ASCII_LETTER | DIGIT) << 8;
const UNDERSCORED = LOW_LINE << 8;
const IN_WORD = ALPHANUMERIC | UNDERSCORED;
/** Masks of the first and second four bytes of a word, by its length. */
const FIRST_MASKS = Int32Array.of(0, 0xff, 0xffff, 0xffffff, -1, -1, -1, -1, -1);
const SECOND_MASKS = Int32Array.of(0, 0, 0, 0, 0, 0xff, 0xffff, 0xffffff, -1);

/** A field of a tail, for another thread to read. */
export interface LentField {
  readonly spec: FieldSpec;
  readonly terms: LentTerms;
  readonly words: readonly Uint32Array[];
  readonly norms: Uint8Array;
  readonly distances: Uint8Array;
}

/** One field of the tail, written a document at a time. */
export class ForwardField {
  readonly spec: FieldSpec;
  readonly table: TermTable;
  readonly docs: GrowableWords;
  readonly norms: GrowableBytes;
  readonly firstToken: GrowableWords;
  readonly firstValue: GrowableWords;
  readonly tokens: GrowableWords;
  readonly distances: GrowableBytes;
  /** Pairs of token and distance, for distances of 255 and more. */
  readonly far: GrowableWords;
  readonly hi: GrowableWords;
  readonly lo: GrowableWords;
  readonly hasPositions: boolean;
  readonly #numbers: boolean;
  readonly #window: TextWindow | undefined;
  readonly #foreign: ForeignTermNumbers;
  #length = 0;
  #isSorted = false;
  #position = 0;
  #lastDoc = -1;

  /** Without a window all texts are cut here. */
  constructor(spec: FieldSpec, memory: Memory, window?: TextWindow) {
    this.spec = spec;
    this.#window = window;
    this.hasPositions = spec.index === 'positions';
    this.#numbers = spec.column === 'numeric';
    this.table = new TermTable(memory);
    this.#foreign = new ForeignTermNumbers(memory, this.table);
    this.docs = new GrowableWords(memory);
    this.norms = new GrowableBytes(memory);
    this.firstToken = new GrowableWords(memory);
    this.firstValue = new GrowableWords(memory);
    this.tokens = new GrowableWords(memory);
    this.distances = new GrowableBytes(memory);
    this.far = new GrowableWords(memory);
    this.hi = new GrowableWords(memory);
    this.lo = new GrowableWords(memory);
  }

  /** Ensures an entry for the document; true when it is new. */
  open(doc: number): boolean {
    if (this.#lastDoc === doc) return false;
    // Memory may be refused: reserve in all arrays before changing any.
    this.docs.reserve(1);
    this.norms.reserve(1);
    this.firstToken.reserve(1);
    if (this.#numbers) this.firstValue.reserve(1);
    this.#lastDoc = doc;
    this.#isSorted = false;
    this.#length = 0;
    this.#position = 0;
    this.docs.push(doc);
    this.norms.push(0);
    this.firstToken.push(this.tokens.length);
    if (this.#numbers) this.firstValue.push(this.hi.length);
    return true;
  }

  /**
   * A term at a position of the document just opened. Throws illegal_argument_exception on an immense one.
   */
  token(bytes: Uint8Array, start: number, end: number, position: number, overlap: boolean): void {
    if (end - start > MAX_TERM_BYTES) throw immenseTermFault(this.spec.path, bytes, start, end);
    this.#push(this.table.intern(bytes, start, end), position);
    if (!overlap) this.#length++;
  }

  /** All words of a text, the first at position `base`; returns how many. */
  text(bytes: Uint8Array, start: number, end: number, base: number, plain: PlainText): number {
    const { tokens } = this;
    const first = tokens.length;
    const place = this.#window === undefined || end - start < SHORT ? undefined : this.table.place;
    tokens.reserve((end - start + 1) >>> 1);
    if (
      place !== undefined &&
      tokens.arena === place.arena &&
      this.#window!.load(bytes, start, end, place.arena)
    )
      this.#cutCompiled(bytes, start, end, plain, place.head);
    else this.#cut(bytes, start, end, plain);
    return this.#assignPositions(first, base);
  }

  /** Cuts a text with the kernel, and handles the words that it leaves to its caller. */
  #cutCompiled(bytes: Uint8Array, start: number, end: number, plain: PlainText, head: number): void {
    const { table, tokens } = this;
    const window = this.#window!;
    const { maxLength } = plain;
    const length = end - start;
    for (let at = 0; ; ) {
      window.cut(head, at, length, maxLength, tokens);
      table.sync();
      const { stopReason } = window;
      if (stopReason === DONE) return;
      if (stopReason === NEEDS_CALLER) {
        if (!plain.next(bytes, start + window.stop, end)) return;
        at = plain.stop - start;
        tokens.push(this.#internPlain(plain));
      } else {
        at = window.termEnd;
        tokens.push(window.intern(table));
      }
    }
  }

  /** Interns the word that `plain` has found. */
  #internPlain({ term }: PlainText): number {
    if (term.length > MAX_TERM_BYTES) throw immenseTermFault(this.spec.path, term, 0, term.length);
    return this.table.intern(term, 0, term.length);
  }

  /**
   * Cuts a text without the kernel. One pass cuts, lowers and hashes ASCII words (the rules of analysis/words); `plain` cuts
   * the others.
   */
  #cut(bytes: Uint8Array, start: number, end: number, plain: PlainText): void {
    const { table, tokens } = this;
    const { maxLength } = plain;
    for (let p = start; ; ) {
      let code = 0;
      while (p < end && (code = WORD_BYTES[bytes[p]!]!) === 0) p++;
      if (p >= end) break;
      const from = p;
      // `plain` cuts longer words; reading to their end for every piece would take quadratic time.
      const limit = Math.min(end, from + maxLength + 1);
      let kinds = 0;
      while (p < limit) {
        while (p < limit && ((code = WORD_BYTES[bytes[p]!]!) & IN_WORD) !== 0) {
          kinds |= code;
          p++;
        }
        if (p + 1 >= end || code !== 0 || BRIDGES[bytes[p]!] === 0) break;
        // One byte between two letters or two digits does not break the word.
        const before = WORD_BYTES[bytes[p - 1]!]! & IN_WORD;
        if ((BRIDGES[bytes[p]!]! & (before >>> 8)) === 0) break;
        const after = WORD_BYTES[bytes[p + 1]!]!;
        if (after === BEYOND) code = after;
        else if ((after & IN_WORD) === before) p++;
        if ((after & IN_WORD) !== before) break;
      }
      let id: number;
      const length = p - from;
      if ((p < end && code === BEYOND) || length > maxLength) {
        if (!plain.next(bytes, from, end)) break;
        p = plain.stop;
        id = this.#internPlain(plain);
      } else if ((kinds & ALPHANUMERIC) === 0) continue;
      else if (length > 8 || from + 8 > bytes.length || (kinds & UNDERSCORED) !== 0)
        id = table.internLower(bytes, from, p);
      else {
        // For letters, digits and bridges this bit means lower case; words with a low line have been sorted
        // out.
        const first = (word(bytes, from) | 0x20202020) & FIRST_MASKS[length]!;
        const second = (word(bytes, from + 4) | 0x20202020) & SECOND_MASKS[length]!;
        id = table.internShort(first, second, length);
      }
      tokens.push(id);
    }
  }

  /** A term of another table at a position of the document just opened. */
  foreignTerm(terms: ForeignTerms, n: number, position: number, overlap: boolean): void {
    this.#push(this.#foreign.number(n, terms), position);
    if (!overlap) this.#length++;
  }

  /** Words [from, to) of a text, as term numbers of another table; the first at position `base`. */
  words(words: Uint32Array, from: number, to: number, base: number, terms: ForeignTerms): void {
    const first = this.tokens.length;
    this.#foreign.append(words, from, to, terms, this.tokens);
    this.#assignPositions(first, base);
  }

  /** Assigns consecutive positions from `base` on to the words pushed since `first`; returns their number. */
  #assignPositions(first: number, base: number): number {
    const count = this.tokens.length - first;
    if (count > 0 && this.hasPositions) {
      this.#distance(first, base);
      // The distances of all words but the first are 1.
      this.distances.fill(1, count - 1);
      this.#position = base + count - 1;
    }
    this.#length += count;
    return count;
  }

  #push(id: number, position: number): void {
    if (this.hasPositions) {
      this.#distance(this.tokens.length, position);
      this.#position = position;
    }
    this.tokens.push(id);
  }

  /** Writes the distance of a token from the last position. */
  #distance(token: number, position: number): void {
    const distance = position - this.#position;
    if (distance >= FAR) {
      this.far.push(token);
      this.far.push(distance);
    }
    this.distances.push(Math.min(distance, FAR));
  }

  /** A whole value as the next term. */
  value(bytes: Uint8Array, start: number, end: number): void {
    this.token(bytes, start, end, this.#length, false);
  }

  /** A number of the document just opened. */
  number(hi: number, lo: number): void {
    this.hi.push(hi);
    this.lo.push(lo);
  }

  /** Sorts the values of the open entry in slices of about 2 ms if they are many, so that `close` finds them sorted. */
  *sortInSteps(): Generator<void, void> {
    const from = this.firstToken.view[this.docs.length - 1]!;
    const { view, length } = this.tokens;
    if (this.spec.column !== 'ordinal' || length - from < MANY_VALUES) return;
    const sorted = yield* sortTerms(this.table, view.slice(from, length));
    this.tokens.view.set(sorted, from);
    this.#isSorted = true;
  }

  /** Closes the entry: sorts the values of a column, and encodes the length as a norm. */
  close(): void {
    const entry = this.docs.length - 1;
    if (this.spec.norms)
      this.norms.view[entry] = normOf(this.spec.index === 'docs' ? this.#distinct(entry) : this.#length);
    if (this.spec.column === 'ordinal' && !this.#isSorted)
      sortTermNumbers(this.table, this.tokens, this.firstToken.view[entry]!);
    if (this.#numbers) sortNumbers(this.hi, this.lo, this.firstValue.view[entry]!);
  }

  /** The different terms of an entry: its length, as Lucene has it, where the index does not count words. */
  #distinct(entry: number): number {
    const { view, length } = this.tokens;
    return new Set(view.subarray(this.firstToken.view[entry]!, length)).size;
  }

  /** Drops entries from `entries` on. */
  truncate(entries: number): void {
    if (entries >= this.docs.length) return;
    this.tokens.length = this.firstToken.view[entries]!;
    if (this.hasPositions) {
      this.distances.length = this.tokens.length;
      while (this.far.length > 0 && this.far.view[this.far.length - 2]! >= this.tokens.length) {
        this.far.length -= 2;
      }
    }
    if (this.#numbers) this.hi.length = this.lo.length = this.firstValue.view[entries]!;
    this.docs.length = this.norms.length = this.firstToken.length = entries;
    if (this.#numbers) this.firstValue.length = entries;
    this.#lastDoc = -1;
  }

  /**
   * Reserves room for `times` the present size, so that large arrays are not copied again and again as they grow. Yields
   * after each array moved, which takes milliseconds. Refused memory is ignored: it may never be needed.
   */
  *expect(times: number): Generator<void, void> {
    const { tokens, distances, hi, lo } = this;
    for (const array of [tokens, distances, hi, lo]) {
      if (array.length < MANY) continue;
      try {
        array.reserve(Math.ceil(array.length * (times * MARGIN - 1)));
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
      }
      yield;
    }
  }

  /** First entry of a document at or after `doc`. */
  entryAt(doc: number): number {
    // Most fields occur in all documents.
    if (doc < this.docs.length && this.docs.view[doc] === doc) return doc;
    return lowerBound(this.docs.view, 0, this.docs.length, doc);
  }

  /** Copies of the terms of a document, as it gave them. */
  termsOf(doc: number): readonly Uint8Array[] {
    const entry = this.entryAt(doc);
    if (this.docs.view[entry] !== doc || entry >= this.docs.length) return [];
    const tokens = this.tokens.view.subarray(this.tokenAt(entry), this.tokenAt(entry + 1));
    return Array.from(tokens, (id) => {
      const term = new Uint8Array(this.table.length(id));
      this.table.copy(id, term, 0);
      return term;
    });
  }

  /** Index in `far` of the first pair whose token is at or after `token`. O(log pairs). */
  farAt(token: number): number {
    const far = this.far.view;
    let low = 0;
    let high = this.far.length >>> 1;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if (far[mid * 2]! < token) low = mid + 1;
      else high = mid;
    }
    return low * 2;
  }

  /** First token of an entry; behind the last entry, the end of all tokens. */
  tokenAt(entry: number): number {
    return entry < this.firstToken.length ? this.firstToken.view[entry]! : this.tokens.length;
  }

  /** First number of an entry. */
  valueAt(entry: number): number {
    return entry < this.firstValue.length ? this.firstValue.view[entry]! : this.hi.length;
  }

  /** Bytes held. */
  get bytes(): number {
    let sum = this.table.bytes + this.#foreign.bytes;
    for (const array of this.#arrays()) sum += array.bytes;
    return sum;
  }

  release(): void {
    this.table.release();
    this.#foreign.release();
    for (const array of this.#arrays()) array.release();
  }

  lend(): LentField {
    const { spec, table, norms, distances } = this;
    const words = this.#words().map((array) => array.lend());
    return { spec, terms: table.lend(), words, norms: norms.lend(), distances: distances.lend() };
  }

  /** Replaces the contents by what another thread has lent: enough for minis and the seal. */
  borrow({ terms, words, norms, distances }: LentField): void {
    this.table.borrow(terms);
    for (const [i, array] of this.#words().entries()) array.borrow(words[i]!);
    this.norms.borrow(norms);
    this.distances.borrow(distances);
  }

  #words(): GrowableWords[] {
    const { docs, firstToken, firstValue, tokens, far, hi, lo } = this;
    return [docs, firstToken, firstValue, tokens, far, hi, lo];
  }

  #arrays(): (GrowableWords | GrowableBytes)[] {
    return [this.norms, this.distances, ...this.#words()];
  }
}

/** Four bytes, little-endian. */
function word(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}
