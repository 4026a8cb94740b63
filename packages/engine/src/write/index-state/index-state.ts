// What does the engine hold of one index while it runs? Its segments, oldest first, then the tails that are not sealed
// yet (the last one takes writes); documents are numbered in commit order across them.
//
//   segment | segment | … | tail waiting for its seal | tail that takes writes
//   ──────── commits ≤ watermark ───────→│← replayed from the log at start

import type { Analysis } from '../../analysis/registry.ts';
import type { IndexInfo } from '../../api.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import type { DocumentRun, Leaf, LeafView } from '../../segment/leaf.ts';
import type { ReadScope, Tail } from '../../tail/tail.ts';
import type { RefreshHistory } from '../leases/refresh-history.ts';
import type { SegmentEntry } from '../segment-files/segment-store.ts';
import { OverwriteTracker } from './overwrite-tracker.ts';
import { Tombstones } from './tombstones.ts';

/** A document version found by id. */
export interface DocumentLocation {
  readonly leaf: DocumentRun;
  readonly doc: number;
}

/** The place of what was found. */
type LastFound =
  | { readonly tail: Tail; doc: number }
  | { readonly tail?: undefined; readonly segment: SegmentEntry; readonly at: number; doc: number };

/** One index at run time. Changed by the writer only; readers take views. */
export class IndexState {
  /** Given by the catalog, never reused: log records carry it. */
  readonly number: number;
  info: IndexInfo;
  mapping: Mapping;
  /** The mapping that the catalog has: documents extend `mapping` before theirs are durable. */
  savedMapping: Mapping;
  /** Everything acknowledged was read under this one, or one that it extends: what is taken back leaves no more. */
  acknowledgedMapping: Mapping;
  analysis: Analysis;
  /** Documents before this sequence number were read under other mappings. */
  #oldMappingBefore = 0;
  segments: SegmentEntry[] = [];
  tails: Tail[] = [];
  nextSeqNo = 0;
  #sameMapping: Mapping | undefined;
  #sameMappingFrom = 0;
  /** How often commits were taken back, whose sequence numbers are given again. */
  rollbacks = 0;
  readonly tombstones: Tombstones = new Tombstones();
  readonly overwrites: OverwriteTracker = new OverwriteTracker();
  /** How often leaves went of which the dead are nowhere any more: what had died at a snapshot before is not seen there now. */
  droppedDead = 0;
  /** Commits up to here are in segments, with their deaths: the log is replayed from the next one on ... */
  watermark = 0;
  /** ... leaving out operations up to this one, because a commit may lie in two tails. */
  sealedSeqNo = -1;
  /** What snapshots see where refreshes are held back (refresh_interval -1). */
  refreshes: RefreshHistory;
  /** Another number after each change of segments, tails, their leaves or their deaths. */
  version = 0;
  #runs: DocumentRun[] | undefined;
  /** What was found last, in the newest state: documents are written over in the order in which they lie, as a rule. */
  #lastFound: LastFound | undefined;
  /** Commits since somebody searched it like that. */
  readonly #commitsSinceSearch: Record<ReadScope, number> = { all: NEVER, plain: NEVER };
  readonly #views = new Map<ReadScope, { snapshot: number; leaves: readonly LeafView[] }>();

  constructor(
    number: number,
    info: IndexInfo,
    mapping: Mapping,
    analysis: Analysis,
    visibility: RefreshHistory,
  ) {
    this.number = number;
    this.info = info;
    this.mapping = mapping;
    this.savedMapping = mapping;
    this.acknowledgedMapping = mapping;
    this.analysis = analysis;
    this.refreshes = visibility;
  }

  /** The same index without documents, to make a segment again beside it. */
  emptyCopy(): IndexState {
    return new IndexState(this.number, this.info, this.mapping, this.analysis, this.refreshes);
  }

  /** Its mapping is another one from now on than what was there could be read under. */
  noteMappingChange(): void {
    this.#oldMappingBefore = this.nextSeqNo;
  }

  /** Tails have documents that were read under another mapping, and would be read under this one if they came from the log. */
  get hasOldMappingTails(): boolean {
    return this.sealedSeqNo + 1 < this.#oldMappingBefore;
  }

  /** The mapping is in the catalog as it is now. */
  markMappingSaved(): void {
    this.savedMapping = this.acknowledgedMapping = this.mapping;
  }

