// Copies fields of a document to a new version of it. After a partial update most fields are unchanged:
// their entries are copied from the tail that has the previous version, instead of being read and
// analysed again.

import type { FieldSpec } from '../../mapping/field-spec.ts';
import type { ForwardField } from './forward-field.ts';

/** Receives the fields of a document: a tail. */
export interface FieldEntries {
  /** The field, with an entry for the open document. */
  entry(spec: FieldSpec): ForwardField;
}

/** The entry of a document in a field, or -1. */
export function findEntry(field: ForwardField, doc: number): number {
  const entry = field.entryAt(doc);
  return entry < field.docs.length && field.docs.view[entry] === doc ? entry : -1;
}

/** Copies an entry of the same field of this or another tail to the new, empty entry of the open document. */
function copyEntry(field: ForwardField, source: ForwardField, entry: number, copier: FieldCopier): void {
  const { tokens, distances, hi, lo, norms } = field;
  const [first, stop] = [source.tokenAt(entry), source.tokenAt(entry + 1)];
  const by = tokens.length - first;
  if (source === field) tokens.repeat(first, stop);
  else copier.copyTerms(field, source, first, stop);
  if (field.hasPositions) {
    distances.repeat(first, stop, source.distances);
    copyFarDistances(field, source, first, stop, by);
  }
  if (field.spec.column === 'numeric') {
    const [from, to] = [source.valueAt(entry), source.valueAt(entry + 1)];
    hi.repeat(from, to, source.hi);
    lo.repeat(from, to, source.lo);
  }
  norms.view[field.docs.length - 1] = source.norms.view[entry]!;
  field.closeCopied();
}

/** Copies the far distances of tokens [first, stop), for tokens that lie `by` behind them. */
function copyFarDistances(
  { far }: ForwardField,
  source: ForwardField,
  first: number,
  stop: number,
  by: number,
): void {
  const end = source.farAt(stop);
  for (let at = source.farAt(first); at < end; at += 2) {
    far.push(source.far.view[at]! + by);
    far.push(source.far.view[at + 1]!);
  }
}

/** Copies documents between tails, and remembers the numbers that terms of other tails have in this one. */
export class FieldCopier {
  /** By source field: the numbers here by number there, -1 for unknown ones. */
  readonly #numbers = new WeakMap<ForwardField, Int32Array>();

  /** Copies the entries of a document in the fields `sources` (by slot), except the slots in `without`. */
  copyFields(
    sources: readonly (ForwardField | undefined)[],
    doc: number,
    without: ReadonlySet<number>,
    into: FieldEntries,
  ): void {
    for (const source of sources) {
      if (source === undefined || without.has(source.spec.slot)) continue;
      const entry = findEntry(source, doc);
      if (entry >= 0) copyEntry(into.entry(source.spec), source, entry, this);
    }
  }

  /** Appends tokens [first, stop) of a field of another tail, with the term numbers of this one. */
  copyTerms({ tokens, table }: ForwardField, source: ForwardField, first: number, stop: number): void {
    const known = this.#of(source);
    const there = source.tokens.view;
    tokens.reserve(stop - first);
    const { view } = tokens;
    let at = tokens.length;
    for (let i = first; i < stop; i++) {
      const n = there[i]!;
      let id = known[n]!;
      if (id < 0) {
        const term = source.table.term(n);
        known[n] = id = table.intern(term, 0, term.length);
      }
      view[at++] = id;
    }
    tokens.length = at;
  }

  #of(source: ForwardField): Int32Array {
    let known = this.#numbers.get(source);
    if (known === undefined || known.length < source.table.count) {
      known = new Int32Array(source.table.count).fill(-1);
      this.#numbers.set(source, known);
    }
    return known;
  }
}
