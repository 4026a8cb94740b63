// What does a hit's `sort` hold? The values that decided its place, as the peer prints them: stand-ins for missing
// numbers included, infinities as strings, dates in milliseconds unless a format was asked for.

import type { JsonWriter } from '../../json/json-writer.ts';
import { shortestFloat } from '../../mapping/types/shortest-float.ts';
import { keyValue, type NumericKeys, namesTerm, type TermKeys } from '../../order/build/sort-keys.ts';
import type { EntryKeys, Side } from '../../order/compare.ts';
import { termOf, type UnrankedKeys } from '../../order/unordered/unranked.ts';
import { POSITION_STRIDE } from '../request/after.ts';
import type { SortValue } from '../request/request.ts';
import type { Sortable } from '../request/sortable.ts';

const decoder = new TextDecoder();

function shownNumber(s: Sortable, hi: number, lo: number, formatted: boolean): SortValue {
  const { type } = s;
  if (s.entry.kind !== 'numeric') return null;
  if (
    formatted &&
    type.format !== undefined &&
    type.field?.numeric !== undefined &&
    s.entry.convert === undefined
  ) {
    const { missing } = s.entry;
    if (hi !== missing.hi || lo !== missing.lo) return type.field.numeric.format(hi, lo, type.format);
  }
  const value = keyValue(s.entry.space, hi, lo);
  if (typeof value === 'bigint') return value;
  if (value === Number.POSITIVE_INFINITY) return 'Infinity';
  if (value === Number.NEGATIVE_INFINITY) return '-Infinity';
  if (Number.isNaN(value)) return 'NaN';
  return type.kind === 'float' || type.kind === 'half_float' ? shortestFloat(Math.fround(value)) : value;
}

function shownTerm(s: Sortable, bytes: Uint8Array | undefined): SortValue {
  if (bytes === undefined) return null;
  return s.type.field?.bytes !== undefined ? s.type.field.bytes.decode(bytes) : decoder.decode(bytes);
}

/** Writes the term that a document sorts by as a JSON string, where it is one that lies there as bytes; false where not. */
export function putTerm(s: Sortable, keys: EntryKeys, doc: number, out: JsonWriter): boolean {
  if (s.entry.kind !== 'bytes' || s.type.kind !== 'keyword') return false;
  const own = keys as TermKeys | UnrankedKeys;
  if (own.kind === 'terms' && own.flat !== undefined) {
    const rank = own.ranks[doc]!;
    if (namesTerm(rank)) {
      const { bytes, starts } = own.flat;
      const ordinal = (rank - 2) >>> 1;
      out.quoted(bytes, starts[ordinal]!, starts[ordinal + 1]!);
      return true;
    }
  }
  const term = termOf(own, doc);
  if (term === undefined) return false;
  out.quoted(term, 0, term.length);
  return true;
}

/** The sort values of a document, in the formats that were asked for or as they are. */
export function sortValues(
  sort: readonly Sortable[],
  side: Side,
  doc: number,
  score: number,
  formatted = true,
): SortValue[] {
  const values: SortValue[] = new Array(sort.length);
  for (let e = 0; e < sort.length; e++) values[e] = sortValue(sort[e]!, e, side, doc, score, formatted);
  return values;
}

/** One of them. */
export function sortValue(
  s: Sortable,
  e: number,
  side: Side,
  doc: number,
  score: number,
  formatted: boolean,
): SortValue {
  switch (s.entry.kind) {
    case 'numeric': {
      const keys = side.keys[e] as NumericKeys;
      return shownNumber(s, keys.hi[doc]!, keys.lo[doc]!, formatted);
    }
    case 'bytes':
      return shownTerm(s, termOf(side.keys[e] as TermKeys | UnrankedKeys, doc));
    case 'score':
      return shortestFloat(score);
    case 'id':
      return side.leaf.docs.id(doc);
    case 'constant':
      return decoder.decode(s.entry.value);
    default: {
      const seqNo = side.leaf.docs.seqNo(doc);
      return s.type.kind === '_seq_no' ? seqNo : side.indexPlace * POSITION_STRIDE + seqNo;
    }
  }
}
