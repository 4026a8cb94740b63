// Several leaves as one: their documents are numbered through, leaf after leaf, so that a stack of leaves has
// one permutation, one inverse and one set of ranks, as a single leaf has. Also merges the orders of the
// leaves of a stack.

import type { Key64 } from '../../mapping/types/type.ts';
import { compareDocs, type Side } from '../compare.ts';
import type { NumericKeys } from '../keys/sort-keys.ts';
import type { OrderSpec } from '../order-spec.ts';

/** The weight of the higher half of a key. */
const HIGH = 4_294_967_296;
const NO_LEADS: readonly NumericKeys[] = [];

/** Whether the first entry is a number, so that it can lead comparisons. */
export function hasLeads(spec: OrderSpec): boolean {
  return spec.entries[0]?.kind === 'numeric';
}

/** Leaves of one index on top of each other, in their order. Document d of leaf i is `bases[i] + d`. */
export class LeafStack {
  readonly sides: readonly Side[];
  /** One more than leaves; the last entry is the number of all documents. */
  readonly bases: Uint32Array;
  /** Whether first keys are numbers. */
  readonly hasLeads: boolean;
  /** The first keys of each leaf; none where they are no numbers. */
  readonly #leads: readonly NumericKeys[];
  readonly #descending: boolean;

  /** REQUIRES: fewer than 2^32 documents together. */
  constructor(sides: readonly Side[]) {
    this.sides = sides;
    this.bases = new Uint32Array(sides.length + 1);
    for (let i = 0; i < sides.length; i++) this.bases[i + 1] = this.bases[i]! + sides[i]!.leaf.docCount;
    const spec = sides[0]?.spec;
    this.hasLeads = spec !== undefined && hasLeads(spec);
    this.#leads = this.hasLeads ? sides.map(({ keys }) => keys[0] as NumericKeys) : NO_LEADS;
    this.#descending = spec?.entries[0]?.descending === true;
  }

  /** Documents of all leaves. */
  get docCount(): number {
    return this.bases[this.sides.length]!;
  }

  /** The place in the stack of the leaf that holds a document. O(log leaves). */
  partOf(n: number): number {
    let low = 0;
    let high = this.sides.length;
    while (high - low > 1) {
      const mid = (low + high) >>> 1;
      if (this.bases[mid]! <= n) low = mid;
      else high = mid;
    }
    return low;
  }

  /**
   * The leading key of a document as one double, which is less for a document that comes before. Equal leads
   * decide nothing: low bits may be lost, and keys that are not numbers are all 0.
   */
  lead(n: number): number {
    if (!this.hasLeads) return 0;
    const i = this.sides.length === 1 ? 0 : this.partOf(n);
    const { hi, lo } = this.#leads[i]!;
    const doc = n - this.bases[i]!;
    const key = hi[doc]! * HIGH + lo[doc]!;
    return this.#descending ? -key : key;
  }

  /** The lead of any key. REQUIRES: first keys are numbers. */
  leadOf({ hi, lo }: Key64): number {
    const key = hi * HIGH + lo;
    return this.#descending ? -key : key;
  }

  /**
   * Negative, 0 or positive as document a of this stack comes before, with or after document b of another.
   */
  compare(a: number, other: LeafStack, b: number): number {
    const i = this.sides.length === 1 ? 0 : this.partOf(a);
    const j = other.sides.length === 1 ? 0 : other.partOf(b);
    const x = this.sides[i]!;
    const y = other.sides[j]!;
    return compareDocs(x, a - this.bases[i]!, x.score, y, b - other.bases[j]!, y.score);
  }
}

/** The order of some leaves of a stack. */
export interface PartialOrder {
  readonly docs: Uint32Array;
  /** What is added to its document numbers to make them those of the stack, by ascending number. */
  readonly shifts: readonly { readonly from: number; readonly add: number }[];
}

const STEP = 64;

/**
 * Merges orders of the leaves of a stack to one of all, by a tree of losers (Knuth, TAOCP 3, 5.4.1):
 * log(orders) comparisons a document, most of them of two leading keys. Yields every 64 documents.
 */
export function* mergeOrders(
  stack: LeafStack,
  stretches: readonly PartialOrder[],
): Generator<void, Uint32Array, undefined> {
  const out = new Uint32Array(stack.docCount);
  const k = stretches.length;
  const numbered = stretches.map(({ docs, shifts }) => (p: number): number => {
    const n = docs[p]!;
    let s = shifts.length - 1;
    while (s > 0 && shifts[s]!.from > n) s--;
    return n + shifts[s]!.add;
  });
  const at = new Uint32Array(k);
  const ends = stretches.map(({ docs }) => docs.length);
  const heads = new Float64Array(k);
  const leads = new Float64Array(k);
  const load = (i: number): void => {
    if (at[i]! >= ends[i]!) {
      heads[i] = -1;
      leads[i] = Number.POSITIVE_INFINITY;
      return;
    }
    heads[i] = numbered[i]!(at[i]!);
    leads[i] = stack.lead(heads[i]!);
  };
  const precedes = (i: number, j: number): boolean => {
    if (leads[i] !== leads[j]) return leads[i]! < leads[j]!;
    if (heads[i]! < 0 || heads[j]! < 0) return heads[i]! >= 0;
    return stack.compare(heads[i]!, stack, heads[j]!) < 0;
  };
  for (let i = 0; i < k; i++) load(i);
  // tree[n] for n ≥ 1 is the loser at node n; leaves are the nodes k … 2k-1.
  const tree = new Int32Array(Math.max(1, k)).fill(-1);
  let winner = 0;
  for (let i = 0; i < k; i++) {
    let up = i;
    let n = (i + k) >>> 1;
    for (; n > 0 && tree[n] !== -1; n >>>= 1) {
      if (precedes(tree[n]!, up)) [up, tree[n]] = [tree[n]!, up];
    }
    if (n > 0) tree[n] = up;
    else winner = up;
  }
  for (let p = 0; p < out.length; p++) {
    out[p] = heads[winner]!;
    at[winner]!++;
    load(winner);
    let up = winner;
    for (let n = (up + k) >>> 1; n > 0; n >>>= 1) {
      if (precedes(tree[n]!, up)) [up, tree[n]] = [tree[n]!, up];
    }
    winner = up;
    if (p % STEP === STEP - 1) yield;
  }
  return out;
}