  /** Under other settings the mappings are others, which say the same. */
  reparseMappings(read: (mapping: Mapping) => Mapping): void {
    const { mapping, acknowledgedMapping, savedMapping } = this;
    this.mapping = read(mapping);
    this.acknowledgedMapping = acknowledgedMapping === mapping ? this.mapping : read(acknowledgedMapping);
    if (savedMapping === mapping) this.savedMapping = this.mapping;
    else if (savedMapping === acknowledgedMapping) this.savedMapping = this.acknowledgedMapping;
  }

  /** All documents in their order, searchable or not yet. */
  runs(): readonly DocumentRun[] {
    this.#runs ??= [
      ...this.segments.map((segment) => segment.leaf),
      ...this.tails.flatMap((tail) => [...tail.runs()]),
    ];
    return this.#runs;
  }

  /**
   * Documents from this sequence number on were read under the mapping that there is now. REQUIRES: asked before each
   * document is read.
   */
  sameMappingFrom(): number {
    if (this.#sameMapping !== this.mapping) {
      this.#sameMapping = this.mapping;
      this.#sameMappingFrom = this.nextSeqNo;
    }
    return this.#sameMappingFrom;
  }

  /** To be called whenever segments or tails change, or what snapshots see of them. */
  invalidate(): void {
    this.version++;
    this.#runs = undefined;
    this.#views.clear();
    // Else it would be kept until somebody writes.
    if (this.#lastFound !== undefined && !this.#isThere(this.#lastFound)) this.#lastFound = undefined;
  }

  /** A commit that touched it is published: searches begin there from now on. */
  publish(commit: number): void {
    const sees = this.visibleCommit(commit);
    for (const tail of this.tails) tail.forget(sees);
    this.invalidate();
  }

  /** Rolls back everything after `commit`, where `nextSeqNo` was next: documents, deaths, dynamic fields, sequence numbers. */
  rollBack(commit: number, nextSeqNo: number): void {
    for (const leaf of this.runs()) leaf.deaths.truncate(leaf.deaths.countAt(commit));
    for (const tail of this.tails) {
      let count = 0;
      for (const leaf of tail.runs()) count += leaf.docs.countAt(commit);
      tail.truncate(count);
    }
    this.tombstones.removeFrom(nextSeqNo);
    this.nextSeqNo = nextSeqNo;
    this.mapping = this.acknowledgedMapping;
    this.rollbacks++;
    this.invalidate();
  }

  /** Documents and deaths have come that no snapshot sees yet. */
  invalidateRuns(): void {
    this.#runs = undefined;
  }

  /** Somebody searches it. */
  noteSearch(wanted: ReadScope): void {
    this.#commitsSinceSearch[wanted] = 0;
  }

  /** What the next search will want of documents that come with a commit; undefined where none is expected. Counts the commit. */
  predictSearch(): ReadScope | undefined {
    const unasked = this.#commitsSinceSearch;
    if (unasked.all++ < SOON.all) {
      unasked.plain++;
      return 'all';
    }
    return unasked.plain++ < SOON.plain ? 'plain' : undefined;
  }

  /**
   * The leaves as snapshot S sees them; empty ones are left out. O(leaves), kept until something changes; but documents
   * of the tail that nobody has searched yet are made searchable now, in about 5 µs each. A plain view is for searches
   * that look at no words of texts.
   */
  view(snapshot: number, wanted: ReadScope = 'all'): readonly LeafView[] {
    const last = this.#views.get(wanted);
    if (last?.snapshot === snapshot) return last.leaves;
    const leaves: LeafView[] = [];
    const all: readonly Leaf[] = [
      ...this.segments.map((segment) => segment.leaf),
      ...this.tails.flatMap((tail) => [...tail.leaves(snapshot, wanted)]),
    ];
    for (const leaf of all) {
      const docCount = leaf.docs.countAt(snapshot);
      if (docCount === 0) continue;
      const deathCount = leaf.deaths.countAt(snapshot);
      const live = deathCount === 0 ? undefined : leaf.deaths.liveAt(snapshot);
      leaves.push({ leaf, docCount, live, liveCount: docCount - deathCount, deathCount });
    }
    this.#views.set(wanted, { snapshot, leaves });
    return leaves;
  }

  /** Resolves when the words of all segments are there; undefined where they are already. */
  loadWords(): Promise<unknown> | undefined {
    const packed = this.segments.flatMap(({ leaf: { packedTerms } }) =>
      packedTerms?.isDone === false ? [packedTerms] : [],
    );
    return packed.length === 0 ? undefined : Promise.all(packed.map((words) => words.unpack()));
  }

  /** Documents that a view of the snapshot has to make searchable first. */
  countUnsearched(snapshot: number, wanted: ReadScope = 'all'): number {
    let sum = 0;
    if (wanted === 'all')
      for (const { leaf } of this.segments) if (leaf.packedTerms?.isDone === false) sum += leaf.docCount;
    for (const tail of this.tails) sum += tail.unsearched(snapshot, wanted);
    return sum;
  }

  /** Does that for tails in slices; a view taken afterwards finds little left to do. REQUIRES: a reading of the memory. */
  *prepare(
    snapshot: number,
    wanted?: ReadScope,
    tails: readonly Tail[] = [...this.tails],
  ): Generator<void, void> {
    for (const tail of tails) yield* tail.prepare(snapshot, wanted);
  }

  /** The commit that a search at this snapshot sees: the snapshot itself, unless refreshes are held back. */
  visibleCommit(snapshot: number): number {
    return this.refreshes.visibleCommit(snapshot);
  }

  /**
   * The version of a document that is alive at the snapshot (at the newest write, published or not, by default).
   * O(segments): one probe of a hash table each, newest first; O(1) for the newest version behind that found before.
   */
  locate(id: Uint8Array, snapshot: number = Number.POSITIVE_INFINITY): DocumentLocation | undefined {
    const newest = snapshot === Number.POSITIVE_INFINITY;
    if (newest && this.#lastFound !== undefined) {
      const behind = this.#behind(this.#lastFound, id);
      if (behind !== undefined) return behind;
    }
    for (let i = this.tails.length - 1; i >= 0; i--) {
      const tail = this.tails[i]!;
      for (let doc = tail.newest(id); doc >= 0; doc = tail.older(doc)) {
        const place = tail.place(doc)!;
        const written = newest || place.leaf.docs.commit(place.doc) <= snapshot;
        if (written && isAlive(place.leaf, place.doc, snapshot)) {
          if (newest) this.#lastFound = { tail, doc };
          return place;
        }
        if (newest) break; // only the newest version can be alive at the end
      }
    }
    for (let i = this.segments.length - 1; i >= 0; i--) {
      const { leaf } = this.segments[i]!;
      const count = newest ? leaf.docCount : leaf.docs.countAt(snapshot);
      for (let doc = leaf.docs.find(id, count); doc >= 0; doc = leaf.docs.find(id, doc)) {
        if (isAlive(leaf, doc, snapshot)) {
          if (newest) this.#lastFound = { segment: this.segments[i]!, at: i, doc };
          return { leaf, doc };
        }
        if (newest) break;
      }
    }
    return undefined;
  }

  /** The document behind one that was found, if that is its id and it is alive: of an id there is one such version at most. */
  #behind(found: LastFound, id: Uint8Array): DocumentLocation | undefined {
    const doc = found.doc + 1;
    let behind: DocumentLocation | undefined;
    if (!this.#isThere(found)) return undefined;
    if (found.tail !== undefined) {
      if (found.tail.isId(doc, id)) behind = found.tail.place(doc);
    } else if (found.segment.leaf.docs.isId(doc, id)) behind = { leaf: found.segment.leaf, doc };
    if (behind === undefined || behind.leaf.deaths.isDead(behind.doc)) return undefined;
    found.doc = doc;
    return behind;
  }

  /** False where a tail was sealed since, or a segment merged. */
  #isThere(found: LastFound): boolean {
    return found.tail === undefined
      ? this.segments[found.at] === found.segment
      : this.tails.includes(found.tail);
  }
}

/** A search is expected for so many commits after the last one: words cost much more than all the rest. */
const SOON: Readonly<Record<ReadScope, number>> = { all: 1, plain: 16 };
const NEVER = 1e9;

function isAlive(leaf: DocumentRun, doc: number, snapshot: number): boolean {
  if (!leaf.deaths.isDead(doc)) return true;
  if (snapshot === Number.POSITIVE_INFINITY) return false;
  const live = leaf.deaths.liveAt(snapshot);
  return live === undefined || ((live[doc >>> 5]! >>> (doc & 31)) & 1) === 1;
}
