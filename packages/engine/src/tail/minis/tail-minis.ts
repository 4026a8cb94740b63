// The minis of a tail: what searches see of documents that are not sealed yet. A mini is a range of rows until a
// search needs it; then it is inverted to a small segment (inversion/write-range.ts). Which minis become one is
// decided in choose-minis.ts, which of them a snapshot sees in mini-lists.ts.

import { type Memory, withoutBudget } from '../../memory/memory.ts';
import type { Deaths } from '../../segment/deaths.ts';
import type { DocumentLocation, DocumentRange } from '../../segment/leaf.ts';
import { copySegment, type SegmentBytes } from '../../segment/section-writer.ts';
import { openSegment, type SegmentLeaf } from '../../segment/segment-leaf.ts';
import type { SharedTerms } from '../../segment/terms.ts';
import type { TailDocuments } from '../forward/tail-documents.ts';
import type { TailFields } from '../forward/tail-fields.ts';
import { newScratch, writeTailRange } from '../inversion/write-range.ts';
import { chooseMinis } from './choose-minis.ts';
import { type BuiltMini, findBuilt, type Mini, MiniLists, type ReadScope } from './mini-lists.ts';
import { deathsIn, mergedDeaths, rangeAt, type TailDeath, TailRange } from './tail-ranges.ts';

/** Bytes of a source that take about as long to invert as a small document. */
const UNIT_BYTES = 4_096;
/** Documents of a mini whose sizes are looked at. */
const FEW = 64;

/** The minis of one tail. */
export class TailMinis {
  readonly #memory: Memory;
  readonly #documents: TailDocuments;
  readonly #fields: TailFields;
  readonly #largest: number;
  readonly #lists: MiniLists;
  #ranges: readonly TailRange[] = [];

  /** Minis are merged up to `largest` documents. */
  constructor(memory: Memory, documents: TailDocuments, fields: TailFields, largest: number) {
    this.#memory = memory;
    this.#documents = documents;
    this.#fields = fields;
    this.#largest = largest;
    this.#lists = new MiniLists((block) => memory.free(block));
  }

  /** Documents that are in minis. */
  get docCount(): number {
    return this.#ranges.at(-1)?.end ?? 0;
  }

  /** Bytes of the inverted minis. */
  get bytes(): number {
    return this.#lists.bytes;
  }

  /** The ranges of the minis, in order. The array is never changed. */
  get ranges(): readonly DocumentRange[] {
    return this.#ranges;
  }

