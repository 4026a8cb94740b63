// The records of damaged frames that lie outside their damaged units: a replay need not lose a whole frame for
// one flipped bit. Only in files whose units have checksums, so that every byte used here is as it was written.
//
//   frame   │ head │ record │ record │ rec▒▒▒▒▒▒▒▒▒cord │ record │ record │ 0
//                                    damaged            └ found again from the end of the frame
//
// Records before the first damaged unit are read one after the other; one whose source alone is damaged is passed
// over. Behind the damage nothing marks where a record begins. A place is one if records lead from there to the
// end of the frame, and their sequence numbers leave exactly as many out as are missing.

import { headerAt } from '../check/check-chunk.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { get32, get64 } from '../format/bytes.ts';
import { FRAME_HEADER, type FrameHeader, KIND_DELETE, KIND_INDEX } from '../format/format.ts';
import { decodeRecord, type LogRecord, recordHead } from '../format/record.ts';
import type { DamagedRange } from '../stretch/read-stretch.ts';

/** A frame with damaged bytes. */
interface DamagedFrame {
  readonly bytes: Uint8Array;
  readonly header: FrameHeader;
  isIntact(from: number, to: number): boolean;
  /** Behind the last damaged byte. */
  readonly damageEnd: number;
}

/** A record in a frame. */
interface RecordBounds {
  readonly start: number;
  /** Start of its source. */
  readonly source: number;
  readonly end: number;
  readonly index: number;
  readonly seqNo: number;
}

/** Records of the damaged frames in a range of a chunk. Their views are valid until the next frame. */
export function* salvageRecords(chunk: Chunk, offset: number, length: number): Generator<LogRecord> {
  if (!chunk.file.isSummed) return;
  const head = new Uint8Array(FRAME_HEADER);
  for (let at = offset; at < offset + length; ) {
    const header = headerAt(chunk, at, head);
    if (header === undefined) return;
    const frame = readFrame(chunk, header);
    for (const { start } of recordsOf(frame)) yield decodeRecord(frame.bytes, start, header);
    at += header.length;
  }
}

function readFrame({ file }: Chunk, header: FrameHeader): DamagedFrame {
  const bytes = new Uint8Array(header.length);
  const damaged: DamagedRange[] = [];
  file.readSync(bytes, header.offset, damaged);
  const holes = damaged.map(({ offset, bytes: count }) => ({
    from: offset - header.offset,
    to: offset - header.offset + count,
  }));
  return {
    ...{ bytes, header },
    isIntact: (from, to) => holes.every((hole) => to <= hole.from || hole.to <= from),
    damageEnd: Math.max(0, ...holes.map(({ to }) => to)),
  };
}

function* recordsOf(frame: DamagedFrame): Generator<RecordBounds> {
  let count = 0;
  let last: RecordBounds | undefined;
  let isOneIndex = true;
  for (; count < frame.header.records; count++) {
    const record = boundsAt(frame, last?.end ?? FRAME_HEADER);
    if (record === undefined) break;
    if (last !== undefined && last.index !== record.index) isOneIndex = false;
    last = record;
    if (frame.isIntact(record.source, record.end)) yield record;
  }
  if (last !== undefined && isOneIndex && count < frame.header.records)
    yield* recordsBehindDamage(frame, last, frame.header.records - count);
}

/** The records behind the damage; `missing`: how many there are from `last` on, with damaged ones. */
function* recordsBehindDamage(
  frame: DamagedFrame,
  last: RecordBounds,
  missing: number,
): Generator<RecordBounds> {
  for (let at = Math.max(frame.damageEnd, last.end); at < frame.bytes.length; at++) {
    const records = recordsToEnd(frame, at);
    if (records === undefined) continue;
    const first = records[0]!;
    const isRight = first.index === last.index && first.seqNo - last.seqNo - 1 + records.length === missing;
    if (!isRight) continue;
    yield* records;
    return;
  }
}

/** The records from `at` to the end of the frame, with consecutive numbers of one index. */
function recordsToEnd(frame: DamagedFrame, start: number): RecordBounds[] | undefined {
  const records: RecordBounds[] = [];
  const { bytes } = frame;
  for (let at = start; !isPadding(bytes, at); ) {
    const record = boundsAt(frame, at);
    const before = records.at(-1);
    if (record === undefined) return undefined;
    if (before !== undefined && (record.index !== before.index || record.seqNo !== before.seqNo + 1))
      return undefined;
    records.push(record);
    at = record.end;
  }
  return records.length === 0 ? undefined : records;
}

function isPadding(bytes: Uint8Array, at: number): boolean {
  return bytes.length - at < 8 && bytes.subarray(at).every((byte) => byte === 0);
}

/** The record at a place, if its bytes before the source are intact and it fits into the frame. */
function boundsAt({ bytes, header, isIntact }: DamagedFrame, start: number): RecordBounds | undefined {
  const kind = bytes[start]! - (header.moved ? KIND_DELETE : 0);
  if (kind !== KIND_INDEX && kind !== KIND_DELETE) return undefined;
  const source = recordHead(bytes, start, isIntact);
  if (source === undefined) return undefined;
  const end = source + get32(bytes, start + 24);
  const seqNo = get64(bytes, start + 8);
  if (end > bytes.length || !Number.isSafeInteger(seqNo)) return undefined;
  return { start, source, end, index: get32(bytes, start + 4), seqNo };
}
