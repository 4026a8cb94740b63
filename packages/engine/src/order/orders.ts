// The cache of sort keys, orders and rank views, all under one byte budget. What is evicted is built again
// when a search needs it. Large arrays lie in blocks of the engine's memory; readers must have an
// open reading of it (Memory.beginReading).

import { ByteBudget } from '../memory/byte-budget.ts';
import { CachedArrays } from '../memory/cached-arrays.ts';
import type { Memory } from '../memory/memory.ts';
import type { Leaf } from '../segment/leaf.ts';
import { runToEnd } from '../turn.ts';
import { buildOrder, LeafOrder } from './build/build-order.ts';
import { hasLeads, type LeafStack, mergeOrders, type PartialOrder } from './build/leaf-stack.ts';
import type { EntryKeys, Side } from './compare.ts';
import { type NumericKeys, numericKeys, type TermKeys, termKeys } from './keys/sort-keys.ts';
import { sortStrings } from './keys/sort-strings.ts';
import { unrankedKeys } from './keys/unranked-keys.ts';
import { type OrderEntry, type OrderSpec, sortColumn } from './order-spec.ts';
import type { RankView } from './rank/rank-view.ts';
import { deathsSince, makeRanks, type Visible } from './rank/visible.ts';

/** Heap bytes of a cached value beside its large arrays: objects, functions, small arrays. */
const KEYS_HEAP = 512;
const ORDER_HEAP = 320;
const VIEW_HEAP = 256;
/** Default memory for keys, orders and views together. */
export const ORDER_BUDGET_BYTES: number = 256 * 1024 * 1024;

/** Ranks of an order, and the deaths that they have taken into account. */
interface CachedRanks {
  /** Per leaf of the order. */
  readonly deathCounts: readonly number[];
  readonly ranks: RankView;
}

/** The order of several leaves as one. Documents are numbered as in their stack. */
export interface MergedOrder {
  readonly uids: readonly number[];
  readonly order: LeafOrder;
  /** Unique; part of the keys of its ranks. */
  readonly id: number;
}

let lastMerged = 0;
/** The bases of a stack of one leaf. */
const ONE = new Uint32Array(2);

/** A cached value with the blocks that its arrays lie in. */
interface CachedValue {
  readonly value: EntryKeys | LeafOrder | Uint32Array | CachedRanks | MergedOrder;
  readonly held: CachedArrays | undefined;
}

/** The sort keys, orders and ranks of all searches of an engine. */
export class Orders {
  readonly #cache: ByteBudget<CachedValue>;
  readonly #memory: Memory;
  #evictions = 0;

