// The part of one commit that concerns one index. Each operation is checked, mapped into the tail and added
// to the log frame, in this order, so an operation that fails leaves nothing behind. Readers see none of it
// before the commit is published: their snapshot is older than its number.

import type { UpdateSpec, WriteOp, WriteResult } from '../../api.ts';
import { EngineError, illegalArgument } from '../../errors.ts';
import type { FrameBuilder } from '../../log/append/frame-builder.ts';
import type { LogPointer } from '../../log/format/record.ts';
import { mapDocument } from '../../mapping/document/map-document.ts';
import { NO_SINK } from '../../mapping/field-spec.ts';
import type { StepMeter } from '../../scripts/script.ts';
import type { Tail } from '../../tail/tail.ts';
import { runSliced } from '../../turn.ts';
import type { DocumentLocation, IndexState } from '../index-state/index-state.ts';
import type { CurrentVersion } from '../index-state/tombstones.ts';
import { checkId } from '../operation/document-id.ts';
import { LONGEST_ID, refusedWrite, type WriteLimits } from '../operation/operation.ts';
import { mergeTrees } from '../operation/partial-update.ts';
import { runUpdateScript, type ScriptedDocument, tooManySteps } from '../operation/scripted-update.ts';
import { spliceSource } from '../operation/splice-patch.ts';
import { nextVersion } from '../operation/version-check.ts';
import type { ReadAhead } from '../read-ahead/read-ahead.ts';
import type { PreparedDocument } from '../read-ahead/read-ahead-cursor.ts';
import { BatchTails, type BatchVersion, type TailEnvironment } from './batch-tails.ts';
import { DocumentEntry } from './document-entry.ts';

/** The scripts of one request take so many steps at most, which is less than half a second. */
const REQUEST_STEPS = 10_000_000;

/** A document of so many bytes is parsed by a thread, and enters the tail in slices: here it would take 20 ms. */
const LARGE_BYTES = 128 << 10;

/** The wire's primary term: there is one primary and it never changes. */
const PRIMARY_TERM = 1;

const encoder = new TextEncoder();
const EMPTY_OBJECT = encoder.encode('{}');

/** A document written earlier in the same batch: not in a leaf yet. */
interface Pending extends CurrentVersion, BatchVersion {
  /** Position of its source in the frame, if a later operation may read it. */
  readonly pointer: LogPointer | undefined;
}

/** The current version of an id, and its location if it is in a leaf. */
interface CurrentDocument {
  readonly now: CurrentVersion | undefined;
  readonly located: DocumentLocation | undefined;
}

/** A document to write. */
interface DocumentWrite {
  readonly op: WriteOp;
  readonly id: string;
  readonly idBytes: Uint8Array;
  readonly current: CurrentDocument;
  readonly type: string;
  readonly source: Uint8Array;
}

/** What a batch needs of the engine. */
export interface BatchEnvironment extends TailEnvironment {
  readonly now: () => number;
  /** Limits of writes. */
  readonly limits: WriteLimits;
  readonly newId: () => string;
  /** Throws if the index is blocked for changes of its mapping (new dynamic fields). */
  readonly refuseFields: (state: IndexState) => void;
  /** The source of a version in a leaf. */
  readonly source: (located: DocumentLocation) => Uint8Array;
  /** The same, valid until the log is written to. */
  readonly peek: (located: DocumentLocation) => Uint8Array;
  /** Parses large documents; without it they are parsed here. */
  readonly readAhead?: Pick<ReadAhead, 'parseLarge'>;
}

/** The part of one commit that concerns one index. */
export class IndexBatch {
  readonly state: IndexState;
  readonly #frame: FrameBuilder;
  readonly #env: BatchEnvironment;
  readonly #pending = new Map<string, Pending>();
  readonly #tails: BatchTails;
  readonly #entry: DocumentEntry;
  /** Counts the steps of scripts, for the request of the current operation. */
  #meter: StepMeter = { steps: 0 };

