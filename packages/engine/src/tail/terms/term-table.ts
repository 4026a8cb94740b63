// Numbers the terms of a field: an open-addressing hash table over bytes. A slot identifies a term of up
// to eight bytes completely, so most probes touch one cache line. Longer terms are compared in pages
// that never move: a view of a term stays valid as long as the tail.
//
//   head   shared with the twin kernels/assembly/ingest/term-table.ts, which describes it
//   slot   bytes 0-3 | bytes 4-7, of longer terms mixed with a hash of the rest | number + 1 | length

import { ASCII_LOWER } from '../../analysis/words/lower-case.ts';
import type { Block, Memory } from '../../memory/memory.ts';
import type { SharedTerms } from '../../segment/terms.ts';
import { GrowableWords } from './growable.ts';

const PAGE_BITS = 16;
const PAGE_BYTES = 1 << PAGE_BITS;
const FIRST_PAGE_BYTES = 1024;
const FIRST_SLOTS = 64;
/** Bytes of a term that a slot holds. */
const INLINE = 8;

/** Longest term, as Lucene has it. */
export const MAX_TERM_BYTES = 32_766;

/** The second word of a longer term's slot. */
function secondOf(second: number, rest: number): number {
  return Math.imul(second, 0x2c1b3c6d) ^ rest ^ (rest >>> 15);
}

/** Hash of a slot's words, before masking (multiply and shift, after Murmur3's finalizer). */
function spread(first: number, second: number, length: number): number {
  const h = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca77) ^ length;
  const g = Math.imul(h ^ (h >>> 15), 0xc2b2ae35);
  return g ^ (g >>> 14);
}

const HEAD_BYTES = 64;

/**
 * The terms of a table, for another thread to read: enough for `find`, `term`, `length`, `copy` and
 * `compare`.
 */
export interface LentTerms {
  readonly pages: readonly Uint8Array[];
  readonly addresses: Uint32Array;
  readonly lengths: Uint32Array;
  readonly slots: Int32Array;
}

/** Terms of a table from number `first` on: `bytes[starts[i] … starts[i + 1])` is term first + i. */
export interface TermList {
  readonly first: number;
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
}

