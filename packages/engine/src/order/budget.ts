// What is kept when memory runs short? A map under a byte budget that forgets what has not been used for a while: each
// entry gets a second chance when it was used since it was last looked at (Corbató's clock, 1968), so that a hit costs
// one look-up and moves nothing.

import { flatText, textBytes } from '../memory/flat-text.ts';

/** What an entry takes beside key and value. */
const ENTRY_BYTES = 112;

interface Entry<V> {
  readonly value: V;
  readonly bytes: number;
  used: boolean;
}

/** A cache bounded by bytes. A value larger than the whole budget is not kept. What goes, or was not kept, is told. */
export class ByteBudget<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #limit: number;
  readonly #gone: (value: V) => void;
  #used = 0;

  constructor(limitBytes: number, gone: (value: V) => void = () => {}) {
    this.#limit = limitBytes;
    this.#gone = gone;
  }

  get usedBytes(): number {
    return this.#used;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.used = true;
    return entry.value;
  }

  /** `valueBytes`: all that the value takes, on the heap and off it. Key and entry are added to it. */
  set(key: string, value: V, valueBytes: number): void {
    this.delete(key);
    const bytes = valueBytes + textBytes(key) + ENTRY_BYTES;
    if (bytes > this.#limit) {
      this.#gone(value);
      return;
    }
    const flat = flatText(key);
    this.#entries.set(flat, { value, bytes, used: false });
    this.#used += bytes;
    this.#shrink(this.#limit, flat);
  }

  /** Forgets so many bytes, the least used first. */
  give(bytes: number): void {
    this.#shrink(Math.max(0, this.#used - bytes), undefined);
  }

  #shrink(limit: number, spared: string | undefined): void {
    for (const [oldest, entry] of this.#entries) {
      if (this.#used <= limit) break;
      if (!entry.used || oldest === spared) {
        if (oldest !== spared) this.delete(oldest);
        continue;
      }
      // Seen again at the end of the walk, as maps visit what is added meanwhile.
      entry.used = false;
      this.#entries.delete(oldest);
      this.#entries.set(oldest, entry);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#used -= entry.bytes;
    this.#gone(entry.value);
  }

  clear(): void {
    for (const key of [...this.#entries.keys()]) this.delete(key);
  }
}
