// Writes the postings of a field: terms in ordinal order, documents ascending within each. Groups,
// blocks, codes, exceptions and bitmaps are derived on the way. The arrays are reused for the next field
// and grow by doubling.

import { copyBytes } from '../../memory/copy.ts';
import { BLOCK_POSTINGS, DENSE_POSTINGS, DENSE_WORDS, GROUP_WORDS, KIND } from '../format.ts';
import type { SectionWriter } from '../section-writer.ts';
import { writeDenseGroup } from './dense-group.ts';
import type { PostingsArrays } from './postings-arrays.ts';
import type { ScoreCodes } from './score-codes.ts';

function grown8(a: Uint8Array, need: number): Uint8Array {
  const b = new Uint8Array(Math.max(need, a.length * 2, 1024));
  b.set(a);
  return b;
}

function grown32(a: Uint32Array, need: number): Uint32Array {
  const b = new Uint32Array(Math.max(need, a.length * 2, 256));
  b.set(a);
  return b;
}

/**
 * Postings of whole terms that a kernel writes to these arrays: one group per term, all in the first chunk.
 */
export interface KernelPostings {
  readonly terms: number;
  readonly lows: Uint16Array;
  readonly codes: Uint8Array;
  readonly residues: Uint8Array;
  readonly bytes: Uint8Array;
  /** From the block of sixteen postings that holds the first one. */
  readonly offsets: Uint32Array;
  readonly halves: Uint8Array;
  readonly blockMax: Uint8Array;
  readonly groups: Uint32Array;
  readonly termFreqs: Uint32Array;
  readonly exceptions: Uint32Array;
  /** Writes them, to follow so many postings, position bytes and blocks; returns the new totals. */
  run(
    postings: number,
    bytes: number,
    blocks: number,
  ): { postings: number; bytes: number; blocks: number; exceptions: number };
}

/** Copies the first `count` elements of an array to `to`, from `at` on. */
function put<T extends Uint8Array | Uint16Array | Uint32Array>(
  from: T,
  count: number,
  to: T,
  at: number,
): void {
  const length = count * from.BYTES_PER_ELEMENT;
  const source = new Uint8Array(from.buffer, from.byteOffset, length);
  const target = new Uint8Array(to.buffer, to.byteOffset, to.byteLength);
  copyBytes(source, 0, length, target, at * from.BYTES_PER_ELEMENT);
}

/** Writes the postings of one field at a time: `begin`, then per term `term` and `add`s, then `finish`. */
export class PostingsWriter {
  #codes: ScoreCodes | undefined;
  #positions = false;
  #lows: Uint16Array = new Uint16Array(1024);
  #codeBytes: Uint8Array = new Uint8Array(1024);
  #blockMax: Uint8Array = new Uint8Array(256);
  #groups: Uint32Array = new Uint32Array(1024);
  #termGroups: Uint32Array = new Uint32Array(256);
  #termFreqs: Uint32Array = new Uint32Array(256);
  #exceptions: Uint32Array = new Uint32Array(64);
  #dense: Uint32Array = new Uint32Array(0);
  #bytes: Uint8Array = new Uint8Array(1024);
  #offsets: Uint32Array = new Uint32Array(256);
  #halves: Uint8Array = new Uint8Array(256);
  #residues: Uint8Array = new Uint8Array(0);
  #terms = 0;
  #postings = 0;
  #blocks = 0;
  #groupCount = 0;
  #exceptionCount = 0;
  #denseCount = 0;
  #byteCount = 0;
  #place = 0;
  #chunk = -1;
  #groupStart = 0;
  #groupMax = 0;
  #freq = 0;
  #freqSum = 0;
  #termStart = 0;

  /** Starts a field. Without codes there are no frequencies. */
  begin(codes: ScoreCodes | undefined, positions: boolean): void {
    this.#codes = codes;
    this.#positions = positions;
    this.#terms = this.#postings = this.#blocks = this.#groupCount = 0;
    this.#exceptionCount = this.#denseCount = this.#byteCount = 0;
    this.#chunk = -1;
    this.#freq = this.#freqSum = 0;
    if (codes !== undefined && this.#codeBytes.length < this.#lows.length) {
      this.#codeBytes = new Uint8Array(this.#lows.length);
    }
    if (positions && this.#residues.length < this.#lows.length) {
      this.#residues = new Uint8Array(this.#lows.length);
    }
  }

