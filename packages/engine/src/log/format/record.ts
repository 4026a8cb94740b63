// Records of frames: encoding and decoding (layout in format.ts).

import { get16, get32, get64, put16, put32, put64 } from './bytes.ts';
import {
  FRAME_HEADER,
  type FrameHeader,
  HAS_ROUTING,
  HAS_TYPE,
  KIND_DELETE,
  KIND_INDEX,
  KIND_MOVED_DELETE,
  KIND_MOVED_INDEX,
  RECORD_HEADER,
} from './format.ts';

/** Position of bytes in the log: a chunk, and an offset and length within it. */
export interface LogPointer {
  readonly chunk: number;
  readonly offset: number;
  readonly length: number;
}

/** A deletion to be logged. */
export interface DeleteEntry {
  /** Number of the index in the catalog: 32 bits, never reused. */
  readonly indexNumber: number;
  readonly seqNo: number;
  readonly version: number;
  /** At most 65,535 bytes, as `type` and `routing`. */
  readonly id: Uint8Array;
  readonly type?: string | undefined;
  readonly routing?: string | undefined;
}

/** A document to be logged. */
export interface IndexEntry extends DeleteEntry {
  /** The bytes as they came. */
  readonly source: Uint8Array;
}

/** A record that is written again to a moved chunk. */
export interface MovedEntry extends DeleteEntry {
  /** The commit that it belongs to. */
  readonly commit: number;
  /** Missing for a deletion. */
  readonly source?: Uint8Array | undefined;
}

/** A decoded record. `id` and `source` are views valid only during the visit. */
export interface LogRecord extends LogPointer {
  readonly kind: 'index' | 'delete';
  /** True for a copy in a moved chunk. */
  readonly moved: boolean;
  readonly commit: number;
  readonly indexNumber: number;
  readonly seqNo: number;
  readonly version: number;
  readonly id: Uint8Array;
  readonly type: string | undefined;
  readonly routing: string | undefined;
  /** Empty for a deletion. `chunk`, `offset` and `length` are the position of these bytes. */
  readonly source: Uint8Array;
}

