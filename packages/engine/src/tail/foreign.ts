// How do terms come over that another table has numbered? Each is entered here the first time it is met, and known by its
// number from then on: a text of such numbers costs one look-up a word, and no byte of it is read.

import type { TermTable } from './table.ts';

/** Terms by the numbers of a table that lies elsewhere, from a number on: `bytes[starts[i] … starts[i + 1])` is term first + i. */
export interface TermList {
  readonly first: number;
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
}

const FIRST_TERMS = 1024;
const FIRST_BYTES = 8192;

/** The terms of another table as far as they have been told, and the numbers that they have in a table here. */
export class ForeignTerms {
  #bytes = new Uint8Array(FIRST_BYTES);
  /** One more than terms: the last is where the bytes end. */
  #starts = new Uint32Array(FIRST_TERMS + 1);
  #known = new Int32Array(FIRST_TERMS).fill(-1);
  #count = 0;
  #table: TermTable | undefined;

  /** Takes in terms that the other table has given numbers to since it was asked last. */
  extend({ first, bytes, starts }: TermList): void {
    const more = starts.length - 1;
    if (first !== this.#count) throw new Error(`terms from ${first} on, where ${this.#count} are known`);
    const end = this.#starts[first]!;
    if (end + bytes.length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end + bytes.length, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    if (first + more > this.#known.length) this.#enlarge(first + more);
    this.#bytes.set(bytes, end);
    for (let i = 1; i <= more; i++) this.#starts[first + i] = end + starts[i]!;
    this.#count += more;
  }

  /** The number of a term in a table; the last table that was asked for is remembered. */
  number(n: number, table: TermTable): number {
    const known = this.in(table)[n]!;
    return known >= 0 ? known : this.enter(n, table);
  }

  /** Numbers in a table by term, -1 for those that nobody has asked for yet. Valid until more terms are told. */
  in(table: TermTable): Int32Array {
    if (this.#table !== table) {
      this.#known.fill(-1);
      this.#table = table;
    }
    return this.#known;
  }

  /** Gives a term its number. REQUIRES: `in` was asked for this table last. */
  enter(n: number, table: TermTable): number {
    return (this.#known[n] = table.intern(this.#bytes, this.#starts[n]!, this.#starts[n + 1]!));
  }

  #enlarge(need: number): void {
    const size = Math.max(need, this.#known.length * 2);
    const known = new Int32Array(size).fill(-1);
    known.set(this.#known);
    this.#known = known;
    const starts = new Uint32Array(size + 1);
    starts.set(this.#starts);
    this.#starts = starts;
  }
}
