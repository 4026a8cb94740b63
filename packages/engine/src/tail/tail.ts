// A tail: documents of an index that are not in a sealed segment yet, at most 65,536. They are searchable in
// memory at once. Documents go to a forward index over shared term tables (forward/, terms/). Small segments
// ("minis") are inverted from it by counting (inversion/), and small neighbours are merged (minis/choose-minis.ts). At
// last the seal sorts all documents into a segment. One writer.
//
//   documents   0 ─────────────────────────────── closedCount ── docCount
//   minis       [      d0 … d1      ][   …   ][ …][.][.]        open batch
//
// Here are the rows and the fields of documents, for the writer; the minis, for searches, are in minis/.
//
// - A mini is inverted when the first reader needs it. Documents that nobody searches are inverted by the
//   seal only.
// - A mini is immutable except for its death log. Merged minis stay valid for older snapshots
//   (minis/mini-lists.ts).
// - A document that is already in a frame is never refused memory: ending it, adding it to a mini and inverting
//   it for a search exceed the budget if necessary (`withoutBudget`).

import type { PlainText } from '../analysis/words/ascii-words.ts';
import type { DocSink, FieldSpec } from '../mapping/field-spec.ts';
import { type Memory, withoutBudget } from '../memory/memory.ts';
import type { Deaths } from '../segment/deaths.ts';
import type { DocumentLocation, DocumentRange } from '../segment/leaf.ts';
import type { SegmentBytes } from '../segment/section-writer.ts';
import type { SegmentLeaf } from '../segment/segment-leaf.ts';
import type { ForwardField } from './forward/forward-field.ts';
import type { LentTail } from './forward/lent-tail.ts';
import { type TailDocument, TailDocuments } from './forward/tail-documents.ts';
import { TailFields } from './forward/tail-fields.ts';
import { TailFullness, type TailOptions } from './fullness.ts';
import { newScratch, writeTailRange } from './inversion/write-range.ts';
import type { ReadScope } from './minis/mini-lists.ts';
import { TailMinis } from './minis/tail-minis.ts';
import type { TailDeath } from './minis/tail-ranges.ts';
import { TextWindow } from './terms/text-window.ts';

/** The documents that are not sealed yet. One writer. */
export class Tail implements DocSink {
  readonly limit: number;
  readonly #memory: Memory;
  readonly #full: TailFullness;
  readonly #documents: TailDocuments;
  readonly #fields: TailFields;
  /**
   * The first `#touches` are the fields of the open document. Not emptied: that would free the array with
   * every document.
   */
  readonly #touched: ForwardField[] = [];
  #touches = 0;
  readonly #window: TextWindow;
  readonly #minis: TailMinis;
  #open: TailDocument | undefined;
  /** Adds the open document; one closure, to avoid garbage. */
  readonly #close = (): void => {
    this.#documents.push(this.#open!);
    for (let i = 0; i < this.#touches; i++) this.#touched[i]!.close();
  };
  /** Reserves room for the rest of the documents, one array per document added. */
  #expecting: Generator<void, void> | undefined;

  constructor(memory: Memory, options: TailOptions = {}) {
    this.#memory = memory;
    this.#full = new TailFullness(options);
    this.limit = this.#full.limit;
    this.#documents = new TailDocuments(memory);
    this.#window = new TextWindow(memory);
    this.#fields = new TailFields(memory, this.#window);
    this.#minis = new TailMinis(memory, this.#documents, this.#fields, options.largest ?? 16_384);
  }

  /** All documents, those of the open batch included. */
  get docCount(): number {
    return this.#documents.count;
  }

  /** True when the next document needs a new tail. */
  get isFull(): boolean {
    return this.#full.isFull(this.#documents.count);
  }

  /** Changes when fields are added or dropped. */
  get fieldsVersion(): number {
    return this.#fields.version;
  }

  /** Documents of closed batches. They are in minis. */
  get closedCount(): number {
    return this.#minis.docCount;
  }

  /** Bytes held by the forward index, the term tables and the minis. */
  get bytes(): number {
    let sum = this.#documents.bytes + this.#window.bytes + this.#minis.bytes;
    for (const field of this.#fields) sum += field.bytes;
    return sum;
  }

  /**
   * Starts a document; sink calls, then `end` or `abort` follow. Throws a RangeError when the tail is full.
   */
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
    this.entry(spec).token(bytes, start, end, position, overlap);
  }

  text(
    spec: FieldSpec,
    bytes: Uint8Array,
    start: number,
    end: number,
    base: number,
    plain: PlainText,
  ): number {
    return this.entry(spec).text(bytes, start, end, base, plain);
  }

  keyword(spec: FieldSpec, bytes: Uint8Array, start: number, end: number): void {
    this.entry(spec).value(bytes, start, end);
  }

  numeric(spec: FieldSpec, hi: number, lo: number): void {
    this.entry(spec).number(hi, lo);
  }

  present(spec: FieldSpec): void {
    this.entry(spec);
  }

