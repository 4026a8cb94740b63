// Seals tails into segments and merges segments, one job at a time for the whole engine, in slices between
// other work. The oldest full tail is sealed first; otherwise the merge policy is asked. Both jobs end with a
// swap of leaves, which carries over the deaths that came meanwhile, and a catalog commit that makes the swap
// durable.
//
// - A job leaves out dead documents that no search or lease sees.
// - While an index is overwritten, full tails wait for their documents to die (seal-policy.ts).
// - Chunks that nothing needs are looked for between two jobs only: sources that a running merge has moved
// are named by no segment yet.

import type { Catalog } from '../../catalog/catalog.ts';
import { DiskFullError } from '../../disk/failure.ts';
import { EngineError } from '../../errors.ts';
import type { DocumentLog } from '../../log/log.ts';
import type { Memory } from '../../memory/memory.ts';
import { chooseMerge, mergeLimitsOf } from '../../merge/merge-policy.ts';
import type { Leaf } from '../../segment/leaf.ts';
import type { Tail } from '../../tail/tail.ts';
import { nextTurn } from '../../turn.ts';
import type { IndexState } from '../index-state/index-state.ts';
import { hasRoomForWrites, isSealDue } from '../index-state/seal-policy.ts';
import { isSaved, replayFrom } from '../index-state/unflushed.ts';
import type { SegmentEntry, SegmentMeta, SegmentStore } from '../segment-files/segment-store.ts';
import { encodeSegments, segmentsRecord } from '../segment-files/segments-record.ts';
import { carryDeaths } from './carry-deaths.ts';
import { moveSources, sparseChunks } from './compaction.ts';
import { DeathRate } from './death-rate.ts';
import { countDroppable, droppableBitmap, findSurvivors, isAllDroppable } from './dropped-documents.ts';
import type { BuiltSegment, SegmentBuilder } from './segment-builder.ts';
import { TailVisibility } from './tail-visibility.ts';

/** What maintenance needs of the engine. */
export interface MaintenanceEnvironment {
  readonly store: SegmentStore;
  readonly builder: SegmentBuilder;
  readonly catalog: Catalog;
  readonly memory: Memory;
  readonly log: DocumentLog;
  readonly published: () => number;
  /** Snapshots that leases hold, ascending. */
  readonly leasedSnapshots: () => readonly number[];
  readonly newSegmentNumber: () => number;
  readonly states: () => Iterable<IndexState>;
  /** Called after a catalog commit, between jobs: the log may have chunks that nothing needs any more. */
  readonly onSaved: () => Promise<void>;
  readonly newTail: () => Tail;
  /** Prewarms a segment for searches before they see it. Never rejects. */
  readonly prewarm: (state: IndexState, leaf: Leaf) => Promise<void>;
  /** Resolves when every write queued before the call is published. */
  readonly awaitPublished: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** The merge policy is asked again after this time, or when a 64th of the index has changed. */
const LOOK_MS = 1_000;
const LOOK_SHARE = 64;

/** Seals and merges of all indices. */
export class Maintenance {
  readonly #env: MaintenanceEnvironment;
  #chain: Promise<void> = Promise.resolve();
  readonly #queued = new Set<IndexState>();
  /** When the policy was last asked for an index, and how many documents and deaths it had then. */
  readonly #lastLook = new WeakMap<IndexState, { readonly at: number; readonly size: number }>();
  readonly #deathRate = new DeathRate();
  readonly #tailVisibility = new TailVisibility();
  /**
   * Timers of indices to look at again: their segments are dying, and no further write may come to trigger a
   * look.
   */
  readonly #timers = new Map<IndexState, NodeJS.Timeout>();
  #closed = false;
  /** Number of jobs running or queued. */
  #jobs = 0;
  /** Why the last job was refused: no memory, or no space on the disk. */
  #refused: EngineError | undefined;

  constructor(env: MaintenanceEnvironment) {
    this.#env = env;
  }

  get isBusy(): boolean {
    return this.#jobs > 0;
  }

