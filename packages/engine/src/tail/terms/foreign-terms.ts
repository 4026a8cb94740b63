// How do terms come over that another table has numbered? As bytes, once each; what numbers they have here is known to the
// field that they are entered in (known.ts).

import type { TermList, TermTable } from './term-table.ts';

const FIRST_TERMS = 1024;
const FIRST_BYTES = 8192;

/** The terms of another table as far as they have been told. */
export class ForeignTerms {
  #bytes = new Uint8Array(FIRST_BYTES);
  /** One more than terms: the last is where the bytes end. */
  #starts = new Uint32Array(FIRST_TERMS + 1);
  #count = 0;

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
    if (first + more >= this.#starts.length) this.#enlarge(first + more);
    this.#bytes.set(bytes, end);
    for (let i = 1; i <= more; i++) this.#starts[first + i] = end + starts[i]!;
    this.#count += more;
  }

  /** How many terms have been told. */
  get count(): number {
    return this.#count;
  }

  /** The number of a term in a table, given now if it is new there. */
  enter(n: number, table: TermTable): number {
    return table.intern(this.#bytes, this.#starts[n]!, this.#starts[n + 1]!);
  }

  #enlarge(need: number): void {
    const size = Math.max(need, this.#starts.length * 2);
    const starts = new Uint32Array(size + 1);
    starts.set(this.#starts);
    this.#starts = starts;
  }
}