  /** Makes a mini of the documents up to `end`, and merges minis that have piled up. */
  add(end: number, isFull: boolean): void {
    const sizes = [...this.#ranges.map(({ docCount }) => docCount), end - this.docCount];
    const minis = this.#replacedFrom(chooseMinis(sizes, this.#largest, isFull), end);
    this.#lists.replace(minis, this.#documents.commit(end - 1));
  }

  /**
   * The minis with documents of this snapshot, in document order. Inverts those that are not searchable yet.
   */
  leaves(snapshot: number, scope: ReadScope): SegmentLeaf[] {
    const leaves: SegmentLeaf[] = [];
    for (const mini of this.#lists.at(snapshot)) {
      if (mini.range.docs.commit(0) > snapshot) continue;
      leaves.push((findBuilt(mini, scope) ?? this.#build(mini, scope)).leaf);
    }
    return leaves;
  }

  /**
   * Documents of this snapshot that are not searchable yet: `leaves` would have to invert them. A large one counts for every
   * `UNIT_BYTES` of its source.
   */
  uninverted(snapshot: number, scope: ReadScope): number {
    let sum = 0;
    for (const mini of this.#lists.at(snapshot))
      if (findBuilt(mini, scope) === undefined && mini.range.docs.commit(0) <= snapshot)
        sum += this.#units(mini.range);
    return sum;
  }

  #units({ docs, docCount }: TailRange): number {
    let units = docCount;
    // A larger number of documents is work enough without their sizes.
    if (docCount <= FEW)
      for (let doc = 0; doc < docCount; doc++) units += Math.floor(docs.sourceLength(doc) / UNIT_BYTES);
    return units;
  }

  /**
   * Makes the documents of this snapshot searchable in slices of about 2 ms. REQUIRES: an open reading of the memory
   * (`Memory.beginReading`).
   */
  *prepare(snapshot: number, scope: ReadScope): Generator<void, void> {
    const { minis, leave } = this.#lists.pin(snapshot);
    try {
      for (const mini of minis) {
        // Since the last slice, documents may have been rolled back, or the tail sealed and released.
        if (!this.#lists.has(mini)) continue;
        if (findBuilt(mini, scope) !== undefined || mini.range.docs.commit(0) > snapshot) continue;
        for (const _ of this.#invert(mini, scope)) {
          yield;
          if (findBuilt(mini, scope) !== undefined || !this.#lists.has(mini)) break;
        }
      }
    } finally {
      leave();
    }
  }

  /** No search starts below this snapshot any more: older minis may be freed when their readers have left. */
  forget(snapshot: number): void {
    this.#lists.forget(snapshot);
  }

  /** The range of a document and its number there; undefined if it is in none. */
  locate(doc: number): DocumentLocation | undefined {
    const leaf = rangeAt(this.#ranges, doc);
    return leaf === undefined ? undefined : { leaf, doc: doc - leaf.start };
  }

  /** Drops documents from `docCount` on. */
  truncate(docCount: number): void {
    const kept = this.#ranges.findIndex((range) => range.end > docCount);
    if (kept >= 0) this.#lists.reset(this.#replacedFrom(kept, docCount));
  }

  /**
   * Deaths of documents in commits (after, upTo], by number in the tail; in the order of their
   * commits.
   */
  deathsIn(after: number, upTo: number): readonly TailDeath[] {
    return deathsIn(this.#ranges, after, upTo);
  }

  /** Deaths of the minis, for documents numbered as in the sealed segment. */
  deaths(): Deaths {
    return mergedDeaths(this.#ranges, 0, this.docCount);
  }

  /** Frees all memory. Open readings keep theirs until they end. */
  release(): void {
    this.#lists.reset([]);
    this.#ranges = [];
  }

  /** The minis, with those from `kept` on replaced by one of all documents up to `end`. */
  #replacedFrom(kept: number, end: number): readonly Mini[] {
    const before = this.#lists.newest;
    const merged = before.slice(kept);
    const start = kept === 0 ? 0 : before[kept - 1]!.range.end;
    const minis = before.slice(0, kept);
    if (end > start) {
      const deaths = mergedDeaths(
        merged.map(({ range }) => range),
        start,
        end,
      );
      minis.push({
        range: new TailRange(this.#documents, this.#fields, start, end, deaths),
        built: undefined,
        withoutText: undefined,
      });
    }
    this.#ranges = minis.map(({ range }) => range);
    return minis;
  }

  #build(mini: Mini, scope: ReadScope): BuiltMini {
    for (const _ of this.#invert(mini, scope));
    return findBuilt(mini, scope)!;
  }

  /** Makes a mini searchable. A caller that stops early must call `return` on the generator. */
  *#invert(mini: Mini, scope: ReadScope): Generator<void, void> {
    const { range } = mini;
    const isAll = scope === 'all';
    const of = [range.start, range.docCount, false, newScratch(), isAll] as const;
    const segment = yield* writeTailRange(this.#documents, this.#fields, ...of);
    mini[isAll ? 'built' : 'withoutText'] = this.#adopt(segment, range, !isAll);
  }

  #adopt(segment: SegmentBytes, { deaths }: TailRange, lacksWords: boolean): BuiltMini {
    // Acknowledged documents must be found, even if they used the last of the budget.
    const block = withoutBudget(this.#memory, () => this.#memory.alloc(segment.byteLength));
    const bytes = new Uint8Array(block.buffer, block.ptr, segment.byteLength);
    copySegment(segment, bytes);
    // The mini keeps the tables: a reader may open terms long after the tail has been released.
    const tables = new Map<string, SharedTerms>();
    for (const { spec, table } of this.#fields) tables.set(spec.path, table);
    const shared = (path: string): SharedTerms => tables.get(path)!;
    return { block, leaf: openSegment(bytes, { deaths, shared, lacksWords }) };
  }
}