  constructor(state: IndexState, commit: number, frame: FrameBuilder, env: BatchEnvironment) {
    this.state = state;
    this.#frame = frame;
    this.#env = env;
    this.#tails = new BatchTails(state, commit, env);
    this.#entry = new DocumentEntry(state.number, commit);
  }

  /** Whether it has documents, which need the mapping of the index to be saved. */
  get hasDocuments(): boolean {
    return this.#tails.hasDocuments;
  }

  /**
   * Applies one operation of a request. `meter` counts the steps of the scripts of the whole request. `ahead` is the document of the
   * operation if the parsing thread has recorded it. Returns an error result for a mistake of the caller. For a large document it
   * returns a promise, which must settle before the next operation is applied.
   */
  apply(op: WriteOp, meter: StepMeter, ahead?: PreparedDocument): WriteResult | Promise<WriteResult> {
    this.#meter = meter;
    const id = op.id ?? this.#env.newId();
    const refuse = (error: unknown): WriteResult => {
      if (!(error instanceof EngineError)) throw error;
      const { info } = this.state;
      return refusedWrite(op, info.name, locateError(info, error), id);
    };
    EngineError.hasStack = false;
    try {
      const result = this.#apply(op, id, ahead);
      return result instanceof Promise ? result.catch(refuse) : result;
    } catch (error) {
      return refuse(error);
    } finally {
      EngineError.hasStack = true;
    }
  }

  #apply(op: WriteOp, id: string, ahead?: PreparedDocument): WriteResult | Promise<WriteResult> {
    // Limits do not apply to deletes: a document that exists can always be deleted.
    const isNamed = op.id !== undefined && op.kind !== 'delete';
    const idBytes = checkId(id, isNamed ? this.#env.limits.idBytes : LONGEST_ID);
    if (op.kind === 'delete') return this.#delete(op, id, idBytes);
    const current = this.#current(op, id, idBytes);
    if (op.kind === 'update') return this.#update(op, id, idBytes, current, ahead);
    const { source } = op;
    if (source === undefined)
      throw new EngineError(
        'action_request_validation_exception',
        'Validation Failed: 1: source is missing;',
      );
    return this.#index({ op, id, idBytes, current, type: op.type ?? '_doc', source }, ahead);
  }

  /** Closes the batch in its tails, and marks those dead that a later operation of the batch replaced. */
  end(): void {
    this.#tails.close();
  }

  #current(op: WriteOp, id: string, idBytes: Uint8Array): CurrentDocument {
    const pending = this.#pending.get(id);
    if (pending !== undefined) return { now: pending, located: undefined };
    // A generated id cannot exist yet.
    const located = op.id === undefined ? undefined : this.state.locate(idBytes);
    if (located === undefined) {
      const { tombstones } = this.state;
      // Reads the clock only if there are tombstones, which is rare.
      return { now: tombstones.size === 0 ? undefined : tombstones.get(id, this.#env.now()), located };
    }
    const { docs } = located.leaf;
    const now = {
      alive: true,
      version: docs.version(located.doc),
      seqNo: docs.seqNo(located.doc),
      type: docs.type(located.doc),
    };
    return { now, located };
  }

  /** The version that a write makes. As with the peer, errors of the document are reported before a conflict. */
  #versionAfter({ op, id, current, type, source }: DocumentWrite, isParsed: boolean): number {
    const { now } = current;
    try {
      const version = nextVersion(op, id, now, PRIMARY_TERM);
      if (!now?.alive || now.type === type) return version;
    } catch (conflict) {
      if (isParsed) throw conflict;
      const context = { id, type, nesting: this.#env.limits.nesting, routing: op.routing };
      mapDocument(this.state.mapping, source, 0, source.length, NO_SINK, context);
      throw conflict;
    }
    throw illegalArgument(
      `document [${id}] exists under type [${now.type}]: an id is unique in an index, use another one than [${type}/${id}]`,
    );
  }

  #index(document: DocumentWrite, ahead?: PreparedDocument): WriteResult | Promise<WriteResult> {
    const isLarge = ahead?.grown !== undefined || document.source.length >= LARGE_BYTES;
    return isLarge ? this.#indexLarge(document, ahead) : this.#indexAtOnce(document, ahead);
  }

