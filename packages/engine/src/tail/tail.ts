// Where are documents searchable before they are sealed? In the tail: at most 65,536 of them, each commit a small
// segment of its own, small ones merged into bigger ones as they pile up.
//
//   documents   0 ─────────────────────────────── committed ── count
//   minis       [      d0 … d1      ][   …   ][ …][.][.]      pending: not searchable yet
//
// A mini is immutable but for its death log; those that were merged stay good for readers that hold them.

import type { PlainText } from '../analysis/plain.ts';
import type { DocSink, FieldSpec } from '../mapping/field.ts';
import type { Block, Memory } from '../memory/memory.ts';
import { Deaths } from '../segment/deaths.ts';
import { openSegment, type SegmentLeaf } from '../segment/open.ts';
import { copySegment, type SegmentBytes } from '../segment/sections.ts';
import type { SharedTerms } from '../segment/terms.ts';
import { type TailDocument, TailDocuments } from './documents.ts';
import { ForwardField } from './forward.ts';
import { chooseMinis } from './minis.ts';
import { type RangeScratch, rangeScratch, writeRange } from './range.ts';

/** Limits of a tail. */
export interface TailOptions {
  /** Documents it may hold. @default 65536 */
  readonly limit?: number;
  /** Documents from which minis are not merged with others. @default 16384 */
  readonly largest?: number;
}

interface Mini {
  readonly start: number;
  readonly end: number;
  readonly leaf: SegmentLeaf;
  readonly block: Block;
}

/** A leaf and a document in it. */
export interface TailPlace {
  readonly leaf: SegmentLeaf;
  readonly doc: number;
}

/** The documents that are not sealed yet. One writer. */
export class Tail implements DocSink {
  readonly limit: number;
  readonly #memory: Memory;
  readonly #largest: number;
  readonly #documents: TailDocuments;
  /** By slot. */
  readonly #fields: (ForwardField | undefined)[] = [];
  readonly #touched: ForwardField[] = [];
  readonly #scratch: RangeScratch = rangeScratch();
  #minis: Mini[] = [];
  #leaves: readonly SegmentLeaf[] = [];
  #open: TailDocument | undefined;

  constructor(memory: Memory, options: TailOptions = {}) {
    this.#memory = memory;
    this.limit = options.limit ?? 65_536;
    this.#largest = options.largest ?? 16_384;
    this.#documents = new TailDocuments(memory);
  }

  /** Documents taken, those since the last commit included. */
  get docCount(): number {
    return this.#documents.count;
  }

  /** Documents in leaves. */
  get committed(): number {
    return this.#minis.at(-1)?.end ?? 0;
  }

