// Hands a flat query to the search kernel: one record in the arena, with a row for each leaf that has its
// terms (kernels/assembly/search/layout.ts), so that one call searches all leaves. The record of a query that
// is repeated is kept with it.

import {
  ALL,
  ANY,
  CHUNK_BYTES,
  ENTRY_BYTES,
  ENTRY_END,
  ENTRY_FIELD,
  ENTRY_GROUP,
  ENTRY_LEAST,
  ENTRY_UNIT,
  HEAP_BYTES,
  LEAF_ACCEPT,
  LEAF_BYTES,
  LEAF_DOCS,
  LEAF_EXCLUDED,
  LEAF_FLAGS,
  LEAF_LIVE,
  LEAF_PLACE,
  LEAF_VISIBLE,
  LIST_BYTES,
  MOST_SHORT,
  PHRASE,
  QUERY_AT,
  QUERY_BYTES,
  QUERY_CAPACITY,
  QUERY_CHUNK_ROWS,
  QUERY_COUNT_TO,
  QUERY_ENTRIES,
  QUERY_HEAP,
  QUERY_LEAF_ROWS,
  QUERY_LEAVES,
  QUERY_LISTS,
  QUERY_SCRATCH,
  QUERY_SEED,
  QUERY_SHAPE,
  QUERY_SHORT,
  QUERY_SIZE,
  QUERY_TERM_ROWS,
  QUERY_TERMS,
  QUERY_TOTAL,
  SHORT_BYTES,
  SHORT_HEAD,
  TERM_BYTES,
  TERM_INVERSES,
  TERM_OFFSET,
  TERM_WEIGHT,
} from '../../kernels/assembly/search/layout.ts';
import { CHUNK_DOCS, type LeafView } from '../../segment/leaf.ts';
import type { FlatQuery } from '../flat-query.ts';
import { type LeafTerms, locateTerms } from '../locate-terms.ts';
import { fieldAddress, type KernelRecord, type KernelRecords, type LiveBitmap } from './kernel-records.ts';

const SHAPES: Readonly<{ [shape in FlatQuery['shape']]: number }> = { any: ANY, all: ALL, phrase: PHRASE };
/** Largest total that is counted. */
const MAX_TOTAL = 0x7fffffff;

/** Instead of a row: the leaf has no matches, or cannot be searched by this kernel run. */
const NO_ROW = -1;
export const NOT_IN_ARENA = -2;

/** A leaf to be searched. */
interface SearchedLeaf {
  readonly view: LeafView;
  /** Its documents are offered as `place` · 2^32 + number. */
  readonly place: number;
}

/** What a row is written from. All rows are found first, because they decide the size of the record. */
interface Row {
  readonly view: LeafView;
  readonly place: number;
  readonly live: LiveBitmap | undefined;
  readonly terms: LeafTerms;
  /** For each term the address of its field's record; 0 where the leaf does not have the term. */
  readonly fields: readonly number[];
}

const memo = new WeakMap<FlatQuery, CompiledQuery>();

/** A flat query laid out for the leaves of one arena. */
export class CompiledQuery {
  readonly #query: FlatQuery;
  readonly #leaves: readonly SearchedLeaf[];
  readonly #capacity: number;
  readonly #rows: number[] = [];
  #records: KernelRecords | undefined;
  #record: KernelRecord | undefined;
  #count = 0;
  #heap = 0;
  /**
   * For a rare term of a repeated query: the address where its postings of all leaves lie side by side; else
   * 0.
   */
  #short = 0;
  #restricted = false;
  /** For each row the copy of its bitmap of living documents, and the bitmap that it must be a copy of. */
  readonly #liveBitmaps: (LiveBitmap | undefined)[] = [];
  readonly #lives: (Uint32Array | undefined)[] = [];