  /**
   * Indexes a document that a thread parses, in slices. Between them other requests may change the mapping, and
   * maintenance may move the current version to a segment.
   */
  async #indexLarge(document: DocumentWrite, ahead?: PreparedDocument): Promise<WriteResult> {
    const { state } = this;
    const { op, id, idBytes, type } = document;
    // What an update made lies in a buffer that is reused.
    const source = op.source === document.source ? document.source : document.source.slice();
    const now = (): DocumentWrite => ({ ...document, source, current: this.#current(op, id, idBytes) });
    for (let prepared = ahead; ; ) {
      const { mapping } = state;
      if (prepared?.mapping !== mapping)
        prepared = await this.#env.readAhead?.parseLarge(state, source, { id, type, routing: op.routing });
      if (prepared === undefined) return this.#indexAtOnce(now());
      if (state.mapping !== mapping) continue;
      const { grown = mapping } = prepared;
      if (grown !== mapping) this.#env.refuseFields(state);
      const version = this.#versionAfter(now(), true);
      const tail = this.#begin(document, version);
      try {
        await runSliced(enterTail(prepared, source, tail));
      } catch (error) {
        throw this.#notMapped(tail, error);
      }
      if (state.mapping === mapping) {
        state.mapping = grown;
        return this.#finish(now(), version, tail);
      }
      tail.abort();
    }
  }

  /** Opens a document in the tail. */
  #begin({ op, idBytes, type }: DocumentWrite, version: number): Tail {
    const tail = this.#tails.current();
    tail.begin(this.#entry.set(idBytes, this.state.nextSeqNo, version, type, op.routing));
    return tail;
  }

  #indexAtOnce(document: DocumentWrite, ahead?: PreparedDocument): WriteResult {
    const { op, id, type, source } = document;
    const version = this.#versionAfter(document, false);
    const tail = this.#begin(document, version);
    try {
      // What was parsed under another mapping is not used.
      if (ahead !== undefined && ahead.mapping === this.state.mapping)
        ahead.recording.play(ahead.document, source, tail);
      else {
        const { nesting } = this.#env.limits;
        const context = { id, type, nesting, routing: op.routing };
        const mapping = mapDocument(this.state.mapping, source, 0, source.length, tail, context);
        if (mapping !== this.state.mapping) this.#env.refuseFields(this.state);
        this.state.mapping = mapping;
      }
    } catch (error) {
      throw this.#notMapped(tail, error);
    }
    return this.#finish(document, version, tail);
  }

  /** Drops the open document, and returns the error to report. */
  #notMapped(tail: Tail, error: unknown): EngineError {
    tail.abort();
    if (error instanceof EngineError) {
      // Out of memory: a new tail makes this one due for a seal, and a segment takes less memory. Otherwise
      // every later document would be refused too. With two tails a seal is due already.
      const { tails } = this.state;
      if (error.type === 'circuit_breaking_exception' && tails.length === 1 && tail.docCount > 0)
        tails.push(this.#env.newTail());
      return error;
    }
    // A bug while mapping concerns this document only: nothing of it is stored yet.
    const reason = `failed to parse: ${error instanceof Error ? error.message : String(error)}`;
    return new EngineError('mapper_parsing_exception', reason, { status: 500 });
  }

