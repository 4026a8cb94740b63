// The dictionaries of a field. A sealed segment has its terms sorted by bytes, for ranges and prefixes,
// and an open-addressing hash table for exact look-ups (load at most 1/2). A mini-segment lists the
// numbers of its terms in a table that all minis of a tail share.

import { compareByteRanges, hashBytes, lowerBound } from '../kernels/sorted-search.ts';
import type { FieldRecord } from './format.ts';
import type { TermStats, Terms } from './leaf.ts';
import type { PostingsView } from './postings/postings-view.ts';

const NO_BYTES = new Uint8Array(0);

/** A term table outside the segment. A term keeps its number. */
export interface SharedTerms {
  /** Terms so far. */
  readonly count: number;
  /** Number of a term or -1. */
  find(bytes: Uint8Array, start: number, end: number): number;
  term(id: number): Uint8Array;
}

function statsOf(record: FieldRecord): TermStats {
  const { docCount, sumDocFreq, sumTotalTermFreq } = record;
  return { docCount, sumDocFreq, sumTotalTermFreq };
}

/** The common part of both dictionaries: all but the mapping between bytes and ordinals. */
abstract class FieldTerms implements Terms {
  abstract readonly sorted: boolean;
  abstract readonly count: number;
  readonly stats: TermStats;
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  readonly indexed: boolean;
  readonly postings: PostingsView;
  readonly #termFreqs: Uint32Array;

  constructor(record: FieldRecord, postings: PostingsView, termFreqs: Uint32Array) {
    this.stats = statsOf(record);
    this.indexed = record.index > 0;
    this.hasFreqs = record.index > 1;
    this.hasPositions = record.index > 2;
    this.postings = postings;
    this.#termFreqs = termFreqs;
  }

  abstract find(bytes: Uint8Array, start: number, end: number): number;
  abstract term(ordinal: number): Uint8Array;
  abstract lowerBound(bytes: Uint8Array): number;
  abstract ordinals(): Iterable<number>;

  docFreq(ordinal: number): number {
    const postings = this.postings;
    const row = postings.row(ordinal);
    if (row < 0) return 0;
    const { termGroups } = postings.arrays;
    return postings.start(termGroups[row + 1]!) - postings.start(termGroups[row]!);
  }

  totalTermFreq(ordinal: number): number {
    if (!this.hasFreqs) return this.docFreq(ordinal);
    const row = this.postings.row(ordinal);
    return row < 0 ? 0 : this.#termFreqs[row]!;
  }
}

/** Dictionary of a sealed segment. */
export class SortedTerms extends FieldTerms {
  readonly sorted = true;
  readonly count: number;
  /** All terms, concatenated, and where each begins. */
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly #hash: Uint32Array;

  constructor(
    record: FieldRecord,
    postings: PostingsView,
    termFreqs: Uint32Array,
    dictionary: { bytes: Uint8Array; starts: Uint32Array; hash: Uint32Array },
  ) {
    super(record, postings, termFreqs);
    this.count = record.termCount;
    this.bytes = dictionary.bytes;
    this.starts = dictionary.starts;
    this.#hash = dictionary.hash;
  }

  find(bytes: Uint8Array, start: number, end: number): number {
    const { starts, bytes: all } = this;
    const hash = this.#hash;
    const mask = hash.length - 1;
    const length = end - start;
    for (let slot = hashBytes(bytes, start, end) & mask; ; slot = (slot + 1) & mask) {
      const ordinal = hash[slot]! - 1;
      if (ordinal < 0) return -1;
      const at = starts[ordinal]!;
      if (starts[ordinal + 1]! - at !== length) continue;
      let i = 0;
      while (i < length && all[at + i] === bytes[start + i]) i++;
      if (i === length) return ordinal;
    }
  }

  term(ordinal: number): Uint8Array {
    return this.bytes.subarray(this.starts[ordinal]!, this.starts[ordinal + 1]!);
  }

  lowerBound(bytes: Uint8Array): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const mid = (low + high) >>> 1;
      const order = compareByteRanges(
        this.bytes,
        this.starts[mid]!,
        this.starts[mid + 1]!,
        bytes,
        0,
        bytes.length,
      );
      if (order < 0) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  *ordinals(): Iterable<number> {
    for (let ordinal = 0; ordinal < this.count; ordinal++) yield ordinal;
  }
}

/** Dictionary of a mini-segment: the numbers of the shared table that occur in it. */
export class ListedTerms extends FieldTerms {
  readonly sorted = false;
  readonly shared: SharedTerms;
  /** Term numbers in this leaf, ascending. */
  readonly ids: Uint32Array;

  constructor(
    record: FieldRecord,
    postings: PostingsView,
    termFreqs: Uint32Array,
    ids: Uint32Array,
    shared: SharedTerms,
  ) {
    super(record, postings, termFreqs);
    this.ids = ids;
    this.shared = shared;
  }

  /** Upper bound of ordinals: the current size of the table. */
  get count(): number {
    return this.shared.count;
  }

  find(bytes: Uint8Array, start: number, end: number): number {
    const id = this.shared.find(bytes, start, end);
    if (id < 0) return -1;
    const at = lowerBound(this.ids, 0, this.ids.length, id);
    return this.ids[at] === id ? id : -1;
  }

  term(ordinal: number): Uint8Array {
    return ordinal < this.shared.count ? this.shared.term(ordinal) : NO_BYTES;
  }

  lowerBound(): number {
    throw new Error('terms of the tail are not sorted: ask `sorted` first');
  }

  ordinals(): Iterable<number> {
    return this.ids;
  }
}

/** Size of an open-addressing table for `count` entries: a power of two, at most half full. */
export function tableSize(count: number): number {
  let size = 2;
  while (size < count * 2) size *= 2;
  return size;
}

/** Terms hashed between two yields. */
const SLICE = 2_500;

/** The hash table of a sorted dictionary. Yields as it goes. */
export function* hashTerms(
  bytes: Uint8Array,
  starts: Uint32Array,
  count: number,
): Generator<void, Uint32Array> {
  const table = new Uint32Array(tableSize(count));
  for (let from = 0; from < count; from += SLICE) {
    insertTerms(table, bytes, starts, from, Math.min(count, from + SLICE));
    yield;
  }
  return table;
}

function insertTerms(
  table: Uint32Array,
  bytes: Uint8Array,
  starts: Uint32Array,
  from: number,
  to: number,
): void {
  const mask = table.length - 1;
  for (let ordinal = from; ordinal < to; ordinal++) {
    let slot = hashBytes(bytes, starts[ordinal]!, starts[ordinal + 1]!) & mask;
    while (table[slot] !== 0) slot = (slot + 1) & mask;
    table[slot] = ordinal + 1;
  }
}
