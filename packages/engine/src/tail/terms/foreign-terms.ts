// The terms of another thread's table, received as bytes, once each. The numbers that they have in a
// table of this thread are in foreign-term-numbers.ts.

import type { TermList, TermTable } from './term-table.ts';

/** The terms of another table that have arrived so far. */
export class ForeignTerms {
  #bytes = new Uint8Array(0);
  /** One entry more than terms: the last is the end of the bytes. */
  #starts = new Uint32Array(1);
  #count = 0;

  /** Adds the terms that the other table has added since the last list. */
  extend({ first, bytes, starts }: TermList): void {
    const more = starts.length - 1;
    if (first !== this.#count) throw new Error(`terms from ${first} on, where ${this.#count} have arrived`);
    const end = this.#starts[first]!;
    if (end + bytes.length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end + bytes.length, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    if (first + more >= this.#starts.length) this.#enlarge(first + more);
    this.#bytes.set(bytes, end);
    for (let i = 1; i <= more; i++) this.#starts[first + i] = end + starts[i]!;
    this.#count += more;
  }

  /** Terms so far. */
  get count(): number {
    return this.#count;
  }

  /** Interns term `n` in a table and returns its number there. */
  internIn(n: number, table: TermTable): number {
    return table.intern(this.#bytes, this.#starts[n]!, this.#starts[n + 1]!);
  }

  #enlarge(need: number): void {
    const size = Math.max(need, this.#starts.length * 2);
    const starts = new Uint32Array(size + 1);
    starts.set(this.#starts);
    this.#starts = starts;
  }
}
