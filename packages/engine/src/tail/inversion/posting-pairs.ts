// The (document, position) pairs of a field, term by term, in a memory of their own that the kernel
// `postings` turns into postings, whole slices of terms at a time. Without kernels they lie in an array,
// and `PostingsWriter.add` does the same work. A pair is one word, the document above the position, as
// long as positions are short; otherwise two.
//
//   head | tables of codes | norms | pairs of the field | postings of some terms (the writer copies them)
//
// The head's words are those of kernels/assembly/invert/layout.ts.

import { KernelModule } from '../../kernels/kernel-module.ts';
import { sharedMemory, type WasmFunction, type WasmMemory } from '../../memory/wasm.ts';
import type { KernelPostings, PostingsWriter } from '../../segment/postings/postings-writer.ts';
import type { ScoreCodes } from '../../segment/postings/score-codes.ts';

const PAGE = 65_536;
/** One gigabyte: larger fields are inverted without kernels. */
const PAGES_MAX = 16_384;
const HEAD = 128;
const TABLE = HEAD;
const FREQS: number = TABLE + 65_536;
const LENGTH_PARTS: number = FREQS + 65_536;
const NORMS: number = LENGTH_PARTS + 2_048;
const PAIRS: number = NORMS + 65_536;
/** The kernel handles one chunk. */
const MOST_DOCUMENTS = 65_536;
/** Most bytes of a posting of one pair, and of its term: see `#layOut`. */
const BYTES_EACH = 48;
const MARGIN = 64;
/** Fewer pairs cost less than a kernel call. */
const FEW = 256;
/** A memory that is too small is replaced by one with this margin. */
const MORE = 1.125;

const kernels = new KernelModule('invert');

/** The pairs of one field at a time, and their conversion to postings. */
export class PostingPairs {
  #memory: WasmMemory | undefined;
  #kernels: { readonly narrow: WasmFunction; readonly wide: WasmFunction } | undefined;
  #codes: ScoreCodes | undefined;
  #view: Uint32Array = new Uint32Array(0);
  #array: Uint32Array = new Uint32Array(0);
  #total = 0;
  #words: 1 | 2 = 2;

  /** Bytes held. */
  get byteLength(): number {
    return (this.#memory?.buffer.byteLength ?? 0) + this.#array.byteLength;
  }

  /** The pairs, in `words` words each (of two, the first is the document). Valid until the next `reserve`. */
  get view(): Uint32Array {
    return this.#view;
  }

  /**
   * Makes room for the pairs of a field, dropping the previous ones. At most `most` of them become postings at a time; `last`
   * is the last document. False if the kernel cannot be used: pairs then have two words.
   */
  reserve(total: number, most: number, last: number, words: 1 | 2): boolean {
    this.#total = total;
    this.#words = words;
    const need = PAIRS + total * words * 4 + MARGIN + (most + 16) * BYTES_EACH;
    if (total >= FEW && last < MOST_DOCUMENTS && this.#begin(need)) {
      this.#view = new Uint32Array(this.#memory!.buffer, PAIRS, total * words);
      return true;
    }
    if (this.#array.length < total * 2)
      this.#array = new Uint32Array(Math.max(total * 2, this.#array.length * 2));
    this.#view = this.#array;
    return false;
  }

  /** Passes the norms by document (undefined: all 1) and the codes. REQUIRES: `reserve` returned true. */
  begin(norms: Uint8Array | undefined, codes: ScoreCodes): void {
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
  }

  /**
   * Adds the postings of terms to `writer`: of `order[i]`, for i in [from, to), those of the pairs `starts[order[i]]` to
   * `ends[order[i]]`. REQUIRES: `begin`; at most `most` pairs.
   */
  addTo(
    writer: PostingsWriter,
    order: Uint32Array,
    starts: Uint32Array,
    ends: Uint32Array,
    from: number,
    to: number,
  ): void {
    const out = PAIRS + this.#total * this.#words * 4 + MARGIN;
    const { buffer } = this.#memory!;
    const runs = new Uint32Array(buffer, out, (to - from) * 2);
    let pairs = 0;
    for (let i = from, at = 0; i < to; i++) {
      const start = starts[order[i]!]!;
      const end = ends[order[i]!]!;
      runs[at++] = start;
      runs[at++] = end;
      pairs += end - start;
    }
    const head = new Uint32Array(buffer, 0, HEAD / 4);
    head[0] = PAIRS;
    head[1] = out;
    head[2] = to - from;
    writer.addFromKernel(this.#layOut(head, out + runs.byteLength, pairs, to - from));
  }

  /** Lays out the output arrays of the kernel; the writer runs it once it knows where its own arrays end. */
  #layOut(head: Uint32Array, at: number, pairs: number, terms: number): KernelPostings {
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
        this.#kernels![this.#words === 1 ? 'narrow' : 'wide'](0);
        return { postings: head[7]!, bytes: head[8]!, blocks: head[9]!, exceptions: head[20]! };
      },
    };
  }

  /** Replaces a memory that is too small; false if there is no kernel for so much. */
  #begin(bytes: number): boolean {
    if (bytes <= (this.#memory?.buffer.byteLength ?? 0)) return true;
    if (bytes > PAGES_MAX * PAGE) return false;
    // Not grown: that would also replace the buffers of this thread's arenas (memory/arena.ts).
    const pages = Math.min(Math.ceil((bytes * MORE) / PAGE), PAGES_MAX);
    const memory = sharedMemory(pages, pages);
    const exported = kernels.functionsFor({ memory });
    const [narrow, wide] = [exported?.['narrowPostings'], exported?.['postings']];
    this.#kernels = narrow && wide && { narrow, wide };
    if (this.#kernels === undefined) return false;
    this.#memory = memory;
    this.#codes = undefined;
    return true;
  }
}
