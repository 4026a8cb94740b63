// How is a flat query handed to the kernels? As one record in the arena, with a row for each leaf that has its terms
// (kernels/assembly/search/layout.ts): one call searches them all.

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
import type { FlatQuery } from '../flat.ts';
import { type LeafTerms, locate } from '../located.ts';
import { type KernelRecord, type Living, placeOf, type Shelf } from './kernel-records.ts';

const SHAPES: Readonly<{ [shape in FlatQuery['shape']]: number }> = { any: ANY, all: ALL, phrase: PHRASE };
/** Largest total that is counted. */
const MOST = 0x7fffffff;

/** A row that is not there: the leaf has nothing, or is not for this run. */
export const EMPTY = -1;
export const FOREIGN = -2;

/** What a leaf is, as far as a search in it goes. */
export interface Place {
  readonly view: LeafView;
  /** Its documents are offered as `place` · 2^32 + number. */
  readonly place: number;
}

/** What the record is made of, found before it is known how large it is. */
interface Row {
  readonly view: LeafView;
  readonly place: number;
  readonly living: Living | undefined;
  readonly terms: LeafTerms;
  /** Of each term, the record of its field; 0 where the leaf does not have it. */
  readonly fields: readonly number[];
}

const kept = new WeakMap<FlatQuery, Compiled>();

/** One search of a flat query over the leaves of an arena. */
export class Compiled {
  readonly #query: FlatQuery;
  readonly #places: readonly Place[];
  readonly #capacity: number;
  readonly #rows: number[] = [];
  #shelf: Shelf | undefined;
  #record: KernelRecord | undefined;
  #count = 0;
  #heap = 0;
  /** Of a rare term that comes again, where the postings of all leaves lie side by side; 0 else. */
  #short = 0;
  #restricted = false;
  /** Of each row, the copy of its bitmap of living documents, and what has to be in it. */
  readonly #living: (Living | undefined)[] = [];
  readonly #lives: (Uint32Array | undefined)[] = [];

  private constructor(query: FlatQuery, capacity: number, places: readonly Place[], keep: boolean) {
    this.#query = query;
    this.#capacity = capacity;
    this.#places = places;
    const rows = this.#locate();
    if (rows.length > 0 && !this.#lay(rows, keep)) this.#rows.fill(FOREIGN);
  }

  /**
   * Looks the terms up in leaves, to find the `capacity` best. `again`: the query has been compiled before, and probably
   * will be again: the record is kept with it. Give the result back with `release`.
   */
  static open(query: FlatQuery, capacity: number, places: readonly Place[], again: boolean): Compiled {
    if (!again) return new Compiled(query, capacity, places, false);
    const known = kept.get(query);
    let isFree = true;
    if (known !== undefined) {
      if (known.#isFor(capacity, places)) return known.#begin(capacity);
      isFree = known.#record === undefined || !known.#record.busy;
    }
    const compiled = new Compiled(query, capacity, places, isFree);
    if (isFree) kept.set(query, compiled);
    return compiled;
  }

  /** Of each leaf: its row, EMPTY or FOREIGN. */
  get rows(): readonly number[] {
    return this.#rows;
  }

  /** Visible matches counted so far. */
  get total(): number {
    return this.#record === undefined ? 0 : this.#record.u32[QUERY_TOTAL >>> 2]!;
  }

  #isFor(capacity: number, places: readonly Place[]): boolean {
    const record = this.#record;
    if (record === undefined) return this.#shelf === undefined && isSame(this.#places, places);
    return !record.busy && !record.gone && capacity <= this.#capacity && isSame(this.#places, places);
  }

  #begin(capacity: number): this {
    const record = this.#record;
    if (record === undefined) return this;
    const { u32 } = record;
    record.busy = true;
    u32[QUERY_CAPACITY >>> 2] = capacity;
    u32[QUERY_SIZE >>> 2] = 0;
    u32[QUERY_AT >>> 2] = 0;
    u32[QUERY_TOTAL >>> 2] = 0;
    return this;
  }

