// Builds the order of a leaf. The ids are sorted once; every order starts from them and is sorted stably by
// its entries from the last to the first, so that ties end up by `_id`. 500,000 documents by a double take
// about 75 ms, in steps of a few milliseconds. Unsealed leaves are soon part of a larger leaf, so their order
// is cheaper: the leading number sorts the documents alone, and only its ties are compared.

import { CachedArrays } from '../../memory/cached-arrays.ts';
import type { Memory } from '../../memory/memory.ts';
import type { EntryKeys, Side } from '../compare.ts';
import { compareDocs } from '../compare.ts';
import { identity, type Permutation, radixSort, shortSort } from '../keys/radix-sort.ts';
import type { NumericKeys, TermKeys } from '../keys/sort-keys.ts';
import type { OrderEntry } from '../order-spec.ts';
import type { LeafStack } from './leaf-stack.ts';

/** Leaves of up to this many documents are sorted by comparing. */
const SHORT = 2_048;
/** From this many documents on a radix sort by a number is faster than comparing. */
const MIN_RADIX = 64;
/** Where more than this share of the documents tie on the leading number, it decides too little. */
const MAX_TIED = 0.25;
/** Documents between two yields where ties are looked for. */
const TIES_STEP = 2_048;
/** Orders of leaves up to this size keep their leading keys by position: pages look into many such leaves. */
const MAX_LEADS = 262_144;
/** Documents between two yields: about 50 µs where every document is a cache miss. */
const LEADS_STEP = 1_024;
const INVERT_STEP = 4_096;

/** A leaf's documents in the order of a spec: `docs[p]` stands at position p. Dead documents are in it. */
export class LeafOrder {
  readonly docs: Uint32Array;
  private inverse: Uint32Array | undefined;
  private leads: Float64Array | undefined;
  /** The blocks that hold the arrays, once the order is cached. */
  readonly held: CachedArrays | undefined;

  /** True when positions are document numbers. */
  readonly isIdentity: boolean;

  constructor(docs: Uint32Array, isIdentity = false, held?: CachedArrays) {
    this.docs = docs;
    this.isIdentity = isIdentity;
    this.held = held;
  }

  /** A copy in the engine's memory; undefined when there is no room. */
  copyTo(memory: Memory): LeafOrder | undefined {
    const copy = CachedArrays.copy(memory, [this.docs] as const);
    return copy && new LeafOrder(copy.arrays[0], this.isIdentity, copy.owner);
  }

  /** Where a document stands. */
  position(doc: number): number {
    return this.isIdentity ? doc : this.positions()[doc]!;
  }

  /** Position by document. Made at the first call. */
  positions(): Uint32Array {
    if (this.inverse === undefined) {
      const inverse = new Uint32Array(this.docs.length);
      for (let p = 0; p < this.docs.length; p++) inverse[this.docs[p]!] = p;
      this.inverse = this.held?.add(inverse) ?? inverse;
    }
    return this.inverse;
  }

  /** Makes the positions by document in steps. */
  *invert(): Generator<void, void, undefined> {
    if (this.inverse !== undefined || this.isIdentity) return;
    const inverse = new Uint32Array(this.docs.length);
    for (let p = 0; p < this.docs.length; p++) {
      inverse[this.docs[p]!] = p;
      if (p % INVERT_STEP === INVERT_STEP - 1) yield;
    }
    this.inverse ??= this.held?.add(inverse) ?? inverse;
  }

  /**
   * Leading keys by position, where they are numbers and few enough (LeafStack.lead). A sort that begins with the
   * score shares the order, and has no leads. REQUIRES: a stack of its leaf alone.
   */
  *leadsOf(stack: LeafStack): Generator<void, Float64Array | undefined, undefined> {
    const { docs } = this;
    if (docs.length > MAX_LEADS || !stack.hasLeads) return undefined;
    if (this.leads !== undefined) return this.leads;
    const leads = new Float64Array(docs.length);
    for (let p = 0; p < docs.length; p++) {
      leads[p] = stack.lead(docs[p]!);
      if (p % LEADS_STEP === LEADS_STEP - 1) yield;
    }
    return (this.leads ??= leads);
  }

  /** Memory that the documents take. */
  get bytes(): number {
    return this.docs.byteLength;
  }

  /** Memory that will be taken later: by positions, and by leading keys where these are numbers. */
  laterBytes(hasLeads: boolean): number {
    const { length } = this.docs;
    const inverse = this.isIdentity || this.inverse !== undefined ? 0 : 4 * length + 384;
    return inverse + (hasLeads && length <= MAX_LEADS ? 8 * length : 0);
  }
}

