// Compares documents in the order of a spec: inside a leaf by keys and ranks, across leaves by keys and
// bytes, and against a cursor. All three give one order.

import { compareByteRanges } from '../kernels/sorted-search.ts';
import { compareKeys } from '../mapping/types/sortable-key.ts';
import type { Leaf } from '../segment/leaf.ts';
import { isTermRank, type NumericKeys, type TermKeys } from './keys/sort-keys.ts';
import { missingSide, termOfDoc, type UnrankedKeys } from './keys/unranked-keys.ts';
import type { OrderSpec } from './order-spec.ts';

/** Sort keys of one entry in one leaf; entries that need none (ids, positions, scores) have `undefined`. */
export type EntryKeys = NumericKeys | TermKeys | UnrankedKeys | undefined;

/** A leaf as one side of a comparison. */
export interface Side {
  readonly leaf: Leaf;
  readonly spec: OrderSpec;
  /** One per entry of the spec. */
  readonly keys: readonly EntryKeys[];
  /** Place of the leaf among all leaves of the search, and of its index among the indices. */
  readonly place: number;
  readonly indexPlace: number;
  /** The score of all its documents, where they all have the same. */
  readonly score: number;
}

/** One value of a cursor, in the entry's own terms. */
export type CursorValue =
  | { readonly kind: 'numeric'; readonly hi: number; readonly lo: number }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array | 'low' | 'high' }
  | { readonly kind: 'position'; readonly indexPlace: number; readonly seqNo: number }
  | { readonly kind: 'score'; readonly score: number };

/** A position in an order: a value per entry and, in tokens, the tiebreak. */
export interface Cursor {
  readonly values: readonly CursorValue[];
  readonly id: Uint8Array | undefined;
  /** Breaks ties of the same id in several indices. */
  readonly indexPlace: number | undefined;
}

function signed(c: number, descending: boolean): number {
  return descending ? -c : c;
}

function compareIds(a: Leaf, i: number, b: Leaf, j: number): number {
  const x = a.docs;
  const y = b.docs;
  return compareByteRanges(
    x.idBytes,
    x.idStarts[i]!,
    x.idStarts[i + 1]!,
    y.idBytes,
    y.idStarts[j]!,
    y.idStarts[j + 1]!,
  );
}

function compareTerms(a: TermKeys | UnrankedKeys, i: number, b: TermKeys | UnrankedKeys, j: number): number {
  if (a.kind === 'terms' && b.kind === 'terms') {
    const x = a.ranks[i]!;
    const y = b.ranks[j]!;
    if (a === b) return x < y ? -1 : x > y ? 1 : 0;
    // Pages across leaves come here for every tie, so terms are compared in place, without a view of their
    // bytes.
    const f = a.flat;
    const g = b.flat;
    if (f !== undefined && g !== undefined && isTermRank(x) && isTermRank(y)) {
      const s = (x - 2) >>> 1;
      const t = (y - 2) >>> 1;
      return compareByteRanges(
        f.bytes,
        f.starts[s]!,
        f.starts[s + 1]!,
        g.bytes,
        g.starts[t]!,
        g.starts[t + 1]!,
      );
    }
  }
  const x = termOfDoc(a, i);
  const y = termOfDoc(b, j);
  if (x === undefined || y === undefined)
    return (x === undefined ? missingSide(a, i) : 0) - (y === undefined ? missingSide(b, j) : 0);
  return compareByteRanges(x, 0, x.length, y, 0, y.length);
}

/**
 * Negative, 0 or positive as document i of side a comes before, with or after document j of side b. 0 only
 * for the same document, or for two versions of one id, of which one is dead. Scores matter only where the
 * spec has a score entry.
 */
