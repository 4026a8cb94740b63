// A sort once fields and types are known: a list of entries that any leaf can turn into keys, always ended by
// a tiebreak, which is `_id` ascending unless an entry is unique by itself. Two sorts with the same key text
// are the same order.
//
//   entry      values of a leaf                              across leaves
//   numeric    64-bit keys, missing ones filled in           the keys
//   bytes      ranks of the leaf's own terms                 the terms' bytes
//   id         ranks of ids                                  the ids' bytes
//   position   the document's number                         place of the leaf, then number
//   constant   nothing (`_index`, unmapped fields)           one value for the whole leaf

import type { Key64 } from '../mapping/types/type.ts';
import type { Leaf, NumericColumn, OrdinalColumn, Terms } from '../segment/leaf.ts';

/** How the 64-bit keys of an entry are decoded. */
export type KeySpace = 'long' | 'double' | 'unsigned';

/** Which of several values of a document counts. */
export type SortMode = 'min' | 'max' | 'avg' | 'sum' | 'median';

/**
 * What stands in for a missing value among byte strings: before all, after all (in byte order), or a value.
 */
export type MissingBytes = 'low' | 'high' | Uint8Array;

/** The values that documents are sorted by. */
export type SortColumn = NumericColumn | SortTerms;

/** Terms that documents are sorted by. */
export type SortTerms = Omit<OrdinalColumn, 'terms'> & {
  readonly terms: Pick<Terms, 'count' | 'sorted' | 'term' | 'bytes' | 'starts'>;
};

/** Values that are computed for the documents of each leaf: those of nested objects, of scripts, or distances. */
export interface ComputedColumns {
  /** Equal text, equal values. */
  readonly key: string;
  column(leaf: Leaf): SortColumn | undefined;
}

export interface NumericEntry {
  readonly kind: 'numeric';
  readonly path: string;
  readonly descending: boolean;
  readonly space: KeySpace;
  readonly mode: SortMode;
  readonly missing: Key64;
  /** Set where the column's keys are of another space than the entry's (a long sorted as a double). */
  readonly convert: ((hi: number, lo: number) => Key64) | undefined;
  /** Present where the values are no column of the leaf. */
  readonly computed?: ComputedColumns | undefined;
}

export interface BytesEntry {
  readonly kind: 'bytes';
  readonly path: string;
  readonly descending: boolean;
  readonly mode: 'min' | 'max';
  readonly missing: MissingBytes;
  /** Present where the values are no column of the leaf. */
  readonly computed?: ComputedColumns | undefined;
}

/** The values that an entry sorts a leaf by. */
export function sortColumn(
  leaf: Leaf,
  { computed, path }: NumericEntry | BytesEntry,
): SortColumn | undefined {
  return computed === undefined ? leaf.column(path) : computed.column(leaf);
}

interface IdEntry {
  readonly kind: 'id';
  readonly descending: boolean;
}

/** Insertion order: unique within a search, so that later entries decide nothing. */
interface PositionEntry {
  readonly kind: 'position';
  readonly descending: boolean;
}

/** The same value for all documents of an index. */
interface ConstantEntry {
  readonly kind: 'constant';
  readonly descending: boolean;
  readonly value: Uint8Array;
}

/** The score of a search. Orders are used only where it is the same for all documents of an index. */
interface ScoreEntry {
  readonly kind: 'score';
  readonly descending: boolean;
}

export type OrderEntry = NumericEntry | BytesEntry | IdEntry | PositionEntry | ConstantEntry | ScoreEntry;

/** A total order of the documents of one index (entries of several indices line up one to one). */
export interface OrderSpec {
  readonly entries: readonly OrderEntry[];
  /** Canonical text: equal keys mean equal orders on the same leaf. */
  readonly key: string;
  /**
   * Canonical text of each entry without its direction: equal texts mean equal sort keys on the same leaf.
   */
  readonly entryKeys: readonly string[];
  /** True when documents that tie on all entries are ordered by `_id`; false when an entry leaves no ties. */
  readonly tiebreakById: boolean;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

function pathKey({ path, computed }: NumericEntry | BytesEntry): string {
  return JSON.stringify(computed === undefined ? path : [path, computed.key]);
}

/** Canonical text of an entry. */
function entryKey(e: OrderEntry): string {
  const direction = e.descending ? '-' : '+';
  switch (e.kind) {
    case 'numeric':
      return `${direction}n${e.space[0]}${e.convert ? '!' : ''}${e.mode},${e.missing.hi},${e.missing.lo},${pathKey(e)}`;
    case 'bytes': {
      const missing = typeof e.missing === 'string' ? e.missing : `=${hex(e.missing)}`;
      return `${direction}b${e.mode},${missing},${pathKey(e)}`;
    }
    case 'constant':
      return `${direction}c`;
    default:
      return direction + e.kind[0];
  }
}

/**
 * Completes entries to an order. Entries after one that leaves no ties stay, because hits show them, but
 * order nothing.
 */
export function orderSpec(entries: readonly OrderEntry[]): OrderSpec {
  const unique = entries.some((e) => e.kind === 'id' || e.kind === 'position');
  const ordering = entries.filter((e) => e.kind !== 'score');
  return {
    entries,
    entryKeys: entries.map((e) => entryKey({ ...e, descending: false })),
    key: ordering.map(entryKey).join(';'),
    tiebreakById: !unique,
  };
}
