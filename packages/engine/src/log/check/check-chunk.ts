// Checks chunks that no start has scanned, once, in the background. Damaged bytes are never given out: where
// units have no checksums (format versions 1 and 2), a read before that checks the frame it reads from, or the
// whole chunk if the frame is not easily found.

import { EngineError } from '../../errors.ts';
import { Turn } from '../../turn.ts';
import { type Chunk, isReadable, isUnchecked, type LogFinding } from '../chunk/chunk.ts';
import { FrameMarks } from '../chunk/frame-marks.ts';
import { scanFrames } from '../chunk/scan-frames.ts';
import { get32 } from '../format/bytes.ts';
import {
  CHUNK_HEADER,
  chunkName,
  decodeFrameHeader,
  FRAME_HEADER,
  FrameChecksum,
  type FrameHeader,
  RECORD_HEADER,
} from '../format/format.ts';
import type { ChunkFile } from '../stretch/chunk-file.ts';
import type { DamagedRange } from '../stretch/read-stretch.ts';

/** Headers read to find a frame; with more, reading the whole chunk is as fast. */
const MAX_HOPS = 200;
/** Checking a longer frame takes as long as checking its chunk. */
const MAX_FRAME_BYTES = 16 << 20;
/** A frame is read in pieces of this size, to the same buffer. */
const PIECE_BYTES = 256 << 10;
let piece: Uint8Array | undefined;

/**
 * Whether bytes lie in one intact frame, found from header to header. A wrong header leads to no frame that
 * states its own offset. False decides nothing: then the chunk has to be checked.
 */
function isFrameIntactAt(chunk: Chunk, offset: number, length: number): boolean {
  const known = (chunk.intactFrames ??= []);
  const holds = (frame: { readonly offset: number; readonly length: number }): boolean =>
    frame.offset <= offset && offset + length <= frame.offset + frame.length;
  if (known.some(holds)) return true;
  const head = new Uint8Array(FRAME_HEADER);
  let at = CHUNK_HEADER;
  for (let hop = 0; hop < MAX_HOPS && at <= offset; hop++) {
    const header = headerAt(chunk, at, head);
    if (header === undefined) return false;
    if (!holds(header)) {
      at += header.length;
      continue;
    }
    if (!isIntactAt(chunk, at, header.length)) return false;
    known.push({ offset: at, length: header.length });
    return true;
  }
  return false;
}

/**
 * Whether the checksum of a frame is right. Read in pieces: fresh memory for all of it would double the work.
 */
export function isIntactAt({ file }: Chunk, at: number, length: number): boolean {
  piece ??= new Uint8Array(PIECE_BYTES);
  const sum = new FrameChecksum();
  for (let from = 0; from < length; from += PIECE_BYTES) {
    const part = piece.subarray(0, Math.min(PIECE_BYTES, length - from));
    if (file.readSync(part, at + from) < part.length) return false;
    sum.add(part);
  }
  return sum.isIntact;
}

/** A plausible frame header at an offset, or undefined; `head` is a buffer for it. */
export function headerAt(
  { file, number, end }: Chunk,
  at: number,
  head: Uint8Array,
): FrameHeader | undefined {
  if (file.readSync(head, at) < FRAME_HEADER) return undefined;
  const header = decodeFrameHeader(head, 0);
  if (header === undefined || header.chunk !== number || header.offset !== at) return undefined;
  const { length } = header;
  const fits = length >= FRAME_HEADER && length <= MAX_FRAME_BYTES && at + length <= end;
  return fits && length % 8 === 0 ? header : undefined;
}

/** A damaged frame whose header can be read. */
export interface LostFrame {
  readonly commit: number;
  readonly records: number;
  /** Number of the index of its first record, if that can be read. */
  readonly indexNumber: number | undefined;
}

/** The frames in a damaged range whose headers can be read, from the first on. */
export function lostFramesIn(chunk: Chunk, offset: number, length: number): LostFrame[] {
  const frames: LostFrame[] = [];
  const head = new Uint8Array(FRAME_HEADER + RECORD_HEADER);
  for (let at = offset; at < offset + length; ) {
    const header = headerAt(chunk, at, head);
    if (header === undefined) break;
    const isThere = chunk.file.readSync(head, at) === head.length && head[FRAME_HEADER] !== 0;
    const indexNumber = isThere ? get32(head, FRAME_HEADER + 4) : undefined;
    frames.push({ commit: header.commit, records: header.records, indexNumber });
    at += header.length;
  }
  return frames;
}

/** Checks a whole chunk at once (64 MB: about 30 ms), remembers its damage and returns it. */
function checkChunk(chunk: Chunk): LogFinding[] {
  const findings: LogFinding[] = [];
  const marks = new FrameMarks();
  for (const step of scanFrames(chunk.file, chunk.number, CHUNK_HEADER, chunk.end))
    if (step.kind === 'bad') findings.push(damageAt(chunk, step.offset, step.length));
    else marks.add(step.header.commit, step.header.offset);
  return finishCheck(chunk, [...findings, ...findLostEnd(chunk)], marks);
}