  /** Reserves room, so that large writes do not grow by copying: for terms with one group each. */
  reserve(postings: number, positionBytes: number, terms: number = 0): void {
    if (postings > this.#lows.length) {
      this.#lows = new Uint16Array(postings);
      this.#codeBytes = this.#codes === undefined ? this.#codeBytes : new Uint8Array(postings);
      this.#residues = this.#positions ? new Uint8Array(postings) : this.#residues;
    }
    if (positionBytes > this.#bytes.length) this.#bytes = new Uint8Array(positionBytes);
    const sixteens = this.#positions ? (postings + 15) >>> 4 : 0;
    if (sixteens > this.#offsets.length) {
      this.#offsets = new Uint32Array(sixteens);
      this.#halves = new Uint8Array(sixteens);
    }
    const blocks = this.#codes === undefined ? 0 : terms + Math.floor(postings / BLOCK_POSTINGS);
    if (blocks > this.#blockMax.length) this.#blockMax = new Uint8Array(blocks);
    if (terms + 2 <= this.#termGroups.length) return;
    this.#termGroups = new Uint32Array(terms + 2);
    this.#termFreqs = new Uint32Array(terms + 2);
    this.#groups = new Uint32Array((terms + 1) * GROUP_WORDS);
  }

  /** Bytes of the arrays that grow with the postings. */
  get byteLength(): number {
    const arrays = [this.#lows, this.#codeBytes, this.#bytes, this.#dense, this.#offsets, this.#residues];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  get termCount(): number {
    return this.#terms;
  }

  get postingCount(): number {
    return this.#postings;
  }

  /** Sum of all frequencies added. */
  get freqSum(): number {
    return this.#freqSum;
  }

  /** Begins the next term. */
  term(): void {
    this.#closeGroup();
    if (this.#terms + 2 > this.#termGroups.length) {
      this.#termGroups = grown32(this.#termGroups, this.#terms + 2);
      this.#termFreqs = grown32(this.#termFreqs, this.#terms + 2);
    }
    if (this.#terms > 0) this.#termFreqs[this.#terms - 1] = this.#freq;
    this.#freq = 0;
    this.#termStart = this.#postings;
    this.#termGroups[this.#terms++] = this.#groupCount;
  }

  /** Drops the current term if it has no postings; true when it did. */
  dropEmptyTerm(): boolean {
    if (this.#postings !== this.#termStart) return false;
    this.#terms--;
    this.#freq = this.#terms > 0 ? this.#termFreqs[this.#terms - 1]! : 0;
    this.#termStart = -1;
    return true;
  }

  /** Adds a document to the term. REQUIRES: doc above the last one; norm is 1 in a field without norms. */
  add(doc: number, tf: number, norm: number): void {
    const chunk = doc >>> 16;
    if (chunk !== this.#chunk) this.#openGroup(chunk);
    const p = this.#postings++;
    if (p >= this.#lows.length) this.#growPostings();
    this.#lows[p] = doc;
    if (this.#codes !== undefined) {
      const code = this.#codes.code(tf, norm);
      this.#codeBytes[p] = code;
      if (((p - this.#groupStart) & (BLOCK_POSTINGS - 1)) === 0) {
        if (this.#blocks >= this.#blockMax.length) this.#blockMax = grown8(this.#blockMax, this.#blocks + 1);
        this.#blockMax[this.#blocks++] = code;
      } else if (code > this.#blockMax[this.#blocks - 1]!) this.#blockMax[this.#blocks - 1] = code;
      if (code > this.#groupMax) this.#groupMax = code;
      if (this.#codes.freqs[(norm << 8) | code] !== tf) this.#addException(p, tf);
      this.#freq += tf;
      this.#freqSum += tf;
    }
    if (!this.#positions) return;
    this.#residues[p] = 0;
    this.#place = 0;
    if ((p & 7) === 0) this.#beginEight(p);
  }

  /** Stores where the positions of a posting begin. */
  #beginEight(posting: number): void {
    const at = posting >>> 4;
    if (at >= this.#offsets.length) {
      this.#offsets = grown32(this.#offsets, at + 1);
      this.#halves = grown8(this.#halves, this.#offsets.length);
    }
    if ((posting & 15) === 0) {
      this.#offsets[at] = this.#byteCount;
      this.#halves[at] = 0;
    } else {
      const half = this.#byteCount - this.#offsets[at]!;
      this.#halves[at] = half < 256 ? half : 0;
    }
  }

  /** One position of the document just added, as the distance from the one before. */
  position(distance: number, last: boolean): void {
    if (this.#byteCount + 5 > this.#bytes.length) this.#bytes = grown8(this.#bytes, this.#byteCount + 5);
    this.#place += distance;
    this.#residues[this.#postings - 1]! |= 1 << (this.#place & 7);
    let v = distance;
    while (v >= 64) {
      this.#bytes[this.#byteCount++] = 0x80 | (v & 0x7f);
      v >>>= 7;
    }
    this.#bytes[this.#byteCount++] = last ? v | 0x40 : v;
  }

  /** All positions of the document just added, already encoded, and their residues. */
  positionsFrom(source: Uint8Array, start: number, end: number, residues: number): void {
    this.#residues[this.#postings - 1] = residues;
    const at = this.#byteCount;
    const n = end - start;
    if (at + n > this.#bytes.length) this.#bytes = grown8(this.#bytes, at + n);
    for (let i = 0; i < n; i++) this.#bytes[at + i] = source[start + i]!;
    this.#byteCount = at + n;
  }

  /** Adds postings that a kernel writes. REQUIRES: codes and positions; every term has postings. */
  addFromKernel(made: KernelPostings): void {
    this.#closeGroup();
    if (this.#terms > 0) this.#termFreqs[this.#terms - 1] = this.#freq;
    const [first, byte, block] = [this.#postings, this.#byteCount, this.#blocks];
    const sixteen = first >>> 4;
    made.offsets[0] = this.#offsets[sixteen] ?? 0;
    made.halves[0] = this.#halves[sixteen] ?? 0;
    const end = made.run(first, byte, block);

    while (end.postings > this.#lows.length) this.#growPostings();
    put(made.lows, end.postings - first, this.#lows, first);
    put(made.codes, end.postings - first, this.#codeBytes, first);
    put(made.residues, end.postings - first, this.#residues, first);
    if (end.bytes > this.#bytes.length) this.#bytes = grown8(this.#bytes, end.bytes);
    put(made.bytes, end.bytes - byte, this.#bytes, byte);
    const sixteens = (end.postings + 15) >>> 4;
    if (sixteens > this.#offsets.length) {
      this.#offsets = grown32(this.#offsets, sixteens);
      this.#halves = grown8(this.#halves, this.#offsets.length);
    }
    put(made.offsets, sixteens - sixteen, this.#offsets, sixteen);
    put(made.halves, sixteens - sixteen, this.#halves, sixteen);
    if (end.blocks > this.#blockMax.length) this.#blockMax = grown8(this.#blockMax, end.blocks);
    put(made.blockMax, end.blocks - block, this.#blockMax, block);
    for (let i = 0; i < end.exceptions; i++)
      this.#addException(made.exceptions[i * 2]!, made.exceptions[i * 2 + 1]!);
    this.#postings = end.postings;
    this.#byteCount = end.bytes;
    this.#blocks = end.blocks;
    this.#addTerms(made);
  }

  #addTerms({ terms, groups, termFreqs }: KernelPostings): void {
    const [term, group] = [this.#terms, this.#groupCount];
    if (term + terms + 1 > this.#termGroups.length) {
      this.#termGroups = grown32(this.#termGroups, term + terms + 1);
      this.#termFreqs = grown32(this.#termFreqs, this.#termGroups.length);
    }
    const words = (group + terms) * GROUP_WORDS;
    if (words > this.#groups.length) this.#groups = grown32(this.#groups, words);
    put(groups, terms * GROUP_WORDS, this.#groups, group * GROUP_WORDS);
    put(termFreqs, terms, this.#termFreqs, term);
    for (let i = 0; i < terms; i++) {
      this.#termGroups[term + i] = group + i;
      this.#freqSum += termFreqs[i]!;
      if (groups[i * GROUP_WORDS + 2]! >>> 24 === 0) continue;
      const end = i + 1 < terms ? groups[(i + 1) * GROUP_WORDS]! : this.#postings;
      this.#groups[(group + i) * GROUP_WORDS + 3] = this.#denseCount;
      this.#putDense(groups[i * GROUP_WORDS]!, end);
    }
    this.#freq = termFreqs[terms - 1]!;
    this.#terms += terms;
    this.#groupCount += terms;
  }

  /** Ends the field: views of the arrays, good until the next `begin`. */
  finish(): { arrays: PostingsArrays; termFreqs: Uint32Array } {
    this.#closeGroup();
    if (this.#terms > 0) this.#termFreqs[this.#terms - 1] = this.#freq;
    this.#termGroups[this.#terms] = this.#groupCount;
    this.#putHead(0);
    const freqs = this.#codes !== undefined;
    const arrays: PostingsArrays = {
      termGroups: this.#termGroups.subarray(0, this.#terms + 1),
      groups: this.#groups.subarray(0, (this.#groupCount + 1) * GROUP_WORDS),
      lows: this.#lows.subarray(0, this.#postings),
      codes: this.#codeBytes.subarray(0, freqs ? this.#postings : 0),
      blockMax: this.#blockMax.subarray(0, this.#blocks),
      exceptions: this.#exceptions.subarray(0, this.#exceptionCount * 2),
      dense: this.#dense.subarray(0, this.#denseCount * DENSE_WORDS),
      positionBytes: this.#bytes.subarray(0, this.#byteCount),
      positionOffsets: this.#offsets.subarray(0, this.#positions ? (this.#postings + 15) >>> 4 : 0),
      positionHalves: this.#halves.subarray(0, this.#positions ? (this.#postings + 15) >>> 4 : 0),
      positionResidues: this.#residues.subarray(0, this.#positions ? this.#postings : 0),
    };
    return { arrays, termFreqs: this.#termFreqs.subarray(0, freqs ? this.#terms : 0) };
  }

  #putHead(chunk: number): void {
    const at = this.#groupCount * GROUP_WORDS;
    if (at + GROUP_WORDS > this.#groups.length) this.#groups = grown32(this.#groups, at + GROUP_WORDS);
    this.#groups[at] = this.#postings;
    this.#groups[at + 1] = this.#blocks;
    this.#groups[at + 2] = chunk;
    this.#groups[at + 3] = 0;
  }

  #openGroup(chunk: number): void {
    this.#closeGroup();
    this.#putHead(chunk);
    this.#chunk = chunk;
    this.#groupStart = this.#postings;
    this.#groupMax = 0;
  }

  #closeGroup(): void {
    if (this.#chunk < 0) return;
    const at = this.#groupCount * GROUP_WORDS;
    const max = this.#codes === undefined ? 255 : this.#groupMax;
    let flags = 0;
    if (this.#postings - this.#groupStart >= DENSE_POSTINGS) {
      flags = 1;
      this.#groups[at + 3] = this.#denseCount;
      this.#putDense(this.#groupStart, this.#postings);
    }
    this.#groups[at + 2] = this.#chunk | (max << 16) | (flags << 24);
    this.#groupCount++;
    this.#chunk = -1;
  }

  #putDense(start: number, end: number): void {
    const at = this.#denseCount++ * DENSE_WORDS;
    if (at + DENSE_WORDS > this.#dense.length) this.#dense = grown32(this.#dense, at + DENSE_WORDS * 4);
    writeDenseGroup(this.#lows, start, end, this.#dense, at);
  }

  #addException(posting: number, tf: number): void {
    const at = this.#exceptionCount++ * 2;
    if (at + 2 > this.#exceptions.length) this.#exceptions = grown32(this.#exceptions, at + 2);
    this.#exceptions[at] = posting;
    this.#exceptions[at + 1] = tf;
  }

  #growPostings(): void {
    const lows = new Uint16Array(this.#lows.length * 2);
    lows.set(this.#lows);
    this.#lows = lows;
    if (this.#codes !== undefined) this.#codeBytes = grown8(this.#codeBytes, lows.length);
    if (this.#positions) this.#residues = grown8(this.#residues, lows.length);
  }
}

/** Finishes a field and adds its sections; with `copy` the writer can be used again. */
export function addPostings(
  sections: SectionWriter,
  field: number,
  writer: PostingsWriter,
  copy: boolean,
): void {
  const { arrays, termFreqs } = writer.finish();
  sections.add(KIND.termGroups, field, arrays.termGroups, copy);
  sections.add(KIND.termFreqs, field, termFreqs, copy);
  sections.add(KIND.groups, field, arrays.groups, copy);
  sections.add(KIND.lows, field, arrays.lows, copy);
  sections.add(KIND.codes, field, arrays.codes, copy);
  sections.add(KIND.blockMax, field, arrays.blockMax, copy);
  sections.add(KIND.exceptions, field, arrays.exceptions, copy);
  sections.add(KIND.dense, field, arrays.dense, copy);
  sections.add(KIND.positionBytes, field, arrays.positionBytes, copy);
  sections.add(KIND.positionOffsets, field, arrays.positionOffsets, copy);
  sections.add(KIND.positionHalves, field, arrays.positionHalves, copy);
  sections.add(KIND.positionResidues, field, arrays.positionResidues, copy);
}
