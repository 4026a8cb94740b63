// The sort keys of a leaf: flat arrays by document, of 64-bit keys of numbers or of ranks among the leaf's
// own terms. Single-valued columns without gaps are used as they are; other keys are computed once and cached
// (orders.ts).

import { hasBit } from '../../kernels/bits.ts';
import { compareByteRanges } from '../../kernels/sorted-search.ts';
import {
  doubleKey,
  doubleOf,
  longKey,
  longOf,
  unsignedKey,
  unsignedOf,
} from '../../mapping/types/sortable-key.ts';
import type { Key64 } from '../../mapping/types/type.ts';
import type { Leaf, NumericColumn } from '../../segment/leaf.ts';
import {
  type BytesEntry,
  type KeySpace,
  type NumericEntry,
  type SortMode,
  type SortTerms,
  sortColumn,
} from '../order-spec.ts';
import { concatStrings, sortStrings } from './sort-strings.ts';

/** Keys by document, in value order (direction is applied when comparing). */
export interface NumericKeys {
  readonly kind: 'numeric';
  readonly hi: Uint32Array;
  readonly lo: Uint32Array;
  /** Bytes that the keys take beyond the column's own. */
  readonly bytes: number;
}

/**
 * Ranks by document. Term i of the leaf's sorted terms has rank 2i + 2; a stand-in for missing values that
 * falls between two terms has the odd number between them; 0 and 0xffffffff are missing ones before and after
 * all.
 */
export interface TermKeys {
  readonly kind: 'terms';
  readonly ranks: Uint32Array;
  /** The bytes of a rank; undefined for missing. */
  term(rank: number): Uint8Array | undefined;
  /**
   * All terms end to end and where each begins, where the dictionary stores them so. Even ranks but 0 name a
   * term.
   */
  readonly flat: { readonly bytes: Uint8Array; readonly starts: Uint32Array } | undefined;
  /** The rank of bytes: that of a term, else of the place between two terms. O(log terms). */
  rankOfBytes(bytes: Uint8Array | 'low' | 'high'): number;
  readonly bytes: number;
}

export const MISSING_LOW = 0;
const MISSING_HIGH = 0xffff_ffff;

/** Whether a rank is that of a term, not of a missing value or its stand-in. */
export function isTermRank(rank: number): boolean {
  return (rank & 1) === 0 && rank !== MISSING_LOW;
}

function decode(space: KeySpace, hi: number, lo: number): number | bigint {
  return space === 'double' ? doubleOf(hi, lo) : space === 'long' ? longOf(hi, lo) : unsignedOf(hi, lo);
}

/**
 * Sum, mean or median of the values [start, end), in the arithmetic of the key space: wrapping 64-bit, or
 * doubles.
 */
function combine(c: NumericColumn, start: number, end: number, mode: SortMode, e: NumericEntry): Key64 {
  const n = end - start;
  const at = (i: number): number | bigint => {
    const k = e.convert ? e.convert(c.hi[i]!, c.lo[i]!) : { hi: c.hi[i]!, lo: c.lo[i]! };
    return decode(e.space, k.hi, k.lo);
  };
  if (mode === 'median' && n % 2 === 1) return toKey(e.space, at(start + (n >>> 1)));
  const first = mode === 'median' ? start + (n >>> 1) - 1 : start;
  const last = mode === 'median' ? first + 2 : end;
  if (e.space === 'double') {
    let sum = 0;
    for (let i = first; i < last; i++) sum += Number(at(i));
    return doubleKey(mode === 'sum' ? sum : sum / (last - first));
  }
  let sum = 0n;
  for (let i = first; i < last; i++) sum += BigInt(at(i));
  // The peer adds in 64 bits: a sum that does not fit wraps before it is divided, except for medians of
  // longs.
  if (e.space === 'unsigned') sum = BigInt.asUintN(64, sum);
  else if (mode !== 'median') sum = BigInt.asIntN(64, sum);
  return toKey(e.space, mode === 'sum' ? sum : roundedQuotient(sum, BigInt(last - first)));
}

/** The nearest integer, halves upwards (as Java's Math.round does). REQUIRES: divisor > 0. */
function roundedQuotient(sum: bigint, divisor: bigint): bigint {
  const doubled = 2n * sum + divisor;
  const q = doubled / (2n * divisor);
  return doubled < 0n && q * 2n * divisor !== doubled ? q - 1n : q;
}

/** The key of a value in a key space; integers wrap at 64 bits. */
export function toKey(space: KeySpace, value: number | bigint): Key64 {
  if (space === 'double') return doubleKey(Number(value));
  return space === 'long'
    ? longKey(BigInt.asIntN(64, BigInt(value)))
    : unsignedKey(BigInt.asUintN(64, BigInt(value)));
}

/** The value of a key in a key space. */
export const fromKey: (space: KeySpace, hi: number, lo: number) => number | bigint = decode;

