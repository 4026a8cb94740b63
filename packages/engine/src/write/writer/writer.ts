// How do many callers write through one log? Their requests queue; the writer takes all that waits, makes a batch of
// it, and hands the batch to the log, where waiting batches become one append and one sync. While a sync runs the next
// batch is prepared, and a large one that waits is packed: it is an append of its own then. A request is answered when its
// commit is durable and searchable.
//
//   write() → queue → [prepare: versions, mapping, tail] → waiting → [append + sync] → published → answers

import type { WriteResult } from '../../api.ts';
import { DiskFullError } from '../../disk/failure.ts';
import { isPacking, nextGroupSize } from '../../log/append/append-frames.ts';
import type { FrameBuilder } from '../../log/append/frame-builder.ts';
import type { DocumentLog } from '../../log/log.ts';
import { beginWrite, endWrite, nextTurn, Turn } from '../../turn.ts';
import type { IndexState } from '../index-state/index-state.ts';
import { type ResolvedOp, refusedWrite } from '../operation/operation.ts';
import type { ReadAhead } from '../read-ahead/read-ahead.ts';
import type { ReadAheadCursor } from '../read-ahead/read-ahead-cursor.ts';
import { Batch, type BatchEnvironment } from './batch.ts';

/** Most bytes of sources in one batch. */
const BATCH_BYTES = 4 << 20;
/** Below this many waiting bytes the writer lets a running sync end first: larger groups, fewer syncs. */
const HOLD_BYTES = 256 << 10;
/** What an operation weighs beside its source. */
const LEAST_BYTES = 64;
/** The clock is asked after so many bytes, 30 µs or so: to ask it for each of a few documents costs as much as they gain by it. */
const ASK_BYTES = 2 << 10;
/** Who sends less waits for nothing to be packed: not even where many do at the same time. */
const PACKED_FROM = 16 << 10;
/** Batches prepared ahead of the log. */
const BATCHES_AHEAD = 4;

/** How many of the last updates tell how large the next ones will be, about. */
const UPDATES = 256;

interface WriteRequest {
  readonly ops: readonly ResolvedOp[];
  readonly bytes: number;
  /** Only its deletes are tried: the disk refused the whole. */
  readonly deletesOnly: boolean;
  /** Its documents, where a thread reads them. */
  readonly readAhead: ReadAheadCursor | undefined;
  readonly results: WriteResult[];
  readonly resolve: (results: WriteResult[]) => void;
  readonly reject: (error: unknown) => void;
}

interface PreparedCommit {
  readonly commit: number;
  readonly frame: FrameBuilder;
  readonly requests: readonly WriteRequest[];
  /** The indices it touched, with the sequence number that each began with. */
  readonly states: ReadonlyMap<IndexState, number>;
  /** What searches will want of it is being made ready. */
  prewarmed?: Promise<unknown> | undefined;
  /** Its mapping could not be saved: it is refused when its turn comes, if not with an append before it. */
  readonly refused?: DiskFullError;
}

/** What the writer works with. */
export interface WriterEnvironment extends BatchEnvironment {
  readonly log: DocumentLog;
  /** Reads documents before their turn comes. */
  readonly readAhead?: ReadAhead;
  /** Makes a changed mapping durable before the documents that need it. */
  readonly saveMapping: (state: IndexState) => Promise<void>;
  /** Makes ready what searches will want of a commit; it is published when both this and the log are done. Never rejects. */
  readonly prewarm?: (states: Iterable<IndexState>, commit: number) => Promise<unknown> | undefined;
  /** Called after each published commit with the indices it touched. */
  readonly onPublished: (commit: number, states: readonly IndexState[]) => void;
  /** The log has failed: nothing is certain any more. */
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
  /** A refused group is being taken back: nothing may be prepared on top of it. */
  #refusing = false;
  #published: number;
  #prepared: number;
  #full = false;
  /** Of a document that an update makes: the mean of the last ones. */
  #updatedBytes = 1_024;
  #failure: unknown;

  constructor(env: WriterEnvironment, lastCommit: number) {
    this.#env = env;
    this.#published = lastCommit;
    this.#prepared = lastCommit;
  }

  /** The newest durable commit. */
  get published(): number {
    return this.#published;
  }

  /** Is anything queued or in flight? */
  get isBusy(): boolean {
    return this.#running !== undefined || this.#syncing !== undefined;
  }

  /** Resolves when all operations are durable and searchable, with one result each. */
  write(ops: readonly ResolvedOp[]): Promise<WriteResult[]> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const updated = this.#updatedBytes;
    let bytes = 0;
    for (const { op } of ops)
      bytes += LEAST_BYTES + (op.kind === 'update' ? updated : (op.source?.length ?? 0));
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

