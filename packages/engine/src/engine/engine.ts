// The open engine, a facade of its parts. It passes writes to the writer, takes a view of each index for a
// search and runs it, and holds leases and memory readings.

import type {
  ChangeBatch,
  ChangePosition,
  DataCopy,
  Engine,
  Indices,
  Lease,
  LeaseOptions,
  PageReader,
  SearchRequest,
  SearchResult,
  Settings,
  StoredDoc,
  WriteOp,
  WriteResult,
} from '../api.ts';
import { EngineError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import type { DocumentLog } from '../log/log.ts';
import type { Memory } from '../memory/memory.ts';
import type { SnapshotStatistics } from '../query/plan/frozen-statistics.ts';
import { Deadline, runInSlices, type SearchSteps } from '../search/deadline.ts';
import { ignoredPathsOf } from '../search/page/ignored-fields.ts';
import { neededPostings } from '../search/plan/needs-postings.ts';
import { search } from '../search/search.ts';
import type { SearchServices } from '../search/services.ts';
import type { ReadScope } from '../tail/minis/mini-lists.ts';
import { beginSearch } from '../turn.ts';
import type { IndexState } from '../write/index-state/index-state.ts';
import type { Leases } from '../write/leases/leases.ts';
import type { Maintenance } from '../write/maintenance/maintenance.ts';
import { type ResolvedOp, refusedWrite } from '../write/operation/operation.ts';
import type { Writer } from '../write/writer/writer.ts';
import { parseChangesRequest, toChangeBatch } from './changes.ts';
import type { CommitListeners } from './commit-listeners.ts';
import { indexView } from './index-views.ts';
import { refuseBlocked } from './indices/index-blocks.ts';
import { type MappedIndex, mappedIndexAt } from './indices/index-info.ts';
import { type IndexTable, indexNotFound } from './indices/index-table.ts';
import type { EngineLimits, LimitsInForce } from './limits.ts';
import { readSource } from './log-sources.ts';
import { FEW_UNINVERTED } from './prewarm/commit-prewarmer.ts';
import type { ReplicaLink } from './replica/replica-messages.ts';
import type { SnapshotPublisher } from './replica/snapshot-publisher.ts';
import type { ChunkSweeper } from './retention/chunk-sweeper.ts';

/**
 * Settings, mappings and aliases of an index that a write creates. Throws if it must not be created
 * automatically.
 */
export type IndexDefaults = (name: string) => Parameters<Indices['create']>[1];

/** The parts, which `open` or `openReplica` has made and connected. */
interface EngineParts {
  readonly table: IndexTable;
  readonly settings: Settings;
  readonly writer: Pick<Writer, 'write' | 'published'>;
  readonly maintenance: Pick<Maintenance, 'waitForRoom' | 'hasRoom'>;
  readonly leases: Pick<Leases, 'open' | 'get' | 'close' | 'list' | 'pin'>;
  readonly log: Pick<DocumentLog, 'read' | 'feed' | 'completeFrom'>;
  readonly memory: Pick<Memory, 'beginReading'>;
  readonly sweeper: Pick<ChunkSweeper, 'enter'>;
  readonly commits: Pick<CommitListeners, 'add'>;
  readonly search: SearchServices;
  readonly statistics: SnapshotStatistics;
  readonly indexDefaults: IndexDefaults;
  /** Publishes snapshots to reading threads, if replicas are allowed. */
  readonly publisher: SnapshotPublisher | undefined;
  readonly limits: Pick<LimitsInForce, 'set'>;
  readonly verify: Engine['verify'];
  readonly copy: Engine['copy'];
  readonly dropUnreadable: (write: Engine['write']) => Promise<string[]>;
  readonly close: () => Promise<void>;
}

const encoder = new TextEncoder();

/** The engine of one data directory. */
export class RunningEngine implements Engine {
  readonly #parts: EngineParts;
  /** Ends the readings that end with this turn of the event loop. */
  #leaving: (() => void)[] = [];

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  get indices(): Indices {
    return this.#parts.table;
  }

  get settings(): Settings {
    return this.#parts.settings;
  }

  async write(ops: readonly WriteOp[]): Promise<WriteResult[]> {
    const { maintenance, writer } = this.#parts;
    const results: WriteResult[] = new Array(ops.length);
    const resolved: ResolvedOp[] = [];
    const places: number[] = [];
    let target: IndexState | EngineError | undefined;
    for (let i = 0; i < ops.length; i++) {
      const op = ops[i]!;
      if (target === undefined || !sameTarget(ops[i - 1]!, op)) {
        const found = this.#target(op);
        target = found instanceof Promise ? await found : found;
      }
      if (target instanceof EngineError) results[i] = refusedWrite(op, op.index, target);
      else {
        resolved.push({ op, state: target });
        places.push(i);
      }
    }
    for (const state of new Set(resolved.map((entry) => entry.state)))
      if (!maintenance.hasRoom(state)) await maintenance.waitForRoom(state);
    const written = resolved.length === 0 ? [] : await writer.write(resolved);
    for (let i = 0; i < written.length; i++) results[places[i]!] = written[i]!;
    return results;
  }

  get(index: string, id: string, options: { realtime?: boolean } = {}): StoredDoc | undefined {
    const state = this.#open(index);
    const { published } = this.#parts.writer;
    const located = state.locate(
      encoder.encode(id),
      options.realtime === false ? state.visibleCommit(published) : published,
    );
    if (located === undefined) return undefined;
    const { leaf, doc } = located;
    const { docs } = leaf;
    const source = readSource(this.#parts.log, located);
    const routing = docs.routing(doc);
    const ignored = ignoredPathsOf(state.mapping, leaf, doc, this.#parts.search.compat);
    return {
      index,
      id,
      type: docs.type(doc),
      routing,
      version: docs.version(doc),
      seqNo: docs.seqNo(doc),
      source,
      ...(ignored === undefined ? {} : { ignored }),
    };
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    return await this.searchPage(request, (page) => page.result());
  }

  searchPage<R>(request: SearchRequest, read: PageReader<R>): R | Promise<R> {
    const deadline = new Deadline(request);
    return runInSlices(this.#search(request, read, deadline), deadline);
  }

  *#search<R>(request: SearchRequest, read: PageReader<R>, deadline: Deadline): SearchSteps<R | Promise<R>> {
    const { leases, memory, search: services, statistics, sweeper } = this.#parts;
    const leaveMemory = memory.beginReading();
    const leaveLog = sweeper.enter();
    const endSearch = beginSearch();
    // The lease may expire while leaves are prepared. Views keep their leaves.
    const unpin = request.snapshot === undefined ? undefined : leases.pin(request.snapshot);
    try {
      const states = request.indices.map((name) => this.#open(name));
      const scope = neededPostings(
        request,
        states.map((state) => this.#mappedIndex(request, state).mapping),
      );
      const newest = yield* this.#makeSearchable(states, request, scope);
      const snapshot = request.snapshot ?? newest;
      const views = request.indices.map((name) => {
        const state = this.#open(name);
        const visible = state.visibleCommit(Math.min(snapshot, newest));
        const frozen = statistics.of(snapshot, state.info.uuid);
        return indexView(state, visible, services, frozen, scope, this.#mappedIndex(request, state));
      });
      const result = read(yield* search(views, request, services, snapshot, deadline));
      return isSteps(result) ? yield* result : result;
    } finally {
      unpin?.();
      endSearch();
      this.#leaveLater(leaveMemory, leaveLog);
    }
  }

  /** Makes the leaves that a search reads ready for it. Returns the newest commit that it may see. */
  *#makeSearchable(
    states: readonly IndexState[],
    { snapshot }: SearchRequest,
    scope: ReadScope,
  ): SearchSteps<number> {
    const { writer } = this.#parts;
    const newest = writer.published;
    const droppedBefore = states.map((state) => state.droppedDead);
    for (const state of states) state.noteSearchScope(scope);
    if (scope === 'all') for (const state of states) yield state.loadWords();
    for (const state of states) {
      const visible = state.visibleCommit(Math.min(snapshot ?? newest, newest));
      if (state.countUninverted(visible, scope) > FEW_UNINVERTED) yield* state.prepare(visible, scope);
    }
    // A merge or seal meanwhile has dropped documents that died before it: search the newest commit instead.
    const hasDropped = states.some((state, i) => state.droppedDead !== droppedBefore[i]);
    return hasDropped ? writer.published : newest;
  }

  /** The mapping, settings and analysis with which the request reads an index. */
  #mappedIndex({ as }: SearchRequest, state: IndexState): MappedIndex {
    const description = as?.get(state.info.name);
    return description === undefined ? state : mappedIndexAt(description, state);
  }

  /**
   * Ends readings after this turn: the caller may still read doc values of hits in the turn in which it gets
   * them.
   */
  #leaveLater(...leave: (() => void)[]): void {
    if (this.#leaving.length === 0) {
      setImmediate(() => {
        const all = this.#leaving;
        this.#leaving = [];
        for (const each of all) each();
      });
    }
    this.#leaving.push(...leave);
  }

  async count(request: SearchRequest): Promise<number> {
    return (await this.search({ ...request, size: 0, from: 0, trackTotalHits: true })).total?.value ?? 0;
  }

  snapshot(): number {
    return this.#parts.writer.published;
  }

  async changes(after: number | ChangePosition, options: { limit?: number } = {}): Promise<ChangeBatch> {
    const request = parseChangesRequest(after, options.limit);
    const { log, table, writer, sweeper } = this.#parts;
    const { published } = writer;
    const { commit, item } = request.after;
    const isWhole = item === Number.POSITIVE_INFINITY;
    const isAtEnd = commit > published || (commit === published && isWhole);
    // Keeps chunks from being removed while they are read.
    const leave = sweeper.enter();
    try {
      const page = isAtEnd
        ? { records: [], next: request.after }
        : await log.feed(request.after, published, request.limit);
      return toChangeBatch(
        page,
        published,
        await log.completeFrom(isWhole ? commit + 1 : commit),
        table.numbered(),
      );
    } finally {
      leave();
    }
  }

  onCommit(listener: (commit: number) => void): () => void {
    return this.#parts.commits.add(listener);
  }

  openLease(options: LeaseOptions): Lease {
    return this.#parts.leases.open(
      options.kind,
      options.snapshot ?? this.snapshot(),
      options.keepAliveMs,
      options.state ?? null,
      options.indices,
    );
  }

  lease(id: string, keepAliveMs?: number): Lease | undefined {
    return this.#parts.leases.get(id, keepAliveMs);
  }

  closeLease(id: string): boolean {
    return this.#parts.leases.close(id);
  }

  leases(kind?: string): Lease[] {
    return this.#parts.leases.list(kind);
  }

  /** Deletes documents that cannot be read; returns what is lost (drop-unreadable.ts). */
  dropUnreadable(): Promise<string[]> {
    return this.#parts.dropUnreadable((ops) => this.write(ops));
  }

  verify(onProgress?: (done: number, total: number) => void): Promise<string[]> {
    return this.#parts.verify(onProgress);
  }

  copy(): Promise<DataCopy> {
    return this.#parts.copy();
  }

  /** See the function `setLimits`. */
  setLimits(changes: Partial<EngineLimits>): void {
    this.#parts.limits.set(changes);
  }

  /** See the function `attachReplica`. */
  attachReplica(): ReplicaLink {
    const { publisher } = this.#parts;
    if (publisher === undefined)
      throw new Error('open the engine with `allowReplicas: true` to attach reading threads');
    return publisher.attach();
  }

  close(): Promise<void> {
    return this.#parts.close();
  }

  /** The open index of a name; throws the peer's error if it is missing or closed. */
  #open(name: string): IndexState {
    const state = checkOpen(this.#parts.table.state(name));
    refuseBlocked(state.info, 'read');
    return state;
  }

  /** The index of a write. A missing index is created, except for deletes. */
  #target(op: WriteOp): IndexState | EngineError | Promise<IndexState | EngineError> {
    const { table } = this.#parts;
    try {
      // As with the peer, deletes ignore `require_alias`: they create no index.
      if (op.requireAlias && op.kind !== 'delete' && !table.isAlias(op.index)) {
        const reason = `no such index [${op.index}] and [require_alias] request flag is [true] and [${op.index}] is not an alias`;
        return new EngineError('index_not_found_exception', reason, {
          details: indexNotFound(op.index).details,
        });
      }
      const state = table.writeTarget(op.index);
      if (state !== undefined) return checkWritable(state);
      const external = op.versionType === 'external' || op.versionType === 'external_gte';
      if (op.kind === 'delete' && !external) return indexNotFound(op.index);
      return this.#createTarget(op.index).catch(engineError);
    } catch (error) {
      return engineError(error);
    }
  }

  async #createTarget(name: string): Promise<IndexState> {
    const { table } = this.#parts;
    await table.create(name, this.#parts.indexDefaults(name)).catch((error: unknown) => {
      // Another write has created it meanwhile.
      if (engineError(error).type !== 'resource_already_exists_exception') throw error;
    });
    return checkWritable(table.writeTarget(name)!);
  }
}

