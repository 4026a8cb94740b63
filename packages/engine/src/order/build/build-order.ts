// How is the order of a leaf made? The ids are sorted once; every order starts from that and is sorted stably by its
// entries from the last to the first, so that ties end up by `_id`. 500,000 documents by a double: about 75 ms, in
// steps of a few milliseconds. Documents that came a moment ago will soon be part of a larger leaf: what is sorted for
// them is sorted again, so there a number that comes first sorts them alone, and only its ties are compared.

import { CachedArrays } from '../../memory/cached-arrays.ts';
import type { Memory } from '../../memory/memory.ts';
import type { EntryKeys, Side } from '../compare.ts';
import { compareDocs } from '../compare.ts';
import type { OrderEntry } from '../spec.ts';
import type { Stack } from './leaf-stack.ts';
import { identity, type Permutation, radixSort, shortSort } from './radix-sort.ts';
import type { NumericKeys, TermKeys } from './sort-keys.ts';

const SHORT = 2_048;
/** From so many documents on a radix sort by a number is faster than comparing. */
const LED = 64;
/** Where more than this share of the documents tie on it, the number that comes first decides too little. */
const TIED = 0.25;
/** Documents between two yields where ties are looked for. */
const TIES_STEP = 2_048;
/** Orders of leaves up to this size keep their first keys beside them: pages look into many of these. */
const MOST_LEADS = 262_144;
/** Documents between two yields: 50 µs or so where all of them lie elsewhere in the memory. */
const LEADS_STEP = 1_024;
const INVERT_STEP = 4_096;

/** A leaf's documents in the order of a spec: `docs[p]` stands at position p. Dead documents are in it. */
export class Order {
  readonly docs: Uint32Array;
  private inverse: Uint32Array | undefined;
  private leads: Float64Array | undefined;
  /** Where it is kept, once it is. */
  readonly held: CachedArrays | undefined;

  /** True when positions are document numbers. */
  readonly isIdentity: boolean;

  constructor(docs: Uint32Array, isIdentity = false, held?: CachedArrays) {
    this.docs = docs;
    this.isIdentity = isIdentity;
    this.held = held;
  }

  /** The same in the arenas; undefined when there is no room. */
  keptIn(memory: Memory): Order | undefined {
    const copy = CachedArrays.copy(memory, [this.docs] as const);
    return copy && new Order(copy.arrays[0], this.isIdentity, copy.owner);
  }

  /** Where a document stands. */
  position(doc: number): number {
    return this.isIdentity ? doc : this.positions()[doc]!;
  }

  /** Position by document. Made when first asked for. */
  positions(): Uint32Array {
    if (this.inverse === undefined) {
      const inverse = new Uint32Array(this.docs.length);
      for (let p = 0; p < this.docs.length; p++) inverse[this.docs[p]!] = p;
      this.inverse = this.held?.add(inverse) ?? inverse;
    }
    return this.inverse;
  }

  /** Makes the positions by document in steps, where they are not there yet. */
  *invert(): Generator<void, void, undefined> {
    if (this.inverse !== undefined || this.isIdentity) return;
    const inverse = new Uint32Array(this.docs.length);
    for (let p = 0; p < this.docs.length; p++) {
      inverse[this.docs[p]!] = p;
      if (p % INVERT_STEP === INVERT_STEP - 1) yield;
    }
    this.inverse ??= this.held?.add(inverse) ?? inverse;
  }

  /** First keys by position, where they are numbers and few enough to be kept: see Stack.lead. REQUIRES: a stack of its leaf alone. */
  *leadsOf(stack: Stack): Generator<void, Float64Array | undefined, undefined> {
    const { docs } = this;
    if (docs.length > MOST_LEADS || !stack.hasLeads || this.leads !== undefined) return this.leads;
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

  /** Memory that is taken later: by positions, and by first keys where these are numbers. */
  bytesToCome(hasLeads: boolean): number {
    const { length } = this.docs;
    const inverse = this.isIdentity || this.inverse !== undefined ? 0 : 4 * length + 384;
    return inverse + (hasLeads && length <= MOST_LEADS ? 8 * length : 0);
  }
}

/** The entries that decide anything: those up to the first that leaves no ties. */
function decisive(entries: readonly OrderEntry[]): number {
  const unique = entries.findIndex((e) => e.kind === 'id' || e.kind === 'position');
  return unique < 0 ? entries.length : unique + 1;
}

/** True when the order of a spec is insertion order: nothing to build, and pages are ranks among documents. */
export function isPositionOrder(entries: readonly OrderEntry[]): boolean {
  const first = entries.find((e) => e.kind !== 'score' && e.kind !== 'constant');
  return first?.kind === 'position';
}

/** What an order needs if comparing alone would take too long. */
export interface Sorted {
  /** The documents of the leaf by id, ascending. */
  byId(): Generator<void, Uint32Array, undefined>;
  /** The side with keys that can be sorted without comparing. */
  ranked(): Generator<void, Side, undefined>;
}

/**
 * Builds the order of a leaf. Yields every few milliseconds; the result is returned. Scores order nothing here: they are
 * the same for all documents wherever an order is used.
 */
export function* buildOrder(side: Side, sorted: Sorted): Generator<void, Order, undefined> {
  const { leaf, spec } = side;
  const n = leaf.docCount;
  const { entries } = spec;
  const last = decisive(entries) - 1;
  const lastEntry = entries[last];
  if (isPositionOrder(entries)) {
    const order = identity(n).current;
    if (lastEntry!.descending) order.reverse();
    return new Order(order, !lastEntry!.descending);
  }
  if (leaf.isMini === true && n > LED) {
    const order = yield* byLead(side);
    if (order !== undefined) return order;
  }
  if (n <= SHORT) {
    const p = identity(n);
    shortSort(p, (a, b) => compareDocs(side, a, 0, side, b, 0));
    return new Order(p.current);
  }
  const start = new Uint32Array(n);
  const p: Permutation = { current: start, spare: new Uint32Array(n) };
  if (lastEntry?.kind === 'position')
    for (let i = 0; i < n; i++) start[i] = lastEntry.descending ? n - 1 - i : i;
  else {
    const byId = yield* sorted.byId();
    if (lastEntry?.kind === 'id' && lastEntry.descending)
      for (let i = 0; i < n; i++) start[i] = byId[n - 1 - i]!;
    else start.set(byId);
  }
  const { keys } = yield* sorted.ranked();
  for (let e = last; e >= 0; e--) yield* byEntry(p, entries[e]!, keys[e]);
  return new Order(p.current);
}

/** By the number that comes first, its ties by comparing; undefined where there is none, or too many tie. */
function* byLead(side: Side): Generator<void, Order | undefined, undefined> {
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
  if (tied > n * TIED) return undefined;
  if (tied === 0) return new Order(docs);
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
  return new Order(docs);
}

function* byEntry(p: Permutation, entry: OrderEntry, keys: EntryKeys): Generator<void, void, undefined> {
  if (entry.kind === 'numeric') {
    const { hi, lo } = keys as NumericKeys;
    yield* radixSort(p, lo, entry.descending);
    yield* radixSort(p, hi, entry.descending);
  } else if (entry.kind === 'bytes') yield* radixSort(p, (keys as TermKeys).ranks, entry.descending);
}