export function compareDocs(a: Side, i: number, aScore: number, b: Side, j: number, bScore: number): number {
  const entries = a.spec.entries;
  for (let e = 0; e < entries.length; e++) {
    const entry = entries[e]!;
    let c = 0;
    switch (entry.kind) {
      case 'numeric': {
        const x = a.keys[e] as NumericKeys;
        const y = b.keys[e] as NumericKeys;
        c = compareKeys(x.hi[i]!, x.lo[i]!, y.hi[j]!, y.lo[j]!);
        break;
      }
      case 'bytes':
        c = compareTerms(a.keys[e] as TermKeys | UnrankedKeys, i, b.keys[e] as TermKeys | UnrankedKeys, j);
        break;
      case 'id':
        c = compareIds(a.leaf, i, b.leaf, j);
        break;
      case 'position':
        c = a.place - b.place || i - j;
        break;
      case 'score':
        c = aScore < bScore ? -1 : aScore > bScore ? 1 : 0;
        break;
      case 'constant': {
        const other = b.spec.entries[e]!;
        if (other.kind === 'constant') {
          c = compareByteRanges(entry.value, 0, entry.value.length, other.value, 0, other.value.length);
        }
        break;
      }
    }
    if (c !== 0) return signed(c, entry.descending);
  }
  if (a.spec.tiebreakById) {
    const c = compareIds(a.leaf, i, b.leaf, j);
    if (c !== 0) return c;
  }
  return a.place - b.place || i - j;
}

/**
 * Compares a document to a cursor. A cursor without an id ties with every document of its values. The first
 * `known` entries are known to tie.
 */
export function compareToCursor(a: Side, i: number, score: number, cursor: Cursor, known = 0): number {
  const entries = a.spec.entries;
  for (let e = known; e < entries.length; e++) {
    const entry = entries[e]!;
    const value = cursor.values[e]!;
    let c = 0;
    if (value.kind === 'numeric') {
      const keys = a.keys[e] as NumericKeys;
      c = compareKeys(keys.hi[i]!, keys.lo[i]!, value.hi, value.lo);
    } else if (value.kind === 'bytes') c = compareBytesTo(a, i, e, value.bytes);
    else if (value.kind === 'score') c = score < value.score ? -1 : score > value.score ? 1 : 0;
    else c = a.indexPlace - value.indexPlace || a.leaf.docs.seqNo(i) - value.seqNo;
    if (c !== 0) return signed(c, entry.descending);
  }
  if (cursor.id === undefined) return 0;
  if (a.spec.tiebreakById) {
    const { idBytes, idStarts } = a.leaf.docs;
    const c = compareByteRanges(idBytes, idStarts[i]!, idStarts[i + 1]!, cursor.id, 0, cursor.id.length);
    if (c !== 0) return c;
  }
  return cursor.indexPlace === undefined ? 0 : a.indexPlace - cursor.indexPlace;
}

/** Compares bytes in place, without a view of them: every step of a binary search comes here. */
function compareBytesTo(a: Side, i: number, e: number, bytes: Uint8Array | 'low' | 'high'): number {
  const entry = a.spec.entries[e]!;
  const other = bytes === 'low' ? -1 : bytes === 'high' ? 1 : 0;
  const given = bytes as Uint8Array;
  let own: Uint8Array | undefined;
  let missing = 0;
  if (entry.kind === 'bytes') {
    const keys = a.keys[e] as TermKeys | UnrankedKeys;
    if (keys.kind === 'terms' && keys.flat !== undefined && other === 0) {
      const rank = keys.ranks[i]!;
      const term = (rank - 2) >>> 1;
      const { bytes: terms, starts } = keys.flat;
      if (isTermRank(rank))
        return compareByteRanges(terms, starts[term]!, starts[term + 1]!, given, 0, given.length);
    }
    own = termOfDoc(keys, i);
    if (own === undefined) missing = missingSide(keys, i);
  } else if (entry.kind === 'constant') own = entry.value;
  else {
    const { idBytes, idStarts } = a.leaf.docs;
    return other !== 0
      ? -other
      : compareByteRanges(idBytes, idStarts[i]!, idStarts[i + 1]!, given, 0, given.length);
  }
  if (missing !== 0 || other !== 0) return missing - other;
  return compareByteRanges(own!, 0, own!.length, given, 0, given.length);
}