/** The error of an operation. Throws what is a fault of our own. */
function engineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  throw error;
}

function checkWritable(state: IndexState): IndexState {
  refuseBlocked(checkOpen(state).info, 'write');
  return state;
}

function checkOpen(state: IndexState): IndexState {
  if (state.info.state === 'open') return state;
  const details: JsonObject = { index: state.info.name, index_uuid: state.info.uuid };
  throw new EngineError('index_closed_exception', 'closed', { details });
}

/** Whether two operations resolve to the same index. */
function sameTarget(a: WriteOp, b: WriteOp): boolean {
  return a.index === b.index && a.kind === b.kind && a.requireAlias === b.requireAlias;
}

/**
 * Attaches a reading thread to an engine: `openReplica` opens the link there. The port of the link has to be
 * transferred. Throws if the engine was opened without `allowReplicas`.
 */
export function attachReplica(engine: Engine): ReplicaLink {
  return runningEngine(engine).attachReplica();
}

/** Changes limits of an open engine for requests from now on; limits that are not named stay. */
export function setLimits(engine: Engine, changes: Partial<EngineLimits>): void {
  runningEngine(engine).setLimits(changes);
}

function runningEngine(engine: Engine): RunningEngine {
  if (engine instanceof RunningEngine) return engine;
  throw new TypeError('not an engine that `open` returned');
}

function isSteps<R>(value: ReturnType<PageReader<R>>): value is Generator<void, R | Promise<R>, undefined> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && 'next' in value;
}
