// The part of one commit that concerns one index, replayed from the log: records were checked and numbered when they
// were written, and go into the tails as they are.

import { EngineError } from '../../errors.ts';
import type { LogRecord } from '../../log/format/record.ts';
import { mapDocument } from '../../mapping/document/map-document.ts';
import type { IndexState } from '../index-state/index-state.ts';
import { BatchTails, type BatchVersion, type TailEnvironment } from '../writer/batch-tails.ts';
import { DocumentEntry } from '../writer/document-entry.ts';

const decoder = new TextDecoder();
const DELETED: BatchVersion = { tail: undefined, tailDoc: -1 };

/** The part of one commit that concerns one index. */
export class ReplayBatch {
  readonly #state: IndexState;
  readonly #commit: number;
  readonly #pending = new Map<string, BatchVersion>();
  readonly #tails: BatchTails;
  readonly #entry: DocumentEntry;

  constructor(state: IndexState, commit: number, env: TailEnvironment) {
    this.#state = state;
    this.#commit = commit;
    this.#tails = new BatchTails(state, commit, env);
    this.#entry = new DocumentEntry(state.number, commit);
  }

  restore(record: LogRecord): void {
    const { seqNo, version, type = '_doc', routing } = record;
    const id = decoder.decode(record.id);
    const pending = this.#pending.get(id);
    const located = pending === undefined ? this.#state.locate(record.id) : undefined;
    this.#state.nextSeqNo = Math.max(this.#state.nextSeqNo, seqNo + 1);
    if (record.kind === 'delete') {
      this.#tails.kill(pending, located);
      this.#pending.set(id, DELETED);
      return;
    }
    const { source } = record;
    const tail = this.#tails.current();
    this.#entry.set(record.id, seqNo, version, type, routing);
    this.#entry.setPointer(record);
    tail.begin(this.#entry.tailDocument);
    const context = { id, type, isAccepted: true, ...(routing === undefined ? {} : { routing }) };
    try {
      this.#state.mapping = mapDocument(this.#state.mapping, source, 0, source.length, tail, context);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      // The document was acknowledged under a mapping that accepted it, so it stays. It is found by its id, but
      // not by its fields.
      tail.abort();
      tail.begin(this.#entry.tailDocument);
    }
    const tailDoc = tail.end();
    this.#tails.add(tail);
    this.#tails.kill(pending, located);
    this.#pending.set(id, { tail, tailDoc });
  }

  /** Marks the version of an id in a leaf as dead, without a log record. */
  kill(id: Uint8Array): void {
    const located = this.#state.locate(id);
    if (located !== undefined) located.leaf.deaths.append(located.doc, this.#commit);
  }

  /** Closes the batch in its tails, and marks those dead that a later record of the batch replaced. */
  end(): void {
    this.#tails.close();
  }
}
