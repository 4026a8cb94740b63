// What does one batch of writes do to an index before it is durable? Each operation is checked, mapped into the tail
// and put into the frame, in this order, so that one that fails has left nothing. Readers see none of it: their
// snapshot is older than the batch's commit.

import type { UpdateSpec, WriteOp, WriteResult } from '../../api.ts';
import { EngineError, illegalArgument } from '../../errors.ts';
import type { FrameBuilder } from '../../log/format/frame.ts';
import type { LogPointer, LogRecord } from '../../log/format/record.ts';
import { mapDocument } from '../../mapping/document/map-document.ts';
import type { Tail } from '../../tail/tail.ts';
import type { IndexState, Located } from '../index-state.ts';
import type { ReadAhead } from '../read-ahead/read-ahead-stretch.ts';
import { Told } from './document-entry.ts';
import { placedIn } from './error-location.ts';
import { checkId } from './generated-ids.ts';
import { mergeTrees } from './partial-update.ts';
import { type Kept, keptOf, newestIn, tellKept } from './previous-version.ts';
import { spliceSource } from './splice-patch.ts';
import { type Current, nextVersion } from './version-check.ts';
import { LONGEST_ID, type WriteLimits } from './write-limits.ts';

/** The wire's primary term: there is one primary, for ever. */
export const PRIMARY_TERM = 1;

const encoder = new TextEncoder();
const EMPTY_OBJECT = encoder.encode('{}');
const decoder = new TextDecoder();

/** A document written earlier in the same batch: not in a leaf yet. */
interface Pending extends Current {
  readonly tail: Tail | undefined;
  readonly tailDoc: number;
  /** Where its source lies in the frame, if it may be asked for. */
  readonly pointer: LogPointer | undefined;
}

/** An id as a write finds it. */
interface Found {
  readonly now: Current | undefined;
  readonly located: Located | undefined;
}

/** A document that is to be written. */
interface Incoming {
  readonly op: WriteOp;
  readonly id: string;
  readonly idBytes: Uint8Array;
  readonly current: Found;
  readonly type: string;
  readonly source: Uint8Array;
}

/** What the batch needs of its surroundings. */
export interface BatchEnvironment {
  readonly now: () => number;
  /** What is refused of a write; nothing is of what the log brings back. */
  readonly limits: WriteLimits;
  readonly newId: () => string;
  readonly newTail: () => Tail;
  /** Throws where documents may not bring fields that an index does not have. */
  readonly refuseFields: (state: IndexState) => void;
  /** The source of a version that is in a leaf. */
  readonly source: (located: Located) => Uint8Array;
  /** The same, good until something is put into the log. */
  readonly peek: (located: Located) => Uint8Array;
  /** A version in a leaf is written over, or deleted. */
  readonly died: (located: Located) => void;
}

/** The part of one commit that concerns one index. */
export class Batch {
  readonly state: IndexState;
  readonly #commit: number;
  readonly #frame: FrameBuilder | undefined;
  readonly #env: BatchEnvironment;
  readonly #pending = new Map<string, Pending>();
  /** Versions that were replaced by a later operation of the batch. */
  readonly #replaced: { tail: Tail; tailDoc: number }[] = [];
  readonly #touched = new Set<Tail>();
  readonly #told: Told;

  constructor(state: IndexState, commit: number, frame: FrameBuilder | undefined, env: BatchEnvironment) {
    this.state = state;
    this.#commit = commit;
    this.#frame = frame;
    this.#env = env;
    this.#told = new Told(state.number, commit);
  }

  /** Whether documents are written that need the mapping of the index. */
  get hasDocuments(): boolean {
    return this.#touched.size > 0;
  }

  /** Carries out one operation, whose document may have been read ahead; never throws for what the caller did wrong. */
  apply(op: WriteOp, ahead?: ReadAhead): WriteResult {
    const id = op.id ?? this.#env.newId();
    try {
      // What is there already can be deleted under any limit.
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
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const { info } = this.state;
      return {
        index: info.name,
        id,
        type: op.type ?? '_doc',
        result: 'error',
        version: -1,
        seqNo: -2,
        error: placedIn(info, error),
        source: undefined,
      };
    }
  }

