// What is kept when memory runs short? A map under a byte budget that forgets what was used longest ago.

interface Entry<V> {
  readonly value: V;
  readonly bytes: number;
}

/** A least-recently-used cache bounded by bytes. A value larger than the whole budget is not kept. */
export class ByteBudget<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #limit: number;
  #used = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  get usedBytes(): number {
    return this.#used;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V, bytes: number): void {
    this.delete(key);
    if (bytes > this.#limit) return;
    this.#entries.set(key, { value, bytes });
    this.#used += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#used <= this.#limit) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#used -= entry.bytes;
  }

  clear(): void {
    this.#entries.clear();
    this.#used = 0;
  }
}
