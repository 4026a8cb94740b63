// Which orders exist already, and what is visible in them? The one keeper of sort keys, orders and rank views, all
// under one byte budget: whatever is not asked for any more is forgotten and built again when it is.

import { hasBit, wordsFor } from '../kernels/bits.ts';
import { Held } from '../memory/held.ts';
import type { Memory } from '../memory/memory.ts';
import type { Leaf, LeafView } from '../segment/leaf.ts';
import { ByteBudget } from './budget.ts';
import { buildOrder, type Order } from './build.ts';
import type { EntryKeys, Side } from './compare.ts';
import { numericKeys, termKeys } from './keys.ts';
import { RankView } from './rank.ts';
import type { OrderEntry, OrderSpec } from './spec.ts';
import { sortStrings } from './strings.ts';

/** Default memory for keys, orders and views together. */
export const ORDER_BUDGET_BYTES: number = 256 * 1024 * 1024;

/** Matches below one in this many are kept as a list instead of a bitmap. */
const SPARSE = 64;

/** Documents of a leaf that a search may show, in document order. */
export interface Visible {
  readonly view: LeafView;
  /** Canonical text of the filter; '' where everything matches. */
  readonly filterKey: string;
  /** Matches of the filter, dead documents and ones beyond the snapshot included; undefined: everything. */
  readonly matches: Uint32Array | undefined;
  /** False for matches that no other search will ask for. */
  readonly cacheable: boolean;
}

interface KeptView {
  readonly deathCount: number;
  readonly ranks: RankView;
}

/** A value with the blocks that its arrays lie in. */
interface Kept {
  readonly value: EntryKeys | Order | Uint32Array | KeptView;
  readonly held: Held | undefined;
}

/**
 * Keeps what sorting needs, for all searches of an engine. Arrays lie in blocks that are freed when they are forgotten;
 * whoever uses them reads under `Memory.enter`.
 */
export class Orders {
  readonly #kept: ByteBudget<Kept>;
  readonly #memory: Memory;

