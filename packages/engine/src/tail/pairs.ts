// Where do the documents and positions of many terms stand before they are postings? In pairs, term by term, in a memory that the
// kernel works over; without kernels in an array, and `GroupWriter.add` does the same work.
//
//   head | tables of codes | norms | pairs of the field | postings of some terms (the writer copies them)
//
// The head's words are those of kernels/assembly/invert/layout.ts.

import { Kernels } from '../kernels/load.ts';
import { sharedMemory, type WasmFunction, type WasmMemory } from '../memory/wasm.ts';
import type { Codes } from '../segment/codes.ts';
import type { GroupWriter, MadePostings } from '../segment/groups.ts';

const PAGE = 65_536;
/** A gigabyte: what needs more is done without kernels. */
const PAGES_MAX = 16_384;
const HEAD = 128;
const TABLE = HEAD;
const FREQS: number = TABLE + 65_536;
const LENGTH_PARTS: number = FREQS + 65_536;
const NORMS: number = LENGTH_PARTS + 2_048;
const PAIRS: number = NORMS + 65_536;
/** The kernel knows one chunk. */
const MOST_DOCUMENTS = 65_536;
/** What a posting of one pair, and its term, may take: see `#layOut`. */
const BYTES_EACH = 48;
const MARGIN = 64;
/** Pairs of fewer words cost less than a call. */
const FEW = 256;
/** A memory that is too small is followed by one that is larger than needed. */
const MORE = 1.125;

const kernels = new Kernels('invert');

/** The pairs of one field at a time, and their way into postings. */
export class Pairs {
  #memory: WasmMemory | undefined;
  #kernel: WasmFunction | undefined;
  #codes: Codes | undefined;
  #view: Uint32Array = new Uint32Array(0);
  #array: Uint32Array = new Uint32Array(0);
  #total = 0;
  #inMemory = false;

  /** Bytes held. */
  get byteLength(): number {
    return (this.#memory?.buffer.byteLength ?? 0) + this.#array.byteLength;
  }

  /** Document and position by turns: pair i at 2i. Valid until the next `room`. */
  get view(): Uint32Array {
    return this.#view;
  }

  /** Makes room for the pairs of a field, of which `most` become postings at once; what was there is gone. */
  room(total: number, most: number): void {
    this.#total = total;
    const need = PAIRS + total * 8 + MARGIN + (most + 16) * BYTES_EACH;
    this.#inMemory = total >= FEW && this.#begin(need);
    if (this.#inMemory) {
      this.#view = new Uint32Array(this.#memory!.buffer, PAIRS, total * 2);
    } else {
      if (this.#array.length < total * 2)
        this.#array = new Uint32Array(Math.max(total * 2, this.#array.length * 2));
      this.#view = this.#array;
    }
  }

  /**
   * Of the pairs that were put there: norms by document, undefined where each is 1, and the last document. False where the
   * kernel cannot be asked.
   */
  begin(norms: Uint8Array | undefined, last: number, codes: Codes): boolean {
    if (!this.#inMemory || last >= MOST_DOCUMENTS) return false;
    const { buffer } = this.#memory!;
    const bytes = Buffer.from(buffer);
    if (this.#codes !== codes) {
      bytes.set(codes.table, TABLE);
      bytes.set(codes.freqs, FREQS);
      new Float64Array(buffer, LENGTH_PARTS, 256).set(codes.lengthParts);
      this.#codes = codes;
    }
    if (norms !== undefined) bytes.set(norms.subarray(0, MOST_DOCUMENTS), NORMS);
    const head = new Uint32Array(buffer, 0, 7);
    head.set([0, 0, 0, norms === undefined ? 0 : NORMS, TABLE, FREQS, LENGTH_PARTS]);
    return true;
  }

  /**
   * Adds the postings of terms to `writer`: those of the pairs from `start` on, of `order[i]` to `ends[order[i]]`, for i in
   * [from, to). REQUIRES: `begin` was true; no more pairs than `room` was told.
   */
  addTo(
    writer: GroupWriter,
    order: Uint32Array,
    ends: Uint32Array,
    from: number,
    to: number,
    start: number,
  ): void {
    const pairs = ends[order[to - 1]!]! - start;
    const out = PAIRS + this.#total * 8 + MARGIN;
    const { buffer } = this.#memory!;
    const termEnds = new Uint32Array(buffer, out, to - from);
    for (let i = from; i < to; i++) termEnds[i - from] = ends[order[i]!]! - start;
    const head = new Uint32Array(buffer, 0, HEAD / 4);
    head[0] = PAIRS + start * 8;
    head[1] = out;
    head[2] = to - from;
    writer.addMade(this.#made(head, out + (to - from) * 4, pairs, to - from));
  }

  /** Where the kernel puts what it makes; it is asked when the writer has said where its own go on. */
  #made(head: Uint32Array, at: number, pairs: number, terms: number): MadePostings {
    const { buffer } = this.#memory!;
    let next = at;
    const take = (bytes: number): number => {
      const place = Math.ceil(next / 8) * 8;
      next = place + bytes;
      return place;
    };
    const sixteens = (pairs >>> 4) + 2;
    const groups = new Uint32Array(buffer, take(terms * 16), terms * 4);
    const termFreqs = new Uint32Array(buffer, take(terms * 4), terms);
    const exceptions = new Uint32Array(buffer, take(pairs * 8), pairs * 2);
    const offsets = new Uint32Array(buffer, take(sixteens * 4), sixteens);
    const lows = new Uint16Array(buffer, take(pairs * 2), pairs);
    const codes = new Uint8Array(buffer, take(pairs), pairs);
    const residues = new Uint8Array(buffer, take(pairs), pairs);
    const halves = new Uint8Array(buffer, take(sixteens), sixteens);
    const blockMax = new Uint8Array(buffer, take(terms + (pairs >>> 7)), terms + (pairs >>> 7));
    const bytes = new Uint8Array(buffer, take(0), pairs * 5 + 1);
    const arrays = { groups, termFreqs, exceptions, offsets, lows, codes, residues, halves, blockMax, bytes };
    const places = [lows, codes, residues, bytes, offsets, halves, blockMax, groups, termFreqs, exceptions];
    head.set(
      places.map(({ byteOffset }) => byteOffset),
      10,
    );
    return {
      ...arrays,
      terms,
      run: (posting, byte, block) => {
        head.set([posting, byte, block], 7);
        this.#kernel!(0);
        return { postings: head[7]!, bytes: head[8]!, blocks: head[9]!, exceptions: head[20]! };
      },
    };
  }

  /** Begins a larger memory where this one is too small; false where there is no kernel for so much. */
  #begin(bytes: number): boolean {
    if (bytes <= (this.#memory?.buffer.byteLength ?? 0)) return true;
    if (bytes > PAGES_MAX * PAGE) return false;
    // A memory that grows would give the arenas of this thread new buffers, too (memory/arena.ts).
    const pages = Math.min(Math.ceil((bytes * MORE) / PAGE), PAGES_MAX);
    const memory = sharedMemory(pages, pages);
    this.#kernel = kernels.over({ memory })?.['postings'];
    if (this.#kernel === undefined) return false;
    this.#memory = memory;
    this.#codes = undefined;
    return true;
  }
}