/** The same in slices. Returns nothing if the chunk was checked or removed meanwhile. */
export async function checkChunkInSlices(chunk: Chunk, isOver: () => boolean): Promise<LogFinding[]> {
  const findings: LogFinding[] = [];
  const marks = new FrameMarks();
  try {
    const turn = new Turn();
    // The chunk that is appended to may have grown when its end is reached.
    for (let [start, end] = [CHUNK_HEADER, chunk.end]; start < end; [start, end] = [end, chunk.end]) {
      for (const step of scanFrames(chunk.file, chunk.number, start, end)) {
        if (step.kind === 'bad') findings.push(damageAt(chunk, step.offset, step.length));
        else marks.add(step.header.commit, step.header.offset);
        if (turn.isOver()) await turn.next();
        if (isOver() || chunk.unchecked !== true) return [];
      }
    }
  } catch {
    // The file may be removed by now; otherwise the first read reports what is wrong with the disk.
    return [];
  }
  return finishCheck(chunk, [...findings, ...findLostEnd(chunk)], marks);
}

/** Damage behind the last byte that can be found. How much of the chunk it was is unknown. */
export function findLostEnd(chunk: Chunk): LogFinding[] {
  // The start has read the end; bytes behind it are being written now.
  if (chunk.intactFrom !== undefined) return [];
  const { strayEnd } = chunk.file;
  return strayEnd === 0 ? [] : [damageAt(chunk, chunk.end, strayEnd)];
}

/** The ranges of a chunk that must not be read; damage at its end has no bound. */
export function badRanges(chunk: Pick<Chunk, 'end'>, findings: readonly LogFinding[]): Chunk['bad'] {
  const bad = findings.filter(({ kind }) => kind === 'damaged');
  if (bad.length === 0) return undefined;
  return bad.map(({ offset, length }) => ({
    offset,
    length: offset === chunk.end ? Number.POSITIVE_INFINITY : length,
  }));
}

/** Throws if bytes lie in a damaged range. */
function refuseDamaged(chunk: Chunk, offset: number, length: number): void {
  for (const range of chunk.bad ?? []) {
    if (offset < range.offset + range.length && range.offset < offset + length)
      refuseRange(chunk.file.name, `${length} bytes at ${offset} of the chunk`);
  }
}

/** Throws for a source that cannot be read from its file. */
export function refuseRange(file: string, range: string): never {
  throw new EngineError(
    'corrupt_index_exception',
    `a stored document is damaged: [${file}], ${range}; write it again, or restore the data directory from a backup`,
  );
}

/** Throws for a source in a chunk whose file is missing. */
export function refuseMissing(chunk: number): never {
  throw new EngineError(
    'corrupt_index_exception',
    `a stored document is lost: [log/${chunkName(chunk)}] is missing; write it again, or restore the data directory from a backup`,
  );
}

/**
 * Makes sure that bytes of a chunk are intact before they are read, unless every read verifies them; damage
 * found on the way is reported. Throws if they are damaged. Returns the chunk.
 */
export function checkedChunk(
  chunk: Chunk | undefined,
  offset: number,
  length: number,
  onFinding: (finding: LogFinding) => void,
): Chunk | undefined {
  if (chunk === undefined || isReadable(chunk)) return chunk;
  if (isUnchecked(chunk, offset) && !isFrameIntactAt(chunk, offset, length))
    checkChunk(chunk).forEach(onFinding);
  refuseDamaged(chunk, offset, length);
  return chunk;
}

/** Notes that a chunk is checked, with its damage and marks. */
export function finishCheck(chunk: Chunk, findings: LogFinding[], marks: FrameMarks): LogFinding[] {
  chunk.unchecked = false;
  delete chunk.intactFrames;
  delete chunk.intactFrom;
  chunk.marks = marks;
  const bad = badRanges(chunk, findings);
  if (bad !== undefined) chunk.bad = bad;
  return findings;
}

function damageAt({ number, file }: Chunk, offset: number, length: number): LogFinding {
  return { chunk: number, offset, length, kind: 'damaged', reason: unreadableReason(file, offset, length) };
}

/** Why bytes of a chunk are no intact frames; names the first damaged unit, if units have checksums. */
export function unreadableReason(file: Pick<ChunkFile, 'readSync'>, offset: number, length: number): string {
  const reason = 'what was written here cannot be read';
  piece ??= new Uint8Array(PIECE_BYTES);
  const damaged: DamagedRange[] = [];
  for (let from = 0; from < length && damaged.length === 0; from += PIECE_BYTES)
    file.readSync(piece.subarray(0, Math.min(PIECE_BYTES, length - from)), offset + from, damaged);
  const [first] = damaged;
  return first === undefined
    ? reason
    : `${reason}: ${first.length} bytes at ${first.place} of the file are damaged`;
}
