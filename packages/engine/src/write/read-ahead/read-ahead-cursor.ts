// A write split into stretches of one index each, which are parsed ahead, and the cursor with which the
// writer takes their documents in order.

import type { WriteOp } from '../../api.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import type { Recording } from '../../tail/recording/recording.ts';
import type { IndexState } from '../index-state/index-state.ts';
import type { ResolvedOp } from '../operation/operation.ts';
import type { PatchResults } from './messages.ts';

/** Bytes of sources in one stretch, but for a larger document. */
export const STRETCH_BYTES: number = 512 << 10;

/** Larger documents are left to the writer. In a turn of the writer, one of 50 MB takes half a second. */
export const MAX_SOURCE_BYTES: number = 64 << 20;
export const EMPTY_SOURCE: Uint8Array = new Uint8Array(0);

/** The source the thread parses for an operation; empty if there is none or it is too large. */
export function sourceToRead({ kind, source }: WriteOp): Uint8Array {
  const isRead =
    source !== undefined && source.length <= MAX_SOURCE_BYTES && (kind === 'index' || kind === 'create');
  return isRead ? source : EMPTY_SOURCE;
}

/** A document parsed ahead, with the mapping it was parsed under. */
export interface PreparedDocument {
  readonly recording: Recording;
  readonly document: number;
  readonly mapping: Mapping;
  /** The mapping with the new fields of a large document, if it has any. */
  readonly grown?: Mapping;
  /** Sequence number of the version that a patch was applied to; undefined for a whole document. */
  readonly base: number | undefined;
  /** The patched source, valid until the next operation is taken; undefined if the patch changes nothing. */
  readonly source: Uint8Array | undefined;
}

/** The versions that the updates of a stretch are based on. */
export interface BaseVersions {
  /** By operation: a sequence number, or NO_BASE. */
  readonly seqNos: Float64Array;
  /**
   * `rollbacks` of the index at that time: after a rollback the same sequence numbers mean other versions.
   */
  readonly rollbacks: number;
}

/** The operation is based on no version: a whole document, or an upsert. */
export const NO_BASE = -1;

/** Operations [from, to) of a write, all of one index. */
export class ReadAheadStretch {
  readonly from: number;
  readonly to: number;
  readonly ops: readonly ResolvedOp[];
  readonly state: IndexState;
  /** About how many bytes the thread gets. */
  readonly sourceBytes: number;
  /** The mapping it is parsed under, once the thread has it. */
  mapping: Mapping | undefined;
  /** Set if there are updates. */
  bases: BaseVersions | undefined;
  recording: Recording | undefined;
  /** The patched sources, and their buffer, which is recycled when the stretch is passed. */
  patched: PatchResults | undefined;
  bytes: Uint8Array<ArrayBuffer> | undefined;
  isOver = false;
  readonly over: Promise<void>;
  readonly #resolve: () => void;

  constructor(ops: readonly ResolvedOp[], from: number, to: number, sourceBytes: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ops = ops;
    this.from = from;
    this.to = to;
    this.sourceBytes = sourceBytes;
    this.state = ops[from]!.state;
    this.over = promise;
    this.#resolve = resolve;
  }

  /** Ends it: parsed, or given up. */
  end(recording?: Recording): void {
    this.recording = recording;
    this.isOver = true;
    this.#resolve();
  }

  /** A document as the thread has parsed it; undefined if the writer has to parse it. */
  read(document: number): PreparedDocument | undefined {
    const { recording, mapping, bases, patched, bytes } = this;
    if (recording === undefined || mapping === undefined) return undefined;
    const base = bases?.seqNos[document] ?? NO_BASE;
    const isWhole = recording.has(document);
    if (base === NO_BASE)
      return isWhole ? { recording, document, mapping, base: undefined, source: undefined } : undefined;
    if (patched === undefined || bytes === undefined || bases!.rollbacks !== this.state.rollbacks)
      return undefined;
    const [start, end] = [patched.starts[document]!, patched.ends[document]!];
    if (isWhole) return { recording, document, mapping, base, source: bytes.subarray(start, end) };
    return start > end ? { recording, document, mapping, base, source: undefined } : undefined;
  }
}

/** The cursor over a write that is parsed ahead; operations are taken in order. */
export class ReadAheadCursor {
  readonly #stretches: ReadAheadStretch[];
  readonly #passed: (stretch: ReadAheadStretch) => void;

  constructor(stretches: ReadAheadStretch[], passed: (stretch: ReadAheadStretch) => void) {
    this.#stretches = stretches;
    this.#passed = passed;
  }

  /** What to wait for before operation i is taken. */
  waitFor(i: number): Promise<void> | undefined {
    while (this.#stretches.length > 0 && this.#stretches[0]!.to <= i) this.#passed(this.#stretches.shift()!);
    const first = this.#stretches[0];
    return first === undefined || first.isOver ? undefined : first.over;
  }

  /** Operation i as the thread has parsed it; undefined if the writer has to parse it. */
  at(i: number): PreparedDocument | undefined {
    const first = this.#stretches[0];
    return first?.read(i - first.from);
  }

  /** No more operations are taken. */
  end(): void {
    for (const stretch of this.#stretches.splice(0)) this.#passed(stretch);
  }
}

/** Splits a write into stretches; `updatedBytes` is the expected size of a document after an update. */
export function splitIntoStretches(ops: readonly ResolvedOp[], updatedBytes: number): ReadAheadStretch[] {
  const stretches: ReadAheadStretch[] = [];
  // Includes the patch, and a margin for documents above the mean.
  const updated = 64 + updatedBytes * 1.125;
  let from = 0;
  let bytes = 0;
  for (let i = 0; i < ops.length; i++) {
    const { op, state } = ops[i]!;
    const length = op.kind === 'update' ? updated : sourceToRead(op).length;
    if (i > from && (state !== ops[from]!.state || bytes + length > STRETCH_BYTES)) {
      stretches.push(new ReadAheadStretch(ops, from, i, bytes));
      from = i;
      bytes = 0;
    }
    bytes += length;
  }
  if (from < ops.length) stretches.push(new ReadAheadStretch(ops, from, ops.length, bytes));
  return stretches;
}
