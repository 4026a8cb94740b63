// Translates the term numbers of another thread's table to the numbers here. A term is interned the
// first time it is met; from then on its number is known. A text of numbers is copied, and a kernel
// replaces them in place, up to the first unknown term.

import { KernelModule } from '../../kernels/kernel-module.ts';
import { arenaOf } from '../../memory/arena.ts';
import { copyWords } from '../../memory/copy.ts';
import type { Memory } from '../../memory/memory.ts';
import type { WasmFunction } from '../../memory/wasm.ts';
import type { ForeignTerms } from './foreign-terms.ts';
import { type GrowableBytes, GrowableWords } from './growable.ts';
import type { TermTable } from './term-table.ts';

const kernels = new KernelModule('ingest');

/** Texts of fewer words are translated here: a kernel call costs more. */
const FEW = 16;

/** The translation of one field. */
export class ForeignTermNumbers {
  readonly #table: TermTable;
  /** By number there: the number here + 1, or 0 if unknown. */
  readonly #known: GrowableWords;
  #terms: ForeignTerms | undefined;
  #translate: WasmFunction | undefined;
  #arena = -1;

  constructor(memory: Memory, table: TermTable) {
    this.#table = table;
    this.#known = new GrowableWords(memory);
  }

  /** The number here of term `n` there. */
  number(n: number, terms: ForeignTerms): number {
    this.#use(terms);
    return this.#number(n, terms);
  }

  /**
   * Appends the numbers here of words [from, to) to `tokens`. With `distances`, fills as many bytes behind its end with 1,
   * without counting them; true if it did, false if the caller must.
   */
  append(
    words: Uint32Array,
    from: number,
    to: number,
    terms: ForeignTerms,
    tokens: GrowableWords,
    distances: GrowableBytes | undefined,
  ): boolean {
    this.#use(terms);
    const count = to - from;
    tokens.reserve(count);
    distances?.reserve(count);
    const { view } = tokens;
    const first = tokens.length;
    const translate = count < FEW ? undefined : this.#kernelFor(tokens, distances);
    if (translate === undefined) {
      for (let i = from, at = first; i < to; i++, at++) view[at] = this.#number(words[i]!, terms);
      tokens.length = first + count;
      return false;
    }
    copyWords(words, from, to, view, first);
    const known = this.#known.view.byteOffset;
    const base = view.byteOffset;
    let ones = distances === undefined ? 0 : distances.view.byteOffset + distances.length;
    for (let at = first; ; at++) {
      at += translate(known, base + at * 4, first + count - at, ones);
      if (at === first + count) break;
      view[at] = this.#number(view[at]!, terms);
      ones = 0;
    }
    tokens.length = first + count;
    return distances !== undefined;
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#known.bytes;
  }

  release(): void {
    this.#known.release();
    this.#known.view = new Uint32Array(0);
    this.#known.length = 0;
    this.#terms = undefined;
    this.#arena = -1;
  }

  #number(n: number, terms: ForeignTerms): number {
    const known = this.#known.view;
    const number = known[n]!;
    if (number !== 0) return number - 1;
    const entered = terms.internIn(n, this.#table);
    known[n] = entered + 1;
    return entered;
  }

  /** Switches to the terms of a table, and makes room for all that have arrived. */
  #use(terms: ForeignTerms): void {
    const known = this.#known;
    if (this.#terms === terms && known.length >= terms.count) return;
    if (this.#terms !== terms) known.length = 0;
    this.#terms = terms;
    const { length } = known;
    known.reserve(terms.count - length);
    known.view.fill(0, length, terms.count);
    known.length = terms.count;
  }

  /** The kernel, if all arrays lie in one arena. */
  #kernelFor(tokens: GrowableWords, distances: GrowableBytes | undefined): WasmFunction | undefined {
    const { arena } = tokens;
    if (this.#known.arena !== arena || (distances !== undefined && distances.arena !== arena))
      return undefined;
    if (this.#arena !== arena) {
      const over = arenaOf(tokens.view.buffer);
      this.#translate = over && kernels.functionsFor(over)?.['translateNumbers'];
      this.#arena = arena;
    }
    return this.#translate;
  }
}
