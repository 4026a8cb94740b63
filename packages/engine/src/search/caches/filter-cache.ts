// The cache of filter matches: one bitmap for each leaf and canonical query.
//
// - Key: the leaf and the canonical query.
// - Bound: a byte budget, the least recently used go.
// - Invalidation: none. A bitmap depends neither on deaths nor on the snapshot, and leaves never change.

import { ByteBudget } from '../../memory/byte-budget.ts';
import { CachedArrays } from '../../memory/cached-arrays.ts';
import type { Memory } from '../../memory/memory.ts';
import type { Plan } from '../../query/matcher.ts';
import type { Leaf } from '../../segment/leaf.ts';

/** Heap bytes of an entry beside its blocks. */
const ENTRY_HEAP = 48;

interface Entry {
  readonly bits: Uint32Array;
  readonly held: CachedArrays;
}

/** Bitmaps under a byte budget. */
export class FilterCache {
  readonly #memory: Memory;
  readonly #largest: number;
  readonly #cache: ByteBudget<Entry>;
  #hits = 0;
  #misses = 0;
  #evictions = 0;

  /**
   * `budget` in bytes; a bitmap larger than an eighth of it is not kept. Readers must have an open reading
   * of the memory (Memory.beginReading).
   */
  constructor(memory: Memory, budget: number) {
    this.#memory = memory;
    this.#largest = budget / 8;
    this.#cache = new ByteBudget(budget, ({ held }) => {
      this.#evictions++;
      held.release();
    });
    memory.onPressure((bytes) => this.#cache.evict(bytes));
  }

  /** Figures for statistics. */
  get usage(): { bytes: number; entries: number; hits: number; misses: number } {
    const { usedBytes: bytes, size: entries } = this.#cache;
    return { bytes, entries, hits: this.#hits, misses: this.#misses };
  }

  /** Counts evictions: bitmaps found before may be gone once their reading has ended. */
  get evictions(): number {
    return this.#evictions;
  }

  /** The bitmap of a plan in a leaf, if it is cached. Shared: it must not be changed. */
  peek(plan: Plan, leaf: Leaf): Uint32Array | undefined {
    const known = this.#cache.get(keyOf(plan, leaf));
    if (known === undefined) this.#misses++;
    else this.#hits++;
    return known?.bits;
  }

  /**
   * Keeps a copy of a bitmap of CHUNK_WORDS words for each chunk, if there is room. The caller has filled it,
   * with a look at the clock between chunks. Returns the bitmap to use.
   */
  set(plan: Plan, leaf: Leaf, bits: Uint32Array): Uint32Array {
    const key = keyOf(plan, leaf);
    const bytes = CachedArrays.bytesFor(bits.byteLength) + ENTRY_HEAP;
    if (bytes > this.#largest || this.#cache.has(key)) return bits;
    // Evicts before it copies, so that the copy finds the room that older bitmaps leave.
    this.#cache.makeRoom(bytes);
    const copy = CachedArrays.copy(this.#memory, [bits] as const);
    if (copy === undefined) return bits;
    this.#cache.set(key, { bits: copy.arrays[0], held: copy.owner }, bytes);
    return copy.arrays[0];
  }

  clear(): void {
    this.#cache.clear();
  }
}

function keyOf(plan: Plan, leaf: Leaf): string {
  return `${leaf.uid}|${plan.key}`;
}
