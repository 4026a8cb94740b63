// Which documents did a filter match last time? Whole-leaf bitmaps by leaf and canonical query. They depend neither on
// deaths nor on the snapshot: leaves never change, so an entry is good until it is evicted, the least recently used first.

import { flatText, textBytes } from '../memory/flat-text.ts';
import { Held } from '../memory/held.ts';
import type { Memory } from '../memory/memory.ts';
import type { Plan } from '../query/matcher.ts';
import { CHUNK_DOCS, CHUNK_WORDS, type Leaf } from '../segment/leaf.ts';

/** Bytes that an entry takes besides its blocks and key. */
const ENTRY_BYTES = 112;

interface Entry {
  readonly bits: Uint32Array;
  readonly held: Held;
  readonly bytes: number;
}

/** Bitmaps under a byte budget. */
export class FilterCache {
  readonly #memory: Memory;
  readonly #budget: number;
  /** In the order of their last use, oldest first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;
  #forgotten = 0;

  /** `budget` in bytes; nothing larger than an eighth of it is kept. Whoever uses a bitmap reads under `Memory.enter`. */
  constructor(memory: Memory, budget: number) {
    this.#memory = memory;
    this.#budget = budget;
    memory.onPressure((bytes) => this.#shrink(Math.max(0, this.#bytes - bytes)));
  }

  /** Figures for statistics. */
  get usage(): { bytes: number; entries: number; hits: number; misses: number } {
    return { bytes: this.#bytes, entries: this.#entries.size, hits: this.#hits, misses: this.#misses };
  }

  /** Rises whenever something is forgotten: what was taken out before may be gone, once its reading has ended. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** The bitmap of a plan in a leaf, if it is there. Shared: it must not be changed. */
  peek(plan: Plan, leaf: Leaf): Uint32Array | undefined {
    const key = `${leaf.uid}|${plan.key}`;
    const known = this.#entries.get(key);
    if (known === undefined) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    this.#entries.delete(key);
    this.#entries.set(key, known);
    return known.bits;
  }

  /**
   * Keeps a copy of a bitmap of CHUNK_WORDS words for each chunk, made by a caller that looks at the clock between
   * chunks, if there is room. Returns the bitmap to use.
   */
  keep(plan: Plan, leaf: Leaf, bits: Uint32Array): Uint32Array {
    const key = `${leaf.uid}|${plan.key}`;
    const bytes = Held.bytesFor(bits.byteLength) + textBytes(key) + ENTRY_BYTES;
    if (bytes > this.#budget / 8 || this.#entries.has(key)) return bits;
    this.#shrink(this.#budget - bytes);
    const copy = Held.copy(this.#memory, [bits] as const);
    if (copy === undefined) return bits;
    this.#entries.set(flatText(key), { bits: copy.arrays[0], held: copy.held, bytes });
    this.#bytes += bytes;
    return copy.arrays[0];
  }

  /**
   * The documents of a leaf that a plan matches, dead ones and ones beyond the snapshot included, as CHUNK_WORDS words
   * for each chunk. The result is shared: it must not be changed.
   */
  matchingBits(plan: Plan, leaf: Leaf): Uint32Array {
    const known = this.peek(plan, leaf);
    if (known !== undefined) return known;
    return this.keep(plan, leaf, evaluate(plan, leaf));
  }

  /** Forgets the bitmaps of leaves that are gone. */
  retain(alive: ReadonlySet<number>): void {
    for (const [key, entry] of this.#entries) {
      if (!alive.has(Number(key.slice(0, key.indexOf('|'))))) this.#forget(key, entry);
    }
  }

  clear(): void {
    this.#shrink(0);
  }

  #shrink(limit: number): void {
    for (const [key, entry] of this.#entries) {
      if (this.#bytes <= limit) return;
      this.#forget(key, entry);
    }
  }

  #forget(key: string, entry: Entry): void {
    this.#forgotten++;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
    entry.held.release();
  }
}

/** Runs a plan over all chunks of a leaf. */
export function evaluate(plan: Plan, leaf: Leaf): Uint32Array {
  const chunks = Math.ceil(leaf.docCount / CHUNK_DOCS);
  const bits = new Uint32Array(chunks * CHUNK_WORDS);
  const matcher = plan.matcher(leaf);
  for (let chunk = 0; chunk < chunks; chunk++) {
    matcher.match(chunk, bits.subarray(chunk * CHUNK_WORDS, (chunk + 1) * CHUNK_WORDS));
  }
  return bits;
}
