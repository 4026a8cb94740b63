// How far has the lender told, and how far is a reader past using what it was told before? Two numbers that both threads
// see. They wrap around at 2^32: only their distance counts.

const HEAD = 0;
const SAFE = 1;

/** Both numbers of one reader. */
export class ReplicaControl {
  readonly buffer: SharedArrayBuffer;
  readonly #numbers: Int32Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(8)) {
    this.buffer = buffer;
    this.#numbers = new Int32Array(buffer);
  }

  /** Number of the last message that was sent. What it tells of was sent before this is seen. */
  get head(): number {
    return Atomics.load(this.#numbers, HEAD);
  }

  set head(number: number) {
    Atomics.store(this.#numbers, HEAD, number);
  }

  /** The reader uses nothing but what this message and later ones left standing. */
  get safe(): number {
    return Atomics.load(this.#numbers, SAFE);
  }

  set safe(number: number) {
    Atomics.store(this.#numbers, SAFE, number);
  }
}

/** The number of the next message. */
export function nextSequence(number: number): number {
  return (number + 1) | 0;
}

/** True where message `a` came after message `b`. */
export function isLater(a: number, b: number): boolean {
  return ((a - b) | 0) > 0;
}