  private constructor(query: FlatQuery, capacity: number, leaves: readonly SearchedLeaf[], keep: boolean) {
    this.#query = query;
    this.#capacity = capacity;
    this.#leaves = leaves;
    const rows = this.#locate();
    if (rows.length > 0 && !this.#layOut(rows, keep)) this.#rows.fill(NOT_IN_ARENA);
  }

  /**
   * Looks the terms up in leaves, to find the `capacity` best documents. `isRepeated`: the query has been
   * compiled before, so that its record is kept for the next time. Give the result back with `release`.
   */
  static open(
    query: FlatQuery,
    capacity: number,
    leaves: readonly SearchedLeaf[],
    isRepeated: boolean,
  ): CompiledQuery {
    if (!isRepeated) return new CompiledQuery(query, capacity, leaves, false);
    const known = memo.get(query);
    let isFree = true;
    if (known !== undefined) {
      if (known.#isFor(capacity, leaves)) return known.#begin(capacity);
      isFree = known.#record === undefined || !known.#record.isBusy;
    }
    const compiled = new CompiledQuery(query, capacity, leaves, isFree);
    if (isFree) memo.set(query, compiled);
    return compiled;
  }

  /** For each leaf its row, NO_ROW or NOT_IN_ARENA. */
  get rows(): readonly number[] {
    return this.#rows;
  }

  /** Visible matches counted so far. */
  get total(): number {
    return this.#record === undefined ? 0 : this.#record.u32[QUERY_TOTAL >>> 2]!;
  }

  #isFor(capacity: number, leaves: readonly SearchedLeaf[]): boolean {
    const record = this.#record;
    if (record === undefined) return this.#records === undefined && isSame(this.#leaves, leaves);
    return !record.isBusy && !record.isEvicted && capacity <= this.#capacity && isSame(this.#leaves, leaves);
  }

  #begin(capacity: number): this {
    const record = this.#record;
    if (record === undefined) return this;
    const { u32 } = record;
    record.isBusy = true;
    u32[QUERY_CAPACITY >>> 2] = capacity;
    u32[QUERY_SIZE >>> 2] = 0;
    u32[QUERY_AT >>> 2] = 0;
    u32[QUERY_TOTAL >>> 2] = 0;
    return this;
  }

