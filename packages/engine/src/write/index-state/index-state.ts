// The run-time state of one index: its segments, oldest first, then the tails that are not sealed yet (the
// last one takes writes). Documents are numbered in commit order across them. Only the writer and maintenance
// change it; searches take views.
//
//   segment | segment | … | tail waiting for its seal | tail that takes writes
//   ──────── commits ≤ watermark ───────→│← replayed from the log at start

import type { Analysis } from '../../analysis/registry.ts';
import type { IndexInfo } from '../../api.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import type { DocumentLocation, DocumentRange, Leaf, LeafView } from '../../segment/leaf.ts';
import type { ReadScope } from '../../tail/minis/mini-lists.ts';
import type { Tail } from '../../tail/tail.ts';
import type { RefreshHistory } from '../leases/refresh-history.ts';
import type { SegmentEntry } from '../segment-files/segment-store.ts';
import { NO_SEGMENTS, type SegmentsRecord } from '../segment-files/segments-record.ts';
import { OverwriteTracker } from './overwrite-tracker.ts';
import { Tombstones } from './tombstones.ts';

export type { DocumentLocation };

/** The last version found by id, in a tail or a segment. */
type LastFound =
  | { readonly tail: Tail; doc: number }
  | { readonly tail?: undefined; readonly segment: SegmentEntry; readonly at: number; doc: number };

/** One index at run time. */
export class IndexState {
  /** Given by the catalog and never reused, because log records carry it. */
  readonly number: number;
  info: IndexInfo;
  mapping: Mapping;
  /** The mapping in the catalog. `mapping` may be ahead of it: documents extend it before it is durable. */
  savedMapping: Mapping;
  /** The mapping of the newest acknowledged document; a rollback returns to it. */
  acknowledgedMapping: Mapping;
  analysis: Analysis;
  /** Documents before this sequence number were mapped under another mapping than the current one. */
  #oldMappingBefore = 0;
  segments: SegmentEntry[] = [];
  tails: Tail[] = [];
  nextSeqNo = 0;
  /** Number of rollbacks. Each gives the same sequence numbers to other documents. */
  rollbacks = 0;
  readonly tombstones: Tombstones = new Tombstones();
  readonly overwrites: OverwriteTracker = new OverwriteTracker();
  /**
   * Counts leaves replaced without their dead documents: older snapshots can no longer be searched exactly.
   */
  droppedDead = 0;
  /** Commits up to here are in segments, with their deaths: replay begins with the next one ... */
  watermark = 0;
  /** ... and skips operations up to this one, because one commit may lie in two tails. */
  sealedSeqNo = -1;
  /** What the catalog says of the segments. It is behind them while a full disk keeps a swap from being saved. */
  saved: SegmentsRecord = NO_SEGMENTS;
  /** Which commit a snapshot sees if the index is refreshed manually (refresh_interval -1). */
  refreshes: RefreshHistory;
  /** Changes with every change of segments, tails, their leaves or their deaths. */
  version = 0;
  #ranges: DocumentRange[] | undefined;
  /**
   * The version found last, in the newest state. Documents are mostly overwritten in the order in which they
   * lie.
   */
  #lastFound: LastFound | undefined;
  /** Commits since the last search of each kind. */
  readonly #commitsSinceSearch: Record<ReadScope, number> = { all: NEVER, withoutText: NEVER };
  readonly #views = new Map<ReadScope, { snapshot: number; leaves: readonly LeafView[] }>();

  constructor(
    number: number,
    info: IndexInfo,
    mapping: Mapping,
    analysis: Analysis,
    refreshes: RefreshHistory,
  ) {
    this.number = number;
    this.info = info;
    this.mapping = mapping;
    this.savedMapping = mapping;
    this.acknowledgedMapping = mapping;
    this.analysis = analysis;
    this.refreshes = refreshes;
  }

  /** The same index without documents: scratch for rebuilding a segment. */
  emptyCopy(): IndexState {
    return new IndexState(this.number, this.info, this.mapping, this.analysis, this.refreshes);
  }