function allPresent(present: Uint32Array, n: number): boolean {
  const full = n >>> 5;
  for (let w = 0; w < full; w++) if (present[w] !== 0xffff_ffff) return false;
  return (n & 31) === 0 || (~present[full]! & ((1 << (n & 31)) - 1)) === 0;
}

/** Keys of a numeric entry. O(n), 8 bytes a document; free where the column serves as it is. */
export function numericKeys(leaf: Leaf, e: NumericEntry): NumericKeys {
  const column = sortColumn(leaf, e);
  const n = leaf.docCount;
  if (column === undefined || column.kind !== 'numeric') {
    const hi = new Uint32Array(n).fill(e.missing.hi);
    return { kind: 'numeric', hi, lo: new Uint32Array(n).fill(e.missing.lo), bytes: 8 * n };
  }
  const { starts, present } = column;
  if (starts === undefined && e.convert === undefined) {
    if (allPresent(present, n)) return { kind: 'numeric', hi: column.hi, lo: column.lo, bytes: 0 };
    return filledIn(column, e.missing, n);
  }
  const hi = new Uint32Array(n);
  const lo = new Uint32Array(n);
  const plain = e.mode === 'min' || e.mode === 'max';
  for (let doc = 0; doc < n; doc++) {
    let keyHi = e.missing.hi;
    let keyLo = e.missing.lo;
    if (hasBit(present, doc)) {
      const start = starts === undefined ? doc : starts[doc]!;
      const end = starts === undefined ? doc + 1 : starts[doc + 1]!;
      if (start < end) {
        if (plain || end - start === 1) {
          const i = e.mode === 'max' ? end - 1 : start;
          keyHi = column.hi[i]!;
          keyLo = column.lo[i]!;
          if (e.convert !== undefined) ({ hi: keyHi, lo: keyLo } = e.convert(keyHi, keyLo));
        } else ({ hi: keyHi, lo: keyLo } = combine(column, start, end, e.mode, e));
      }
    }
    hi[doc] = keyHi;
    lo[doc] = keyLo;
  }
  return { kind: 'numeric', hi, lo, bytes: 8 * n };
}

/** A copy of a single-valued column with a key for missing values. Only the missing documents are visited. */
function filledIn(column: NumericColumn, missing: Key64, n: number): NumericKeys {
  const { present } = column;
  const hi = new Uint32Array(n);
  const lo = new Uint32Array(n);
  hi.set(column.hi.subarray(0, n));
  lo.set(column.lo.subarray(0, n));
  for (let w = 0; w << 5 < n; w++) {
    for (let word = ~present[w]!; word !== 0; word &= word - 1) {
      const doc = (w << 5) + 31 - Math.clz32(word & -word);
      if (doc >= n) break;
      hi[doc] = missing.hi;
      lo[doc] = missing.lo;
    }
  }
  return { kind: 'numeric', hi, lo, bytes: 8 * n };
}

/** Terms of the column in byte order: `rank` maps an ordinal to its place, `term` back. */
interface SortedTerms {
  readonly count: number;
  rank(ordinal: number): number;
  term(rank: number): Uint8Array;
  readonly bytes: number;
}

/** Documents or terms between two yields. */
const STEP = 2_048;
/** Documents between two yields where a step is two reads and a write. */
const LONG_STEP = 16_384;

function* sortedTerms(column: SortTerms, docCount: number): Generator<void, SortedTerms, undefined> {
  const terms = column.terms;
  if (terms.sorted) {
    return { count: terms.count, rank: (o) => o, term: (r) => terms.term(r), bytes: 0 };
  }
  // The tail's dictionary is unsorted and shared by all its leaves: sort only the terms that this leaf has.
  const used = usedOrdinals(column, docCount);
  yield;
  const parts: Uint8Array[] = new Array(used.length);
  for (let i = 0; i < used.length; i++) {
    parts[i] = terms.term(used[i]!);
    if (i % STEP === STEP - 1) yield;
  }
  const order = yield* sortStrings(concatStrings(parts));
  const byRank = new Uint32Array(used.length);
  for (let r = 0; r < used.length; r++) byRank[r] = used[order[r]!]!;
  yield;
  const rank = yield* placesOf(byRank);
  return { count: used.length, rank, term: (r) => terms.term(byRank[r]!), bytes: used.length * 40 };
}

/** Distinct ordinals of documents that have a value. */
function usedOrdinals({ starts, ordinals, present }: SortTerms, docCount: number): Uint32Array {
  const values =
    starts === undefined
      ? ordinals.subarray(0, docCount).filter((_, doc) => hasBit(present, doc))
      : ordinals.slice(0, starts[docCount]);
  values.sort();
  return Uint32Array.from(values.filter((value, i) => i === 0 || value !== values[i - 1]));
}

