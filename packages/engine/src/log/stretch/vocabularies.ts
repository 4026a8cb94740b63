// The vocabularies in memory: those used last, each once however many chunks have a copy of it.

import type { Codec, UnitPacking } from './codec.ts';

/** A vocabulary takes about 500 KB, and 700 KB if it packs. */
const MAX_VOCABULARIES = 24;

/** Packings by the CRC of their vocabularies. */
export class Vocabularies {
  readonly #codec: Codec;
  /** In order of use, the last one last. */
  readonly #packings = new Map<number, UnitPacking | undefined>();

  constructor(codec: Codec) {
    this.#codec = codec;
  }

  /**
   * The packing of a vocabulary; `read` gives its bytes if it is not in memory. Undefined if there are none.
   */
  packing(crc: number, read: () => Uint8Array | undefined): UnitPacking | undefined {
    const known = this.#packings.get(crc);
    if (known !== undefined) {
      this.#packings.delete(crc);
      this.#packings.set(crc, known);
      return known;
    }
    const bytes = read();
    const packing = bytes && this.#open(bytes);
    if (packing === undefined) return undefined;
    this.#packings.set(crc, packing);
    if (this.#packings.size > MAX_VOCABULARIES) this.#packings.delete(this.#packings.keys().next().value!);
    return packing;
  }

  #open(bytes: Uint8Array): UnitPacking | undefined {
    try {
      return this.#codec.open(bytes);
    } catch {
      return undefined;
    }
  }
}
