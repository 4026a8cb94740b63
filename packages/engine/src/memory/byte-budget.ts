// A cache under a byte budget with CLOCK eviction (Corbató, 1968): an entry that was used since it was
// last examined gets a second chance, so a hit costs one look-up and moves nothing.
// - `bytes` of an entry count everything it takes: blocks, heap objects, the key and the entry itself.
//   `test/true-bytes.ts` checks them against the heap.
// - Entries are linked by age: finding the first entry of a `Map` would walk over all deleted ones.

import { flatText, textBytes } from './flat-text.ts';

/** Heap bytes of an entry without key and value. */
const ENTRY_BYTES = 128;

class Entry<V> {
  readonly key: string;
  readonly value: V;
  readonly bytes: number;
  /** True if it was used since it was last examined. */
  used = false;
  older: Entry<V> | undefined;
  newer: Entry<V> | undefined;

  constructor(key: string, value: V, bytes: number) {
    this.key = key;
    this.value = value;
    this.bytes = bytes;
  }
}

/**
 * A cache bounded by bytes. A value larger than the whole budget is not kept. `onEvict` gets every value that
 * leaves or was not kept.
 */
export class ByteBudget<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #limit: number;
  readonly #onEvict: (value: V) => void;
  #oldest: Entry<V> | undefined;
  #newest: Entry<V> | undefined;
  #used = 0;

  constructor(limitBytes: number, onEvict: (value: V) => void = () => {}) {
    this.#limit = limitBytes;
    this.#onEvict = onEvict;
  }

  get usedBytes(): number {
    return this.#used;
  }

  get size(): number {
    return this.#entries.size;
  }

  keys(): Iterable<string> {
    return this.#entries.keys();
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.used = true;
    return entry.value;
  }

  /** Whether the key is cached. Does not count as use. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** `valueBytes`: everything the value takes, on the heap and outside. Bytes of key and entry are added. */
  set(key: string, value: V, valueBytes: number): void {
    this.delete(key);
    const bytes = valueBytes + textBytes(key) + ENTRY_BYTES;
    if (bytes > this.#limit) {
      this.#onEvict(value);
      return;
    }
    this.#shrink(this.#limit - bytes);
    const entry = new Entry(flatText(key), value, bytes);
    this.#entries.set(entry.key, entry);
    this.#append(entry);
    this.#used += bytes;
  }

  /** Evicts until so many bytes fit. */
  makeRoom(bytes: number): void {
    this.#shrink(Math.max(0, this.#limit - bytes));
  }

  /** Evicts so many bytes, the least recently used first. */
  evict(bytes: number): void {
    this.#shrink(Math.max(0, this.#used - bytes));
  }

  #shrink(limit: number): void {
    while (this.#used > limit) {
      const entry = this.#oldest!;
      if (!entry.used) this.#remove(entry);
      else {
        entry.used = false;
        this.#unlink(entry);
        this.#append(entry);
      }
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#remove(entry);
  }

  clear(): void {
    for (const entry of [...this.#entries.values()]) this.#remove(entry);
  }

  #remove(entry: Entry<V>): void {
    this.#entries.delete(entry.key);
    this.#unlink(entry);
    this.#used -= entry.bytes;
    this.#onEvict(entry.value);
  }

  #append(entry: Entry<V>): void {
    entry.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  #unlink(entry: Entry<V>): void {
    const { older, newer } = entry;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    entry.older = entry.newer = undefined;
  }
}
