// How is a flat query handed to the kernels? As one record in the arena, with a row for each leaf that has its terms
// (kernels/assembly/search/layout.ts): one call searches them all.

import {
  ALL,
  ANY,
  ENTRY_BYTES,
  ENTRY_END,
  ENTRY_FIELD,
  ENTRY_GROUP,
  ENTRY_UNIT,
  HEAP_BYTES,
  LEAF_ACCEPT,
  LEAF_BYTES,
  LEAF_DOCS,
  LEAF_FLAGS,
  LEAF_LIVE,
  LEAF_PLACE,
  LEAF_VISIBLE,
  PHRASE,
  QUERY_BYTES,
  QUERY_CAPACITY,
  QUERY_COUNT_TO,
  QUERY_ENTRIES,
  QUERY_HEAP,
  QUERY_LEAF,
  QUERY_LEAF_ROWS,
  QUERY_LEAVES,
  QUERY_SCRATCH,
  QUERY_SEED,
  QUERY_SHAPE,
  QUERY_SIZE,
  QUERY_TERM_ROWS,
  QUERY_TERMS,
  QUERY_TOTAL,
  TERM_BYTES,
  TERM_INVERSES,
  TERM_OFFSET,
  TERM_WEIGHT,
} from '../kernels/assembly/search/layout.ts';
import type { LeafView } from '../segment/leaf.ts';
import { PostingsView } from '../segment/postings.ts';
import type { FlatQuery, FlatTerm } from './flat.ts';
import { scorePerCode } from './looseness.ts';
import {
  type FieldPlace,
  type KernelRecord,
  kernelsAreOn,
  type Living,
  placeOf,
  type Shelf,
} from './shelf.ts';

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

/** A query that has met its leaves: everything but what one search finds. */
interface Template {
  readonly places: readonly Place[];
  readonly shelf: Shelf | undefined;
  readonly words: Uint32Array;
  readonly rows: readonly number[];
  readonly count: number;
  /** Of each row, its bitmap of living documents. */
  readonly living: readonly (Living | undefined)[];
}

const templates = new WeakMap<FlatQuery, Template>();

/** One search of a flat query over the leaves of an arena. */
export class Compiled {
  readonly #query: FlatQuery;
  readonly #capacity: number;
  readonly #terms: number;
  readonly #entries: number;
  readonly #heap: number;
  #shelf: Shelf | undefined;
  #record: KernelRecord | undefined;
  #rows: readonly number[] = [];
  #count = 0;
  /** Of each row, the copy of its bitmap of living documents, and what has to be in it. */
  #living: readonly (Living | undefined)[] = [];
  #lives: (Uint32Array | undefined)[] = [];

  private constructor(query: FlatQuery, capacity: number, leaves: number) {
    const { length } = query.terms;
    this.#query = query;
    this.#capacity = capacity;
    this.#terms = QUERY_BYTES + leaves * LEAF_BYTES;
    this.#entries = this.#terms + length * TERM_BYTES;
    this.#heap = this.#entries + leaves * length * ENTRY_BYTES;
  }