  /** Finds the terms in all leaves. */
  #locate(): Row[] {
    const found: Row[] = [];
    for (const { view, place } of this.#places) {
      const row = this.#row(view, place);
      this.#rows.push(typeof row === 'number' ? row : found.push(row) - 1);
    }
    return found;
  }

  #row(view: LeafView, place: number): Row | typeof EMPTY | typeof FOREIGN {
    const terms = locate(this.#query, view.leaf);
    if (typeof terms === 'string') return terms === 'empty' ? EMPTY : FOREIGN;
    const fields: number[] = [];
    for (let i = 0; i < terms.postings.length; i++) {
      const isThere = terms.group[i]! < terms.end[i]!;
      const own = isThere
        ? placeOf(terms.postings[i]!, view.leaf.norms(this.#query.terms[i]!.path))
        : undefined;
      // The first leaf decides which arena is searched.
      if (isThere && (own === undefined || (this.#shelf ??= own.shelf) !== own.shelf)) return FOREIGN;
      fields.push(own?.ptr ?? 0);
    }
    const living = view.live && this.#shelf?.living(view.leaf, view.live);
    if (view.live !== undefined && living === undefined) return FOREIGN;
    return { view, place, living, terms, fields };
  }

  /** Writes the record. False where there is no room. */
  #lay(rows: readonly Row[], keep: boolean): boolean {
    const shelf = this.#shelf!;
    const { terms, shape, offsets } = this.#query;
    const inverses = terms.map((term) => shelf.place(term.inverses));
    if (inverses.includes(-1)) return false;
    const termRows = QUERY_BYTES + rows.length * LEAF_BYTES;
    const entryRows = termRows + terms.length * TERM_BYTES;
    const chunkRows = entryRows + rows.length * terms.length * ENTRY_BYTES;
    const lists = chunkRows + chunksOf(rows) * CHUNK_BYTES;
    const short = lists + groupsOf(rows) * LIST_BYTES;
    const few = keep ? fewOf(this.#query, rows) : 0;
    this.#heap = short + (few === 0 ? 0 : SHORT_HEAD + few * SHORT_BYTES);
    const bytes = this.#heap + this.#capacity * HEAP_BYTES;
    const record = keep ? shelf.keep(bytes) : shelf.borrow(bytes);
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
    u32[QUERY_SCRATCH >>> 2] = shelf.scratch;
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
    shelf.prepare(ptr);
    return true;
  }

  #put(
    { u32, f64 }: KernelRecord,
    { view, place, living, terms, fields }: Row,
    at: number,
    entries: number,
  ): void {
    this.#living.push(living);
    this.#lives.push(view.live);
    u32[at + (LEAF_LIVE >>> 2)] = living?.ptr ?? 0;
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

  /** Restricts a row to a bitmap of its leaf. False where there is no room for that: then the row is out. */
  restrict(row: number, accept: Uint32Array): boolean {
    const { u32 } = this.#record!;
    const at = QUERY_BYTES + row * LEAF_BYTES;
    const ptr = this.#shelf!.place(accept);
    this.#restricted = true;
    u32[QUERY_SHORT >>> 2] = 0;
    u32[(at + LEAF_ACCEPT) >>> 2] = Math.max(0, ptr);
    u32[(at + LEAF_FLAGS) >>> 2] = ptr < 0 ? LEAF_EXCLUDED : 0;
    return ptr >= 0;
  }

  /**
   * Searches on for about `work` postings; false at the end. Totals are counted as long as they are at most `countTo`;
   * -1: not at all. Scores below `threshold` need not be found. Between two calls others may search the same leaves at
   * other snapshots.
   */
  run(countTo: number, work: number, threshold: number): boolean {
    const record = this.#record;
    if (record === undefined) return false;
    for (let row = 0; row < this.#count; row++) {
      const own = this.#living[row];
      if (own !== undefined) this.#shelf!.renew(own, this.#lives[row]!);
    }
    record.u32[QUERY_COUNT_TO >>> 2] = Math.min(countTo, MOST);
    record.f64[QUERY_SEED >>> 3] = threshold;
    return this.#shelf!.run(record.ptr, work) !== 0;
  }

  /** How many were found so far: at most the capacity. Once `run` has come to its end they are in order, best first. */
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

  /** Results from … to-1, of those that there are, with what stands for their leaves. */
  found<S>(sides: readonly S[], from: number, to: number): { side: S; doc: number; score: number }[] {
    const found: { side: S; doc: number; score: number }[] = [];
    const record = this.#record;
    if (record === undefined) return found;
    const { u32, f64 } = record;
    const end = Math.min(to, u32[QUERY_SIZE >>> 2]!);
    for (let at = this.#heap + from * HEAP_BYTES, i = from; i < end; i++, at += HEAP_BYTES) {
      found.push({
        side: sides[u32[(at + 12) >>> 2]!]!,
        doc: u32[(at + 8) >>> 2]!,
        score: f64[at >>> 3]!,
      });
    }
    return found;
  }

  /** Gives the record back. */
  release(): void {
    const record = this.#record;
    if (record === undefined) return;
    if (record.busy) {
      record.busy = false;
      if (this.#restricted) this.#free(record);
      return;
    }
    this.#shelf!.giveBack(record);
    this.#record = undefined;
  }

  /** Lifts all restrictions. */
  #free({ u32 }: KernelRecord): void {
    this.#restricted = false;
    u32[QUERY_SHORT >>> 2] = this.#short;
    for (let row = 0; row < this.#count; row++) {
      u32[(QUERY_BYTES + row * LEAF_BYTES + LEAF_ACCEPT) >>> 2] = 0;
      u32[(QUERY_BYTES + row * LEAF_BYTES + LEAF_FLAGS) >>> 2] = 0;
    }
  }
}

/** Whether a query may be compiled: its weights have to be float32, as those of all terms are. */
export function isCompilable({ terms }: FlatQuery): boolean {
  return terms.every(({ weight }) => Math.fround(weight) === weight);
}

function isSame(known: readonly Place[], places: readonly Place[]): boolean {
  if (known === places) return true;
  if (known.length !== places.length || known[0]!.place !== places[0]!.place) return false;
  for (let i = 0; i < known.length; i++) if (known[i]!.view !== places[i]!.view) return false;
  return true;
}

/** Chunks that rows can have: none without a group. */
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

/** Postings of a single term in all leaves, where they are few; 0 else. */
function fewOf({ terms, shape }: FlatQuery, rows: readonly Row[]): number {
  if (terms.length !== 1 || shape === 'phrase') return 0;
  let few = 0;
  for (const { terms: own } of rows) {
    const postings = own.postings[0]!;
    for (let g = own.group[0]!; g < own.end[0]! && few <= MOST_SHORT; g++)
      few += postings.end(g) - postings.start(g);
  }
  // In fours, as they are read.
  return few <= MOST_SHORT ? (few + 3) & ~3 : 0;
}