  /** Finds the terms in all leaves. */
  #locate(): Row[] {
    const found: Row[] = [];
    for (const { view, place } of this.#leaves) {
      const row = this.#row(view, place);
      this.#rows.push(typeof row === 'number' ? row : found.push(row) - 1);
    }
    return found;
  }

  #row(view: LeafView, place: number): Row | typeof NO_ROW | typeof NOT_IN_ARENA {
    const terms = locateTerms(this.#query, view.leaf);
    if (typeof terms === 'string') return terms === 'empty' ? NO_ROW : NOT_IN_ARENA;
    const fields: number[] = [];
    for (let i = 0; i < terms.postings.length; i++) {
      const isThere = terms.group[i]! < terms.end[i]!;
      const own = isThere
        ? fieldAddress(terms.postings[i]!, view.leaf.norms(this.#query.terms[i]!.path))
        : undefined;
      // The first leaf with a term decides which arena is searched.
      if (isThere && (own === undefined || (this.#records ??= own.records) !== own.records))
        return NOT_IN_ARENA;
      fields.push(own?.ptr ?? 0);
    }
    const live = view.live && this.#records?.liveBitmap(view.leaf, view.live);
    if (view.live !== undefined && live === undefined) return NOT_IN_ARENA;
    return { view, place, live, terms, fields };
  }

  /** Writes the record. False where there is no room. */
  #layOut(rows: readonly Row[], keep: boolean): boolean {
    const records = this.#records!;
    const { terms, shape, offsets } = this.#query;
    const inverses = terms.map((term) => records.addressOf(term.inverses));
    if (inverses.includes(-1)) return false;
    const termRows = QUERY_BYTES + rows.length * LEAF_BYTES;
    const entryRows = termRows + terms.length * TERM_BYTES;
    const chunkRows = entryRows + rows.length * terms.length * ENTRY_BYTES;
    const lists = chunkRows + chunksOf(rows) * CHUNK_BYTES;
    const short = lists + groupsOf(rows) * LIST_BYTES;
    const few = keep ? fewOf(this.#query, rows) : 0;
    this.#heap = short + (few === 0 ? 0 : SHORT_HEAD + few * SHORT_BYTES);
    const bytes = this.#heap + this.#capacity * HEAP_BYTES;
    const record = keep ? records.reserve(bytes) : records.borrow(bytes);
    if (record === undefined) return false;
    this.#record = record;
    this.#count = rows.length;
    const { ptr, u32, f32 } = record;
    u32.fill(0, 0, QUERY_BYTES >>> 2);
    u32[QUERY_SHAPE >>> 2] = SHAPES[shape];
    u32[QUERY_TERMS >>> 2] = terms.length;
    u32[QUERY_LEAVES >>> 2] = rows.length;
    u32[QUERY_CAPACITY >>> 2] = this.#capacity;
    u32[QUERY_HEAP >>> 2] = ptr + this.#heap;
    u32[QUERY_LEAF_ROWS >>> 2] = ptr + QUERY_BYTES;
    u32[QUERY_TERM_ROWS >>> 2] = ptr + termRows;
    u32[QUERY_ENTRIES >>> 2] = ptr + entryRows;
    u32[QUERY_CHUNK_ROWS >>> 2] = ptr + chunkRows;
    u32[QUERY_LISTS >>> 2] = ptr + lists;
    u32[QUERY_SCRATCH >>> 2] = records.scratch;
    this.#short = few === 0 ? 0 : ptr + short + SHORT_HEAD;
    u32[QUERY_SHORT >>> 2] = this.#short;
    for (let i = 0; i < terms.length; i++) {
      const at = (termRows + i * TERM_BYTES) >>> 2;
      f32[at + (TERM_WEIGHT >>> 2)] = terms[i]!.weight;
      u32[at + (TERM_INVERSES >>> 2)] = inverses[i]!;
      u32[at + (TERM_OFFSET >>> 2)] = offsets[i] ?? 0;
    }
    rows.forEach((row, i) => {
      this.#put(
        record,
        row,
        (QUERY_BYTES + i * LEAF_BYTES) >>> 2,
        entryRows + i * terms.length * ENTRY_BYTES,
      );
    });
    records.prepare(ptr);
    return true;
  }

  #put(
    { u32, f64 }: KernelRecord,
    { view, place, live, terms, fields }: Row,
    at: number,
    entries: number,
  ): void {
    this.#liveBitmaps.push(live);
    this.#lives.push(view.live);
    u32[at + (LEAF_LIVE >>> 2)] = live?.ptr ?? 0;
    u32[at + (LEAF_ACCEPT >>> 2)] = 0;
    u32[at + (LEAF_VISIBLE >>> 2)] = view.docCount;
    u32[at + (LEAF_DOCS >>> 2)] = view.leaf.docCount;
    u32[at + (LEAF_PLACE >>> 2)] = place;
    u32[at + (LEAF_FLAGS >>> 2)] = 0;
    for (let i = 0; i < fields.length; i++) {
      const entry = entries + i * ENTRY_BYTES;
      u32[(entry + ENTRY_FIELD) >>> 2] = fields[i]!;
      u32[(entry + ENTRY_GROUP) >>> 2] = terms.group[i]!;
      u32[(entry + ENTRY_END) >>> 2] = terms.end[i]!;
      f64[(entry + ENTRY_UNIT) >>> 3] = terms.most[i]!;
      f64[(entry + ENTRY_LEAST) >>> 3] = terms.least[i]!;
    }
  }

  /**
   * Restricts a row to a bitmap of its leaf. False where there is no room for the bitmap: the row is then
   * excluded.
   */
  restrict(row: number, accept: Uint32Array): boolean {
    const { u32 } = this.#record!;
    const at = QUERY_BYTES + row * LEAF_BYTES;
    const ptr = this.#records!.addressOf(accept);
    this.#restricted = true;
    u32[QUERY_SHORT >>> 2] = 0;
    u32[(at + LEAF_ACCEPT) >>> 2] = Math.max(0, ptr);
    u32[(at + LEAF_FLAGS) >>> 2] = ptr < 0 ? LEAF_EXCLUDED : 0;
    return ptr >= 0;
  }

  /**
   * Searches about `postings` more postings. False when all are searched. Totals are counted as long as they
   * are at most `countTo`, with -1 not at all. Scores below `threshold` need not be found. Between two calls
   * other searches may use the same leaves at other snapshots.
   */
  run(countTo: number, postings: number, threshold: number): boolean {
    const record = this.#record;
    if (record === undefined) return false;
    for (let row = 0; row < this.#count; row++) {
      const own = this.#liveBitmaps[row];
      if (own !== undefined) this.#records!.refreshBitmap(own, this.#lives[row]!);
    }
    record.u32[QUERY_COUNT_TO >>> 2] = Math.min(countTo, MAX_TOTAL);
    record.f64[QUERY_SEED >>> 3] = threshold;
    return this.#records!.run(record.ptr, postings) !== 0;
  }

  /** Documents found so far, at most the capacity. In order, best first, once `run` has returned false. */
  get size(): number {
    return this.#record === undefined ? 0 : this.#record.u32[QUERY_SIZE >>> 2]!;
  }

  score(i: number): number {
    return this.#record!.f64[(this.#heap + i * HEAP_BYTES) >>> 3]!;
  }

  doc(i: number): number {
    return this.#record!.u32[(this.#heap + i * HEAP_BYTES + 8) >>> 2]!;
  }

  place(i: number): number {
    return this.#record!.u32[(this.#heap + i * HEAP_BYTES + 12) >>> 2]!;
  }

  /** Gives the record back. */
  release(): void {
    const record = this.#record;
    if (record === undefined) return;
    if (record.isBusy) {
      record.isBusy = false;
      if (this.#restricted) this.#liftRestrictions(record);
      return;
    }
    this.#records!.release(record);
    this.#record = undefined;
  }

  /** Lifts all restrictions. */
  #liftRestrictions({ u32 }: KernelRecord): void {
    this.#restricted = false;
    u32[QUERY_SHORT >>> 2] = this.#short;
    for (let row = 0; row < this.#count; row++) {
      u32[(QUERY_BYTES + row * LEAF_BYTES + LEAF_ACCEPT) >>> 2] = 0;
      u32[(QUERY_BYTES + row * LEAF_BYTES + LEAF_FLAGS) >>> 2] = 0;
    }
  }
}

/** Whether a kernel can search a query: its weights must be float32 values. */
export function isCompilable({ terms }: FlatQuery): boolean {
  return terms.every(({ weight }) => Math.fround(weight) === weight);
}

function isSame(known: readonly SearchedLeaf[], leaves: readonly SearchedLeaf[]): boolean {
  if (known === leaves) return true;
  if (known.length !== leaves.length || known[0]!.place !== leaves[0]!.place) return false;
  for (let i = 0; i < known.length; i++) if (known[i]!.view !== leaves[i]!.view) return false;
  return true;
}

/** The most chunks that rows can have: each has at least one group. */
function chunksOf(rows: readonly Row[]): number {
  let chunks = 0;
  for (const row of rows) chunks += Math.min(groupsOf([row]), Math.ceil(row.view.leaf.docCount / CHUNK_DOCS));
  return chunks;
}

function groupsOf(rows: readonly Row[]): number {
  let groups = 0;
  for (const { terms } of rows) {
    for (let i = 0; i < terms.group.length; i++) groups += terms.end[i]! - terms.group[i]!;
  }
  return groups;
}

/** Postings of a single term in all leaves, where they are few; else 0. */
function fewOf({ terms, shape }: FlatQuery, rows: readonly Row[]): number {
  if (terms.length !== 1 || shape === 'phrase') return 0;
  let few = 0;
  for (const { terms: own } of rows) {
    const postings = own.postings[0]!;
    for (let g = own.group[0]!; g < own.end[0]! && few <= MOST_SHORT; g++)
      few += postings.end(g) - postings.start(g);
  }
  // Rounded up: the kernel reads four at a time.
  return few <= MOST_SHORT ? (few + 3) & ~3 : 0;
}
