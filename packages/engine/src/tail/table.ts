// What number does a term have? An open-addressing table over bytes: slots of four words (hash, number + 1, page
// address, length); the bytes lie in pages that never move, so a view of a term stays good until the tail goes.

import { hashBytes } from '../kernels/search.ts';
import type { Block, Memory } from '../memory/memory.ts';
import type { SharedTerms } from '../segment/terms.ts';
import { Words } from './growable.ts';

const PAGE_BITS = 16;
const PAGE_BYTES = 1 << PAGE_BITS;
const FIRST_PAGE_BYTES = 1024;
const FIRST_SLOTS = 64;

/** Longest term, as Lucene has it. */
export const MAX_TERM_BYTES = 32_766;

/** Terms of one field of a tail, numbered as they come. */
export class TermTable implements SharedTerms {
  readonly #memory: Memory;
  #slotBlock: Block;
  #slots: Uint32Array;
  #mask: number;
  readonly #pages: Uint8Array[] = [];
  readonly #pageBlocks: Block[] = [];
  #pageUsed = 0;
  #pageBytes = 0;
  /** Address of each term (page << 16 | offset), and its length. */
  readonly #addresses: Words;
  readonly #lengths: Words;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#slotBlock = memory.alloc(FIRST_SLOTS * 16);
    this.#slots = new Uint32Array(this.#slotBlock.buffer, this.#slotBlock.ptr, FIRST_SLOTS * 4).fill(0);
    this.#mask = FIRST_SLOTS - 1;
    this.#addresses = new Words(memory);
    this.#lengths = new Words(memory);
  }

  get count(): number {
    return this.#addresses.length;
  }

  /** Bytes held. */
  get bytes(): number {
    const pages = this.#pageBlocks.reduce((sum, block) => sum + block.bytes, 0);
    return this.#slotBlock.bytes + pages + this.#addresses.bytes + this.#lengths.bytes;
  }

  /** Number of a term, given now if it is new. REQUIRES: at most MAX_TERM_BYTES. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashBytes(bytes, start, end);
    const slot = this.#probe(hash, bytes, start, end);
    const found = this.#slots[slot * 4 + 1]!;
    return found !== 0 ? found - 1 : this.#insert(slot, hash, bytes, start, end);
  }

  find(bytes: Uint8Array, start: number, end: number): number {
    return this.#slots[this.#probe(hashBytes(bytes, start, end), bytes, start, end) * 4 + 1]! - 1;
  }

  term(id: number): Uint8Array {
    const address = this.#addresses.view[id]!;
    const at = address & (PAGE_BYTES - 1);
    return this.#pages[address >>> PAGE_BITS]!.subarray(at, at + this.#lengths.view[id]!);
  }

  length(id: number): number {
    return this.#lengths.view[id]!;
  }

  /** Copies a term's bytes to `target` at `at`; returns its length. */
  copy(id: number, target: Uint8Array, at: number): number {
    const address = this.#addresses.view[id]!;
    const page = this.#pages[address >>> PAGE_BITS]!;
    const from = address & (PAGE_BYTES - 1);
    const length = this.#lengths.view[id]!;
    for (let i = 0; i < length; i++) target[at + i] = page[from + i]!;
    return length;
  }

  /** -1, 0 or 1 as term a sorts before, with or after term b. */
  compare(a: number, b: number): number {
    if (a === b) return 0;
    const x = this.term(a);
    const y = this.term(b);
    const n = Math.min(x.length, y.length);
    for (let i = 0; i < n; i++) if (x[i] !== y[i]) return x[i]! < y[i]! ? -1 : 1;
    return x.length < y.length ? -1 : 1;
  }

  /** The slot of the term, or the empty one where it belongs. */
  #probe(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const slots = this.#slots;
    const length = end - start;
    let slot = hash & this.#mask;
    for (;;) {
      const at = slot * 4;
      if (slots[at + 1] === 0) return slot;
      if (slots[at] === hash && slots[at + 3] === length) {
        const address = slots[at + 2]!;
        const page = this.#pages[address >>> PAGE_BITS]!;
        const from = address & (PAGE_BYTES - 1);
        let i = 0;
        while (i < length && page[from + i] === bytes[start + i]) i++;
        if (i === length) return slot;
      }
      slot = (slot + 1) & this.#mask;
    }
  }

  #insert(slot: number, hash: number, bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    const id = this.#addresses.length;
    const address = this.#store(bytes, start, end);
    this.#addresses.push(address);
    this.#lengths.push(length);
    const slots = this.#slots;
    const at = slot * 4;
    slots[at] = hash;
    slots[at + 2] = address;
    slots[at + 3] = length;
    slots[at + 1] = id + 1;
    if ((id + 1) * 2 > this.#mask) this.#rehash();
    return id;
  }

  #store(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (this.#pages.length === 0 || this.#pageUsed + length > this.#pageBytes) this.#addPage(length);
    const last = this.#pages.length - 1;
    const page = this.#pages[last]!;
    const at = this.#pageUsed;
    for (let i = 0; i < length; i++) page[at + i] = bytes[start + i]!;
    this.#pageUsed = at + length;
    // A term of no bytes may stand at the very end of a page: keep its address inside.
    return (last * PAGE_BYTES + Math.min(at, PAGE_BYTES - 1)) >>> 0;
  }

  /** Pages start small: most fields have few terms. */
  #addPage(need: number): void {
    const size = Math.max(
      need,
      Math.min(PAGE_BYTES, FIRST_PAGE_BYTES * 4 ** Math.min(3, this.#pages.length)),
    );
    const block = this.#memory.alloc(size);
    this.#pageBlocks.push(block);
    this.#pages.push(new Uint8Array(block.buffer, block.ptr, size));
    this.#pageBytes = size;
    this.#pageUsed = 0;
  }

  #rehash(): void {
    const old = this.#slots;
    const oldBlock = this.#slotBlock;
    const size = (this.#mask + 1) * 2;
    this.#slotBlock = this.#memory.alloc(size * 16);
    const slots = new Uint32Array(this.#slotBlock.buffer, this.#slotBlock.ptr, size * 4).fill(0);
    const mask = size - 1;
    for (let from = 0; from < old.length; from += 4) {
      if (old[from + 1] === 0) continue;
      let slot = old[from]! & mask;
      while (slots[slot * 4 + 1] !== 0) slot = (slot + 1) & mask;
      for (let i = 0; i < 4; i++) slots[slot * 4 + i] = old[from + i]!;
    }
    this.#slots = slots;
    this.#mask = mask;
    this.#memory.free(oldBlock);
  }

  /** Gives all blocks back. */
  release(): void {
    this.#memory.free(this.#slotBlock);
    for (const block of this.#pageBlocks) this.#memory.free(block);
    this.#addresses.release();
    this.#lengths.release();
  }
}