  /** Carries out a record of the log again: it was checked and numbered when it was written. */
  restore(record: LogRecord): void {
    const { seqNo, version, type = '_doc', routing } = record;
    const id = decoder.decode(record.id);
    const located = this.#pending.has(id) ? undefined : this.state.locate(record.id);
    this.state.nextSeqNo = Math.max(this.state.nextSeqNo, seqNo + 1);
    if (record.kind === 'delete') {
      this.#kill(id, located);
      this.#pending.set(id, {
        alive: false,
        version,
        seqNo,
        type,
        tail: undefined,
        tailDoc: -1,
        pointer: undefined,
      });
      return;
    }
    const { source } = record;
    const tail = this.#tail();
    this.#told.turnTo(record.id, seqNo, version, type, routing);
    this.#told.lies(record);
    tail.begin(this.#told.placed);
    const context = { id, type, isAccepted: true, ...(routing === undefined ? {} : { routing }) };
    try {
      this.state.mapping = mapDocument(this.state.mapping, source, 0, source.length, tail, context);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      // It was acknowledged under a mapping that took it: it stays, and is found by its id, and by none of its fields.
      tail.abort();
      tail.begin(this.#told.placed);
    }
    const tailDoc = tail.end();
    this.#touched.add(tail);
    this.#kill(id, located);
    this.#pending.set(id, { alive: true, version, seqNo, type, tail, tailDoc, pointer: undefined });
  }

  /** Marks the version of an id that is in a leaf as dead, without writing anything. */
  bury(id: Uint8Array): void {
    const located = this.state.locate(id);
    if (located !== undefined) located.leaf.deaths.append(located.doc, this.#commit);
  }

  /** Makes the documents of the batch leaves, and marks as dead what it replaced in itself. */
  end(): void {
    for (const tail of this.#touched) tail.commit();
    this.state.written();
    for (const { tail, tailDoc } of this.#replaced) {
      const { leaf, doc } = tail.place(tailDoc)!;
      leaf.deaths.append(doc, this.#commit);
    }
  }

  #current(op: WriteOp, id: string, idBytes: Uint8Array): Found {
    const pending = this.#pending.get(id);
    if (pending !== undefined) return { now: pending, located: undefined };
    // An id that was just made up cannot be there.
    const located = op.id === undefined ? undefined : this.state.locate(idBytes);
    if (located === undefined) {
      const { tombstones } = this.state;
      // Most often there are none: then nobody asks for the time.
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

  #index(document: Incoming, ahead?: ReadAhead, kept?: Kept): WriteResult {
    const { op, id, idBytes, current, type, source } = document;
    const { now, located } = current;
    const version = nextVersion(op, id, now, PRIMARY_TERM);
    if (now?.alive && now.type !== type) {
      throw illegalArgument(
        `document [${id}] exists under type [${now.type}]: an id is unique in an index, use another one than [${type}/${id}]`,
      );
    }
    const seqNo = this.state.nextSeqNo;
    const tail = this.#tail();
    this.state.steadyFrom();
    const placed = this.#told.turnTo(idBytes, seqNo, version, type, op.routing);
    tail.begin(placed);
    try {
      // A mapping that has changed since then may say otherwise.
      if (ahead !== undefined && ahead.mapping === this.state.mapping)
        ahead.recording.play(ahead.document, source, tail);
      else {
        const { nesting } = this.#env.limits;
        const context = { id, type, nesting, routing: op.routing };
        if (kept === undefined || !tellKept(kept, this.state.mapping, tail, context)) {
          if (kept !== undefined) {
            tail.abort();
            tail.begin(placed);
          }
          const mapping = mapDocument(this.state.mapping, source, 0, source.length, tail, context);
          if (mapping !== this.state.mapping) this.#env.refuseFields(this.state);
          this.state.mapping = mapping;
        }
      }
    } catch (error) {
      tail.abort();
      if (error instanceof EngineError) {
        // What there is goes to a segment, which takes less: the next ones would be refused as well. Of two a seal is due already.
        const { tails } = this.state;
        if (error.type === 'circuit_breaking_exception' && tails.length === 1 && tail.docCount > 0)
          tails.push(this.#env.newTail());
        throw error;
      }
      // A mistake of ours while mapping concerns this document only: nothing of it is anywhere yet.
      const reason = `failed to parse: ${error instanceof Error ? error.message : String(error)}`;
      throw new EngineError('mapper_parsing_exception', reason, { status: 500 });
    }
    const pointer = this.#told.log(this.#frame!, source);
    const tailDoc = tail.end();
    this.#touched.add(tail);
    this.state.nextSeqNo++;
    this.state.renewal.wrote(now?.alive ? seqNo - now.seqNo : Number.POSITIVE_INFINITY, tail.limit);
    this.#kill(id, located);
    this.#pending.set(id, { alive: true, version, seqNo, type, tail, tailDoc, pointer });
    this.state.tombstones.remove(id);
    const result = now?.alive ? 'updated' : 'created';
    if (op.kind !== 'update') return this.#result(id, type, result, version, seqNo, source);
    // What an update made lies in memory that is used again.
    const told = op.update?.wantsSource === false ? undefined : this.#frame!.source(pointer);
    return this.#result(id, type, result, version, seqNo, told);
  }

  #delete(op: WriteOp, id: string, idBytes: Uint8Array): WriteResult {
    const { now, located } = this.#current(op, id, idBytes);
    const type = op.type ?? now?.type ?? '_doc';
    const version = nextVersion(op, id, now, PRIMARY_TERM);
    const found = now?.alive === true && now.type === type;
    if (now?.alive && !found) return this.#result(id, type, 'not_found', 1, this.state.nextSeqNo, undefined);
    const seqNo = this.state.nextSeqNo++;
    this.#frame!.delete({
      indexNumber: this.state.number,
      seqNo,
      version,
      id: idBytes,
      type,
      routing: op.routing,
    });
    this.#kill(id, located);
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
    current: Found,
    ahead: ReadAhead | undefined,
  ): WriteResult {
    const spec: UpdateSpec = op.update ?? {};
    const { now, located } = current;
    if (now === undefined || !now.alive || (op.type !== undefined && now.type !== op.type)) {
      const source = spec.upsert ?? (spec.docAsUpsert ? spec.doc : undefined);
      if (source === undefined)
        throw new EngineError('document_missing_exception', `[${id}]: document missing`);
      const document = { op, id, idBytes, current, type: op.type ?? '_doc', source };
      return this.#index(document, ahead?.base === undefined ? ahead : undefined);
    }
    const { type } = now;
    // What was made of another version is of no use.
    const made = located !== undefined && ahead?.base === now.seqNo ? ahead : undefined;
    if (made?.source !== undefined)
      return this.#index({ op, id, idBytes, current, type, source: made.source }, made);
    const pending = this.#pending.get(id)?.pointer;
    const old = pending === undefined ? this.#env.peek(located!) : this.#frame!.source(pending);
    const patch = spec.doc ?? EMPTY_OBJECT;
    const spliced = made === undefined ? spliceSource(old, patch) : undefined;
    const merged = spliced === 'unfit' ? mergeTrees(old, patch) : spliced;
    if (merged !== undefined || spec.detectNoop === false) {
      const document = { op, id, idBytes, current, type, source: merged ?? old };
      const kept =
        spliced === 'unfit' || made !== undefined ? undefined : this.#kept(id, idBytes, now, patch);
      return this.#index(document, undefined, kept);
    }
    nextVersion(op, id, now, PRIMARY_TERM);
    if (spec.wantsSource === false) return this.#result(id, type, 'noop', now.version, now.seqNo, undefined);
    const same = located === undefined ? old : this.#env.source(located);
    return this.#result(id, type, 'noop', now.version, now.seqNo, same);
  }

  /** What a tail knows of the version that a patch was just put into. */
  #kept(id: string, idBytes: Uint8Array, { seqNo }: Current, patch: Uint8Array): Kept | undefined {
    if (seqNo < this.state.steadyFrom()) return undefined;
    const pending = this.#pending.get(id);
    const place = pending === undefined ? newestIn(this.state.tails, idBytes) : pending;
    return keptOf(this.state.mapping, place, seqNo, patch);
  }

  /** The version before dies with this commit, wherever it is. */
  #kill(id: string, located: Located | undefined): void {
    const pending = this.#pending.get(id);
    if (pending?.tail !== undefined) this.#replaced.push({ tail: pending.tail, tailDoc: pending.tailDoc });
    else if (located !== undefined) {
      located.leaf.deaths.append(located.doc, this.#commit);
      this.#env.died(located);
    }
  }

  #tail(): Tail {
    const { tails } = this.state;
    const last = tails.at(-1);
    if (last !== undefined && !last.isFull) return last;
    const tail = this.#env.newTail();
    tails.push(tail);
    return tail;
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