/** The terms of one field of a tail, numbered in order of arrival. */
export class TermTable implements SharedTerms {
  readonly #memory: Memory;
  readonly #headBlock: Block;
  readonly #head: Uint32Array;
  #slotBlock: Block;
  #slots: Int32Array;
  #mask: number;
  readonly #pages: Uint8Array[] = [];
  readonly #pageBlocks: Block[] = [];
  /** Address of each page in its arena. */
  readonly #pageAddresses: GrowableWords;
  /** The arena of all blocks; -1 when they are scattered over several. */
  #arena: number;
  #pageUsed = 0;
  #pageBytes = 0;
  /** Address of each term (page << 16 | offset), and its length. */
  readonly #addresses: GrowableWords;
  readonly #lengths: GrowableWords;
  /** Scratch for a term whose bytes lie nowhere yet. */
  #scratch = new Uint8Array(256);

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#slotBlock = memory.alloc(FIRST_SLOTS * 16);
    this.#slots = new Int32Array(this.#slotBlock.buffer, this.#slotBlock.ptr, FIRST_SLOTS * 4).fill(0);
    this.#mask = FIRST_SLOTS - 1;
    this.#addresses = new GrowableWords(memory);
    this.#lengths = new GrowableWords(memory);
    this.#pageAddresses = new GrowableWords(memory);
    this.#headBlock = memory.alloc(HEAD_BYTES);
    this.#head = new Uint32Array(this.#headBlock.buffer, this.#headBlock.ptr, HEAD_BYTES / 4);
    this.#arena = this.#headBlock.arena;
    this.#updateHead();
  }

  /**
   * The head of the table for kernels, and its arena; undefined when the table is scattered over several
   * arenas.
   */
  get place(): { readonly arena: number; readonly head: number } | undefined {
    return this.#arena < 0 ? undefined : { arena: this.#arena, head: this.#headBlock.ptr };
  }

  lend(): LentTerms {
    const [addresses, lengths] = [this.#addresses.lend(), this.#lengths.lend()];
    return { pages: this.#pages, addresses, lengths, slots: this.#slots };
  }

  /** Replaces the contents by what another thread has lent. REQUIRES: no additions from then on. */
  borrow({ pages, addresses, lengths, slots }: LentTerms): void {
    this.#pages.splice(0, this.#pages.length, ...pages);
    this.#addresses.borrow(addresses);
    this.#lengths.borrow(lengths);
    this.#slots = slots;
    this.#mask = (slots.length >>> 2) - 1;
  }

  /** Adopts the terms that a kernel has added. */
  sync(): void {
    this.#addresses.length = this.#lengths.length = this.#head[5]!;
    this.#pageUsed = this.#head[8]!;
  }

  get count(): number {
    return this.#addresses.length;
  }

  /** Bytes held. */
  get bytes(): number {
    const pages = this.#pageBlocks.reduce((sum, block) => sum + block.bytes, 0);
    const arrays = this.#addresses.bytes + this.#lengths.bytes + this.#pageAddresses.bytes;
    return this.#headBlock.bytes + this.#slotBlock.bytes + pages + arrays;
  }

  /** The terms from a number on. */
  list(first: number): TermList {
    const more = this.count - first;
    const starts = new Uint32Array(more + 1);
    for (let i = 0; i < more; i++) starts[i + 1] = starts[i]! + this.#lengths.view[first + i]!;
    const bytes = new Uint8Array(starts[more]!);
    for (let i = 0; i < more; i++) this.copy(first + i, bytes, starts[i]!);
    return { first, bytes, starts };
  }

  /** Number of a term, given now if it is new. REQUIRES: at most MAX_TERM_BYTES. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    const first = word(bytes, start, end);
    const second = word(bytes, start + 4, end);
    if (length <= INLINE) return this.internShort(first, second, length);
    return this.#internLong(first, secondOf(second, tailHash(bytes, start, end)), bytes, start, end);
  }

  /** As `intern`, for a term of at most eight bytes, as two little-endian words. */
  internShort(first: number, second: number, length: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    let slot = spread(first, second, length) & mask;
    for (;;) {
      const at = slot << 2;
      const number = slots[at + 2]!;
      if (number === 0) return this.#insertShort(slot, first, second, length);
      if (slots[at] === first && slots[at + 1] === second && slots[at + 3] === length) return number - 1;
      slot = (slot + 1) & mask;
    }
  }

  /** As `intern`, for the lower case of an ASCII term. */
  internLower(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length > this.#scratch.length) this.#scratch = new Uint8Array(length * 2);
    const lower = this.#scratch;
    for (let i = 0; i < length; i++) lower[i] = ASCII_LOWER[bytes[start + i]!]!;
    return this.intern(lower, 0, length);
  }

  /**
   * The number of a term, or -1. The owner may still be filling slots that were lent. A term goes to the first empty slot of
   * its probe sequence, so terms that existed when the slots were lent come before newer ones: a newer one ends the search.
   */
  find(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    const first = word(bytes, start, end);
    const second = word(bytes, start + 4, end);
    const key = length <= INLINE ? second : secondOf(second, tailHash(bytes, start, end));
    const slots = this.#slots;
    const known = this.count;
    let slot = spread(first, key, length) & this.#mask;
    for (;;) {
      const at = slot << 2;
      const number = slots[at + 2]!;
      if (number === 0 || number > known) return -1;
      if (slots[at] === first && slots[at + 1] === key && slots[at + 3] === length)
        if (length <= INLINE || this.#isTerm(number - 1, bytes, start, length)) return number - 1;
      slot = (slot + 1) & this.#mask;
    }
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

  #internLong(first: number, second: number, bytes: Uint8Array, start: number, end: number): number {
    const slot = this.#probe(first, second, bytes, start, end);
    const found = this.#slots[(slot << 2) + 2]!;
    return found !== 0 ? found - 1 : this.#insert(slot, first, second, bytes, start, end);
  }

  #insertShort(slot: number, first: number, second: number, length: number): number {
    const bytes = this.#scratch;
    for (let i = 0; i < length; i++) bytes[i] = (i < 4 ? first : second) >>> (i << 3);
    return this.#insert(slot, first, second, bytes, 0, length);
  }

  /** The slot of the term, or the empty one where it belongs. */
  #probe(first: number, second: number, bytes: Uint8Array, start: number, end: number): number {
    const slots = this.#slots;
    const length = end - start;
    const mask = this.#mask;
    let slot = spread(first, second, length) & mask;
    for (;;) {
      const at = slot << 2;
      const number = slots[at + 2]!;
      if (number === 0) return slot;
      if (slots[at] === first && slots[at + 1] === second && slots[at + 3] === length) {
        if (length <= INLINE || this.#isTerm(number - 1, bytes, start, length)) return slot;
      }
      slot = (slot + 1) & mask;
    }
  }

  /**
   * Whether these bytes are the term of a number. REQUIRES: the first four bytes and the length are the same.
   */
  #isTerm(id: number, bytes: Uint8Array, start: number, length: number): boolean {
    const address = this.#addresses.view[id]!;
    const page = this.#pages[address >>> PAGE_BITS]!;
    const from = address & (PAGE_BYTES - 1);
    let i = 4;
    while (i < length && page[from + i] === bytes[start + i]) i++;
    return i === length;
  }

  #insert(
    slot: number,
    first: number,
    second: number,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): number {
    const length = end - start;
    const id = this.#addresses.length;
    // Memory is allocated first: if it is refused, nothing has changed, and the head is still right for
    // kernels.
    let free = slot;
    if ((id + 1) * 2 > this.#mask) {
      this.#rehash();
      free = this.#probe(first, second, bytes, start, end);
    }
    this.#reserve();
    this.#addresses.push(this.#store(bytes, start, end));
    this.#lengths.push(length);
    const slots = this.#slots;
    const at = free << 2;
    slots[at] = first;
    slots[at + 1] = second;
    slots[at + 3] = length;
    slots[at + 2] = id + 1;
    this.#head[5] = id + 1;
    this.#head[8] = this.#pageUsed;
    return id;
  }

  /** Makes room for one more address and length. */
  #reserve(): void {
    const addresses = this.#addresses;
    const lengths = this.#lengths;
    if (addresses.length < addresses.view.length && lengths.length < lengths.view.length) return;
    try {
      addresses.reserve(1);
      lengths.reserve(1);
    } finally {
      this.#updateHead();
    }
  }

  #store(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (this.#pages.length === 0 || this.#pageUsed + length > this.#pageBytes) this.#addPage(length);
    const last = this.#pages.length - 1;
    const page = this.#pages[last]!;
    const at = this.#pageUsed;
    for (let i = 0; i < length; i++) page[at + i] = bytes[start + i]!;
    this.#pageUsed = at + length;
    // An empty term may lie at the very end of a page: keep its address inside the page.
    return (last * PAGE_BYTES + Math.min(at, PAGE_BYTES - 1)) >>> 0;
  }

  /** Pages start small: most fields have few terms. */
  #addPage(need: number): void {
    const size = Math.max(
      need,
      Math.min(PAGE_BYTES, FIRST_PAGE_BYTES * 4 ** Math.min(3, this.#pages.length)),
    );
    try {
      this.#pageAddresses.reserve(1);
    } finally {
      this.#updateHead();
    }
    const block = this.#memory.alloc(size);
    this.#pageBlocks.push(block);
    this.#pages.push(new Uint8Array(block.buffer, block.ptr, size));
    this.#pageAddresses.push(block.ptr);
    this.#pageBytes = size;
    this.#pageUsed = 0;
    if (block.arena !== this.#arena) this.#arena = -1;
    this.#updateHead();
  }

  /** Updates the head when something has moved. */
  #updateHead(): void {
    const head = this.#head;
    head[0] = this.#slotBlock.ptr;
    head[1] = this.#mask;
    head[2] = this.#addresses.view.byteOffset;
    head[3] = this.#pageAddresses.view.byteOffset;
    head[4] = this.#lengths.view.byteOffset;
    head[5] = this.count;
    head[6] = Math.min(this.#mask >>> 1, this.#addresses.view.length, this.#lengths.view.length);
    head[7] = Math.max(0, this.#pages.length - 1);
    head[8] = this.#pageUsed;
    head[9] = this.#pageBytes;
    for (const { arena } of [this.#slotBlock, this.#addresses, this.#lengths, this.#pageAddresses])
      if (arena >= 0 && arena !== this.#arena) this.#arena = -1;
  }

  #rehash(): void {
    const old = this.#slots;
    const oldBlock = this.#slotBlock;
    const size = (this.#mask + 1) * 2;
    this.#slotBlock = this.#memory.alloc(size * 16);
    const slots = new Int32Array(this.#slotBlock.buffer, this.#slotBlock.ptr, size * 4).fill(0);
    const mask = size - 1;
    for (let from = 0; from < old.length; from += 4) {
      if (old[from + 2] === 0) continue;
      let slot = spread(old[from]!, old[from + 1]!, old[from + 3]!) & mask;
      while (slots[(slot << 2) + 2] !== 0) slot = (slot + 1) & mask;
      for (let i = 0; i < 4; i++) slots[(slot << 2) + i] = old[from + i]!;
    }
    this.#slots = slots;
    this.#mask = mask;
    this.#memory.free(oldBlock);
    this.#updateHead();
  }

  /** Frees all blocks. */
  release(): void {
    this.#memory.free(this.#headBlock);
    this.#memory.free(this.#slotBlock);
    for (const block of this.#pageBlocks) this.#memory.free(block);
    this.#addresses.release();
    this.#lengths.release();
    this.#pageAddresses.release();
  }
}

/** Up to four bytes from `at` on, little-endian, zeros behind the end. */
function word(bytes: Uint8Array, at: number, end: number): number {
  if (at + 4 <= end)
    return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  let w = 0;
  for (let i = at; i < end; i++) w |= bytes[i]! << ((i - at) << 3);
  return w;
}

/**
 * Hash of the bytes behind the first eight: four at a time, zeros behind the end (steps of Murmur3's
 * finalizer).
 */
function tailHash(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let at = start + INLINE; at < end; at += 4) {
    const h = Math.imul(hash ^ word(bytes, at, end), 0x85ebca6b);
    hash = h ^ (h >>> 15);
  }
  return hash;
}