  /**
   * Looks the terms up in leaves, to find the `capacity` best. `again`: the query has been compiled before, and probably
   * will be again: what was found out is kept with it. Give the result back with `release`.
   */
  static open(query: FlatQuery, capacity: number, places: readonly Place[], again: boolean): Compiled {
    const compiled = new Compiled(query, capacity, places.length);
    const kept = again ? templates.get(query) : undefined;
    if (kept === undefined || !isOf(kept, places) || !compiled.#reuse(kept)) {
      compiled.#compile(places);
      if (again) templates.set(query, compiled.#template(places));
    }
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

  #compile(places: readonly Place[]): void {
    const rows: number[] = [];
    const living: (Living | undefined)[] = [];
    for (const { view, place } of places) rows.push(this.#add(view, place, living));
    this.#rows = rows;
    this.#living = living;
  }

  #template(places: readonly Place[]): Template {
    return {
      places,
      shelf: this.#shelf,
      words: this.#record === undefined ? new Uint32Array(0) : this.#record.u32.slice(0, this.#heap >>> 2),
      rows: this.#rows,
      count: this.#count,
      living: this.#living,
    };
  }

  #reuse({ places, shelf, words, rows, count, living }: Template): boolean {
    this.#rows = rows;
    this.#count = count;
    if (shelf === undefined) return true;
    const record = shelf.borrow(this.#heap + this.#capacity * HEAP_BYTES);
    if (record === undefined) return false;
    this.#shelf = shelf;
    this.#record = record;
    record.u32.set(words);
    this.#point(record);
    this.#living = living;
    for (let i = 0; i < rows.length; i++) if (rows[i]! >= 0) this.#lives.push(places[i]!.view.live);
    return true;
  }

  /** Looks the terms up in the next leaf. */
  #add(view: LeafView, place: number, living: (Living | undefined)[]): number {
    const { terms, shape } = this.#query;
    let found = 0;
    for (let i = 0; i < terms.length; i++) {
      const outcome = this.#entry(view, terms[i]!, i);
      if (outcome === FOREIGN) return FOREIGN;
      if (outcome !== EMPTY) found++;
      else if (shape !== 'any') return EMPTY;
    }
    if (found === 0) return EMPTY;
    const own = view.live && this.#shelf!.living(view.leaf, view.live);
    if (view.live !== undefined && own === undefined) return FOREIGN;
    living.push(own);
    this.#lives.push(view.live);
    const { u32 } = this.#record!;
    const row = (QUERY_BYTES + this.#count * LEAF_BYTES) >>> 2;
    u32[row + (LEAF_LIVE >>> 2)] = own?.ptr ?? 0;
    u32[row + (LEAF_ACCEPT >>> 2)] = 0;
    u32[row + (LEAF_VISIBLE >>> 2)] = view.docCount;
    u32[row + (LEAF_DOCS >>> 2)] = view.leaf.docCount;
    u32[row + (LEAF_PLACE >>> 2)] = place;
    u32[row + (LEAF_FLAGS >>> 2)] = 0;
    return this.#count++;
  }

  /** Restricts a row to a bitmap of its leaf. False where there is no room for that: then the row is out. */
  restrict(row: number, accept: Uint32Array): boolean {
    const { u32 } = this.#record!;
    const ptr = this.#shelf!.place(accept);
    if (ptr >= 0) {
      u32[(QUERY_BYTES + row * LEAF_BYTES + LEAF_ACCEPT) >>> 2] = ptr;
      return true;
    }
    const { length } = this.#query.terms;
    for (let i = 0; i < length; i++) this.#put(this.#entries + (row * length + i) * ENTRY_BYTES, 0, 0, 0, 0);
    return false;
  }

  /** The entry of a term in the leaf to be added. */
  #entry({ leaf }: LeafView, term: FlatTerm, i: number): number {
    const { path, bytes } = term;
    const field = leaf.terms(path);
    const usable =
      field !== undefined && (this.#query.shape === 'phrase' ? field.hasPositions : field.indexed);
    const ordinal = usable ? field.find(bytes, 0, bytes.length) : -1;
    const at = this.#entries + (this.#count * this.#query.terms.length + i) * ENTRY_BYTES;
    if (ordinal < 0) {
      if (this.#record !== undefined) this.#put(at, 0, 0, 0, 0);
      return EMPTY;
    }
    const { postings, hasFreqs } = field!;
    if (!hasFreqs || !(postings instanceof PostingsView)) return FOREIGN;
    const place = placeOf(postings, leaf.norms(path));
    if (place === undefined || !this.#isHere(place.shelf)) return FOREIGN;
    const unit = term.weight * unitOf(place, postings, term.inverses);
    this.#put(at, place.ptr, postings.firstGroup(ordinal), postings.endGroup(ordinal), unit);
    return 0;
  }

  /** The first leaf decides which arena is searched. */
  #isHere(shelf: Shelf): boolean {
    if (this.#shelf !== undefined) return this.#shelf === shelf;
    const record = shelf.borrow(this.#heap + this.#capacity * HEAP_BYTES);
    if (record === undefined) return false;
    this.#shelf = shelf;
    this.#record = record;
    record.u32.fill(0, this.#entries >>> 2, this.#heap >>> 2);
    return this.#head(shelf, record);
  }

  #put(at: number, field: number, group: number, end: number, unit: number): void {
    const { u32, f64 } = this.#record!;
    u32[(at + ENTRY_FIELD) >>> 2] = field;
    u32[(at + ENTRY_GROUP) >>> 2] = group;
    u32[(at + ENTRY_END) >>> 2] = end;
    f64[(at + ENTRY_UNIT) >>> 3] = unit;
  }

  #head(shelf: Shelf, record: KernelRecord): boolean {
    const { u32, f32 } = record;
    const { terms, shape, offsets } = this.#query;
    this.#point(record);
    u32[QUERY_SHAPE >>> 2] = SHAPES[shape];
    u32[QUERY_TERMS >>> 2] = terms.length;
    u32[QUERY_SIZE >>> 2] = 0;
    u32[QUERY_SCRATCH >>> 2] = shelf.scratch;
    u32[QUERY_LEAF >>> 2] = 0;
    u32[QUERY_TOTAL >>> 2] = 0;
    for (let i = 0; i < terms.length; i++) {
      const row = (this.#terms + i * TERM_BYTES) >>> 2;
      const inverses = shelf.place(terms[i]!.inverses);
      if (inverses < 0) return false;
      f32[row + (TERM_WEIGHT >>> 2)] = terms[i]!.weight;
      u32[row + (TERM_INVERSES >>> 2)] = inverses;
      u32[row + (TERM_OFFSET >>> 2)] = offsets[i] ?? 0;
    }
    return true;
  }

  /** Where the parts of a record lie, and how many results it has room for. */
  #point({ ptr, u32 }: KernelRecord): void {
    u32[QUERY_CAPACITY >>> 2] = this.#capacity;
    u32[QUERY_HEAP >>> 2] = ptr + this.#heap;
    u32[QUERY_LEAF_ROWS >>> 2] = ptr + QUERY_BYTES;
    u32[QUERY_TERM_ROWS >>> 2] = ptr + this.#terms;
    u32[QUERY_ENTRIES >>> 2] = ptr + this.#entries;
  }

  /**
   * Searches on for about `work` postings; false at the end. Totals are counted as long as they are at most `countTo`;
   * -1: not at all. Scores below `threshold` need not be found. Between two calls others may search the same leaves at
   * other snapshots.
   */
  run(countTo: number, work: number, threshold: number): boolean {
    const record = this.#record;
    if (record === undefined || this.#count === 0) return false;
    for (let row = 0; row < this.#count; row++) {
      const own = this.#living[row];
      if (own !== undefined) this.#shelf!.renew(own, this.#lives[row]!);
    }
    record.u32[QUERY_LEAVES >>> 2] = this.#count;
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

  /** `place` · 2^32 + number. */
  position(i: number): number {
    return this.#record!.f64[(this.#heap + i * HEAP_BYTES + 8) >>> 3]!;
  }

  /** Gives the record back. */
  release(): void {
    if (this.#record === undefined) return;
    this.#shelf!.giveBack(this.#record);
    this.#record = undefined;
  }
}

/** Whether a query may be compiled: its weights have to be float32, as those of all terms are. */
export function isCompilable({ terms }: FlatQuery): boolean {
  return kernelsAreOn() && terms.every(({ weight }) => Math.fround(weight) === weight);
}

function isOf({ places: known }: Template, places: readonly Place[]): boolean {
  if (known === places) return true;
  if (known.length !== places.length || known[0]!.place !== places[0]!.place) return false;
  for (let i = 0; i < known.length; i++) if (known[i]!.view !== places[i]!.view) return false;
  return true;
}

function unitOf(place: FieldPlace, { bucket }: PostingsView, inverses: Float32Array): number {
  if (place.inverses !== inverses) {
    place.inverses = inverses;
    place.unit = scorePerCode(bucket, inverses);
  }
  return place.unit;
}
