// Translates the term numbers of another thread's table to the numbers here. A term is interned the
// first time it is met; from then on its number is known.

import type { Memory } from '../../memory/memory.ts';
import type { ForeignTerms } from './foreign-terms.ts';
import { GrowableWords } from './growable.ts';
import type { TermTable } from './term-table.ts';

/** The translation of one field. */
export class ForeignTermNumbers {
  readonly #table: TermTable;
  /** By number there: the number here + 1, or 0 if unknown. */
  readonly #known: GrowableWords;
  #terms: ForeignTerms | undefined;

  constructor(memory: Memory, table: TermTable) {
    this.#table = table;
    this.#known = new GrowableWords(memory);
  }

  /** The number here of term `n` there. */
  number(n: number, terms: ForeignTerms): number {
    this.#use(terms);
    return this.#number(n, terms);
  }

  /** Appends the numbers here of words [from, to) to `tokens`. */
  append(words: Uint32Array, from: number, to: number, terms: ForeignTerms, tokens: GrowableWords): void {
    this.#use(terms);
    tokens.reserve(to - from);
    const { view } = tokens;
    let at = tokens.length;
    for (let i = from; i < to; i++) view[at++] = this.#number(words[i]!, terms);
    tokens.length = at;
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
}
