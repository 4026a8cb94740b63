// Two numbers that publisher and replica share: the last message sent, and the oldest message whose memory
// the replica may still read. They wrap around at 2^32; only their distance counts.

const HEAD = 0;
const SAFE = 1;

/** Both numbers of one replica. */
export class ReplicaControl {
  readonly buffer: SharedArrayBuffer;
  readonly #numbers: Int32Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(8)) {
    this.buffer = buffer;
    this.#numbers = new Int32Array(buffer);
  }

  /** Number of the last message. The message is sent before this number changes. */
  get head(): number {
    return Atomics.load(this.#numbers, HEAD);
  }

  set head(number: number) {
    Atomics.store(this.#numbers, HEAD, number);
  }

  /** The replica reads only memory that this message or a later one shows. */
  get safe(): number {
    return Atomics.load(this.#numbers, SAFE);
  }

  set safe(number: number) {
    Atomics.store(this.#numbers, SAFE, number);
  }
}

/** The number after this one. */
export function nextSequence(number: number): number {
  return (number + 1) | 0;
}

/** Whether message `a` came after message `b`. */
export function isLater(a: number, b: number): boolean {
  return ((a - b) | 0) > 0;
}
