// The terms of an aggregation: of one field in every view, as rows of document, bucket and number of the term
// over all leaves. Numbers ascend with the bytes of the terms. `_index` is a field with one term per view.

import { bytesOf } from '../../json/bytes.ts';
import { plainText } from '../../json/java-text.ts';
import type { FieldType, Key64 } from '../../mapping/types/type.ts';
import type { Steps } from '../../query/steps.ts';
import type { OrdinalColumn } from '../../segment/leaf.ts';
import {
  type AggregationBatch,
  type AggregationLeaf,
  BATCH_DOCS,
  type LeafMatches,
} from '../collect/aggregator.ts';
import { grown } from '../collect/bucket-table.ts';
import type { AggregationContext } from '../collect/context.ts';
import type { CountedSource } from '../collect/counted-level.ts';
import type { OrdinalCounts, OrdinalRowSource, OrdinalRows } from '../collect/ordinal-rows.ts';
import type { ValuesSpec } from '../request/values-spec.ts';
import { fieldsOf, isBytes, noIdFielddata, unsupportedField } from './fields.ts';
import { hasOneValueEach } from './full-columns.ts';
import { compareBytes, type GlobalOrdinals, globalOrdinals, type LeafDictionary } from './global-ordinals.ts';
import { countLeaf } from './leaf-counts.ts';
import { requireNoFormat } from './value-format.ts';

const decoder = new TextDecoder();

/** Stands for the missing value until terms are numbered over all leaves. */
const NO_VALUE = 0xffff_ffff;

