// How is a field told of one document what it was told of another? By copying: of a document that differs from one that the
// tail, or the one before it, has in a few fields, the others need not be read.

import type { FieldSpec } from '../../mapping/field-spec.ts';
import type { ForwardField } from './forward-field.ts';

/** Where the fields of a document are told: a tail. */
export interface FieldEntries {
  /** A field of the open document, with an entry for it. */
  entry(spec: FieldSpec): ForwardField;
}

/** The entry that a document has in a field, -1 where it has none. */
export function findEntry(field: ForwardField, doc: number): number {
  const entry = field.entryAt(doc);
  return entry < field.docs.length && field.docs.view[entry] === doc ? entry : -1;
}

/** Tells a field, which the open document has since just now and nothing of it yet, what an entry of the same field of this tail or another says. */
function repeat(field: ForwardField, source: ForwardField, entry: number, numbers: FieldCopier): void {
  const { tokens, distances, hi, lo, norms } = field;
  const [first, stop] = [source.tokenAt(entry), source.tokenAt(entry + 1)];
  const by = tokens.length - first;
  if (source === field) tokens.repeat(first, stop);
  else numbers.copyTerms(field, source, first, stop);
  if (field.hasPositions) {
    distances.repeat(first, stop, source.distances);
    repeatFar(field, source, first, stop, by);
  }
  if (field.spec.column === 'numeric') {
    const [from, to] = [source.valueAt(entry), source.valueAt(entry + 1)];
    hi.repeat(from, to, source.hi);
    lo.repeat(from, to, source.lo);
  }
  norms.view[field.docs.length - 1] = source.norms.view[entry]!;
  field.closeCopied();
}

/** The far ones among tokens [first, stop), for those that lie so much behind them. */
function repeatFar(
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

/** The numbers that terms of other tails have in the fields of this one. */
export class FieldCopier {
  /** By field there: numbers by number there, -1 for those that nobody has asked for yet. */
  readonly #known = new WeakMap<ForwardField, Int32Array>();

  /** Tells fields of this tail what a document of these, by slot, says, but for some slots. */
  copyFields(
    sources: readonly (ForwardField | undefined)[],
    doc: number,
    without: ReadonlySet<number>,
    into: FieldEntries,
  ): void {
    for (const source of sources) {
      if (source === undefined || without.has(source.spec.slot)) continue;
      const entry = findEntry(source, doc);
      if (entry >= 0) repeat(into.entry(source.spec), source, entry, this);
    }
  }

  /** Tokens [first, stop) of the field of another tail. */
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
    let known = this.#known.get(source);
    if (known === undefined || known.length < source.table.count) {
      known = new Int32Array(source.table.count).fill(-1);
      this.#known.set(source, known);
    }
    return known;
  }
}