  /** The field, with an entry for the open document. REQUIRES: a document is open. */
  entry(spec: FieldSpec): ForwardField {
    const field = this.#fields.bySlot[spec.slot] ?? this.#fields.add(spec);
    if (field.open(this.#documents.count)) this.#touched[this.#touches++] = field;
    return field;
  }

  /** Sorts the values of a large document in slices of about 2 ms before it is ended. */
  *sortInSteps(): Generator<void, void> {
    for (let i = 0; i < this.#touches; i++) yield* this.#touched[i]!.sortInSteps();
  }

  /**
   * Ends the document and returns its number in the tail. It is in the frame of its commit by now, so memory
   * for it is not refused.
   */
  end(): number {
    if (this.#open === undefined) throw new Error('no document is open');
    const doc = this.#documents.count;
    withoutBudget(this.#memory, this.#close);
    this.#touches = 0;
    this.#open = undefined;
    if (doc + 1 === this.limit >>> 2) this.#expecting = this.#expect();
    this.#full.noteCount(doc + 1, this);
    if (this.#expecting?.next().done) this.#expecting = undefined;
    return doc;
  }

  /** Drops the open document. Only its terms may stay in the term tables. */
  abort(): void {
    const open = this.#documents.count;
    for (const field of this.#touched.slice(0, this.#touches)) this.#fields.truncate(field, open);
    this.#touches = 0;
    this.#open = undefined;
  }

  /**
   * Closes the batch of the documents that were added since the last call: makes a mini of them, and merges minis
   * that have piled up. The commit of the batch may still be rolled back (`truncate`).
   */
  closeBatch(): void {
    if (this.#open !== undefined) throw new Error('a document is open: end or abort it first');
    const end = this.#documents.count;
    if (this.closedCount === end) return;
    withoutBudget(this.#memory, () => this.#documents.indexIds(end));
    this.#minis.add(end, this.isFull);
  }

  /** The ranges of closed batches, in order. For the writer. The array is never changed. */
  ranges(): readonly DocumentRange[] {
    return this.#minis.ranges;
  }

  /**
   * The minis with documents of this snapshot (by default all), in document order. Inverts those that are not searchable yet.
   */
  leaves(snapshot: number = Number.POSITIVE_INFINITY, scope: ReadScope = 'all'): SegmentLeaf[] {
    return this.#minis.leaves(snapshot, scope);
  }

  /** Documents of this snapshot that are not searchable yet: `leaves` would have to invert them. */
  uninverted(snapshot: number, scope: ReadScope = 'all'): number {
    return this.#minis.uninverted(snapshot, scope);
  }

  /** Makes the documents of this snapshot searchable in slices. REQUIRES: an open reading of the memory. */
  prepare(snapshot: number, scope: ReadScope = 'all'): Generator<void, void> {
    return this.#minis.prepare(snapshot, scope);
  }

  /** No search starts below this snapshot any more: older minis may be freed when their readers have left. */
  forget(snapshot: number): void {
    this.#minis.forget(snapshot);
  }

  /** The newest document of a closed batch with this id, or -1. */
  newest(id: Uint8Array): number {
    return this.#documents.find(id);
  }

  /** Whether this is the id of a document of a closed batch. */
  isId(doc: number, id: Uint8Array): boolean {
    return this.#documents.isId(doc, id);
  }

  /** The document with the same id before this one, or -1. */
  older(doc: number): number {
    return this.#documents.older(doc);
  }

  /** The range of a document and its number there; undefined while its batch is open. */
  locate(doc: number): DocumentLocation | undefined {
    return this.#minis.locate(doc);
  }

  /**
   * Drops documents from `docCount` on, after their log write failed. The caller removes the deaths of that commit first.
   */
  truncate(docCount: number): void {
    this.abort();
    if (docCount >= this.#documents.count) return;
    for (const field of this.#fields) this.#fields.truncate(field, docCount);
    this.#documents.truncate(docCount);
    this.#minis.truncate(docCount);
  }

  /**
   * The sealed segment of the documents of closed batches, in slices of about 2 ms. The tail must not change
   * meanwhile.
   */
  seal(): Generator<void, SegmentBytes> {
    return writeTailRange(this.#documents, this.#fields, 0, this.closedCount, true, newScratch());
  }

  /** The tail for `sealLent` in another thread. REQUIRES: neither changed nor released until that is done. */
  lend(): LentTail {
    return {
      documents: this.#documents.lend(),
      fields: Array.from(this.#fields, (field) => field.lend()),
      docCount: this.closedCount,
    };
  }

  /**
   * The documents up to commit `upTo`, for another thread that searches them while this one goes on. REQUIRES: blocks that
   * this tail frees are not reused before that thread has borrowed again (engine/replica).
   */
  lendAt(upTo: number): LentTail {
    const docCount = this.#documents.countAt(upTo, 0, this.closedCount);
    return { ...this.lend(), documents: this.#documents.lend(docCount), docCount };
  }

  /**
   * Replaces the contents by what the writing thread has lent, and closes the batch of the new documents. A borrowing tail is never
   * written to.
   */
  borrow({ documents, fields }: Pick<LentTail, 'documents' | 'fields'>): void {
    this.#documents.borrow(documents);
    this.#fields.borrow(fields);
    this.closeBatch();
  }

  /**
   * Deaths of documents of closed batches in commits (after, upTo], by number in the tail; in the order of their
   * commits.
   */
  deathsIn(after: number, upTo: number): readonly TailDeath[] {
    return this.#minis.deathsIn(after, upTo);
  }

  /** Deaths of the minis, for documents numbered as in the sealed segment. */
  deaths(): Deaths {
    return this.#minis.deaths();
  }

  /** Frees all memory. Open readings keep theirs until they end. */
  release(): void {
    this.#documents.release();
    this.#window.release();
    this.#fields.release();
    this.#minis.release();
    this.#expecting = undefined;
  }

  *#expect(): Generator<void, void> {
    for (const field of [...this.#fields]) yield* field.expect(4);
  }
}
