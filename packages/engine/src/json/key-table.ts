// Interns object keys: every distinct key gets a small number once. Duplicate keys are found by
// comparing numbers, and a mapping finds its field without making a string per document.

import { utf8Text } from './bytes.ts';

/** Objects with more keys than this look duplicates up in a set. */
export const FEW_KEYS = 16;

/** Beyond this many keys the table starts anew with the next document. */
const MAX_KEYS = 16_384;

/** An interning table of byte strings: open addressing over FNV-1a, never shrinking within a document. */
export class KeyTable {
  #slots = new Int32Array(256).fill(-1);
  #hashes = new Int32Array(128);
  #starts = new Int32Array(129);
  #pool = new Uint8Array(2048);
  #texts: string[] = [];

  /** Number of a key: the same for the same bytes until `begin` forgets a flood of keys. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    let hash = 0x811c9dc5 | 0;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 16777619);
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let id = this.#slots[slot]!; id >= 0; id = this.#slots[slot]!) {
      if (this.#hashes[id] === hash && this.#equals(id, bytes, start, end)) return id;
      slot = (slot + 1) & mask;
    }
    return this.#add(hash, slot, bytes, start, end);
  }

  /** The key as text. */
  text(id: number): string {
    return this.#texts[id]!;
  }

  /** Call between documents. Forgets all keys when there are too many; true when it did. */
  begin(): boolean {
    if (this.#texts.length < MAX_KEYS) return false;
    this.#slots = new Int32Array(256).fill(-1);
    this.#hashes = new Int32Array(128);
    this.#starts = new Int32Array(129);
    this.#pool = new Uint8Array(2048);
    this.#texts = [];
    return true;
  }

  #equals(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#starts[id]!;
    if (this.#starts[id + 1]! - from !== end - start) return false;
    const pool = this.#pool;
    for (let i = start, j = from; i < end; i++, j++) if (pool[j] !== bytes[i]) return false;
    return true;
  }

  #add(hash: number, slot: number, bytes: Uint8Array, start: number, end: number): number {
    const id = this.#texts.length;
    const from = this.#starts[id]!;
    const to = from + end - start;
    if (to > this.#pool.length) {
      const grown = new Uint8Array(Math.max(to, this.#pool.length * 2));
      grown.set(this.#pool);
      this.#pool = grown;
    }
    for (let i = start, j = from; i < end; i++, j++) this.#pool[j] = bytes[i]!;
    this.#texts.push(utf8Text(bytes, start, end));
    this.#hashes[id] = hash;
    this.#starts[id + 1] = to;
    this.#slots[slot] = id;
    if (id + 1 === this.#hashes.length) this.#grow();
    return id;
  }

  #grow(): void {
    const count = this.#texts.length;
    const hashes = new Int32Array(count * 2);
    hashes.set(this.#hashes);
    const starts = new Int32Array(count * 2 + 1);
    starts.set(this.#starts);
    const slots = new Int32Array(count * 4).fill(-1);
    const mask = slots.length - 1;
    for (let id = 0; id < count; id++) {
      let slot = (hashes[id]! ^ (hashes[id]! >>> 15)) & mask;
      while (slots[slot]! >= 0) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.#hashes = hashes;
    this.#starts = starts;
    this.#slots = slots;
  }
}