/** The terms of one field. */
export class OrdinalSource implements OrdinalRowSource {
  readonly isGlobal = true;
  readonly #spec: ValuesSpec;
  readonly #context: AggregationContext;
  readonly #fields: readonly (FieldType | undefined)[];
  readonly #first: FieldType | undefined;
  #ordinals: GlobalOrdinals | undefined;
  /** The names of the indices, sorted, where the field is `_index`. */
  readonly #names: readonly string[] | undefined;
  #missing = -1;
  #path = '';
  #column: OrdinalColumn | undefined;
  #map: Uint32Array | undefined;
  /** Whether each document of the leaf has one term. */
  #isFull = false;
  /** The term of every document of the leaf; -1 where terms come from a column. */
  #constant = -1;
  readonly #rows: OrdinalRows = {
    docs: new Uint32Array(BATCH_DOCS),
    buckets: new Uint32Array(BATCH_DOCS),
    ordinals: new Uint32Array(BATCH_DOCS),
    count: 0,
  };

  constructor(spec: ValuesSpec, context: AggregationContext, aggregation: string) {
    this.#spec = spec;
    this.#context = context;
    if (spec.field === '_index') {
      this.#fields = [];
      this.#names = context.views
        .map(({ name }) => name)
        .sort((a, b) => compareBytes(bytesOf(a), bytesOf(b)));
      return;
    }
    if (spec.field === '_id') throw noIdFielddata();
    this.#fields = fieldsOf(spec.field, context.views);
    for (const field of this.#fields)
      if (field !== undefined && !isBytes(field)) throw unsupportedField(spec.field, field.kind, aggregation);
    this.#first = this.#fields.find((field) => field !== undefined);
    requireNoFormat(this.#first, spec.format);
  }

  /** Whether any view maps the field. */
  get isMapped(): boolean {
    return this.#names !== undefined || this.#first !== undefined;
  }

  /** The kind of the field, 'keyword' where none maps it. */
  get kind(): string {
    return this.#first?.kind ?? 'keyword';
  }

  /** Number of terms. REQUIRES: prepared. */
  get count(): number {
    return this.#names?.length ?? this.#ordinals?.count ?? 0;
  }

  /** Numbers the terms. */
  *prepare(): Steps<void> {
    if (this.#names !== undefined) return;
    const dictionaries = this.#context.views.flatMap((_, place) => this.#dictionariesOf(place));
    const { missing } = this.#spec;
    const added = missing === undefined ? undefined : this.bytesOf(plainText(missing));
    const ordinals = yield* globalOrdinals(dictionaries, added);
    this.#ordinals = ordinals;
    if (added !== undefined) this.#missing = ordinals.find(added);
  }

  /** The number of the first term of an index; 0 if it has none. REQUIRES: prepared. O(its unsealed terms). */
  firstOf(indexPlace: number): number {
    let first = this.count;
    for (const { leaf, terms } of this.#dictionariesOf(indexPlace)) {
      const map = this.#ordinals!.mapOf(leaf);
      for (const ordinal of terms.ordinals()) {
        first = Math.min(first, map === undefined ? ordinal : map[ordinal]!);
        if (terms.sorted) break;
      }
    }
    return first === this.count ? 0 : first;
  }

  #dictionariesOf(place: number): LeafDictionary[] {
    const path = this.#fields[place]?.path;
    if (path === undefined) return [];
    return this.#context.views[place]!.leaves.flatMap(({ leaf }) => {
      const column = leaf.column(path);
      return column?.kind === 'ordinal' ? [{ leaf, path, terms: column.terms }] : [];
    });
  }

  enter({ leaf, index, indexPlace }: AggregationLeaf): void {
    if (this.#names !== undefined) {
      this.#constant = this.#names.indexOf(index.name);
      return;
    }
    const path = this.#fields[indexPlace]?.path;
    this.#path = path ?? '';
    const column = path === undefined ? undefined : leaf.column(path);
    this.#column = column?.kind === 'ordinal' ? column : undefined;
    this.#map = this.#ordinals?.mapOf(leaf);
    this.#isFull = this.#column !== undefined && hasOneValueEach(this.#column, leaf.docCount);
  }

  /** The terms of a batch. The rows are valid until the next call. */
  rows(batch: AggregationBatch): OrdinalRows {
    const rows = this.#rows;
    rows.count = 0;
    const column = this.#column;
    const { docs, buckets, count } = batch;
    if (this.#constant >= 0 || column === undefined) {
      const all = this.#constant >= 0 ? this.#constant : this.#missing;
      if (all < 0) return rows;
      rows.docs.set(docs.subarray(0, count));
      rows.buckets.set(buckets.subarray(0, count));
      rows.ordinals.fill(all, 0, count);
      rows.count = count;
    } else if (this.#isFull) {
      const { ordinals } = column;
      const { ordinals: to } = rows;
      const map = this.#map;
      if (map === undefined) for (let i = 0; i < count; i++) to[i] = ordinals[docs[i]!]!;
      else for (let i = 0; i < count; i++) to[i] = map[ordinals[docs[i]!]!]!;
      return { docs, buckets, ordinals: to, count };
    } else {
      if (column.starts === undefined) this.#singleRows(batch, column);
      else this.#manyRows(batch, column, column.starts);
      this.#toGlobal();
    }
    return rows;
  }

  get width(): number {
    return this.count;
  }

  keyOf(ordinal: number): Key64 {
    return { hi: 0, lo: ordinal };
  }

  *countLeaf(leaf: AggregationLeaf, matches: LeafMatches): Steps<OrdinalCounts | undefined> {
    const counted = this.counted();
    if (counted === undefined) return undefined;
    const counts = yield* countLeaf(leaf, matches, counted);
    return counts && { counts, ordinals: this.#map };
  }

  counted(): CountedSource | undefined {
    const column = this.#column;
    if (column === undefined || this.#constant >= 0 || this.#missing >= 0) return undefined;
    const placed = { ...column, repeats: false };
    return {
      identity: `${this.#path} terms`,
      width: column.terms.count,
      missingOrdinal: -1,
      placed: () => placed,
    };
  }

  toGlobal(ordinals: Uint32Array, count: number): void {
    const map = this.#map;
    if (map !== undefined) for (let i = 0; i < count; i++) ordinals[i] = map[ordinals[i]!]!;
  }

  /** The bytes of a term. */
  term(ordinal: number): Uint8Array {
    return this.#names === undefined ? this.#ordinals!.term(ordinal) : bytesOf(this.#names[ordinal]!);
  }

  /** A term as text. */
  text(ordinal: number): string {
    if (this.#names !== undefined) return this.#names[ordinal]!;
    const bytes = this.#ordinals!.term(ordinal);
    return this.#first?.bytes === undefined ? decoder.decode(bytes) : this.#first.bytes.decode(bytes);
  }

  /** A text as the bytes of a term: an address for fields of addresses. */
  bytesOf(text: string): Uint8Array {
    if (this.#first?.kind === 'ip' || (this.#first === undefined && this.#spec.valueType === 'ip'))
      return this.#first?.bytes?.encode(text) ?? bytesOf(text);
    return bytesOf((this.#first?.bytes?.prefix ?? '') + text);
  }

  /** The number of a term, or -1. */
  find(bytes: Uint8Array): number {
    if (this.#names === undefined) return this.#ordinals!.find(bytes);
    return this.#names.indexOf(decoder.decode(bytes));
  }

  /** The first number whose term is not below some bytes. O(log terms). */
  lowerBound(bytes: Uint8Array): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if (compareBytes(this.term(mid), bytes) < 0) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  #singleRows({ docs, buckets, count }: AggregationBatch, column: OrdinalColumn): void {
    const { ordinals, present } = column;
    const { docs: toDocs, buckets: toBuckets, ordinals: to } = this.#rows;
    const missing = this.#missing;
    let n = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (((present[doc >>> 5]! >>> (doc & 31)) & 1) !== 0) to[n] = ordinals[doc]!;
      else if (missing >= 0) to[n] = NO_VALUE;
      else continue;
      toDocs[n] = doc;
      toBuckets[n++] = buckets[i]!;
    }
    this.#rows.count = n;
  }

  #manyRows({ docs, buckets, count }: AggregationBatch, column: OrdinalColumn, starts: Uint32Array): void {
    const { ordinals } = column;
    let n = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      const start = starts[doc]!;
      const end = starts[doc + 1]!;
      if (start === end && this.#missing >= 0) n = this.#put(n, doc, buckets[i]!, NO_VALUE);
      for (let at = start; at < end; at++) n = this.#put(n, doc, buckets[i]!, ordinals[at]!);
    }
    this.#rows.count = n;
  }

  /** From ordinals of the leaf to those over all leaves. */
  #toGlobal(): void {
    const { ordinals, count } = this.#rows;
    const map = this.#map;
    const missing = this.#missing;
    if (map !== undefined)
      for (let i = 0; i < count; i++) ordinals[i] = ordinals[i] === NO_VALUE ? missing : map[ordinals[i]!]!;
    else if (missing >= 0)
      for (let i = 0; i < count; i++) if (ordinals[i] === NO_VALUE) ordinals[i] = missing;
  }

  #put(n: number, doc: number, bucket: number, ordinal: number): number {
    const rows = this.#rows;
    if (n === rows.docs.length) {
      rows.docs = grown(rows.docs, n * 2);
      rows.buckets = grown(rows.buckets, n * 2);
      rows.ordinals = grown(rows.ordinals, n * 2);
    }
    rows.docs[n] = doc;
    rows.buckets[n] = bucket;
    rows.ordinals[n] = ordinal;
    return n + 1;
  }
}
