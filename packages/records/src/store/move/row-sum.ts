// What is the hash of a table whose rows change? The sum of the hashes of its rows: a row that comes is added, one that goes is
// taken away, and the order does not matter. It finds faults, not forgers: those are what the chain of the journal is for.

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