  /** Adds the open document to the frame and ends it: from here on, only a rollback of its commit removes it. */
  #finish({ op, id, type, source, current }: DocumentWrite, version: number, tail: Tail): WriteResult {
    const { now, located } = current;
    const seqNo = this.state.nextSeqNo++;
    const pointer = this.#entry.appendTo(this.#frame, source);
    const tailDoc = tail.end();
    this.#tails.add(tail);
    this.state.overwrites.record(now?.alive ? seqNo - now.seqNo : Number.POSITIVE_INFINITY, tail.limit);
    this.#tails.kill(this.#pending.get(id), located);
    this.#pending.set(id, { alive: true, version, seqNo, type, tail, tailDoc, pointer });
    this.state.tombstones.remove(id);
    const result = now?.alive ? 'updated' : 'created';
    if (op.kind !== 'update') return this.#result(id, type, result, version, seqNo, source);
    // The buffer in which the update was made is reused: answer with the bytes in the frame.
    const stored = op.update?.wantsSource === false ? undefined : this.#frame.source(pointer);
    return this.#result(id, type, result, version, seqNo, stored);
  }

  #delete(op: WriteOp, id: string, idBytes: Uint8Array): WriteResult {
    const { now, located } = this.#current(op, id, idBytes);
    const type = op.type ?? now?.type ?? '_doc';
    const version = nextVersion(op, id, now, PRIMARY_TERM);
    const found = now?.alive === true && now.type === type;
    if (now?.alive && !found) return this.#result(id, type, 'not_found', 1, this.state.nextSeqNo, undefined);
    const seqNo = this.state.nextSeqNo++;
    this.#frame.delete({
      indexNumber: this.state.number,
      seqNo,
      version,
      id: idBytes,
      type,
      routing: op.routing,
    });
    this.#tails.kill(this.#pending.get(id), located);
    this.#pending.set(id, {
      alive: false,
      version,
      seqNo,
      type,
      tail: undefined,
      tailDoc: -1,
      pointer: undefined,
    });
    this.state.tombstones.put(id, version, seqNo, type, this.#env.now());
    return this.#result(id, type, found ? 'deleted' : 'not_found', version, seqNo, undefined);
  }

  #update(
    op: WriteOp,
    id: string,
    idBytes: Uint8Array,
    current: CurrentDocument,
    ahead: PreparedDocument | undefined,
  ): WriteResult | Promise<WriteResult> {
    const spec: UpdateSpec = op.update ?? {};
    const { now, located } = current;
    if (spec.script !== undefined) return this.#scriptedUpdate(op, id, idBytes, current);
    if (now === undefined || !now.alive || (op.type !== undefined && now.type !== op.type)) {
      const source = spec.docAsUpsert ? spec.doc : spec.upsert;
      if (source === undefined)
        throw new EngineError('document_missing_exception', `[${id}]: document missing`);
      const document = { op, id, idBytes, current, type: op.type ?? '_doc', source };
      return this.#index(document, ahead?.base === undefined ? ahead : undefined);
    }
    const { type } = now;
    // A document made ahead from another version is not used.
    const made = located !== undefined && ahead?.base === now.seqNo ? ahead : undefined;
    if (made?.source !== undefined)
      return this.#index({ op, id, idBytes, current, type, source: made.source }, made);
    const pending = this.#pending.get(id)?.pointer;
    const old = pending === undefined ? this.#env.peek(located!) : this.#frame.source(pending);
    const patch = spec.doc ?? EMPTY_OBJECT;
    const spliced = made === undefined ? spliceSource(old, patch) : undefined;
    const document = { op, id, idBytes, current, type, source: old };
    if (spliced === 'unfit' && old.length >= LARGE_BYTES) return this.#updateLarge(document, patch);
    const merged = spliced === 'unfit' ? mergeTrees(old, patch) : spliced;
    return this.#updated(document, merged);
  }

  /** Applies a patch to a large document in a thread. */
  async #updateLarge(document: DocumentWrite, patch: Uint8Array): Promise<WriteResult> {
    const { op, id, idBytes, type } = document;
    // What is read from the log is valid within this turn.
    const source = document.source.slice();
    const identity = { id, type, routing: op.routing };
    const made = await this.#env.readAhead?.parseLarge(this.state, source, identity, patch);
    const merged = made === undefined ? mergeTrees(source, patch) : made.source;
    const current = this.#current(op, id, idBytes);
    return this.#updated({ ...document, source, current }, merged, made?.source && made);
  }

  /** Writes the document that an update made of `source`; undefined if the patch changes nothing. */
  #updated(
    document: DocumentWrite,
    merged: Uint8Array | undefined,
    ahead?: PreparedDocument,
  ): WriteResult | Promise<WriteResult> {
    const { op, id, current, type, source: old } = document;
    const { located } = current;
    const now = current.now!;
    if (merged !== undefined || op.update?.detectNoop === false)
      return this.#index({ ...document, source: merged ?? old }, ahead);
    nextVersion(op, id, now, PRIMARY_TERM);
    const wantsSource = op.update?.wantsSource !== false;
    const same = wantsSource && located !== undefined ? this.#env.source(located) : old;
    return this.#result(id, type, 'noop', now.version, now.seqNo, wantsSource ? same : undefined);
  }

  /** Runs the script on the current version, or on the upsert. */
  #scriptedUpdate(
    op: WriteOp,
    id: string,
    idBytes: Uint8Array,
    current: CurrentDocument,
  ): WriteResult | Promise<WriteResult> {
    const { script, upsert, scriptedUpsert } = op.update!;
    const { now, located } = current;
    const isThere = now?.alive === true && (op.type === undefined || now.type === op.type);
    const type = (isThere ? now.type : op.type) ?? '_doc';
    if (!isThere && upsert === undefined)
      throw new EngineError('document_missing_exception', `[${id}]: document missing`);
    if (!isThere && scriptedUpsert !== true)
      return this.#index({ op, id, idBytes, current, type, source: upsert! });
    const pending = this.#pending.get(id)?.pointer;
    const readOld = (): Uint8Array =>
      pending === undefined ? this.#env.source(located!) : this.#frame.source(pending);
    const source = isThere ? readOld() : upsert!;
    if (this.#meter.steps > REQUEST_STEPS) throw tooManySteps();
    // Conflicts are found before the script runs.
    if (isThere) nextVersion(op, id, now, PRIMARY_TERM);
    const document: ScriptedDocument = {
      index: this.state.info.name,
      id,
      version: now?.version ?? 0,
      routing: op.routing,
      source,
      op: isThere ? 'index' : 'create',
      now: this.#env.now(),
    };
    const change = runUpdateScript(script!, document, this.#meter);
    if (change === 'delete' && isThere) return this.#delete({ ...op, type }, id, idBytes);
    if (change === 'delete' || change === 'none') {
      const [version, seqNo] = isThere ? [now.version, now.seqNo] : [-1, -2];
      return this.#result(id, type, 'noop', version, seqNo, isThere ? source : undefined);
    }
    return this.#index({ op, id, idBytes, current, type, source: change });
  }

  #result(
    id: string,
    type: string,
    result: WriteResult['result'],
    version: number,
    seqNo: number,
    source: Uint8Array | undefined,
  ): WriteResult {
    return { index: this.state.info.name, id, type, result, version, seqNo, error: undefined, source };
  }
}

function* enterTail(
  { recording, document }: PreparedDocument,
  source: Uint8Array,
  tail: Tail,
): Generator<void, void> {
  yield* recording.playInSteps(document, source, tail);
  yield* tail.sortInSteps();
}

/** Errors that name their index and shard, as with the peer. */
const LOCATED = new Set(['version_conflict_engine_exception', 'document_missing_exception']);

/** Adds index, shard and uuid to the details of an error that names them. */
function locateError(
  info: { readonly name: string; readonly uuid: string },
  error: EngineError,
): EngineError {
  if (!LOCATED.has(error.type)) return error;
  const { status, causedBy } = error;
  const details = { ...error.details, index: info.name, shard: '0', index_uuid: info.uuid };
  return new EngineError(error.type, error.message, {
    ...{ status, details },
    ...(causedBy !== undefined && { causedBy }),
  });
}