  /** Bytes held by the forward index, the term tables and the minis. */
  get bytes(): number {
    let sum = this.#documents.bytes;
    for (const field of this.#forward()) sum += field.bytes;
    for (const mini of this.#minis) sum += mini.block.bytes;
    return sum;
  }

  /** Starts a document; sink calls, then `end` or `abort` follow. Throws a RangeError when the tail is full. */
  begin(document: TailDocument): void {
    if (this.#open !== undefined) throw new Error('a document is open: end or abort it first');
    if (this.#documents.count >= this.limit) throw new RangeError('the tail is full: seal it first');
    this.#open = document;
  }

  term(
    spec: FieldSpec,
    bytes: Uint8Array,
    start: number,
    end: number,
    position: number,
    overlap: boolean = false,
  ): void {
    this.#entry(spec).token(bytes, start, end, position, overlap);
  }

  text(
    spec: FieldSpec,
    bytes: Uint8Array,
    start: number,
    end: number,
    base: number,
    plain: PlainText,
  ): number {
    return this.#entry(spec).text(bytes, start, end, base, plain);
  }

  keyword(spec: FieldSpec, bytes: Uint8Array, start: number, end: number): void {
    this.#entry(spec).value(bytes, start, end);
  }

  numeric(spec: FieldSpec, hi: number, lo: number): void {
    this.#entry(spec).number(hi, lo);
  }

  present(spec: FieldSpec): void {
    this.#entry(spec);
  }

  /** Ends the document and returns its number in the tail. */
  end(): number {
    const document = this.#open;
    if (document === undefined) throw new Error('no document is open');
    const doc = this.#documents.count;
    this.#documents.push(document);
    for (const field of this.#touched) field.close();
    this.#touched.length = 0;
    this.#open = undefined;
    return doc;
  }

  /** Drops the open document; nothing of it stays but perhaps terms in the tables. */
  abort(): void {
    for (const field of this.#touched) field.truncate(field.docs.length - 1);
    this.#touched.length = 0;
    this.#open = undefined;
  }

  /** Makes the documents since the last commit searchable, and merges minis that have piled up. */
  commit(): void {
    if (this.#open !== undefined) throw new Error('a document is open: end or abort it first');
    const start = this.committed;
    const end = this.#documents.count;
    if (start === end) return;
    this.#documents.publish(end);
    const sizes = this.#minis.map((mini) => mini.end - mini.start);
    sizes.push(end - start);
    const kept = chooseMinis(sizes, this.#largest);
    this.#replaceFrom(kept, end);
  }

  /** The current minis, in document order. The array is never changed. */
  leaves(): readonly SegmentLeaf[] {
    return this.#leaves;
  }

  /** The newest committed document with this id. */
  find(id: Uint8Array): TailPlace | undefined {
    const doc = this.#documents.find(id);
    return doc < 0 ? undefined : this.place(doc);
  }

  /** Leaf of a document of the tail and its number there; undefined when it is not committed. */
  place(doc: number): TailPlace | undefined {
    const minis = this.#minis;
    let low = 0;
    let high = minis.length;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if (minis[mid]!.end <= doc) low = mid + 1;
      else high = mid;
    }
    const mini = minis[low];
    return mini === undefined ? undefined : { leaf: mini.leaf, doc: doc - mini.start };
  }

  /**
   * Drops documents from `docCount` on, after their log write failed. Deaths that the failed commit appended are the
   * caller's to take back first.
   */
  truncate(docCount: number): void {
    this.abort();
    if (docCount >= this.#documents.count) return;
    for (const field of this.#forward()) field.truncate(field.entryAt(docCount));
    this.#documents.truncate(docCount);
    const kept = this.#minis.findIndex((mini) => mini.end > docCount);
    if (kept >= 0) this.#replaceFrom(kept, docCount);
  }

  /** The sealed segment of the committed documents, in slices of about 2 ms. The tail must not change meanwhile. */
  seal(): Generator<void, SegmentBytes> {
    return writeRange(this.#documents, this.#forward(), 0, this.committed, true, rangeScratch());
  }

  /** Deaths of the minis, for documents numbered as in the sealed segment. */
  deaths(): Deaths {
    return mergedDeaths(this.#minis, 0, this.committed);
  }

  /** Gives all memory back. Readers that are at it keep theirs until they leave. */
  release(): void {
    this.#documents.release();
    for (const field of this.#forward()) field.release();
    for (const mini of this.#minis) this.#memory.free(mini.block);
    this.#minis = [];
    this.#leaves = [];
    this.#fields.length = 0;
  }

  #entry(spec: FieldSpec): ForwardField {
    const field = this.#fields[spec.slot] ?? this.#addField(spec);
    if (field.open(this.#documents.count)) this.#touched.push(field);
    return field;
  }

  #addField(spec: FieldSpec): ForwardField {
    const field = new ForwardField(spec, this.#memory);
    this.#fields[spec.slot] = field;
    return field;
  }

  *#forward(): Generator<ForwardField> {
    for (const field of this.#fields) if (field !== undefined) yield field;
  }

  /** One mini of all documents from mini `kept` on up to `end`, in place of those minis. */
  #replaceFrom(kept: number, end: number): void {
    const gone = this.#minis.slice(kept);
    const start = kept === 0 ? 0 : this.#minis[kept - 1]!.end;
    const minis = this.#minis.slice(0, kept);
    if (end > start) minis.push(this.#makeMini(start, end, gone));
    this.#minis = minis;
    this.#leaves = minis.map((mini) => mini.leaf);
    for (const mini of gone) this.#memory.free(mini.block);
  }

  #makeMini(start: number, end: number, old: readonly Mini[]): Mini {
    const steps = writeRange(this.#documents, this.#forward(), start, end - start, false, this.#scratch);
    let step = steps.next();
    while (!step.done) step = steps.next();
    const segment = step.value;
    const block = this.#memory.alloc(segment.byteLength);
    const bytes = new Uint8Array(block.buffer, block.ptr, segment.byteLength);
    copySegment(segment, bytes);
    const deaths = mergedDeaths(old, start, end);
    // Kept by the mini itself: a reader may open terms when the tail has long been released.
    const tables = new Map<string, SharedTerms>();
    for (const field of this.#forward()) tables.set(field.spec.path, field.table);
    const shared = (path: string): SharedTerms => tables.get(path)!;
    return { start, end, block, leaf: openSegment(bytes, { deaths, shared }) };
  }
}

/** The death logs of adjacent minis as one, in commit order, for documents [start, end). */
function mergedDeaths(minis: readonly Mini[], start: number, end: number): Deaths {
  const entries: { doc: number; commit: number }[] = [];
  for (const mini of minis) {
    const { deaths } = mini.leaf;
    for (let i = 0; i < deaths.count; i++) {
      const doc = mini.start + deaths.doc(i);
      if (doc < end) entries.push({ doc: doc - start, commit: deaths.commit(i) });
    }
  }
  entries.sort((a, b) => a.commit - b.commit);
  const merged = new Deaths(end - start);
  for (const { doc, commit } of entries) merged.append(doc, commit);
  return merged;
}