  /** Its mapping has changed such that older documents might be mapped differently. */
  noteMappingChange(): void {
    this.#oldMappingBefore = this.nextSeqNo;
  }

  /**
   * Whether tails have documents mapped under an older mapping: a replay would map them under the current
   * one.
   */
  get hasOldMappingTails(): boolean {
    return this.sealedSeqNo + 1 < this.#oldMappingBefore;
  }

  /** The current mapping is in the catalog. */
  markMappingSaved(): void {
    this.savedMapping = this.acknowledgedMapping = this.mapping;
  }

  /** Parses its mappings again, after a change of settings that mappings depend on. */
  reparseMappings(read: (mapping: Mapping) => Mapping): void {
    const { mapping, acknowledgedMapping, savedMapping } = this;
    this.mapping = read(mapping);
    this.acknowledgedMapping = acknowledgedMapping === mapping ? this.mapping : read(acknowledgedMapping);
    if (savedMapping === mapping) this.savedMapping = this.mapping;
    else if (savedMapping === acknowledgedMapping) this.savedMapping = this.acknowledgedMapping;
  }

  /** All ranges of documents in order, searchable or not yet. */
  ranges(): readonly DocumentRange[] {
    this.#ranges ??= [
      ...this.segments.map((segment) => segment.leaf),
      ...this.tails.flatMap((tail) => [...tail.ranges()]),
    ];
    return this.#ranges;
  }

  /** Drops cached views. To be called whenever segments or tails change, or what snapshots see of them. */
  invalidate(): void {
    this.version++;
    this.#ranges = undefined;
    this.#views.clear();
    // It would keep a released tail or segment alive until the next write.
    if (this.#lastFound !== undefined && !this.#isThere(this.#lastFound)) this.#lastFound = undefined;
  }

  /** A commit that touched it is published: new searches begin there. */
  publish(commit: number): void {
    const visible = this.visibleCommit(commit);
    for (const tail of this.tails) tail.forget(visible);
    this.invalidate();
  }

  /**
   * Rolls back everything after `commit`, where `nextSeqNo` was next: documents, deaths, dynamic fields,
   * sequence numbers.
   */
  rollBack(commit: number, nextSeqNo: number): void {
    for (const leaf of this.ranges()) leaf.deaths.truncate(leaf.deaths.countAt(commit));
    for (const tail of this.tails) {
      let count = 0;
      for (const leaf of tail.ranges()) count += leaf.docs.countAt(commit);
      tail.truncate(count);
    }
    this.tombstones.removeFrom(nextSeqNo);
    this.nextSeqNo = nextSeqNo;
    this.mapping = this.acknowledgedMapping;
    this.rollbacks++;
    this.invalidate();
  }

  /** Documents and deaths were added that no snapshot sees yet. */
  invalidateRanges(): void {
    this.#ranges = undefined;
  }

  /** Notes a search, for `predictSearch`. */
  noteSearchScope(scope: ReadScope): void {
    this.#commitsSinceSearch[scope] = 0;
  }

  /** The kind of search expected soon after a commit; undefined if none is. To be called once per commit. */
  predictSearch(): ReadScope | undefined {
    const since = this.#commitsSinceSearch;
    if (since.all++ < EXPECTED_COMMITS.all) {
      since.withoutText++;
      return 'all';
    }
    return since.withoutText++ < EXPECTED_COMMITS.withoutText ? 'withoutText' : undefined;
  }

  /**
   * The leaves as snapshot S sees them, without empty ones. O(leaves), cached until the index changes.
   * Documents of the tail that were not searched before are inverted now, in about 5 µs each. A view `withoutText` is
   * for searches that read no words of text fields.
   */
  leavesAt(snapshot: number, scope: ReadScope = 'all'): readonly LeafView[] {
    const last = this.#views.get(scope);
    if (last?.snapshot === snapshot) return last.leaves;
    const leaves: LeafView[] = [];
    const all: readonly Leaf[] = [
      ...this.segments.map((segment) => segment.leaf),
      ...this.tails.flatMap((tail) => [...tail.leaves(snapshot, scope)]),
    ];
    for (const leaf of all) {
      const docCount = leaf.docs.countAt(snapshot);
      if (docCount === 0) continue;
      const deathCount = leaf.deaths.countAt(snapshot);
      const live = deathCount === 0 ? undefined : leaf.deaths.liveAt(snapshot);
      leaves.push({ leaf, docCount, live, liveCount: docCount - deathCount, deathCount });
    }
    this.#views.set(scope, { snapshot, leaves });
    return leaves;
  }

  /** Resolves when the words of all segments are unpacked; undefined if they are already. */
  loadWords(): Promise<unknown> | undefined {
    const packed = this.segments.flatMap(({ leaf: { packedTerms } }) =>
      packedTerms?.isDone === false ? [packedTerms] : [],
    );
    return packed.length === 0 ? undefined : Promise.all(packed.map((words) => words.unpack()));
  }

  /** Number of documents that a view of the snapshot would have to make searchable first. */
  countUninverted(snapshot: number, scope: ReadScope = 'all'): number {
    let sum = 0;
    if (scope === 'all')
      for (const { leaf } of this.segments) if (leaf.packedTerms?.isDone === false) sum += leaf.docCount;
    for (const tail of this.tails) sum += tail.uninverted(snapshot, scope);
    return sum;
  }

  /**
   * Makes the documents of tails searchable, in slices, so that a view finds little left to do. REQUIRES: a
   * reading of the memory.
   */
  *prepare(
    snapshot: number,
    scope?: ReadScope,
    tails: readonly Tail[] = [...this.tails],
  ): Generator<void, void> {
    for (const tail of tails) yield* tail.prepare(snapshot, scope);
  }

  /**
   * The commit that a search at this snapshot sees: the snapshot itself, unless the index is refreshed
   * manually.
   */
  visibleCommit(snapshot: number): number {
    return this.refreshes.visibleCommit(snapshot);
  }

  /**
   * The version of an id that is alive at the snapshot (by default at the newest write, published or not).
   * O(segments): one probe of a hash table each, newest first; O(1) for the document behind the last one
   * found.
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
        const place = tail.locate(doc)!;
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

  /**
   * The document after the last one found, if it has this id and is alive: an id has one live version at
   * most.
   */
  #behind(found: LastFound, id: Uint8Array): DocumentLocation | undefined {
    const doc = found.doc + 1;
    let behind: DocumentLocation | undefined;
    if (!this.#isThere(found)) return undefined;
    if (found.tail !== undefined) {
      if (found.tail.isId(doc, id)) behind = found.tail.locate(doc);
    } else if (found.segment.leaf.docs.isId(doc, id)) behind = { leaf: found.segment.leaf, doc };
    if (behind === undefined || behind.leaf.deaths.isDead(behind.doc)) return undefined;
    found.doc = doc;
    return behind;
  }

  /** False if its tail was sealed since, or its segment merged. */
  #isThere(found: LastFound): boolean {
    return found.tail === undefined
      ? this.segments[found.at] === found.segment
      : this.tails.includes(found.tail);
  }
}

/**
 * A search is expected for so many commits after the last one. Inverting words costs much more than the rest.
 */
const EXPECTED_COMMITS: Readonly<Record<ReadScope, number>> = { all: 1, withoutText: 16 };
const NEVER = 1e9;

function isAlive(leaf: DocumentRange, doc: number, snapshot: number): boolean {
  if (!leaf.deaths.isDead(doc)) return true;
  if (snapshot === Number.POSITIVE_INFINITY) return false;
  const live = leaf.deaths.liveAt(snapshot);
  return live === undefined || ((live[doc >>> 5]! >>> (doc & 31)) & 1) === 1;
}
