// Reads the sort values of a document where they lie, as the peer prints them: infinities as strings, dates
// in milliseconds unless a format was given, stand-ins for missing numbers included.

import type { SortPrinter, SortValue, SortValues } from '../../api.ts';
import type { JsonWriter } from '../../json/json-writer.ts';
import { shortestFloat } from '../../mapping/types/shortest-float.ts';
import type { EntryKeys, Side } from '../../order/compare.ts';
import { fromKey, isTermRank, type NumericKeys, type TermKeys } from '../../order/keys/sort-keys.ts';
import { termOfDoc, type UnrankedKeys } from '../../order/keys/unranked-keys.ts';
import type { PageDoc } from '../../order/rank/walk-runs.ts';
import { POSITION_STRIDE } from './cursor-values.ts';
import type { Sortable } from './sortable.ts';

const decoder = new TextDecoder();

function printedNumber(s: Sortable, hi: number, lo: number, formatted: boolean): SortValue {
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
  const value = fromKey(s.entry.space, hi, lo);
  if (typeof value === 'bigint') return value;
  if (value === Number.POSITIVE_INFINITY) return 'Infinity';
  if (value === Number.NEGATIVE_INFINITY) return '-Infinity';
  if (Number.isNaN(value)) return 'NaN';
  return type.kind === 'float' || type.kind === 'half_float' ? shortestFloat(Math.fround(value)) : value;
}

function printedTerm(s: Sortable, bytes: Uint8Array | undefined): SortValue {
  if (bytes === undefined) return null;
  return s.type.field?.bytes !== undefined ? s.type.field.bytes.decode(bytes) : decoder.decode(bytes);
}

/**
 * Writes the term that a document sorts by as a JSON string. False where it does not lie in memory as bytes.
 */
function putTerm(s: Sortable, keys: EntryKeys, doc: number, out: JsonWriter): boolean {
  if (s.entry.kind !== 'bytes' || s.type.kind !== 'keyword') return false;
  const own = keys as TermKeys | UnrankedKeys;
  if (own.kind === 'terms' && own.flat !== undefined) {
    const rank = own.ranks[doc]!;
    if (isTermRank(rank)) {
      const { bytes, starts } = own.flat;
      const ordinal = (rank - 2) >>> 1;
      out.quoted(bytes, starts[ordinal]!, starts[ordinal + 1]!);
      return true;
    }
  }
  const term = termOfDoc(own, doc);
  if (term === undefined) return false;
  out.quoted(term, 0, term.length);
  return true;
}

/** The sort values of a document, formatted as the request asks or as they are. */
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

function sortValue(
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
      return printedNumber(s, keys.hi[doc]!, keys.lo[doc]!, formatted);
    }
    case 'bytes':
      return printedTerm(s, termOfDoc(side.keys[e] as TermKeys | UnrankedKeys, doc));
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

/** The sort values of one document at a time. */
class DocSortValues implements SortValues {
  #sort: readonly Sortable[] = [];
  #doc: PageDoc | undefined;

  get length(): number {
    return this.#sort.length;
  }

  set(sort: readonly Sortable[], doc: PageDoc): void {
    this.#sort = sort;
    this.#doc = doc;
  }

  putText(entry: number, out: JsonWriter): boolean {
    const { side, doc } = this.#doc!;
    return putTerm(this.#sort[entry]!, side.keys[entry], doc, out);
  }

  value(entry: number): SortValue {
    const { side, doc, score } = this.#doc!;
    return sortValue(this.#sort[entry]!, entry, side, doc, score, true);
  }
}

const values = new DocSortValues();

/** Prints the sort of a document. */
export function putSort(
  sort: readonly Sortable[],
  doc: PageDoc,
  printer: SortPrinter,
  out: JsonWriter,
): void {
  values.set(sort, doc);
  printer.put(values, out);
}