  constructor(memory: Memory, budgetBytes: number = ORDER_BUDGET_BYTES) {
    this.#memory = memory;
    this.#kept = new ByteBudget(budgetBytes, ({ held }) => held?.release());
    memory.onPressure((bytes) => this.#kept.give(bytes));
  }

  get usedBytes(): number {
    return this.#kept.usedBytes;
  }

  /** Forgets everything. */
  clear(): void {
    this.#kept.clear();
  }

  /** A leaf with its sort keys, ready to be compared. O(n) where keys are not kept, else O(entries). */
  side(leaf: Leaf, spec: OrderSpec, place: number, indexPlace: number, score = 0): Side {
    return {
      leaf,
      spec,
      place,
      indexPlace,
      score,
      keys: spec.entries.map((e, i) => this.#keys(leaf, e, spec.entryKeys[i]!)),
    };
  }

  #keys(leaf: Leaf, entry: OrderEntry, entryKey: string): EntryKeys {
    if (entry.kind !== 'numeric' && entry.kind !== 'bytes') return undefined;
    const key = `${leaf.uid}|k|${entryKey}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept.value as EntryKeys;
    const made = entry.kind === 'numeric' ? numericKeys(leaf, entry) : termKeys(leaf, entry);
    const { bytes } = made;
    // Those of the column lie in its segment.
    if (bytes === 0) this.#kept.set(key, { value: made, held: undefined }, 128);
    else if (made.kind === 'numeric') {
      const copy = this.#room(bytes, () => Held.copy(this.#memory, [made.hi, made.lo] as const));
      if (copy === undefined) return made;
      const [hi, lo] = copy.arrays;
      return this.#keep(key, { kind: 'numeric', hi, lo, bytes }, copy.held, bytes + 128);
    } else {
      const copy = this.#room(bytes, () => Held.copy(this.#memory, [made.ranks] as const));
      if (copy === undefined) return made;
      const [ranks] = copy.arrays;
      return this.#keep(key, { kind: 'terms', ranks, term: made.term, bytes }, copy.held, bytes + 128);
    }
    return made;
  }

  /** What `copy` makes, on the second attempt with older things forgotten; undefined when there is no room even so. */
  #room<T>(bytes: number, copy: () => T | undefined): T | undefined {
    const first = copy();
    if (first !== undefined) return first;
    this.#kept.give(bytes);
    return copy();
  }

  #keep<T extends Kept['value']>(key: string, value: T, held: Held, bytes: number): T {
    this.#kept.set(key, { value, held }, bytes);
    return value;
  }

  /** The order of a leaf, if it is there. */
  peek(leaf: Leaf, spec: OrderSpec): Order | undefined {
    return this.#kept.get(`${leaf.uid}|o|${spec.key}`)?.value as Order | undefined;
  }

  /** Builds (or finds) the order of a leaf in steps of a few milliseconds. */
  *build(side: Side): Generator<void, Order, undefined> {
    const kept = this.peek(side.leaf, side.spec);
    if (kept !== undefined) return kept;
    const made = yield* buildOrder(side, yield* this.#byId(side.leaf));
    const order = this.#room(made.bytes, () => made.keptIn(this.#memory));
    if (order === undefined) return made;
    return this.#keep(`${side.leaf.uid}|o|${side.spec.key}`, order, order.held!, order.bytes);
  }

  *#byId(leaf: Leaf): Generator<void, Uint32Array, undefined> {
    const key = `${leaf.uid}|id`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept.value as Uint32Array;
    const { idBytes, idStarts } = leaf.docs;
    const byId = yield* sortStrings({ bytes: idBytes, starts: idStarts, count: leaf.docCount });
    const copy = this.#room(byId.byteLength, () => Held.copy(this.#memory, [byId] as const));
    if (copy === undefined) return byId;
    return this.#keep(key, copy.arrays[0], copy.held, byId.byteLength + 64);
  }

  /**
   * The visible positions of an order. O(matches) at first; afterwards the deaths since then, each O(log √n). A
   * snapshot older than the kept view gets one of its own.
   */
  ranks(leaf: Leaf, spec: OrderSpec, order: Order, v: Visible): RankView {
    const { view } = v;
    const key = `${leaf.uid}|v|${spec.key}|${view.docCount}|${v.filterKey}`;
    const entry = v.cacheable ? this.#kept.get(key) : undefined;
    if (entry === undefined) {
      const ranks = makeRanks(leaf, order, v);
      return v.cacheable ? this.#keepRanks(key, view.deathCount, ranks) : ranks;
    }
    const kept = entry.value as KeptView;
    if (kept.deathCount === view.deathCount) return kept.ranks;
    if (kept.deathCount > view.deathCount) return makeRanks(leaf, order, v);
    const ranks = kept.ranks.without(deathsSince(leaf, order, v, kept.deathCount));
    if (!ranks.shares(kept.ranks)) return this.#keepRanks(key, view.deathCount, ranks);
    const value = { deathCount: view.deathCount, ranks };
    this.#keep(key, value, entry.held!.share(), ranks.bytes);
    return ranks;
  }

  #keepRanks(key: string, deathCount: number, made: RankView): RankView {
    const copy = this.#room(made.bytes, () => made.keptIn(this.#memory));
    if (copy === undefined) return made;
    this.#keep(key, { deathCount, ranks: copy.view }, copy.held, copy.view.bytes);
    return copy.view;
  }
}

function deathsSince(leaf: Leaf, order: Order, v: Visible, since: number): number[] {
  const positions: number[] = [];
  for (let entry = since; entry < v.view.deathCount; entry++) {
    const doc = leaf.deaths.doc(entry);
    if (doc < v.view.docCount && (v.matches === undefined || hasBit(v.matches, doc)))
      positions.push(order.position(doc));
  }
  return positions;
}

/** Matches that are alive and within the snapshot, as a bitmap in document order; undefined when that is everything. */
export function visibleBits(leaf: Leaf, v: Visible): Uint32Array | undefined {
  const { live, docCount } = v.view;
  if (v.matches === undefined && live === undefined && docCount === leaf.docCount) return undefined;
  const words = wordsFor(leaf.docCount);
  const bits = new Uint32Array(words);
  const limit = wordsFor(docCount);
  for (let w = 0; w < limit; w++) {
    bits[w] = (v.matches === undefined ? 0xffff_ffff : v.matches[w]!) & (live === undefined ? -1 : live[w]!);
  }
  if (docCount & 31) bits[docCount >>> 5]! &= -1 >>> (32 - (docCount & 31));
  return bits;
}

function makeRanks(leaf: Leaf, order: Order, v: Visible): RankView {
  const bits = visibleBits(leaf, v);
  const n = leaf.docCount;
  if (bits === undefined) return RankView.all(n);
  if (order.isIdentity) return RankView.ofBits(n, bits);
  const at = order.positions();
  const positions = new Uint32Array(Math.ceil(n / SPARSE) + 1);
  let count = 0;
  let sorted: Uint32Array | undefined;
  for (let w = 0; w < bits.length; w++) {
    let word = bits[w]!;
    while (word !== 0) {
      const p = at[(w << 5) + 31 - Math.clz32(word & -word)]!;
      word &= word - 1;
      if (sorted !== undefined) sorted[p >>> 5]! |= 1 << (p & 31);
      else if (count < positions.length) positions[count++] = p;
      else {
        sorted = new Uint32Array(wordsFor(n));
        for (let i = 0; i < count; i++) sorted[positions[i]! >>> 5]! |= 1 << (positions[i]! & 31);
        sorted[p >>> 5]! |= 1 << (p & 31);
      }
    }
  }
  if (sorted !== undefined) return RankView.ofBits(n, sorted);
  return RankView.ofList(n, positions.slice(0, count).sort());
}