/** Maps numbers to their places in the list: by a table where they lie close together, else by a map. */
function* placesOf(numbers: Uint32Array): Generator<void, (n: number) => number, undefined> {
  let low = numbers[0] ?? 0;
  let high = low;
  for (const n of numbers) {
    if (n < low) low = n;
    if (n > high) high = n;
  }
  if (high - low < 8 * numbers.length) {
    const places = new Uint32Array(high - low + 1);
    for (let i = 0; i < numbers.length; i++) places[numbers[i]! - low] = i;
    return (n) => places[n - low]!;
  }
  const places = new Map<number, number>();
  for (let i = 0; i < numbers.length; i++) {
    places.set(numbers[i]!, i);
    if (i % STEP === STEP - 1) yield;
  }
  return (n) => places.get(n)!;
}

function placeAmong(terms: SortedTerms, bytes: Uint8Array): number {
  let low = 0;
  let high = terms.count;
  while (low < high) {
    const mid = (low + high) >>> 1;
    const t = terms.term(mid);
    if (compareByteRanges(t, 0, t.length, bytes, 0, bytes.length) < 0) low = mid + 1;
    else high = mid;
  }
  if (low === terms.count) return 2 * low + 1;
  const t = terms.term(low);
  return compareByteRanges(t, 0, t.length, bytes, 0, bytes.length) === 0 ? 2 * low + 2 : 2 * low + 1;
}

function flatOf({ sorted, bytes, starts }: SortTerms['terms']): TermKeys['flat'] {
  return sorted && bytes !== undefined && starts !== undefined ? { bytes, starts } : undefined;
}

/** A dictionary without terms. */
const NO_TERMS: SortedTerms = { count: 0, rank: () => 0, term: () => new Uint8Array(0), bytes: 0 };

function rankAmong(terms: SortedTerms, bytes: Uint8Array | 'low' | 'high'): number {
  if (bytes === 'low') return MISSING_LOW;
  return bytes === 'high' ? MISSING_HIGH : placeAmong(terms, bytes);
}

/**
 * Ranks of a keyword-like entry, in steps of about a millisecond. O(n) where the dictionary is sorted; in the
 * tail also O(terms log terms).
 */
export function* termKeys(leaf: Leaf, e: BytesEntry): Generator<void, TermKeys, undefined> {
  const column = sortColumn(leaf, e);
  const n = leaf.docCount;
  const standIn = typeof e.missing === 'string' ? undefined : e.missing;
  const fixed = e.missing === 'low' ? MISSING_LOW : MISSING_HIGH;
  if (column === undefined || column.kind !== 'ordinal') {
    const ranks = new Uint32Array(n).fill(standIn === undefined ? fixed : 1);
    return {
      kind: 'terms',
      ranks,
      term: (r) => (r === 1 ? standIn : undefined),
      flat: undefined,
      rankOfBytes: (given) => rankAmong(NO_TERMS, given),
      bytes: 4 * n,
    };
  }
  const terms = yield* sortedTerms(column, n);
  const missing = standIn === undefined ? fixed : placeAmong(terms, standIn);
  const ranks = new Uint32Array(n);
  const rankAll = column.starts === undefined && column.terms.sorted ? rankSingle : rankAny;
  for (let doc = 0; doc < n; doc += LONG_STEP) {
    rankAll(ranks, doc, Math.min(n, doc + LONG_STEP), column, e.mode, terms, missing);
    yield;
  }
  return {
    kind: 'terms',
    ranks,
    term: (r) =>
      r === MISSING_LOW || r === MISSING_HIGH ? undefined : r & 1 ? standIn : terms.term((r - 2) >>> 1),
    flat: flatOf(column.terms),
    rankOfBytes: (given) => rankAmong(terms, given),
    bytes: 4 * n + terms.bytes,
  };
}

/** Ranks of documents [from, to) that have at most one value, by a sorted dictionary. */
function rankSingle(
  ranks: Uint32Array,
  from: number,
  to: number,
  { ordinals, present }: SortTerms,
  _mode: BytesEntry['mode'],
  _terms: SortedTerms,
  missing: number,
): void {
  for (let doc = from; doc < to; doc++) ranks[doc] = hasBit(present, doc) ? 2 * ordinals[doc]! + 2 : missing;
}

/** Ranks of documents [from, to) with any number of values, by any dictionary. */
function rankAny(
  ranks: Uint32Array,
  from: number,
  to: number,
  { starts, ordinals, present }: SortTerms,
  mode: BytesEntry['mode'],
  terms: SortedTerms,
  missing: number,
): void {
  for (let doc = from; doc < to; doc++) {
    let rank = missing;
    if (hasBit(present, doc)) {
      const start = starts === undefined ? doc : starts[doc]!;
      const end = starts === undefined ? doc + 1 : starts[doc + 1]!;
      if (start < end) rank = 2 * terms.rank(ordinals[mode === 'min' ? start : end - 1]!) + 2;
    }
    ranks[doc] = rank;
  }
}
