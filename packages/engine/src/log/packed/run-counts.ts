// Counts runs of bytes in a sample. An open-addressing table over positions in the sample: nothing is copied.

import { hashKey, highKey, lowKey } from './word-dictionary.ts';

const FIRST_SLOTS = 1 << 14;
/**
 * A run that finds no slot within so many probes is not counted: adversarial input cannot make counting slow.
 */
const PROBES = 32;

/** Counts of runs of at most WORD_MAX bytes, numbered as they come. */
export class RunCounts {
  readonly #bytes: Uint8Array;
  #slots = new Int32Array(FIRST_SLOTS);
  #hashes = new Int32Array(FIRST_SLOTS);
  /** First position, length and count of each run. */
  places: Uint32Array = new Uint32Array(FIRST_SLOTS);
  lengths: Uint8Array = new Uint8Array(FIRST_SLOTS);
  counts: Uint32Array = new Uint32Array(FIRST_SLOTS);
  size = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Counts a run; returns its number, or -1 if it found no slot. */
  add(at: number, length: number): number {
    const hash = hashKey(lowKey(this.#bytes, at, length), highKey(this.#bytes, at, length));
    const mask = this.#slots.length - 1;
    for (let probes = 0, slot = hash & mask; probes < PROBES; probes++, slot = (slot + 1) & mask) {
      const number = this.#slots[slot]! - 1;
      if (number < 0) return this.#insert(slot, hash, at, length);
      if (this.#hashes[number] !== hash || this.lengths[number] !== length) continue;
      if (!this.#isSame(this.places[number]!, at, length)) continue;
      this.counts[number]!++;
      return number;
    }
    return -1;
  }

  /** Number of a run, or -1. */
  find(at: number, length: number): number {
    const hash = hashKey(lowKey(this.#bytes, at, length), highKey(this.#bytes, at, length));
    const mask = this.#slots.length - 1;
    for (let probes = 0, slot = hash & mask; probes < PROBES; probes++, slot = (slot + 1) & mask) {
      const number = this.#slots[slot]! - 1;
      if (number < 0) return -1;
      if (this.#hashes[number] !== hash || this.lengths[number] !== length) continue;
      if (this.#isSame(this.places[number]!, at, length)) return number;
    }
    return -1;
  }

  #isSame(a: number, b: number, length: number): boolean {
    let i = 0;
    while (i < length && this.#bytes[a + i] === this.#bytes[b + i]) i++;
    return i === length;
  }

  #insert(slot: number, hash: number, at: number, length: number): number {
    const number = this.size++;
    this.#slots[slot] = number + 1;
    this.#hashes[number] = hash;
    this.places[number] = at;
    this.lengths[number] = length;
    this.counts[number] = 1;
    if (this.size * 2 >= this.#slots.length) this.#grow();
    return number;
  }

  #grow(): void {
    const room = this.#slots.length * 2;
    const slots = new Int32Array(room);
    const wider = <T extends Int32Array | Uint32Array | Uint8Array>(old: T, made: T): T => {
      made.set(old);
      return made;
    };
    this.#hashes = wider(this.#hashes, new Int32Array(room));
    this.places = wider(this.places, new Uint32Array(room));
    this.lengths = wider(this.lengths, new Uint8Array(room));
    this.counts = wider(this.counts, new Uint32Array(room));
    for (let number = 0; number < this.size; number++) {
      let slot = this.#hashes[number]! & (room - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (room - 1);
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}
