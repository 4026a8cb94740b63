// Term keys of a leaf whose terms are not ranked: the bytes of each document's own term, looked up in the
// column. The first page of a new sort compares few documents by more than their first key, and does not wait
// for ranks.

import { hasBit } from '../../kernels/bits.ts';
import type { Leaf } from '../../segment/leaf.ts';
import { type BytesEntry, sortColumn } from '../order-spec.ts';
import { MISSING_LOW, type TermKeys } from './sort-keys.ts';

/** Terms by document. */
export interface UnrankedKeys {
  readonly kind: 'unranked';
  /** The bytes that a document sorts by; undefined for missing. */
  term(doc: number): Uint8Array | undefined;
  /** Where documents without a term lie: before (-1) or after (1) all others. */
  readonly missing: -1 | 1;
}

/** Keys of a keyword-like entry. O(1). */
export function unrankedKeys(leaf: Leaf, entry: BytesEntry): UnrankedKeys {
  const { mode, missing } = entry;
  const column = sortColumn(leaf, entry);
  const standIn = typeof missing === 'string' ? undefined : missing;
  const where = missing === 'low' ? -1 : 1;
  if (column?.kind !== 'ordinal') return { kind: 'unranked', term: () => standIn, missing: where };
  const { starts, ordinals, present, terms } = column;
  const term = (doc: number): Uint8Array | undefined => {
    if (!hasBit(present, doc)) return standIn;
    if (starts === undefined) return terms.term(ordinals[doc]!);
    const start = starts[doc]!;
    const end = starts[doc + 1]!;
    return start === end ? standIn : terms.term(ordinals[mode === 'min' ? start : end - 1]!);
  };
  return { kind: 'unranked', term, missing: where };
}

/** The bytes that a document sorts by; undefined for missing. */
export function termOfDoc(keys: TermKeys | UnrankedKeys, doc: number): Uint8Array | undefined {
  return keys.kind === 'terms' ? keys.term(keys.ranks[doc]!) : keys.term(doc);
}

/** Where a document without a term lies: before (-1) or after (1) all others. */
export function missingSide(keys: TermKeys | UnrankedKeys, doc: number): -1 | 1 {
  if (keys.kind === 'unranked') return keys.missing;
  return keys.ranks[doc] === MISSING_LOW ? -1 : 1;
}
