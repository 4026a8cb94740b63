// Which orders exist already, and what is visible in them? The one keeper of sort keys, orders and rank views, all
// under one byte budget: whatever is not asked for any more is forgotten and built again when it is.

import { ByteBudget } from '../memory/byte-budget.ts';
import { CachedArrays } from '../memory/cached-arrays.ts';
import type { Memory } from '../memory/memory.ts';
import type { Leaf } from '../segment/leaf.ts';
import { buildOrder, Order } from './build/build-order.ts';
import { hasLeads, mergeOrders, type Stack, type Stretch } from './build/leaf-stack.ts';
import { drain, type NumericKeys, numericKeys, type TermKeys, termKeys } from './build/sort-keys.ts';
import { sortStrings } from './build/sort-strings.ts';
import type { EntryKeys, Side } from './compare.ts';
import type { RankView } from './rank/rank.ts';
import { deathsSince, makeRanks, type Visible } from './rank/visible.ts';
import type { OrderEntry, OrderSpec } from './spec.ts';
import { unrankedKeys } from './unordered/unranked.ts';

/** What is kept takes this on the heap, beside arrays and their blocks: objects, functions, small arrays. */
const KEYS_HEAP = 512;
const ORDER_HEAP = 320;
const VIEW_HEAP = 256;
/** Default memory for keys, orders and views together. */
export const ORDER_BUDGET_BYTES: number = 256 * 1024 * 1024;

/** Ranks with what they are of. */
export interface KeptView {
  /** Of each leaf. */
  readonly deathCounts: readonly number[];
  readonly ranks: RankView;
}

/** The order of several leaves as one: documents are those of their stack. */
export interface Merged {
  readonly uids: readonly number[];
  readonly order: Order;
  /** Unique, for what is kept about it. */
  readonly id: number;
}

let lastMerged = 0;
/** The bases of a stack of one leaf. */
const ONE = new Uint32Array(2);

/** A value with the blocks that its arrays lie in. */
export interface Kept {
  readonly value: EntryKeys | Order | Uint32Array | KeptView | Merged;
  readonly held: CachedArrays | undefined;
}

/**
 * Keeps what sorting needs, for all searches of an engine. Arrays lie in blocks that are freed when they are forgotten;
 * whoever uses them reads under `Memory.enter`.
 */
export class Orders {
  readonly #kept: ByteBudget<Kept>;
  readonly #memory: Memory;
  #forgotten = 0;

