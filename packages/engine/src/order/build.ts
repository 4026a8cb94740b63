// How is the order of a leaf made? The ids are sorted once; every order starts from that and is sorted stably by its
// entries from the last to the first, so that ties end up by `_id`. 500,000 documents by a double: about 75 ms, in
// steps of a few milliseconds.

import { Held } from '../memory/held.ts';
import type { Memory } from '../memory/memory.ts';
import type { EntryKeys, Side } from './compare.ts';
import { compareDocs } from './compare.ts';
import type { NumericKeys, TermKeys } from './keys.ts';
import { type Permutation, radixSort, shortSort } from './radix.ts';
import type { OrderEntry } from './spec.ts';

const SHORT = 2_048;
const INVERT_STEP = 65_536;

/** A leaf's documents in the order of a spec: `docs[p]` stands at position p. Dead documents are in it. */
export class Order {
  readonly docs: Uint32Array;
  private inverse: Uint32Array | undefined;
  /** Where it is kept, once it is. */
  readonly held: Held | undefined;

  /** True when positions are document numbers. */
  readonly isIdentity: boolean;

  constructor(docs: Uint32Array, isIdentity = false, held?: Held) {
    this.docs = docs;
    this.isIdentity = isIdentity;
    this.held = held;
  }

  /** The same in the arenas; undefined when there is no room. */
  keptIn(memory: Memory): Order | undefined {
    const copy = Held.copy(memory, [this.docs] as const);
    return copy && new Order(copy.arrays[0], this.isIdentity, copy.held);
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

  /** Memory that the order takes, its inverse included. */
  get bytes(): number {
    return 64 + (this.isIdentity ? 4 : 8) * this.docs.length;
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

/**
 * Builds the order of a leaf. `byId` is its documents by id, ascending. Yields every few milliseconds; the result is
 * returned. Scores order nothing here: they are the same for all documents wherever an order is used.
 */
export function* buildOrder(side: Side, byId: Uint32Array): Generator<void, Order, undefined> {
  const n = side.leaf.docCount;
  const entries = side.spec.entries;
  const last = decisive(entries) - 1;
  const lastEntry = entries[last];
  const start = new Uint32Array(n);
  const p: Permutation = { current: start, spare: new Uint32Array(n) };
  if (lastEntry?.kind === 'position')
    for (let i = 0; i < n; i++) start[i] = lastEntry.descending ? n - 1 - i : i;
  else if (lastEntry?.kind === 'id' && lastEntry.descending)
    for (let i = 0; i < n; i++) start[i] = byId[n - 1 - i]!;
  else start.set(byId);
  if (isPositionOrder(entries)) return new Order(start, !lastEntry!.descending);
  if (n <= SHORT) {
    shortSort(p, (a, b) => compareDocs(side, a, 0, side, b, 0));
    return new Order(p.current);
  }
  for (let e = last; e >= 0; e--) yield* byEntry(p, entries[e]!, side.keys[e]);
  return new Order(p.current);
}

function* byEntry(p: Permutation, entry: OrderEntry, keys: EntryKeys): Generator<void, void, undefined> {
  if (entry.kind === 'numeric') {
    const { hi, lo } = keys as NumericKeys;
    yield* radixSort(p, lo, entry.descending);
    yield* radixSort(p, hi, entry.descending);
  } else if (entry.kind === 'bytes') yield* radixSort(p, (keys as TermKeys).ranks, entry.descending);
}