  constructor(memory: Memory, budgetBytes: number = ORDER_BUDGET_BYTES) {
    this.#memory = memory;
    this.#cache = new ByteBudget(budgetBytes, ({ held }) => {
      this.#evictions++;
      held?.release();
    });
    memory.onPressure((bytes) => this.#cache.evict(bytes));
  }

  get usedBytes(): number {
    return this.#cache.usedBytes;
  }

  /** Counts evictions: a value found before may be gone once its reading has ended. */
  get evictions(): number {
    return this.#evictions;
  }

  /** Evicts everything. */
  clear(): void {
    this.#cache.clear();
  }

  /** A leaf with its sort keys, ready to be compared. O(n) where keys are not cached, else O(entries). */
  side(leaf: Leaf, spec: OrderSpec, place: number, indexPlace: number, score = 0): Side {
    const keys = spec.entries.map((e, i) => this.#keys(leaf, e, keysKey(leaf, spec, i)));
    return { leaf, spec, place, indexPlace, score, keys };
  }

  /**
   * A leaf for a scan, in which few documents are compared by more than their first key: terms that are not
   * ranked yet are looked up for those documents. O(n) for numbers that do not lie in their column as they
   * sort, else O(entries).
   */
  scanSide(leaf: Leaf, spec: OrderSpec, place: number, indexPlace: number, score = 0): Side {
    const keys = spec.entries.map((e, i) =>
      e.kind === 'bytes'
        ? ((this.#cache.get(keysKey(leaf, spec, i))?.value as TermKeys | undefined) ?? unrankedKeys(leaf, e))
        : this.#keys(leaf, e, keysKey(leaf, spec, i)),
    );
    return { leaf, spec, place, indexPlace, score, keys };
  }

  /** Makes the keys that `side` needs, in steps of about a millisecond. */
  *prepareKeys(leaf: Leaf, spec: OrderSpec): Generator<void, void, undefined> {
    for (const i of spec.entries.keys()) yield* this.#rankedKeys(leaf, spec, i);
  }

  /**
   * Makes the keys that `scanSide` needs: ranks of the first entry, where a sorted dictionary makes them
   * cheap.
   */
  *prepareScanKeys(leaf: Leaf, spec: OrderSpec): Generator<void, void, undefined> {
    const first = spec.entries[0];
    const column = first?.kind === 'bytes' ? sortColumn(leaf, first) : undefined;
    if (column?.kind === 'ordinal' && column.terms.sorted) yield* this.#rankedKeys(leaf, spec, 0);
  }

  *#rankedKeys(leaf: Leaf, spec: OrderSpec, i: number): Generator<void, void, undefined> {
    const entry = spec.entries[i]!;
    const key = keysKey(leaf, spec, i);
    if (entry.kind === 'bytes' && this.#cache.get(key) === undefined)
      this.#keepKeys(key, yield* termKeys(leaf, entry));
  }

  #keys(leaf: Leaf, entry: OrderEntry, key: string): EntryKeys {
    if (entry.kind !== 'numeric' && entry.kind !== 'bytes') return undefined;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached.value as EntryKeys;
    return this.#keepKeys(
      key,
      entry.kind === 'numeric' ? numericKeys(leaf, entry) : runToEnd(termKeys(leaf, entry)),
    );
  }

  #keepKeys(key: string, made: NumericKeys | TermKeys): NumericKeys | TermKeys {
    const { bytes } = made;
    // Keys without bytes of their own are the column's, in its segment.
    if (bytes === 0) this.#cache.set(key, { value: made, held: undefined }, KEYS_HEAP);
    else if (made.kind === 'numeric') {
      const copy = this.#room(bytes, () => CachedArrays.copy(this.#memory, [made.hi, made.lo] as const));
      if (copy === undefined) return made;
      const [hi, lo] = copy.arrays;
      return this.#keep(key, { kind: 'numeric', hi, lo, bytes }, copy.owner, KEYS_HEAP);
    } else {
      const copy = this.#room(bytes, () => CachedArrays.copy(this.#memory, [made.ranks] as const));
      if (copy === undefined) return made;
      const [ranks] = copy.arrays;
      return this.#keep(key, { ...made, ranks }, copy.owner, KEYS_HEAP + bytes - made.ranks.byteLength);
    }
    return made;
  }

  /**
   * Runs `copy`, where it finds no room a second time after evictions. Undefined when there is no room even
   * then.
   */
  #room<T>(bytes: number, copy: () => T | undefined): T | undefined {
    const first = copy();
    if (first !== undefined) return first;
    this.#cache.evict(bytes);
    return copy();
  }

  /** Caches a value; `heapBytes` is what it takes beside its blocks. */
  #keep<T extends CachedValue['value']>(key: string, value: T, held: CachedArrays, heapBytes: number): T {
    this.#cache.set(key, { value, held }, held.bytes + heapBytes);
    return value;
  }

  /** The order of a leaf, if it is cached. */
  peek(leaf: Leaf, spec: OrderSpec): LeafOrder | undefined {
    return this.#cache.get(orderKey(leaf, spec))?.value as LeafOrder | undefined;
  }

  /** Finds or builds the order of a leaf, in steps of a few milliseconds. */
  *build(side: Side): Generator<void, LeafOrder, undefined> {
    const cached = this.peek(side.leaf, side.spec);
    if (cached !== undefined) return cached;
    const made = yield* buildOrder(side, () => this.#byId(side.leaf));
    const order = this.#room(made.bytes, () => made.copyTo(this.#memory));
    if (order === undefined) return made;
    const heapBytes = ORDER_HEAP + order.laterBytes(hasLeads(side.spec));
    return this.#keep(orderKey(side.leaf, side.spec), order, order.held!, heapBytes);
  }

  *#byId(leaf: Leaf): Generator<void, Uint32Array, undefined> {
    const key = `${leaf.uid}|id`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached.value as Uint32Array;
    const { idBytes, idStarts } = leaf.docs;
    const byId = yield* sortStrings({ bytes: idBytes, starts: idStarts, count: leaf.docCount });
    const copy = this.#room(byId.byteLength, () => CachedArrays.copy(this.#memory, [byId] as const));
    if (copy === undefined) return byId;
    return this.#keep(key, copy.arrays[0], copy.owner, KEYS_HEAP);
  }

  /** The last merged order of an index under a spec, if it is cached. */
  merged(index: string, spec: OrderSpec): MergedOrder | undefined {
    return this.#cache.get(`${index}|m|${spec.key}`)?.value as MergedOrder | undefined;
  }

  /** Merges orders of leaves of one index into one, and caches it. In steps of a few milliseconds. */
  *merge(
    index: string,
    stack: LeafStack,
    stretches: readonly PartialOrder[],
  ): Generator<void, MergedOrder | undefined, undefined> {
    const { spec } = stack.sides[0]!;
    const made = new LeafOrder(yield* mergeOrders(stack, stretches));
    const order = this.#room(made.bytes, () => made.copyTo(this.#memory));
    if (order === undefined) return undefined;
    // Ranks are computed from the inverse next.
    yield* order.invert();
    this.#evictions++;
    const merged: MergedOrder = { uids: stack.sides.map(({ leaf }) => leaf.uid), order, id: ++lastMerged };
    return this.#keep(`${index}|m|${spec.key}`, merged, order.held!, ORDER_HEAP + 8 * merged.uids.length);
  }

  /** The ranks of an order of one leaf. */
  ranks(leaf: Leaf, spec: OrderSpec, order: LeafOrder, v: Visible): Generator<void, RankView, undefined> {
    return this.#ranks(ranksKey(leaf, spec, v.view.docCount, v.filterKey), order, ONE, [v]);
  }

  /** The ranks of a merged order. REQUIRES: views of whole leaves, one filter. */
  mergedRanks(
    merged: MergedOrder,
    stack: LeafStack,
    parts: readonly Visible[],
  ): Generator<void, RankView, undefined> {
    return this.#ranks(`${merged.id}|w|${parts[0]!.filterKey}`, merged.order, stack.bases, parts);
  }

  /**
   * The visible positions of an order. O(matches) at first; afterwards only the deaths since then, each O(log
   * √n). A snapshot older than the cached view gets a view of its own.
   */
  *#ranks(
    key: string,
    order: LeafOrder,
    bases: Uint32Array,
    parts: readonly Visible[],
  ): Generator<void, RankView, undefined> {
    const deathCounts = parts.map(({ view }) => view.deathCount);
    const cacheable = parts.every((v) => v.cacheable);
    const entry = cacheable ? this.#cache.get(key) : undefined;
    if (entry === undefined) {
      const ranks = yield* makeRanks(order, bases, parts);
      return cacheable ? this.#keepRanks(key, deathCounts, ranks) : ranks;
    }
    const cached = entry.value as CachedRanks;
    if (cached.deathCounts.every((n, i) => n === deathCounts[i])) return cached.ranks;
    if (cached.deathCounts.some((n, i) => n > deathCounts[i]!)) return yield* makeRanks(order, bases, parts);
    const ranks = cached.ranks.without(deathsSince(order, bases, parts, cached.deathCounts));
    if (!ranks.shares(cached.ranks)) return this.#keepRanks(key, deathCounts, ranks);
    this.#keep(key, { deathCounts, ranks }, entry.held!.share(), viewHeap(deathCounts, ranks));
    return ranks;
  }

  #keepRanks(key: string, deathCounts: readonly number[], made: RankView): RankView {
    const copy = this.#room(made.bytes, () => made.copyTo(this.#memory));
    if (copy === undefined) return made;
    this.#keep(key, { deathCounts, ranks: copy.view }, copy.held, viewHeap(deathCounts, copy.view));
    return copy.view;
  }
}

function viewHeap(deathCounts: readonly number[], ranks: RankView): number {
  return VIEW_HEAP + 8 * deathCounts.length + ranks.deadBytes;
}

/** Cache key of an order. */
function orderKey({ uid }: Leaf, { key }: OrderSpec): string {
  return `${uid}|o|${key}`;
}

/** Cache key of the sort keys of an entry. */
function keysKey({ uid }: Leaf, { entryKeys }: OrderSpec, i: number): string {
  return `${uid}|k|${entryKeys[i]!}`;
}

/** Cache key of the ranks of a leaf's first documents. */
function ranksKey({ uid }: Leaf, { key }: OrderSpec, docCount: number, filterKey: string): string {
  return `${uid}|v|${key}|${docCount}|${filterKey}`;
}