  /** Queues a job for an index if it needs one. */
  schedule(state: IndexState): void {
    if (this.#queued.has(state) || (state.segments.length === 0 && state.tails.length < 2)) return;
    const isDue = this.#isDue(state);
    if (state.tails.length > 1 && !isDue) this.#lookAgain(state);
    if (isDue || (this.#hasGrown(state) && this.#choice(state) !== undefined)) {
      this.#queued.add(state);
      void this.#enqueue(async () => {
        this.#queued.delete(state);
        if (!(await this.#step(state))) return;
        this.#lastLook.delete(state);
        this.schedule(state);
      });
    }
  }

  /** False if writers have to wait because seals are far behind. */
  hasRoom(state: IndexState): boolean {
    return hasRoomForWrites(state, this.#env.memory) || this.#closed;
  }

  /**
   * Resolves when an index that is far behind with its seals has caught up; rejects if there is no memory for
   * that. On a full disk it resolves at once: the log refuses documents then, and accepts deletes.
   */
  async waitForRoom(state: IndexState): Promise<void> {
    while (!this.hasRoom(state)) {
      this.schedule(state);
      await this.#chain;
      if (this.hasRoom(state)) return;
      if (this.#refused instanceof DiskFullError) return;
      if (this.#refused !== undefined) throw this.#refused;
      // The oldest tail may have documents that are not durable yet: it can be sealed only after them.
      await this.#env.awaitPublished();
      await nextTurn();
    }
  }

  /**
   * Writes to an index have paused: seals the tails that waited to be overwritten. Resolves when all are
   * sealed.
   */
  async sealIdle(state: IndexState): Promise<void> {
    if (state.tails.length < 2) return;
    await this.#enqueue(async () => {
      while (state.tails.length > 1 && (await this.#seal(state)));
    });
  }

  /** Seals everything that was written before the call. */
  flush(state: IndexState): Promise<void> {
    return this.#enqueue(async () => {
      await this.#flush(state);
      // No write may follow that would trigger a look.
      this.#lastLook.delete(state);
      this.schedule(state);
    });
  }

  /** An index was removed from the catalog: frees its memory and files. */
  drop(state: IndexState): Promise<void> {
    return this.#enqueue(async () => {
      const { segments, tails, saved } = state;
      const metas = new Map(
        [...saved.segments, ...segments.map(({ meta }) => meta)].map((m) => [m.number, m]),
      );
      state.segments = [];
      state.tails = [];
      state.invalidate();
      for (const tail of tails) tail.release();
      for (const entry of segments) this.#env.store.release(entry);
      await this.#env.store.remove(state.number, [...metas.values()]);
      await this.#env.onSaved();
    });
  }

  /**
   * Makes sure that an index needs no old chunks of the log: seals its tails, or saves the deaths of its
   * segments if there is nothing to seal.
   */
  catchUp(state: IndexState): Promise<void> {
    return this.#enqueue(async () => {
      if (state.tails.some((tail) => tail.docCount > 0)) await this.#flush(state);
      else await this.save(state);
    });
  }

  /**
   * Looks for chunks that nothing needs, between two jobs: sources moved by a running merge are named by no
   * segment yet and would be taken for unused.
   */
  sweep(): Promise<void> {
    return this.#enqueue(() => this.#env.onSaved());
  }

