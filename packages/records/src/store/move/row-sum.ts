// The hash of a table whose rows change: the sum of the hashes of its rows. An inserted row is added, a
// removed one subtracted, and the order does not matter. It finds faults, not forgeries; the hash chain of
// the journal is for those.

import { hash } from 'node:crypto';

const MASK = (1n << 256n) - 1n;

/** SHA-256 of texts, added up modulo 2^256. */
export class RowSum {
  #sum = 0n;

  add(text: string): void {
    this.#sum = (this.#sum + numberOf(text)) & MASK;
  }

  subtract(text: string): void {
    this.#sum = (this.#sum - numberOf(text)) & MASK;
  }

  equals(other: RowSum): boolean {
    return this.#sum === other.#sum;
  }

  /** 64 digits. */
  hex(): string {
    return this.#sum.toString(16).padStart(64, '0');
  }
}

function numberOf(text: string): bigint {
  return BigInt(`0x${hash('sha256', text, 'hex')}`);
}
