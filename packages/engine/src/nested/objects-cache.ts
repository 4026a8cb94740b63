// The cache of nested objects by leaf.
//
// - Key: a leaf. Leaves never change, and objects are what the leaf's documents were when it was indexed.
// - Bound: bytes of the leaves of objects; those used least recently go and are made again when asked for.
// - Invalidation: none.
// - Benefit: making them maps every document that has objects once more, about what indexing it costs.

import type { Mapping } from '../mapping/types/type.ts';
import { createMemory } from '../memory/arenas.ts';
import { ByteBudget } from '../memory/byte-budget.ts';
import type { Memory } from '../memory/memory.ts';
import type { SortColumn } from '../order/order-spec.ts';
import type { Leaf } from '../segment/leaf.ts';
import { buildObjects, type ReadSource } from './build-objects.ts';
import type { LeafObjects } from './nested-objects.ts';

/** Indices remembered. */
const MOST_INDICES = 1_000;

/** The nested objects of leaves. */
export class ObjectsCache {
  readonly #made: ByteBudget<LeafObjects>;
  /** Values gathered for sorts; undefined where there are none. */
  readonly #columns: ByteBudget<{ readonly column: SortColumn | undefined }>;
  /** What is being made: whoever wants it takes the next step. */
  readonly #builds = new WeakMap<Leaf, Generator<void, LeafObjects, undefined>>();
  #memory: Memory | undefined;
  /** Indices whose objects were asked for. */
  readonly #used = new Set<string>();

  /** `budget` in bytes. */
  constructor(budget: number) {
    this.#made = new ByteBudget(budget);
    this.#columns = new ByteBudget(budget / 8);
  }

  /** An index was searched for its objects: those of new leaves are made before searches see them. */
  noteUse(index: string): void {
    if (this.#used.size >= MOST_INDICES) this.#used.clear();
    this.#used.add(index);
  }

  isUsed(index: string): boolean {
    return this.#used.has(index);
  }

  /** The values that `make` gathers under a key, which names a leaf. */
  *column(
    key: string,
    make: () => Generator<void, SortColumn | undefined, undefined>,
  ): Generator<void, SortColumn | undefined, undefined> {
    const known = this.#columns.get(key);
    if (known !== undefined) return known.column;
    const column = yield* make();
    this.#columns.set(key, { column }, bytesOf(column));
    return column;
  }

  /** The objects of a leaf. Several searches share the work. REQUIRES: the leaf stays open meanwhile. */
  *of(leaf: Leaf, mapping: Mapping, readSource: ReadSource): Generator<void, LeafObjects, undefined> {
    const key = String(leaf.uid);
    for (;;) {
      const made = this.#made.get(key);
      if (made !== undefined) return made;
      this.#memory ??= createMemory({ stepBytes: 1 << 20, arenaBytes: 64 << 20 });
      let build = this.#builds.get(leaf);
      if (build === undefined)
        this.#builds.set(leaf, (build = buildObjects(leaf, mapping, readSource, this.#memory)));
      try {
        const step = build.next();
        if (step.done === true) {
          this.#made.set(key, step.value, step.value.bytes);
          this.#builds.delete(leaf);
          return step.value;
        }
      } catch (error) {
        this.#builds.delete(leaf);
        throw error;
      }
      yield;
    }
  }
}

/** About the bytes of a column, its terms among them. */
function bytesOf(column: SortColumn | undefined): number {
  if (column === undefined) return 0;
  const shared = column.present.byteLength + (column.starts?.byteLength ?? 0);
  if (column.kind === 'numeric') return shared + 2 * column.hi.byteLength;
  return shared + column.ordinals.byteLength + 64 * column.terms.count;
}
