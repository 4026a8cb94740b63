// What does a list stand on that goes on behind a commit? On the orders of leaves of which most are those of before: what was
// found of one is found again without a look-up, as long as nothing of it is forgotten.

import type { ByteBudget, Found } from '../memory/budget.ts';
import type { Leaf } from '../segment/leaf.ts';
import type { Order } from './build.ts';
import type { EntryKeys } from './compare.ts';
import type { NumericKeys, TermKeys } from './keys.ts';
import type { Kept, KeptView } from './orders.ts';
import type { RankView } from './rank.ts';
import type { OrderEntry, OrderSpec } from './spec.ts';
import { unrankedKeys } from './unranked.ts';

/** The order of a leaf with its sort keys. */
export interface KnownOrder {
  readonly keys: readonly EntryKeys[];
  readonly order: Order;
}

interface KnownKeys {
  readonly keys: readonly EntryKeys[];
  /** Those of them that are kept. */
  readonly parts: readonly Found<Kept>[];
}

/** What was found of a leaf. */
interface Known {
  keys: KnownKeys | undefined;
  order: Found<Kept> | undefined;
  /** The ranks of its documents without a filter, and of how many documents. */
  ranks: Found<Kept> | undefined;
  docCount: number;
}

/** What was found before, by spec and leaf. Whoever asks reads under `Memory.enter`. */
export class KnownOrders {
  readonly #kept: ByteBudget<Kept>;
  readonly #known = new WeakMap<OrderSpec, WeakMap<Leaf, Known>>();

  constructor(kept: ByteBudget<Kept>) {
    this.#kept = kept;
  }

  /** The order of a leaf and its keys; undefined where some of it has to be made. O(1) where it was found before. */
  find(leaf: Leaf, spec: OrderSpec): KnownOrder | undefined {
    const known = this.#of(leaf, spec);
    if (!isKept(known.order)) known.order = this.#kept.find(orderKey(leaf, spec));
    if (known.order === undefined) return undefined;
    const keys = this.keys(leaf, spec);
    return keys && { keys, order: known.order.value.value as Order };
  }

  /** The same of the sort keys alone. */
  keys(leaf: Leaf, spec: OrderSpec): readonly EntryKeys[] | undefined {
    const known = this.#of(leaf, spec);
    if (known.keys === undefined || !known.keys.parts.every(isKept)) known.keys = this.#keys(leaf, spec);
    return known.keys?.keys;
  }

  /** The ranks of all documents of a view, where those with just these deaths are kept. */
  ranks(leaf: Leaf, spec: OrderSpec, docCount: number, deathCount: number): RankView | undefined {
    const known = this.#of(leaf, spec);
    if (known.docCount !== docCount || !isKept(known.ranks)) {
      known.ranks = this.#kept.find(ranksKey(leaf, spec, docCount, ''));
      known.docCount = docCount;
    }
    const kept = known.ranks?.value.value as KeptView | undefined;
    return kept?.deathCounts[0] === deathCount ? kept.ranks : undefined;
  }

  #of(leaf: Leaf, spec: OrderSpec): Known {
    let ofSpec = this.#known.get(spec);
    if (ofSpec === undefined) this.#known.set(spec, (ofSpec = new WeakMap()));
    let known = ofSpec.get(leaf);
    if (known === undefined)
      ofSpec.set(leaf, (known = { keys: undefined, order: undefined, ranks: undefined, docCount: 0 }));
    return known;
  }

  #keys(leaf: Leaf, spec: OrderSpec): KnownKeys | undefined {
    const parts: Found<Kept>[] = [];
    const keys: EntryKeys[] = [];
    for (const [i, entry] of spec.entries.entries()) {
      const kept = hasKeys(entry) ? this.#kept.find(keysKey(leaf, spec, i)) : undefined;
      if (kept !== undefined) {
        parts.push(kept);
        keys.push(kept.value.value as NumericKeys | TermKeys);
      } else if (!hasKeys(entry)) keys.push(undefined);
      else if (entry.kind === 'bytes' && isUnranked(leaf, spec, entry)) keys.push(unrankedKeys(leaf, entry));
      else return undefined;
    }
    return { keys, parts };
  }
}

/** Under what an order is kept, */
export function orderKey({ uid }: Leaf, { key }: OrderSpec): string {
  return `${uid}|o|${key}`;
}

/** sort keys of an entry, */
export function keysKey({ uid }: Leaf, { entryKeys }: OrderSpec, i: number): string {
  return `${uid}|k|${entryKeys[i]!}`;
}

/** and ranks of the first documents of a leaf. */
export function ranksKey({ uid }: Leaf, { key }: OrderSpec, docCount: number, filterKey: string): string {
  return `${uid}|v|${key}|${docCount}|${filterKey}`;
}

/** Has an entry sort keys that are made? */
function hasKeys({ kind }: OrderEntry): boolean {
  return kind === 'numeric' || kind === 'bytes';
}

/**
 * Keys of documents that came a moment ago, for an entry behind a number: their terms are not in order yet, and putting
 * them in order would cost more than all comparisons that come to this entry.
 */
export function isUnranked({ isMini }: Leaf, { entries }: OrderSpec, { kind }: OrderEntry): boolean {
  return isMini === true && kind === 'bytes' && entries[0]!.kind === 'numeric';
}

function isKept(found: Found<Kept> | undefined): boolean {
  if (found === undefined || !found.isKept) return false;
  found.used = true;
  return true;
}