  constructor(memory: Memory, budgetBytes: number = ORDER_BUDGET_BYTES) {
    this.#memory = memory;
    this.#kept = new ByteBudget(budgetBytes, ({ held }) => {
      this.#forgotten++;
      held?.release();
    });
    memory.onPressure((bytes) => this.#kept.evict(bytes));
  }

  get usedBytes(): number {
    return this.#kept.usedBytes;
  }

  /** Rises whenever something is forgotten: what was taken out before may be gone, once its reading has ended. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** Forgets everything. */
  clear(): void {
    this.#kept.clear();
  }

  /** A leaf with its sort keys, ready to be compared. O(n) where keys are not kept, else O(entries). */
  side(leaf: Leaf, spec: OrderSpec, place: number, indexPlace: number, score = 0): Side {
    const keys = spec.entries.map(
      (e, i) => this.#unranked(leaf, spec, i) ?? this.#keys(leaf, e, keysKey(leaf, spec, i)),
    );
    return { leaf, spec, place, indexPlace, score, keys };
  }

  /**
   * The same where only few documents will be compared by more than their first key: terms that are not ranked yet are
   * looked up for those. O(n) for numbers that do not lie in their column as they sort, else O(entries).
   */
  sideNow(leaf: Leaf, spec: OrderSpec, place: number, indexPlace: number, score = 0): Side {
    const keys = spec.entries.map((e, i) =>
      e.kind === 'bytes'
        ? ((this.#kept.get(keysKey(leaf, spec, i))?.value as TermKeys | undefined) ?? unrankedKeys(leaf, e))
        : this.#keys(leaf, e, keysKey(leaf, spec, i)),
    );
    return { leaf, spec, place, indexPlace, score, keys };
  }

  /** Makes the keys that `side` needs, in steps of about a millisecond. */
  *ready(leaf: Leaf, spec: OrderSpec): Generator<void, void, undefined> {
    for (const i of spec.entries.keys())
      if (this.#unranked(leaf, spec, i) === undefined) yield* this.#rankedKeys(leaf, spec, i);
  }

  /** The same for `sideNow`: ranks that every document is compared by, where a dictionary in order makes them cheap. */
  *readyNow(leaf: Leaf, spec: OrderSpec): Generator<void, void, undefined> {
    const first = spec.entries[0];
    const column = first?.kind === 'bytes' ? leaf.column(first.path) : undefined;
    if (column?.kind === 'ordinal' && column.terms.sorted) yield* this.#rankedKeys(leaf, spec, 0);
  }

  *#rankedKeys(leaf: Leaf, spec: OrderSpec, i: number): Generator<void, void, undefined> {
    const entry = spec.entries[i]!;
    const key = keysKey(leaf, spec, i);
    if (entry.kind === 'bytes' && this.#kept.get(key) === undefined)
      this.#keepKeys(key, yield* termKeys(leaf, entry));
  }

  /** The side with keys that are ranks by themselves. */
  *#ranked(side: Side): Generator<void, Side, undefined> {
    const { leaf, spec } = side;
    for (const i of spec.entries.keys()) yield* this.#rankedKeys(leaf, spec, i);
    return { ...side, keys: spec.entries.map((e, i) => this.#keys(leaf, e, keysKey(leaf, spec, i))) };
  }

  #unranked(leaf: Leaf, spec: OrderSpec, i: number): EntryKeys {
    const entry = spec.entries[i]!;
    if (entry.kind !== 'bytes' || !isUnranked(leaf, spec, entry)) return undefined;
    const kept = this.#kept.get(keysKey(leaf, spec, i))?.value as TermKeys | undefined;
    return kept ?? unrankedKeys(leaf, entry);
  }

  #keys(leaf: Leaf, entry: OrderEntry, key: string): EntryKeys {
    if (entry.kind !== 'numeric' && entry.kind !== 'bytes') return undefined;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept.value as EntryKeys;
    return this.#keepKeys(
      key,
      entry.kind === 'numeric' ? numericKeys(leaf, entry) : drain(termKeys(leaf, entry)),
    );
  }

  #keepKeys(key: string, made: NumericKeys | TermKeys): NumericKeys | TermKeys {
    const { bytes } = made;
    // Those of the column lie in its segment.
    if (bytes === 0) this.#kept.set(key, { value: made, held: undefined }, KEYS_HEAP);
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

  /** What `copy` makes, on the second attempt with older things forgotten; undefined when there is no room even so. */
  #room<T>(bytes: number, copy: () => T | undefined): T | undefined {
    const first = copy();
    if (first !== undefined) return first;
    this.#kept.evict(bytes);
    return copy();
  }

  /** `heapBytes`: what it takes beside the blocks that are held. */
  #keep<T extends Kept['value']>(key: string, value: T, held: CachedArrays, heapBytes: number): T {
    this.#kept.set(key, { value, held }, held.bytes + heapBytes);
    return value;
  }

  /** The order of a leaf, if it is there. */
  peek(leaf: Leaf, spec: OrderSpec): Order | undefined {
    return this.#kept.get(orderKey(leaf, spec))?.value as Order | undefined;
  }

  /** Builds (or finds) the order of a leaf in steps of a few milliseconds. */
  *build(side: Side): Generator<void, Order, undefined> {
    const kept = this.peek(side.leaf, side.spec);
    if (kept !== undefined) return kept;
    const made = yield* buildOrder(side, {
      byId: () => this.#byId(side.leaf),
      ranked: () => this.#ranked(side),
    });
    const order = this.#room(made.bytes, () => made.keptIn(this.#memory));
    if (order === undefined) return made;
    const heapBytes = ORDER_HEAP + order.bytesToCome(hasLeads(side.spec));
    return this.#keep(orderKey(side.leaf, side.spec), order, order.held!, heapBytes);
  }

  *#byId(leaf: Leaf): Generator<void, Uint32Array, undefined> {
    const key = `${leaf.uid}|id`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept.value as Uint32Array;
    const { idBytes, idStarts } = leaf.docs;
    const byId = yield* sortStrings({ bytes: idBytes, starts: idStarts, count: leaf.docCount });
    const copy = this.#room(byId.byteLength, () => CachedArrays.copy(this.#memory, [byId] as const));
    if (copy === undefined) return byId;
    return this.#keep(key, copy.arrays[0], copy.owner, KEYS_HEAP);
  }

  /** The order of a stack of leaves under a spec, by the uids of its leaves; the last that was merged for an index. */
  merged(index: string, spec: OrderSpec): Merged | undefined {
    return this.#kept.get(`${index}|m|${spec.key}`)?.value as Merged | undefined;
  }

  /** Merges orders of leaves of one index to one, and keeps it. In steps of a few milliseconds. */
  *merge(
    index: string,
    stack: Stack,
    stretches: readonly Stretch[],
  ): Generator<void, Merged | undefined, undefined> {
    const { spec } = stack.sides[0]!;
    const made = new Order(yield* mergeOrders(stack, stretches));
    const order = this.#room(made.bytes, () => made.keptIn(this.#memory));
    if (order === undefined) return undefined;
    // Its ranks are asked for next.
    yield* order.invert();
    this.#forgotten++;
    const merged: Merged = { uids: stack.sides.map(({ leaf }) => leaf.uid), order, id: ++lastMerged };
    return this.#keep(`${index}|m|${spec.key}`, merged, order.held!, ORDER_HEAP + 8 * merged.uids.length);
  }

  /** The ranks of an order of one leaf. */
  ranks(leaf: Leaf, spec: OrderSpec, order: Order, v: Visible): Generator<void, RankView, undefined> {
    return this.#ranks(ranksKey(leaf, spec, v.view.docCount, v.filterKey), order, ONE, [v]);
  }

  /** The ranks of a merged order. REQUIRES: views of whole leaves, one filter. */
  mergedRanks(merged: Merged, stack: Stack, parts: readonly Visible[]): Generator<void, RankView, undefined> {
    return this.#ranks(`${merged.id}|w|${parts[0]!.filterKey}`, merged.order, stack.bases, parts);
  }

  /**
   * The visible positions of an order. O(matches) at first; afterwards the deaths since then, each O(log √n). A
   * snapshot older than the kept view gets one of its own.
   */
  *#ranks(
    key: string,
    order: Order,
    bases: Uint32Array,
    parts: readonly Visible[],
  ): Generator<void, RankView, undefined> {
    const deathCounts = parts.map(({ view }) => view.deathCount);
    const cacheable = parts.every((v) => v.cacheable);
    const entry = cacheable ? this.#kept.get(key) : undefined;
    if (entry === undefined) {
      const ranks = yield* makeRanks(order, bases, parts);
      return cacheable ? this.#keepRanks(key, deathCounts, ranks) : ranks;
    }
    const kept = entry.value as KeptView;
    if (kept.deathCounts.every((n, i) => n === deathCounts[i])) return kept.ranks;
    if (kept.deathCounts.some((n, i) => n > deathCounts[i]!)) return yield* makeRanks(order, bases, parts);
    const ranks = kept.ranks.without(deathsSince(order, bases, parts, kept.deathCounts));
    if (!ranks.shares(kept.ranks)) return this.#keepRanks(key, deathCounts, ranks);
    this.#keep(key, { deathCounts, ranks }, entry.held!.share(), viewHeap(deathCounts, ranks));
    return ranks;
  }

  #keepRanks(key: string, deathCounts: readonly number[], made: RankView): RankView {
    const copy = this.#room(made.bytes, () => made.keptIn(this.#memory));
    if (copy === undefined) return made;
    this.#keep(key, { deathCounts, ranks: copy.view }, copy.held, viewHeap(deathCounts, copy.view));
    return copy.view;
  }
}

function viewHeap(deathCounts: readonly number[], ranks: RankView): number {
  return VIEW_HEAP + 8 * deathCounts.length + ranks.deadBytes;
}

/** Under what an order is kept, */
function orderKey({ uid }: Leaf, { key }: OrderSpec): string {
  return `${uid}|o|${key}`;
}

/** sort keys of an entry, */
function keysKey({ uid }: Leaf, { entryKeys }: OrderSpec, i: number): string {
  return `${uid}|k|${entryKeys[i]!}`;
}

/** and ranks of the first documents of a leaf. */
function ranksKey({ uid }: Leaf, { key }: OrderSpec, docCount: number, filterKey: string): string {
  return `${uid}|v|${key}|${docCount}|${filterKey}`;
}

/**
 * Keys of documents that came a moment ago, for an entry behind a number: their terms are not in order yet, and putting
 * them in order would cost more than all comparisons that come to this entry.
 */
function isUnranked({ isMini }: Leaf, { entries }: OrderSpec, { kind }: OrderEntry): boolean {
  return isMini === true && kind === 'bytes' && entries[0]!.kind === 'numeric';
}