  forceMerge(state: IndexState, maxSegments: number): Promise<void> {
    return this.#enqueue(async () => {
      await this.#flush(state);
      const keepers = this.#keepers(state);
      const expungeable = state.segments.some((entry) => droppableBitmap(entry.leaf, keepers) !== undefined);
      if (state.segments.length > maxSegments || (expungeable && state.segments.length > 0)) {
        const from = Math.max(0, maxSegments - 1);
        await this.#merge(state, from >= state.segments.length ? 0 : from, state.segments.length);
      }
    });
  }

  /**
   * Writes the sources that an index has in these chunks again, except for those that cannot be read: then it needs
   * the chunks no longer.
   */
  rewriteChunks(state: IndexState, chunks: ReadonlySet<number>): Promise<void> {
    return this.#enqueue(async () => {
      await this.#flush(state);
      for (const entry of [...state.segments]) {
        const { docs, docCount } = entry.leaf;
        let names = false;
        for (let doc = 0; doc < docCount && !names; doc++) names = chunks.has(docs.sourceChunk(doc));
        const at = state.segments.indexOf(entry);
        if (names) await this.#merge(state, at, at + 1, chunks);
      }
      await this.#env.onSaved();
    });
  }

  /** Waits for the running job and starts no other. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await this.#chain;
  }

  /**
   * Saves the segments and the watermark of an index; what is not in the catalog is replayed from the log at
   * a start.
   */
  async save(state: IndexState): Promise<void> {
    const { store, catalog } = this.#env;
    const { segments, saved } = state;
    const metas: SegmentMeta[] = [];
    const published = this.#env.published();
    for (const entry of segments) metas.push(await store.checkpointDeaths(state.number, entry, published));
    const record = segmentsRecord(state, metas);
    await catalog.commit([
      { put: ['segments', String(state.number), encodeSegments(record)] },
      { put: ['engine', 'replay', replayFrom(this.#env.states(), published, { state, record })] },
    ]);
    state.saved = record;
    for (const [i, entry] of segments.entries()) entry.meta = metas[i]!;
    const named = new Map(metas.map(({ number, deaths }) => [number, deaths]));
    await store.removeDeaths(
      state.number,
      saved.segments.filter(({ number, deaths }) => named.has(number) && named.get(number) !== deaths),
    );
    await store.remove(
      state.number,
      saved.segments.filter(({ number }) => !named.has(number)),
    );
  }

  #enqueue(job: () => Promise<void>): Promise<void> {
    this.#jobs++;
    const done = this.#chain.then(() => (this.#closed ? undefined : job())).finally(() => this.#jobs--);
    // A full disk, or no memory for a merge, only postpones maintenance: the next `schedule` tries again.
    // Anything else is a failure of the engine.
    this.#chain = done.then(
      () => {
        this.#refused = undefined;
      },
      (error: unknown) => {
        if (isOverBudget(error) || error instanceof DiskFullError) this.#refused = error;
        else this.#env.onFailure(error);
      },
    );
    return done;
  }

  /** Runs one job; true if it did something. */
  async #step(state: IndexState): Promise<boolean> {
    if (this.#isDue(state)) return this.#seal(state);
    const choice = this.#choice(state);
    return choice !== undefined && (await this.#merge(state, choice.from, choice.to));
  }

  #isDue(state: IndexState): boolean {
    const keepers = (): number[] => this.#keepers(state);
    return isSealDue(state, this.#env.memory, (tail) => this.#tailVisibility.isInvisible(tail, keepers));
  }

  /** Whether enough has changed for another look, which may cost O(deaths). */
  #hasGrown(state: IndexState): boolean {
    if (state.segments.length === 0) return false;
    let docs = 0;
    let deaths = 0;
    for (const { leaf } of state.segments) {
      docs += leaf.docCount;
      deaths += leaf.deaths.count;
    }
    for (const tail of state.tails) docs += tail.docCount;
    const size = docs + deaths;
    const now = performance.now();
    const last = this.#lastLook.get(state);
    if (last !== undefined && now - last.at < LOOK_MS && Math.abs(size - last.size) * LOOK_SHARE < docs)
      return false;
    this.#lastLook.set(state, { at: now, size });
    return true;
  }

  #choice(state: IndexState): { from: number; to: number } | undefined {
    const keepers = this.#keepers(state);
    const now = performance.now();
    const sizes = state.segments.map((entry) => {
      const { leaf, meta } = entry;
      const dead = countDroppable(leaf, keepers);
      const liveCount = leaf.docCount - dead;
      const isDying = dead > 0 && this.#deathRate.isDying(entry, liveCount, dead, now);
      return { docCount: leaf.docCount, liveCount, bytes: meta.bytes, isDying };
    });
    const choice = chooseMerge(sizes, mergeLimitsOf(state.info.settings));
    if (choice === undefined && sizes.some(({ isDying }) => isDying)) this.#lookAgain(state);
    return choice;
  }

  #lookAgain(state: IndexState): void {
    if (this.#timers.has(state) || this.#closed) return;
    const { nextSeqNo } = state;
    const look = (): void => {
      this.#timers.delete(state);
      // Nothing was written to this index meanwhile.
      if (state.nextSeqNo === nextSeqNo) void this.sealIdle(state).catch(() => {});
      // Also if a look since then has relied on this one.
      this.#lastLook.delete(state);
      if (!this.#closed) this.schedule(state);
    };
    this.#timers.set(state, setTimeout(look, LOOK_MS + 1).unref());
  }

  async #flush(state: IndexState): Promise<void> {
    // From here on writes go to a new tail; those in flight still belong to the old one.
    if ((state.tails.at(-1)?.docCount ?? 0) > 0) state.tails.push(this.#env.newTail());
    await this.#env.awaitPublished();
    while (state.tails.length > 1 && (await this.#seal(state)));
    // A full disk may have refused it before.
    if (!isSaved(state, state.saved)) await this.save(state);
  }

  /**
   * Turns the oldest tail, which takes no more writes, into a segment of the documents that a search or lease
   * may see, if there are any. False if it has documents that are not durable yet.
   */
  async #seal(state: IndexState): Promise<boolean> {
    const tail = state.tails[0]!;
    if (tail.docCount > tail.closedCount) return false;
    if (tail.docCount > 0) {
      const ranges = tail.ranges();
      const last = ranges.at(-1)!;
      const lastCommit = last.docs.commit(last.docCount - 1);
      if (lastCommit > this.#env.published()) return false;
      const left = findSurvivors(ranges, this.#keepers(state));
      const leave = this.#env.memory.beginReading();
      try {
        if (left?.docCount !== 0) {
          const built = await this.#env.builder.seal(tail, left?.newDoc);
          const entry = await this.#store(state, built, ranges[0]!.docs.commit(0), lastCommit);
          await this.#env.prewarm(state, entry.leaf);
          carryDeaths(ranges, left?.byRange, entry.leaf);
          state.segments.push(entry);
        }
        if (left !== undefined) state.droppedDead++;
        const next = state.tails[1]?.ranges()[0];
        state.watermark = next?.docs.commit(0) === lastCommit ? lastCommit - 1 : lastCommit;
        state.sealedSeqNo = last.docs.seqNo(last.docCount - 1);
      } finally {
        leave();
      }
    }
    state.tails.shift();
    state.invalidate();
    tail.release();
    await this.save(state);
    await this.#env.onSaved();
    return true;
  }

  /**
   * Also moves the sources that lie in the `emptied` chunks. False, with nothing done, if the engine closes before
   * the words of its segments are unpacked.
   */
  async #merge(
    state: IndexState,
    from: number,
    to: number,
    emptied: ReadonlySet<number> = new Set(),
  ): Promise<boolean> {
    const entries = state.segments.slice(from, to);
    const keepers = this.#keepers(state);
    const leaves = entries.map(({ leaf }) => leaf);
    const inputs = leaves.map((leaf) => {
      const drop = droppableBitmap(leaf, keepers);
      return drop === undefined ? { leaf } : { leaf, drop };
    });
    const leave = this.#env.memory.beginReading();
    let merged: SegmentEntry | undefined;
    try {
      if (!isAllDroppable(leaves, keepers)) {
        // A thread reads the inputs where they lie, so their words have to be unpacked.
        for (const { leaf } of entries) await leaf.packedTerms?.unpack();
        if (entries.some(({ leaf }) => leaf.packedTerms?.isDone === false)) return false;
        const sparse = await sparseChunks(
          this.#env.log,
          this.#env.states(),
          replayFrom(this.#env.states(), this.#env.published()),
        );
        const moved = await moveSources(this.#env.log, state, inputs, sparse.union(emptied));
        const built = await this.#env.builder.merge(inputs, { oldest: keepers[0]!, moved });
        const first = entries[0]!.meta.firstCommit;
        merged = await this.#store(state, built, first, entries.at(-1)!.meta.lastCommit);
        await this.#env.prewarm(state, merged.leaf);
        carryDeaths(leaves, built.newDoc, merged.leaf);
      }
      // Tails may have been sealed behind these segments meanwhile; the segments themselves are still
      // adjacent.
      state.segments.splice(
        state.segments.indexOf(entries[0]!),
        entries.length,
        ...(merged === undefined ? [] : [merged]),
      );
      if (inputs.some((input) => 'drop' in input)) state.droppedDead++;
      state.invalidate();
    } finally {
      leave();
    }
    for (const entry of entries) this.#env.store.release(entry);
    await this.save(state);
    await this.#env.onSaved();
    return true;
  }

  async #store(
    state: IndexState,
    { block, byteLength: bytes, docCount, files }: BuiltSegment,
    firstCommit: number,
    lastCommit: number,
  ): Promise<SegmentEntry> {
    const number = this.#env.newSegmentNumber();
    const meta = { number, docCount, bytes, firstCommit, lastCommit, deaths: 0, deathCount: 0 };
    const entry = this.#env.store.openBlock(meta, block, bytes);
    try {
      await this.#env.store.write(state.number, entry, files);
    } catch (error) {
      this.#env.store.release(entry);
      throw error;
    }
    return entry;
  }

  /**
   * Commits whose versions must be kept, ascending: those that leases and searches see, and the one the next
   * refresh will show.
   */
  #keepers(state: IndexState): number[] {
    const published = this.#env.published();
    const seen = [...this.#env.leasedSnapshots(), published].map((snapshot) => state.visibleCommit(snapshot));
    return [...new Set([...seen, published])].sort((a, b) => a - b);
  }
}

function isOverBudget(error: unknown): error is EngineError {
  return error instanceof EngineError && error.type === 'circuit_breaking_exception';
}