/** Strings of a record as bytes, and its size. */
interface RecordShape {
  readonly type: Uint8Array | undefined;
  readonly routing: Uint8Array | undefined;
  /** Bytes before the source. */
  readonly head: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const NOTHING = new Uint8Array(0);

/** Measures a record. Throws RangeError if an id, type or routing is too long. */
export function measureRecord(entry: DeleteEntry, moved: boolean): RecordShape {
  const type = entry.type === undefined ? undefined : encoder.encode(entry.type);
  const routing = entry.routing === undefined ? undefined : encoder.encode(entry.routing);
  const id = entry.id.length;
  if (id > 65_535 || (type?.length ?? 0) > 65_535 || (routing?.length ?? 0) > 65_535)
    throw new RangeError('id, type and routing have at most 65,535 bytes in the log');
  const strings =
    (type === undefined ? 0 : 2 + type.length) + (routing === undefined ? 0 : 2 + routing.length);
  return { type, routing, head: RECORD_HEADER + (moved ? 8 : 0) + id + strings };
}

/** Writes all of a record but its source at `at`. `commit` makes it a moved one. */
export function encodeRecord(
  bytes: Uint8Array,
  at: number,
  entry: DeleteEntry,
  source: Uint8Array | undefined,
  shape: RecordShape,
  commit: number | undefined,
): void {
  const kind = source === undefined ? KIND_DELETE : KIND_INDEX;
  bytes[at] = commit === undefined ? kind : kind + 2;
  bytes[at + 1] = (shape.type === undefined ? 0 : HAS_TYPE) | (shape.routing === undefined ? 0 : HAS_ROUTING);
  put16(bytes, at + 2, entry.id.length);
  put32(bytes, at + 4, entry.indexNumber);
  put64(bytes, at + 8, entry.seqNo);
  put64(bytes, at + 16, entry.version);
  put32(bytes, at + 24, source?.length ?? 0);
  let end = at + RECORD_HEADER;
  if (commit !== undefined) {
    put64(bytes, end, commit);
    end += 8;
  }
  bytes.set(entry.id, end);
  end += entry.id.length;
  for (const string of [shape.type, shape.routing]) {
    if (string === undefined) continue;
    put16(bytes, end, string.length);
    bytes.set(string, end + 2);
    end += 2 + string.length;
  }
}

/**
 * The records of a frame whose checksum is right. Throws if they do not fit into it all the same: then it was
 * written wrong.
 */
export function* decodeRecords(frame: Uint8Array, header: FrameHeader): Generator<LogRecord> {
  let at = FRAME_HEADER;
  for (let left = header.records; left > 0; left--) {
    const record = decodeRecord(frame, at, header);
    yield record;
    at = record.offset - header.offset + record.length;
  }
}

/**
 * Checks that the records of a frame add up and are all moved or all fresh. Returns what is wrong. Does not
 * allocate.
 */
export function findBadRecord(frame: Uint8Array, header: FrameHeader): string | undefined {
  let at = FRAME_HEADER;
  for (let left = header.records; left > 0; left--) {
    const kind = frame[at]!;
    const moved = kind > KIND_DELETE;
    if (!(kind >= KIND_INDEX && kind <= KIND_MOVED_DELETE))
      return `no record at offset ${header.offset + at}`;
    if (moved !== header.moved) return 'moved and fresh records are mixed';
    const flags = frame[at + 1]!;
    const length = get32(frame, at + 24);
    at += RECORD_HEADER + (moved ? 8 : 0) + get16(frame, at + 2);
    if ((flags & HAS_TYPE) !== 0) at += 2 + get16(frame, at);
    if ((flags & HAS_ROUTING) !== 0) at += 2 + get16(frame, at);
    at += length;
    if (!(at <= frame.length)) return `a record ends behind its frame, at offset ${header.offset + at}`;
  }
  return undefined;
}

/**
 * Where the source of the record at `at` begins; undefined unless the frame has everything before it and
 * `isIntact` says so of its ranges.
 */
export function recordHead(
  frame: Uint8Array,
  at: number,
  isIntact: (from: number, to: number) => boolean,
): number | undefined {
  const has = (from: number, to: number): boolean => to <= frame.length && isIntact(from, to);
  if (!has(at, at + RECORD_HEADER)) return undefined;
  const moved = frame[at]! > KIND_DELETE;
  const flags = frame[at + 1]!;
  let end = at + RECORD_HEADER + (moved ? 8 : 0) + get16(frame, at + 2);
  for (const flag of [HAS_TYPE, HAS_ROUTING]) {
    if ((flags & flag) === 0) continue;
    if (!has(end, end + 2)) return undefined;
    end += 2 + get16(frame, end);
  }
  return has(at, end) ? end : undefined;
}

/** The record that begins at `at` of a frame. Throws if it does not fit into it. */
export function decodeRecord(frame: Uint8Array, at: number, header: FrameHeader): LogRecord {
  const kind = frame[at]!;
  const moved = kind === KIND_MOVED_INDEX || kind === KIND_MOVED_DELETE;
  const flags = frame[at + 1]!;
  const idLength = get16(frame, at + 2);
  const length = get32(frame, at + 24);
  let end = at + RECORD_HEADER + (moved ? 8 : 0);
  const id = frame.subarray(end, end + idLength);
  end += idLength;
  const string = (): string => {
    const start = end + 2;
    end = start + get16(frame, end);
    return decoder.decode(frame.subarray(start, end));
  };
  const type = (flags & HAS_TYPE) === 0 ? undefined : string();
  const routing = (flags & HAS_ROUTING) === 0 ? undefined : string();
  if (kind < KIND_INDEX || kind > KIND_MOVED_DELETE || end + length > frame.length)
    throw new Error(`a record of the log is not one: chunk ${header.chunk}, offset ${header.offset + at}`);
  return {
    kind: kind === KIND_INDEX || kind === KIND_MOVED_INDEX ? 'index' : 'delete',
    moved,
    commit: moved ? get64(frame, at + RECORD_HEADER) : header.commit,
    indexNumber: get32(frame, at + 4),
    seqNo: get64(frame, at + 8),
    version: get64(frame, at + 16),
    id,
    type,
    routing,
    source: length === 0 ? NOTHING : frame.subarray(end, end + length),
    chunk: header.chunk,
    offset: header.offset + end,
    length,
  };
}
