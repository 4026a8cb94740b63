// In which pieces is a write read ahead, and what is known of its operations then? In stretches of one index each, which
// are asked for in their order.

import type { WriteOp } from '../../api.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import type { Recording } from '../../tail/recording/recording.ts';
import type { IndexState } from '../index-state/index-state.ts';
import type { ResolvedOp } from '../operation/operation.ts';
import type { PatchResults } from './messages.ts';

/** Bytes of sources in one stretch, but for a larger document. */
export const STRETCH_BYTES: number = 512 << 10;

/** Larger documents are read by the writer. */
export const MAX_SOURCE_BYTES: number = 4 << 20;
export const EMPTY_SOURCE: Uint8Array = new Uint8Array(0);

/** What the thread is to read of an operation: a document, unless it is so large that tables would be made for it alone. */
export function sourceToRead({ kind, source }: WriteOp): Uint8Array {
  const isRead =
    source !== undefined && source.length <= MAX_SOURCE_BYTES && (kind === 'index' || kind === 'create');
  return isRead ? source : EMPTY_SOURCE;
}

/** A document that was read ahead, and under which mapping. */
export interface PreparedDocument {
  readonly recording: Recording;
  readonly document: number;
  readonly mapping: Mapping;
  /** The sequence number of the version that an update was spliced into; undefined for a document that came whole. */
  readonly base: number | undefined;
  /** What came of that, good until the next operation is asked for; undefined where it changes nothing. */
  readonly source: Uint8Array | undefined;
}

/** What updates of a stretch began from. */
export interface BaseVersions {
  /** By operation: a sequence number, or WHOLE. */
  readonly seqNos: Float64Array;
  /** `takenBack` of the index then: sequence numbers behind it mean other versions. */
  readonly rollbacks: number;
}

/** No update of a version that is there: a document, or what an upsert gives. */
export const NO_BASE = -1;

/** Operations [from, to) of a write, all of one index. */
export class ReadAheadStretch {
  readonly from: number;
  readonly to: number;
  readonly ops: readonly ResolvedOp[];
  readonly state: IndexState;
  /** Under which the thread reads it, once it has it. */
  mapping: Mapping | undefined;
  /** Where there are updates. */
  bases: BaseVersions | undefined;
  recording: Recording | undefined;
  /** What updates made, and the buffer that it lies in, which is given back when the stretch is passed. */
  patched: PatchResults | undefined;
  bytes: Uint8Array | undefined;
  isOver = false;
  readonly over: Promise<void>;
  readonly #resolve: () => void;

  constructor(ops: readonly ResolvedOp[], from: number, to: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ops = ops;
    this.from = from;
    this.to = to;
    this.state = ops[from]!.state;
    this.over = promise;
    this.#resolve = resolve;
  }

  /** Read, or not to be read any more. */
  end(recording?: Recording): void {
    this.recording = recording;
    this.isOver = true;
    this.#resolve();
  }

  /** A document of it as the thread has read it. */
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

/** A write that is read ahead. Its operations are asked for in their order. */
export class ReadAheadCursor {
  readonly #stretches: ReadAheadStretch[];
  readonly #passed: (stretch: ReadAheadStretch) => void;

  constructor(stretches: ReadAheadStretch[], passed: (stretch: ReadAheadStretch) => void) {
    this.#stretches = stretches;
    this.#passed = passed;
  }

  /** To be waited for before operation i is asked for. */
  waitFor(i: number): Promise<void> | undefined {
    while (this.#stretches.length > 0 && this.#stretches[0]!.to <= i) this.#passed(this.#stretches.shift()!);
    const first = this.#stretches[0];
    return first === undefined || first.isOver ? undefined : first.over;
  }

  /** Operation i as the thread has read it; undefined where it is to be read here. */
  at(i: number): PreparedDocument | undefined {
    const first = this.#stretches[0];
    return first?.read(i - first.from);
  }

  /** No more will be asked. */
  end(): void {
    for (const stretch of this.#stretches.splice(0)) this.#passed(stretch);
  }
}

/** The stretches of a write whose updates make documents of about so many bytes. */
export function splitIntoStretches(ops: readonly ResolvedOp[], updatedBytes: number): ReadAheadStretch[] {
  const stretches: ReadAheadStretch[] = [];
  // With its patch; and one document in some is larger than most.
  const updated = 64 + updatedBytes * 1.125;
  let from = 0;
  let bytes = 0;
  for (let i = 0; i < ops.length; i++) {
    const { op, state } = ops[i]!;
    const length = op.kind === 'update' ? updated : sourceToRead(op).length;
    if (i > from && (state !== ops[from]!.state || bytes + length > STRETCH_BYTES)) {
      stretches.push(new ReadAheadStretch(ops, from, i));
      from = i;
      bytes = 0;
    }
    bytes += length;
  }
  if (from < ops.length) stretches.push(new ReadAheadStretch(ops, from, ops.length));
  return stretches;
}