  /** Resolves when everything that was handed in before is published. */
  async awaitPublished(): Promise<void> {
    if (this.#running !== undefined || this.#syncing !== undefined) await this.write([]);
  }

  /** Resolves when nothing is queued or in flight. */
  async awaitIdle(): Promise<void> {
    while (this.#running !== undefined || this.#syncing !== undefined) await (this.#running ?? this.#syncing);
  }

  async #run(): Promise<void> {
    // Requests of the same turn of the event loop belong to one batch.
    await nextTurn();
    let taken: readonly WriteRequest[] = [];
    try {
      while (this.#queue.length > 0 && this.#failure === undefined) {
        const hold = this.#syncing !== undefined && this.#queueBytes < HOLD_BYTES;
        if (hold || this.#refusing || this.#waiting.length >= BATCHES_AHEAD) await this.#syncing;
        else await (this.#preparing = this.#prepare((taken = this.#take())));
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
      if (count > 0 && bytes + request.bytes > BATCH_BYTES) break;
      // On a full disk deletes pass alone: a document in their batch would take them down with it.
      if (this.#full && request.deletesOnly !== first.deletesOnly) break;
      bytes += request.bytes;
      count++;
    }
    this.#queueBytes -= bytes;
    return this.#queue.splice(0, count);
  }

  async #prepare(requests: readonly WriteRequest[]): Promise<void> {
    const commit = ++this.#prepared;
    const bytes = requests.reduce((sum, request) => sum + request.bytes, 0);
    const waits = requests.some((request) => request.bytes >= PACKED_FROM);
    const frame = this.#env.log.beginFrame(commit, bytes, waits);
    const batches = new Map<IndexState, Batch>();
    const states = new Map<IndexState, number>();
    const turn = new Turn();
    let unasked = 0;
    for (const request of requests) {
      const { readAhead, ops } = request;
      for (let i = 0; i < ops.length; i++) {
        const { op, state } = ops[i]!;
        const wait = readAhead?.waitFor(i);
        if (wait !== undefined) await wait;
        let batch = batches.get(state);
        if (batch === undefined) {
          batch = new Batch(state, commit, frame, this.#env);
          batches.set(state, batch);
          states.set(state, state.nextSeqNo);
        }
        const before = frame.length;
        const skip = request.deletesOnly && op.kind !== 'delete';
        const result = skip
          ? refusedWrite(op, state.info.name, new DiskFullError('a document'))
          : batch.apply(op, readAhead?.at(i));
        request.results.push(result);
        const written = frame.length - before;
        if (op.kind === 'update' && written > 0)
          this.#updatedBytes += (written - this.#updatedBytes) / UPDATES;
        unasked += LEAST_BYTES + written;
        if (unasked < ASK_BYTES) continue;
        unasked = 0;
        if (turn.isOver()) await turn.next();
      }
      readAhead?.end();
    }
    // Each of what is left takes as long as a slice or two.
    if (turn.isOver()) await turn.next();
    for (const batch of batches.values()) batch.end();
    if (turn.isOver()) await turn.next();
    const prepared: PreparedCommit = { commit, frame, requests, states };
    try {
      // Deletes alone need no mapping, and must not wait for the room that they make.
      for (const [state, batch] of batches)
        while (batch.hasDocuments && state.mapping !== state.savedMapping) await this.#env.saveMapping(state);
    } catch (error) {
      if (!(error instanceof DiskFullError)) throw error;
      // To wait for the append before it here would be to wait for ever, should that one be refused: it waits for this.
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
    // One that is refused is a group by itself: `isAlone`.
    const { refused } = group[0]!;
    const work = refused === undefined ? this.#append(group) : this.#refuse(group, refused);
    this.#syncing = work.finally(() => {
      this.#syncing = undefined;
      this.#pump();
    });
  }

  async #append(group: readonly PreparedCommit[]): Promise<void> {
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

  /** The disk is full: nothing of the group, or of what was prepared on top of it, has happened. */
  async #refuse(group: readonly PreparedCommit[], error: DiskFullError): Promise<void> {
    this.#refusing = true;
    await this.#preparing;
    const lost = [...group, ...this.#waiting];
    this.#waiting = [];
    this.#takeBack(lost, error);
    this.#refusing = false;
  }

  #takeBack(lost: readonly PreparedCommit[], error: DiskFullError): void {
    const first = new Map<IndexState, number>();
    for (const { states } of lost)
      for (const [state, seqNo] of states) if (!first.has(state)) first.set(state, seqNo);
    for (const [state, seqNo] of first) state.rollBack(this.#published, seqNo);
    this.#env.log.reset();
    this.#prepared = this.#published;
    this.#full = true;
    const again: WriteRequest[] = [];
    for (const request of lost.flatMap((prepared) => prepared.requests)) {
      const deletes = request.ops.some(({ op }) => op.kind === 'delete');
      // Once more with deletes alone, for which the log sets space free; all that was refused is told.
      if (deletes && !(request.deletesOnly && lost.length === 1))
        again.push({ ...request, deletesOnly: true, readAhead: undefined, results: [] });
      else
        answer(
          request,
          request.ops.map(({ op, state }) => refusedWrite(op, state.info.name, error)),
        );
    }
    this.#queue.unshift(...again);
    this.#queueBytes += again.reduce((sum, request) => sum + request.bytes, 0);
    if (again.length > 0) this.#running ??= this.#run();
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

/** The indices that a group has touched; most often it is one batch. */
function statesOf(group: readonly PreparedCommit[]): IndexState[] {
  if (group.length === 1) return [...group[0]!.states.keys()];
  return [...new Set(group.flatMap(({ states }) => [...states.keys()]))];
}

function answer(request: WriteRequest, results: WriteResult[]): void {
  endWrite();
  request.resolve(results);
}
