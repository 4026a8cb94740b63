// Which documents did a filter match last time? Whole-leaf bitmaps by leaf and canonical query. They depend neither on
// deaths nor on the snapshot: leaves never change, so an entry is good until it is evicted.

import { ByteBudget } from '../memory/byte-budget.ts';
import { CachedArrays } from '../memory/cached-arrays.ts';
import type { Memory } from '../memory/memory.ts';
import type { Plan } from '../query/matcher.ts';
import { CHUNK_DOCS, CHUNK_WORDS, type Leaf } from '../segment/leaf.ts';

/** What an entry takes on the heap beside its blocks. */
const ENTRY_HEAP = 48;

interface Entry {
  readonly bits: Uint32Array;
  readonly held: CachedArrays;
}

/** Bitmaps under a byte budget. */
export class FilterCache {
  readonly #memory: Memory;
  readonly #largest: number;
  readonly #kept: ByteBudget<Entry>;
  #hits = 0;
  #misses = 0;
  #forgotten = 0;

  /** `budget` in bytes; nothing larger than an eighth of it is kept. Whoever uses a bitmap reads under `Memory.enter`. */
  constructor(memory: Memory, budget: number) {
    this.#memory = memory;
    this.#largest = budget / 8;
    this.#kept = new ByteBudget(budget, ({ held }) => {
      this.#forgotten++;
      held.release();
    });
    memory.onPressure((bytes) => this.#kept.evict(bytes));
  }

  /** Figures for statistics. */
  get usage(): { bytes: number; entries: number; hits: number; misses: number } {
    const { usedBytes: bytes, size: entries } = this.#kept;
    return { bytes, entries, hits: this.#hits, misses: this.#misses };
  }

  /** Rises whenever something is forgotten: what was taken out before may be gone, once its reading has ended. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** The bitmap of a plan in a leaf, if it is there. Shared: it must not be changed. */
  peek(plan: Plan, leaf: Leaf): Uint32Array | undefined {
    const known = this.#kept.get(keyOf(plan, leaf));
    if (known === undefined) this.#misses++;
    else this.#hits++;
    return known?.bits;
  }

  /**
   * Keeps a copy of a bitmap of CHUNK_WORDS words for each chunk, made by a caller that looks at the clock between
   * chunks, if there is room. Returns the bitmap to use.
   */
  keep(plan: Plan, leaf: Leaf, bits: Uint32Array): Uint32Array {
    const key = keyOf(plan, leaf);
    const bytes = CachedArrays.bytesFor(bits.byteLength) + ENTRY_HEAP;
    if (bytes > this.#largest || this.#kept.has(key)) return bits;
    // Older ones go first: what they leave is room for it.
    this.#kept.makeRoom(bytes);
    const copy = CachedArrays.copy(this.#memory, [bits] as const);
    if (copy === undefined) return bits;
    this.#kept.set(key, { bits: copy.arrays[0], held: copy.owner }, bytes);
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
    for (const key of [...this.#kept.keys()])
      if (!alive.has(Number(key.slice(0, key.indexOf('|'))))) this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
  }
}

function keyOf(plan: Plan, leaf: Leaf): string {
  return `${leaf.uid}|${plan.key}`;
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
