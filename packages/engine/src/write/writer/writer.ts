// The one writer of an engine, with group commit. Requests queue. The writer makes one commit of those that
// wait, and hands it to the log, where waiting commits become one append and one sync. While a sync runs, the
// next commit is prepared. A thread packs a large commit, which is then appended alone. A request is answered
// when its commit is durable and searchable.
//
//   write() → queue → #buildCommit: versions, mapping, tail → waiting → #appendAndPublish: write + sync → onPublished → answer

import type { WriteResult } from '../../api.ts';
import { DiskFullError } from '../../disk/failure.ts';
import { isPacking, nextGroupSize } from '../../log/append/append-frames.ts';
import type { FrameBuilder } from '../../log/append/frame-builder.ts';
import type { DocumentLog } from '../../log/log.ts';
import type { StepMeter } from '../../scripts/script.ts';
import { beginWrite, endWrite, nextTurn, Turn } from '../../turn.ts';
import type { IndexState } from '../index-state/index-state.ts';
import { type ResolvedOp, refusedWrite } from '../operation/operation.ts';
import type { ReadAhead } from '../read-ahead/read-ahead.ts';
import type { ReadAheadCursor } from '../read-ahead/read-ahead-cursor.ts';
import { type BatchEnvironment, IndexBatch } from './index-batch.ts';

/** The limit of bytes in one commit; a larger request is a commit of its own. */
const COMMIT_BYTES = 4 << 20;
/** With fewer waiting bytes the writer waits for a running sync: groups are larger, syncs are fewer. */
const HOLD_BYTES = 256 << 10;
/** Bytes an operation counts for in addition to its source. */
const OP_BYTES = 64;
/**
 * The clock is read after so many bytes (about 30 µs): reading it for each small document would cost as much
 * as it gains.
 */
const CLOCK_BYTES = 2 << 10;
/**
 * A commit is packed only if one of its requests has so many bytes: smaller ones must not wait for packing.
 */
const PACK_MIN_BYTES = 16 << 10;
/** Commits prepared ahead of the log. */
const COMMITS_AHEAD = 4;

/** The mean size of updated documents is taken over about so many updates. */
const UPDATES = 256;

interface WriteRequest {
  readonly ops: readonly ResolvedOp[];
  readonly bytes: number;
  /** Whether it has deletes only. */
  readonly deletesOnly: boolean;
  /** The error of the full disk that refused the request before: now only its deletes are applied. */
  readonly refusal?: DiskFullError;
  /** Its documents, if a thread parses them ahead. */
  readonly readAhead: ReadAheadCursor | undefined;
  readonly results: WriteResult[];
  readonly resolve: (results: WriteResult[]) => void;
  readonly reject: (error: unknown) => void;
}

interface PreparedCommit {
  readonly commit: number;
  readonly frame: FrameBuilder;
  readonly requests: readonly WriteRequest[];
  /** The indices it touched, with the next sequence number of each before it. */
  readonly states: ReadonlyMap<IndexState, number>;
  /** Resolves when its documents are prewarmed for searches. */
  prewarmed?: Promise<unknown> | undefined;
  /**
   * Set if its mapping could not be saved: then it is refused in its turn, or with a refused append before it.
   */
  readonly refused?: DiskFullError;
}

/** What the writer needs of the engine. */
interface WriterEnvironment extends BatchEnvironment {
  readonly log: DocumentLog;
  /** Parses documents before their turn comes, and large ones in it. */
  readonly readAhead?: ReadAhead;
  /** Makes a changed mapping durable before the documents that need it. */
  readonly saveMapping: (state: IndexState) => Promise<void>;
  /**
   * Prewarms a commit for searches; it is published when both this and the append are done. Never rejects.
   */
  readonly prewarm?: (states: Iterable<IndexState>, commit: number) => Promise<unknown> | undefined;
  /** Called after each published commit with the indices it touched. */
  readonly onPublished: (commit: number, states: readonly IndexState[]) => void;
  /** The log has failed: the state of the disk is unknown and the process must end. */
  readonly onFailure: (error: unknown) => void;
}

/** The one writer of an engine. */
export class Writer {
  readonly #env: WriterEnvironment;
  #queue: WriteRequest[] = [];
  #queueBytes = 0;
  #waiting: PreparedCommit[] = [];
  #syncing: Promise<void> | undefined;
  #running: Promise<void> | undefined;
  #preparing: Promise<void> | undefined;
  /** A refused group is being rolled back: no commit may be prepared on top of it. */
  #refusing = false;
  #published: number;
  #prepared: number;
  #full = false;
  /** Mean size of a document after an update, over the last ones. */
  #updatedBytes = 1_024;
  #failure: unknown;

