// The bytes of a stretch for the thread, copied into a reused buffer. An update is sent as the current version
// with its patch behind it; whether that version is still current is checked when the turn of the write comes.

import type { WriteOp } from '../../api.ts';
import type { DocumentLocation, IndexState } from '../index-state/index-state.ts';
import { checkId } from '../operation/document-id.ts';
import type { ReadAheadJob } from './messages.ts';
import {
  type BaseVersions,
  EMPTY_SOURCE,
  MAX_SOURCE_BYTES,
  NO_BASE,
  type ReadAheadStretch,
  STRETCH_BYTES,
  sourceToRead,
} from './read-ahead-cursor.ts';

/** Spare buffers kept of each of the two sizes. */
const MAX_SPARES = 6;
/** Size of a buffer for updates: the sources, and the results. */
const UPDATE_BYTES = 2 * STRETCH_BYTES;

const EMPTY_OBJECT = new TextEncoder().encode('{}');

/** The part of a job that holds the documents. */
type StretchBytes = Pick<ReadAheadJob, 'bytes' | 'starts' | 'ends' | 'updates'>;

/** Fills jobs with the bytes of stretches. */
export class StretchSources {
  /** The source of a version in a leaf. */
  readonly #source: ((located: DocumentLocation) => Uint8Array) | undefined;
  readonly #spare: Readonly<Record<number, Uint8Array<ArrayBuffer>[]>> = {
    [STRETCH_BYTES]: [],
    [UPDATE_BYTES]: [],
  };

  constructor(source: ((located: DocumentLocation) => Uint8Array) | undefined) {
    this.#source = source;
  }

  /** The bytes of a stretch. Notes in it the base versions of its updates. */
  bytesFor(stretch: ReadAheadStretch): StretchBytes {
    const { ops, from, to } = stretch;
    for (let i = from; i < to; i++) if (ops[i]!.op.kind === 'update') return this.#filledWithUpdates(stretch);
    return this.#filled(stretch);
  }

  /** Takes back a buffer. */
  recycle(bytes: Uint8Array<ArrayBuffer>): void {
    const spare = this.#spare[bytes.length];
    if (spare !== undefined && spare.length < MAX_SPARES) spare.push(bytes);
  }

  clear(): void {
    for (const spare of Object.values(this.#spare)) spare.length = 0;
  }

  #room(need: number, usual: number): Uint8Array<ArrayBuffer> {
    return (need <= usual ? this.#spare[usual]!.pop() : undefined) ?? new Uint8Array(Math.max(need, usual));
  }

  /** Copies the sources of a stretch into one buffer; an operation without a source has no bytes there. */
  #filled({ ops, from, to }: ReadAheadStretch): StretchBytes {
    let need = 0;
    for (let i = from; i < to; i++) need += sourceToRead(ops[i]!.op).length;
    const bytes = this.#room(need, STRETCH_BYTES);
    const starts = new Uint32Array(to - from);
    const ends = new Uint32Array(to - from);
    let at = 0;
    for (let i = from; i < to; i++) {
      const source = sourceToRead(ops[i]!.op);
      bytes.set(source, at);
      starts[i - from] = at;
      ends[i - from] = at += source.length;
    }
    return { bytes, starts, ends, updates: undefined };
  }

  /** The same with updates: their base versions, their patches, and room for the results. */
  #filledWithUpdates(stretch: ReadAheadStretch): StretchBytes {
    const { ops, from, to, state } = stretch;
    const count = to - from;
    const seqNos = new Float64Array(count).fill(NO_BASE);
    const sources: Uint8Array[] = [];
    const patches: Uint8Array[] = [];
    let need = 0;
    let updated = 0;
    for (let i = 0; i < count; i++) {
      const { op } = ops[from + i]!;
      let source = sourceToRead(op);
      let patch = EMPTY_SOURCE;
      const isPatch = op.kind === 'update' && op.update?.script === undefined;
      if (isPatch) {
        const located = currentVersion(op, state);
        if (located === undefined) source = upsertOf(op);
        else {
          patch = op.update?.doc ?? EMPTY_OBJECT;
          const { leaf, doc } = located;
          const most = leaf.docs.sourceLength(doc) + patch.length + 1;
          // If documents are larger than expected, some are left to the writer.
          if (patch.length > 0 && need + updated + 2 * most <= UPDATE_BYTES) source = this.#version(located);
          if (source.length === 0) patch = EMPTY_SOURCE;
          else {
            seqNos[i] = leaf.docs.seqNo(doc);
            updated += most;
          }
        }
      }
      sources.push(source);
      patches.push(patch);
      need += source.length + patch.length;
    }
    stretch.bases = { seqNos, rollbacks: state.rollbacks } satisfies BaseVersions;
    const bytes = this.#room(need + updated, UPDATE_BYTES);
    const starts = new Uint32Array(count);
    const ends = new Uint32Array(count);
    const patchEnds = new Uint32Array(count);
    const always = new Uint8Array(count);
    let at = 0;
    for (let i = 0; i < count; i++) {
      const source = sources[i]!;
      const patch = patches[i]!;
      starts[i] = at;
      bytes.set(source, at);
      ends[i] = at += source.length;
      if (patch.length > 0) bytes.set(patch, at);
      patchEnds[i] = at += patch.length;
      if (ops[from + i]!.op.update?.detectNoop === false) always[i] = 1;
    }
    return { bytes, starts, ends, updates: { patchEnds, always, room: at } };
  }

  /** The source of a version; empty if it cannot be read: the writer reports why. */
  #version(located: DocumentLocation): Uint8Array {
    try {
      return this.#source?.(located) ?? EMPTY_SOURCE;
    } catch {
      return EMPTY_SOURCE;
    }
  }
}

/** The current version of an id; undefined if there is none, or the id is invalid. */
function currentVersion({ id }: WriteOp, state: IndexState): DocumentLocation | undefined {
  if (id === undefined) return undefined;
  try {
    return state.locate(checkId(id));
  } catch {
    return undefined;
  }
}

function upsertOf({ update }: WriteOp): Uint8Array {
  const upsert = update?.docAsUpsert ? update.doc : update?.upsert;
  return upsert !== undefined && upsert.length <= MAX_SOURCE_BYTES ? upsert : EMPTY_SOURCE;
}
