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
import { type FieldPlace, type KernelRecord, kernelsAreOn, placeOf, type Shelf } from './shelf.ts';
import type { TopK } from './topk.ts';

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
  readonly views: readonly LeafView[];
  readonly first: number;
  readonly shelf: Shelf | undefined;
  readonly words: Uint32Array;
  readonly rows: readonly number[];
}

const templates = new WeakMap<FlatQuery, Template>();

/** One search of a flat query over the leaves of an arena. */
export class Compiled {
  readonly #query: FlatQuery;
  readonly #top: TopK;
  readonly #terms: number;
  readonly #entries: number;
  readonly #heap: number;
  #shelf: Shelf | undefined;
  #record: KernelRecord | undefined;
  #rows: readonly number[] = [];
  #count = 0;
  #isDrained = false;

  private constructor(query: FlatQuery, top: TopK, leaves: number) {
    const { length } = query.terms;
    this.#query = query;
    this.#top = top;
    this.#terms = QUERY_BYTES + leaves * LEAF_BYTES;
    this.#entries = this.#terms + length * TERM_BYTES;
    this.#heap = this.#entries + leaves * length * ENTRY_BYTES;
  }

  /**
   * Looks the terms up in leaves. `again`: the query has been compiled before, and probably will be again: what was
   * found out is kept with it. Give the result back with `release`.
   */
  static open(query: FlatQuery, top: TopK, places: readonly Place[], again: boolean): Compiled {
    const compiled = new Compiled(query, top, places.length);
    const kept = again ? templates.get(query) : undefined;
    if (kept === undefined || !isOf(kept, places) || !compiled.#reuse(kept, places)) {
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
    for (const { view, place } of places) rows.push(this.#add(view, place));
    this.#rows = rows;
  }

  #template(places: readonly Place[]): Template {
    return {
      views: places.map(({ view }) => view),
      first: places[0]!.place,
      shelf: this.#shelf,
      words: this.#record === undefined ? new Uint32Array(0) : this.#record.u32.slice(0, this.#heap >>> 2),
      rows: this.#rows,
    };
  }

  #reuse({ shelf, words, rows }: Template, places: readonly Place[]): boolean {
    this.#rows = rows;
    if (shelf === undefined) return true;
    const record = shelf.borrow(this.#heap + this.#top.capacity * HEAP_BYTES);
    if (record === undefined) return false;
    this.#shelf = shelf;
    this.#record = record;
    record.u32.set(words);
    if (!this.#head(shelf, record)) return false;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      if (row < 0) continue;
      this.#count++;
      const { view } = places[i]!;
      if (view.live === undefined) continue;
      const live = shelf.live(view.leaf, view.live);
      if (live < 0) return false;
      record.u32[(QUERY_BYTES + row * LEAF_BYTES + LEAF_LIVE) >>> 2] = live;
    }
    return true;
  }

  /** Looks the terms up in the next leaf. */
  #add(view: LeafView, place: number): number {
    const { terms, shape } = this.#query;
    let found = 0;
    for (let i = 0; i < terms.length; i++) {
      const outcome = this.#entry(view, terms[i]!, i);
      if (outcome === FOREIGN) return FOREIGN;
      if (outcome !== EMPTY) found++;
      else if (shape !== 'any') return EMPTY;
    }
    if (found === 0) return EMPTY;
    const live = view.live === undefined ? 0 : this.#shelf!.live(view.leaf, view.live);
    if (live < 0) return FOREIGN;
    const { u32 } = this.#record!;
    const row = (QUERY_BYTES + this.#count * LEAF_BYTES) >>> 2;
    u32[row + (LEAF_LIVE >>> 2)] = live;
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
    const record = shelf.borrow(this.#heap + this.#top.capacity * HEAP_BYTES);
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

  #head(shelf: Shelf, { ptr, u32, f32 }: KernelRecord): boolean {
    const { terms, shape, offsets } = this.#query;
    u32[QUERY_SHAPE >>> 2] = SHAPES[shape];
    u32[QUERY_TERMS >>> 2] = terms.length;
    u32[QUERY_CAPACITY >>> 2] = this.#top.capacity;
    u32[QUERY_SIZE >>> 2] = 0;
    u32[QUERY_HEAP >>> 2] = ptr + this.#heap;
    u32[QUERY_LEAF_ROWS >>> 2] = ptr + QUERY_BYTES;
    u32[QUERY_TERM_ROWS >>> 2] = ptr + this.#terms;
    u32[QUERY_ENTRIES >>> 2] = ptr + this.#entries;
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

  /**
   * Searches on for about `work` postings; false at the end. Totals are counted as long as they are at most `countTo`;
   * -1: not at all.
   */
  run(countTo: number, work: number): boolean {
    const record = this.#record;
    if (record === undefined || this.#count === 0) return false;
    record.u32[QUERY_LEAVES >>> 2] = this.#count;
    record.u32[QUERY_COUNT_TO >>> 2] = Math.min(countTo, MOST);
    record.f64[QUERY_SEED >>> 3] = this.#top.threshold;
    const more = this.#shelf!.run(record.ptr, work) !== 0;
    if (!more) this.#drain(record);
    return more;
  }

  /** Moves what was found to the heap of the whole search. */
  #drain({ u32, f64 }: KernelRecord): void {
    const size = u32[QUERY_SIZE >>> 2]!;
    for (let i = 0; i < size && !this.#isDrained; i++) {
      const at = (this.#heap + i * HEAP_BYTES) >>> 3;
      this.#top.offer(f64[at]!, f64[at + 1]!);
    }
    this.#isDrained = true;
  }

  /** Gives the record back. What was found when the time was up counts. */
  release(): void {
    if (this.#record === undefined) return;
    this.#drain(this.#record);
    this.#shelf!.giveBack(this.#record);
    this.#record = undefined;
  }
}

/** Whether a query may be compiled: its weights have to be float32, as those of all terms are. */
export function isCompilable({ terms }: FlatQuery): boolean {
  return kernelsAreOn() && terms.every(({ weight }) => Math.fround(weight) === weight);
}

function isOf({ views, first }: Template, places: readonly Place[]): boolean {
  if (views.length !== places.length || places[0]!.place !== first) return false;
  for (let i = 0; i < views.length; i++) if (views[i] !== places[i]!.view) return false;
  return true;
}

function unitOf(place: FieldPlace, { bucket }: PostingsView, inverses: Float32Array): number {
  if (place.inverses !== inverses) {
    place.inverses = inverses;
    place.unit = scorePerCode(bucket, inverses);
  }
  return place.unit;
}