/** The entries that decide anything: those up to the first that leaves no ties. */
function decisive(entries: readonly OrderEntry[]): number {
  const unique = entries.findIndex((e) => e.kind === 'id' || e.kind === 'position');
  return unique < 0 ? entries.length : unique + 1;
}

/**
 * True when the order of a spec is insertion order: nothing to build, and pages are ranks among documents.
 */
export function isPositionOrder(entries: readonly OrderEntry[]): boolean {
  const first = entries.find((e) => e.kind !== 'score' && e.kind !== 'constant');
  return first?.kind === 'position';
}

/**
 * Builds the order of a leaf. Yields every few milliseconds; the result is returned. Scores order nothing
 * here: they are the same for all documents wherever an order is used. `byId` gives the documents of the leaf by id, ascending.
 * REQUIRES: the terms of the side are ranked.
 */
export function* buildOrder(
  side: Side,
  byId: () => Generator<void, Uint32Array, undefined>,
): Generator<void, LeafOrder, undefined> {
  const { leaf, spec } = side;
  const n = leaf.docCount;
  const { entries } = spec;
  const last = decisive(entries) - 1;
  const lastEntry = entries[last];
  if (isPositionOrder(entries)) {
    const order = identity(n).current;
    if (lastEntry!.descending) order.reverse();
    return new LeafOrder(order, !lastEntry!.descending);
  }
  if (leaf.isMini === true && n > MIN_RADIX) {
    const order = yield* byLead(side);
    if (order !== undefined) return order;
  }
  if (n <= SHORT) {
    const p = identity(n);
    shortSort(p, (a, b) => compareDocs(side, a, 0, side, b, 0));
    return new LeafOrder(p.current);
  }
  const start = new Uint32Array(n);
  const p: Permutation = { current: start, spare: new Uint32Array(n) };
  if (lastEntry?.kind === 'position')
    for (let i = 0; i < n; i++) start[i] = lastEntry.descending ? n - 1 - i : i;
  else {
    const ids = yield* byId();
    if (lastEntry?.kind === 'id' && lastEntry.descending)
      for (let i = 0; i < n; i++) start[i] = ids[n - 1 - i]!;
    else start.set(ids);
  }
  for (let e = last; e >= 0; e--) yield* byEntry(p, entries[e]!, side.keys[e]);
  return new LeafOrder(p.current);
}

/**
 * Sorts by the leading number, and its ties by comparing. Undefined where no number leads, or too many tie.
 */
function* byLead(side: Side): Generator<void, LeafOrder | undefined, undefined> {
  const lead = side.spec.entries[0];
  if (lead?.kind !== 'numeric') return undefined;
  const { hi, lo } = side.keys[0] as NumericKeys;
  const p = identity(side.leaf.docCount);
  yield* radixSort(p, lo, lead.descending);
  yield* radixSort(p, hi, lead.descending);
  const { current: docs } = p;
  const n = docs.length;
  const ties = (a: number, b: number): boolean => lo[a] === lo[b] && hi[a] === hi[b];
  let tied = 0;
  for (let i = 1; i < n; i++) {
    if (ties(docs[i - 1]!, docs[i]!)) tied++;
    if (i % TIES_STEP === 0) yield;
  }
  if (tied > n * MAX_TIED) return undefined;
  if (tied === 0) return new LeafOrder(docs);
  let next = TIES_STEP;
  for (let i = 1; i < n; i++) {
    if (i >= next) {
      next = i + TIES_STEP;
      yield;
    }
    if (!ties(docs[i - 1]!, docs[i]!)) continue;
    let end = i + 1;
    while (end < n && ties(docs[i]!, docs[end]!)) end++;
    docs.subarray(i - 1, end).sort((a, b) => compareDocs(side, a, 0, side, b, 0));
    i = end;
  }
  return new LeafOrder(docs);
}

function* byEntry(p: Permutation, entry: OrderEntry, keys: EntryKeys): Generator<void, void, undefined> {
  if (entry.kind === 'numeric') {
    const { hi, lo } = keys as NumericKeys;
    yield* radixSort(p, lo, entry.descending);
    yield* radixSort(p, hi, entry.descending);
  } else if (entry.kind === 'bytes') yield* radixSort(p, (keys as TermKeys).ranks, entry.descending);
}
