// What is kept when memory runs short? Entries under a byte budget, of which those go that have not been used for a while: each
// gets a second chance when it was used since it was last looked at (Corbató's clock, 1968), so that a hit costs one look-up
// and moves nothing. They are linked by age: the first of a `Map` is found by passing all places of those that have gone.

import { flatText, textBytes } from './flat-text.ts';

/** What an entry takes beside key and value. */
const ENTRY_BYTES = 128;

/** What is kept, for those that come for it again and again. */
export interface Found<V> {
  readonly value: V;
  /** False once it is forgotten. */
  readonly isKept: boolean;
  /** Says that it is needed. */
  used: boolean;
}

class Entry<V> implements Found<V> {
  readonly key: string;
  readonly value: V;
  readonly bytes: number;
  used = false;
  isKept = true;
  older: Entry<V> | undefined;
  newer: Entry<V> | undefined;

  constructor(key: string, value: V, bytes: number) {
    this.key = key;
    this.value = value;
    this.bytes = bytes;
  }
}

/** A cache bounded by bytes. A value larger than the whole budget is not kept. What goes, or was not kept, is told. */
export class ByteBudget<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #limit: number;
  readonly #gone: (value: V) => void;
  #oldest: Entry<V> | undefined;
  #newest: Entry<V> | undefined;
  #used = 0;

  constructor(limitBytes: number, gone: (value: V) => void = () => {}) {
    this.#limit = limitBytes;
    this.#gone = gone;
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
    return this.find(key)?.value;
  }

  /** The same for who asks again: as long as it is kept it need not be looked up. */
  find(key: string): Found<V> | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.used = true;
    return entry;
  }

  /** True where it is there; looking does not count as use. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** `valueBytes`: all that the value takes, on the heap and off it. Key and entry are added to it. */
  set(key: string, value: V, valueBytes: number): void {
    this.delete(key);
    const bytes = valueBytes + textBytes(key) + ENTRY_BYTES;
    if (bytes > this.#limit) {
      this.#gone(value);
      return;
    }
    this.#shrink(this.#limit - bytes);
    const entry = new Entry(flatText(key), value, bytes);
    this.#entries.set(entry.key, entry);
    this.#append(entry);
    this.#used += bytes;
  }

  /** Forgets until so many bytes are within the limit. */
  makeRoom(bytes: number): void {
    this.#shrink(Math.max(0, this.#limit - bytes));
  }

  /** Forgets so many bytes, the least used first. */
  give(bytes: number): void {
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
    entry.isKept = false;
    this.#gone(entry.value);
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
