// A model of the log for tests: what was written, as plain arrays, to compare with what is read.

import assert from 'node:assert/strict';
import { isPacking, nextGroupSize } from '../append/append-frames.ts';
import type { FrameBuilder } from '../append/frame-builder.ts';
import type { LogPointer, MovedEntry } from '../format/record.ts';
import type { DocumentLog } from '../log.ts';

/** A record as plain values, comparable. */
export interface Replayed {
  readonly kind: 'index' | 'delete';
  readonly commit: number;
  readonly indexNumber: number;
  readonly seqNo: number;
  readonly version: number;
  readonly id: string;
  readonly type: string | undefined;
  readonly routing: string | undefined;
  readonly source: string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The records of a commit, made from its number: some documents, some deletions, sizes all over. */
export function recordsOfCommit(commit: number, onlyDeletes = false): Replayed[] {
  return Array.from({ length: 1 + ((commit * 7) % 4) }, (_, at) => {
    const seqNo = commit * 10 + at;
    const isDelete = onlyDeletes || seqNo % 5 === 4;
    return {
      kind: isDelete ? 'delete' : 'index',
      commit,
      indexNumber: 1 + (seqNo % 3),
      seqNo,
      version: 1 + (seqNo % 7),
      id: `id-${seqNo}${'é'.repeat(seqNo % 6)}`,
      type: seqNo % 4 === 0 ? 'post' : undefined,
      routing: seqNo % 3 === 0 ? `r${seqNo}` : undefined,
      source: isDelete ? '' : JSON.stringify({ seqNo, text: 'x'.repeat((seqNo * 37) % 700) }),
    };
  });
}

/** Lays out a frame of these records; returns it with the pointers of the sources (of documents). */
export function frameOf(
  log: DocumentLog,
  commit: number,
  records: readonly Replayed[],
  waits = true,
): [FrameBuilder, LogPointer[]] {
  const frame = log.beginFrame(commit, 0, waits);
  const pointers: LogPointer[] = [];
  for (const record of records) {
    if (record.kind === 'index') pointers.push(frame.index(entryOf(record)));
    else frame.delete(entryOf(record));
  }
  return [frame, pointers];
}

/** Frames as the writer appends them, those packed ahead that are picked. */
export function appendsOf(
  log: DocumentLog,
  frames: readonly FrameBuilder[],
  isAhead: (frame: FrameBuilder) => boolean,
): FrameBuilder[][] {
  for (const frame of frames) if (isAhead(frame)) log.startPacking(frame);
  const appends: FrameBuilder[][] = [];
  for (let at = 0; at < frames.length; at += appends.at(-1)!.length)
    appends.push(frames.slice(at, at + nextGroupSize(frames.slice(at), isPacking)));
  return appends;
}

/** The record as the log takes it. */
export function entryOf(record: Replayed): MovedEntry & { source: Uint8Array } {
  const { commit, indexNumber, seqNo, version, type, routing } = record;
  const entry = { commit, indexNumber, seqNo, version, type, routing, id: encoder.encode(record.id) };
  const source = record.kind === 'index' ? encoder.encode(record.source) : undefined;
  return { ...entry, source } as MovedEntry & { source: Uint8Array };
}

/**
 * Replays the log and checks on the way that it ascends by commit and that every source can be read by its
 * pointer.
 */
export async function replayAll(log: DocumentLog, after = 0): Promise<Replayed[]> {
  const told: Replayed[] = [];
  const pointers: LogPointer[] = [];
  let ended = after;
  await log.replay(after, {
    record: (record) => {
      const { kind, commit, indexNumber, seqNo, version, type, routing } = record;
      assert.ok(commit > ended, `commit ${commit} told after ${ended}`);
      const [id, source] = [decoder.decode(record.id), decoder.decode(record.source)];
      told.push({ kind, commit, indexNumber, seqNo, version, id, type, routing, source });
      pointers.push({ chunk: record.chunk, offset: record.offset, length: record.length });
    },
    commit: (commit) => {
      ended = commit;
    },
  });
  told.forEach(({ source }, at) => {
    assert.equal(readText(log, pointers[at]!), source);
  });
  return told;
}

/** The bytes at a pointer as text. */
export function readText(log: DocumentLog, { chunk, offset, length }: LogPointer): string {
  return decoder.decode(log.read(chunk, offset, length));
}