  constructor(env: WriterEnvironment, lastCommit: number) {
    this.#env = env;
    this.#published = lastCommit;
    this.#prepared = lastCommit;
  }

  /** The newest published commit: durable, and prewarmed for searches. */
  get published(): number {
    return this.#published;
  }

  /** True while anything is queued or in flight. */
  get isBusy(): boolean {
    return this.#running !== undefined || this.#syncing !== undefined;
  }

  /** Resolves when all operations are durable and searchable, with one result each. */
  write(ops: readonly ResolvedOp[]): Promise<WriteResult[]> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const updated = this.#updatedBytes;
    let bytes = 0;
    for (const { op } of ops) bytes += OP_BYTES + (op.kind === 'update' ? updated : (op.source?.length ?? 0));
    const { promise, resolve, reject } = Promise.withResolvers<WriteResult[]>();
    this.#queue.push({
      ops,
      bytes,
      deletesOnly: ops.every(({ op }) => op.kind === 'delete'),
      readAhead: this.#env.readAhead?.begin(ops, bytes, updated),
      results: [],
      resolve,
      reject,
    });
    this.#queueBytes += bytes;
    beginWrite();
    this.#running ??= this.#run();
    return promise;
  }

  /** Resolves when every write queued before the call is published. */
  async awaitPublished(): Promise<void> {
    if (this.#running !== undefined || this.#syncing !== undefined) await this.write([]);
  }

  /** Resolves when nothing is queued or in flight. */
  async awaitIdle(): Promise<void> {
    while (this.#running !== undefined || this.#syncing !== undefined) await (this.#running ?? this.#syncing);
  }

  async #run(): Promise<void> {
    // Requests of the same turn of the event loop belong to one commit.
    await nextTurn();
    let taken: readonly WriteRequest[] = [];
    try {
      while (this.#queue.length > 0 && this.#failure === undefined) {
        const hold = this.#syncing !== undefined && this.#queueBytes < HOLD_BYTES;
        if (hold || this.#refusing || this.#waiting.length >= COMMITS_AHEAD) await this.#syncing;
        else await (this.#preparing = this.#buildCommit((taken = this.#take())));
        taken = [];
      }
    } catch (error) {
      this.#fail(error, taken);
    } finally {
      this.#running = undefined;
      this.#preparing = undefined;
    }
    if (this.#queue.length > 0 && this.#failure === undefined) this.#running ??= this.#run();
  }

  #take(): WriteRequest[] {
    let bytes = 0;
    let count = 0;
    const first = this.#queue[0]!;
    for (const request of this.#queue) {
      if (count > 0 && bytes + request.bytes > COMMIT_BYTES) break;
      // On a full disk deletes get a commit of their own: a document in it would make the disk refuse all of it.
      if (this.#full && request.deletesOnly !== first.deletesOnly) break;
      bytes += request.bytes;
      count++;
    }
    this.#queueBytes -= bytes;
    return this.#queue.splice(0, count);
  }

  async #buildCommit(requests: readonly WriteRequest[]): Promise<void> {
    const commit = ++this.#prepared;
    const bytes = requests.reduce((sum, request) => sum + request.bytes, 0);
    const isPackable = requests.some((request) => request.bytes >= PACK_MIN_BYTES);
    const frame = this.#env.log.beginFrame(commit, bytes, isPackable);
    const batches = new Map<IndexState, IndexBatch>();
    const states = new Map<IndexState, number>();
    const turn = new Turn();
    let uncheckedBytes = 0;
    for (const request of requests) {
      const { readAhead, ops } = request;
      const meter: StepMeter = { steps: 0 };
      for (let i = 0; i < ops.length; i++) {
        const { op, state } = ops[i]!;
        const wait = readAhead?.waitFor(i);
        if (wait !== undefined) await wait;
        let batch = batches.get(state);
        if (batch === undefined) {
          batch = new IndexBatch(state, commit, frame, this.#env);
          batches.set(state, batch);
          states.set(state, state.nextSeqNo);
        }
        const before = frame.length;
        const { refusal } = request;
        const applied =
          refusal !== undefined && op.kind !== 'delete'
            ? refusedWrite(op, state.info.name, refusal)
            : batch.apply(op, meter, readAhead?.at(i));
        request.results.push(applied instanceof Promise ? await applied : applied);
        const written = frame.length - before;
        if (op.kind === 'update' && written > 0)
          this.#updatedBytes += (written - this.#updatedBytes) / UPDATES;
        uncheckedBytes += OP_BYTES + written;
        // A script may take longer than a slice and write nothing.
        if (uncheckedBytes < CLOCK_BYTES && op.update?.script === undefined) continue;
        uncheckedBytes = 0;
        if (turn.isOver()) await turn.next();
      }
      readAhead?.end();
    }
    // Each of the last two steps may take a whole slice.
    if (turn.isOver()) await turn.next();
    for (const batch of batches.values()) batch.end();
    if (turn.isOver()) await turn.next();
    const prepared: PreparedCommit = { commit, frame, requests, states };
    try {
      // A commit of deletes needs no mapping, and must not wait for the space that it will free.
      for (const [state, batch] of batches)
        while (batch.hasDocuments && state.mapping !== state.savedMapping) await this.#env.saveMapping(state);
    } catch (error) {
      if (!(error instanceof DiskFullError)) throw error;
      // Waiting here for the append before it would deadlock if that one is refused: its rollback waits for
      // this commit.
      this.#waiting.push({ ...prepared, refused: error });
      this.#pump();
      return;
    }
    this.#env.log.startPacking(frame);
    this.#waiting.push(prepared);
    this.#pump();
    prepared.prewarmed = this.#env.prewarm?.(states.keys(), commit);
  }

  #pump(): void {
    if (this.#syncing !== undefined || this.#waiting.length === 0) return;
    const group = this.#waiting.splice(0, nextGroupSize(this.#waiting, appendsAlone));
    // A refused commit is a group of its own: `appendsAlone`.
    const { refused } = group[0]!;
    const work = refused === undefined ? this.#appendAndPublish(group) : this.#refuse(group, refused);
    this.#syncing = work.finally(() => {
      this.#syncing = undefined;
      this.#pump();
    });
  }

  async #appendAndPublish(group: readonly PreparedCommit[]): Promise<void> {
    try {
      await this.#env.log.append(group.map((prepared) => prepared.frame));
    } catch (error) {
      if (error instanceof DiskFullError) await this.#refuse(group, error);
      else
        this.#fail(
          error,
          group.flatMap((prepared) => prepared.requests),
        );
      return;
    }
    for (const { prewarmed } of group) await prewarmed;
    const last = group.at(-1)!;
    this.#published = last.commit;
    if (group.some(({ frame }) => frame.documents > 0)) this.#full = false;
    this.#env.onPublished(last.commit, statesOf(group));
    for (const { requests } of group) for (const request of requests) answer(request, request.results);
  }

  /** The disk is full: rolls back the group and everything prepared on top of it. */
  async #refuse(group: readonly PreparedCommit[], error: DiskFullError): Promise<void> {
    this.#refusing = true;
    await this.#preparing;
    const lost = [...group, ...this.#waiting];
    this.#waiting = [];
    this.#rollBack(lost, error);
    this.#refusing = false;
  }

  #rollBack(lost: readonly PreparedCommit[], error: DiskFullError): void {
    const first = new Map<IndexState, number>();
    for (const { states } of lost)
      for (const [state, seqNo] of states) if (!first.has(state)) first.set(state, seqNo);
    for (const [state, seqNo] of first) state.rollBack(this.#published, seqNo);
    this.#env.log.reset();
    this.#prepared = this.#published;
    this.#full = true;
    const retries: WriteRequest[] = [];
    for (const request of lost.flatMap((prepared) => prepared.requests)) {
      const deletes = request.ops.some(({ op }) => op.kind === 'delete');
      // Its deletes are tried once more alone, for which the log frees its ballast. The other operations are
      // answered as refused.
      if (deletes && !(request.deletesOnly && lost.length === 1))
        retries.push({ ...request, deletesOnly: true, refusal: error, readAhead: undefined, results: [] });
      else
        answer(
          request,
          request.ops.map(({ op, state }) => refusedWrite(op, state.info.name, error)),
        );
    }
    this.#queue.unshift(...retries);
    this.#queueBytes += retries.reduce((sum, request) => sum + request.bytes, 0);
    if (retries.length > 0) this.#running ??= this.#run();
  }

  #fail(error: unknown, lost: readonly WriteRequest[]): void {
    this.#failure = error;
    const waiting = this.#waiting.flatMap((prepared) => prepared.requests);
    for (const request of [...lost, ...waiting, ...this.#queue]) {
      endWrite();
      request.reject(error);
    }
    this.#waiting = [];
    this.#queue = [];
    this.#env.onFailure(error);
  }
}

function appendsAlone({ frame, refused }: PreparedCommit): boolean {
  return refused !== undefined || isPacking(frame);
}

/** The indices a group has touched; a group is mostly one commit. */
function statesOf(group: readonly PreparedCommit[]): IndexState[] {
  if (group.length === 1) return [...group[0]!.states.keys()];
  return [...new Set(group.flatMap(({ states }) => [...states.keys()]))];
}

function answer(request: WriteRequest, results: WriteResult[]): void {
  endWrite();
  request.resolve(results);
}
