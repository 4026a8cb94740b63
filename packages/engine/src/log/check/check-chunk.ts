// Is a chunk as it was written? Chunks that no start has scanned are checked once, in the background. A read that comes
// before that checks the frame it reads from, or all of the chunk where that frame is not easily found. What lies in a bad
// range is never given out.

import { EngineError } from '../../errors.ts';
import { Turn } from '../../turn.ts';
import { type Chunk, isUnchecked, type LogFinding } from '../chunk/chunk.ts';
import { FrameMarks } from '../chunk/frame-marks.ts';
import { scanFrames } from '../chunk/scan-frames.ts';
import {
  CHUNK_HEADER,
  chunkName,
  decodeFrameHeader,
  FRAME_HEADER,
  FrameChecksum,
  type FrameHeader,
} from '../format/format.ts';

/** Headers that are read to find a frame: with more, reading the whole chunk is as fast. */
const MOST_HOPS = 200;
/** A longer frame takes as long to check as its chunk. */
const MOST_FRAME = 16 << 20;
/** Bytes of a frame that are read at once, each time to the same place. */
const PIECE_BYTES = 256 << 10;
let piece: Uint8Array | undefined;

/**
 * Whether bytes lie in one frame that is as it was written. It is found from header to header: a wrong one leads to no
 * frame that says where it lies. False says nothing: then check the chunk.
 */
export function isFrameIntactAt(chunk: Chunk, offset: number, length: number): boolean {
  const known = (chunk.intactFrames ??= []);
  const holds = (frame: { readonly offset: number; readonly length: number }): boolean =>
    frame.offset <= offset && offset + length <= frame.offset + frame.length;
  if (known.some(holds)) return true;
  const head = new Uint8Array(FRAME_HEADER);
  let at = CHUNK_HEADER;
  for (let hop = 0; hop < MOST_HOPS && at <= offset; hop++) {
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

/** Whether the bytes of a frame are those that were written. Room for all of it would be twice the work: each page of it is new. */
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

/** What claims to be the header of a frame at a place, where it can be one; `head` is room for it. */
export function headerAt(
  { file, number, end }: Chunk,
  at: number,
  head: Uint8Array,
): FrameHeader | undefined {
  if (file.readSync(head, at) < FRAME_HEADER) return undefined;
  const header = decodeFrameHeader(head, 0);
  if (header === undefined || header.chunk !== number || header.offset !== at) return undefined;
  const { length } = header;
  const fits = length >= FRAME_HEADER && length <= MOST_FRAME && at + length <= end;
  return fits && length % 8 === 0 ? header : undefined;
}

/** Reads a whole chunk at once (64 MB: about 30 ms), remembers what is bad in it, and returns that. */
export function checkChunk(chunk: Chunk): LogFinding[] {
  const findings: LogFinding[] = [];
  const marks = new FrameMarks();
  for (const step of scanFrames(chunk.file, chunk.number, CHUNK_HEADER, chunk.end))
    if (step.kind === 'bad') findings.push(damageAt(chunk, step.offset, step.length));
    else marks.add(step.header.commit, step.header.offset);
  return finishCheck(chunk, [...findings, ...findLostEnd(chunk)], marks);
}

/** The same, giving way to others. Nothing is found where somebody else was faster. */
export async function checkChunkInSlices(chunk: Chunk, isOver: () => boolean): Promise<LogFinding[]> {
  const findings: LogFinding[] = [];
  const marks = new FrameMarks();
  try {
    const turn = new Turn();
    // The one that is appended to may have grown when its end is reached.
    for (let [start, end] = [CHUNK_HEADER, chunk.end]; start < end; [start, end] = [end, chunk.end]) {
      for (const step of scanFrames(chunk.file, chunk.number, start, end)) {
        if (step.kind === 'bad') findings.push(damageAt(chunk, step.offset, step.length));
        else marks.add(step.header.commit, step.header.offset);
        if (turn.isOver()) await turn.next();
        if (isOver() || chunk.unchecked !== true) return [];
      }
    }
  } catch {
    // The file may have gone meanwhile; else the first read will tell what is wrong with the disk.
    return [];
  }
  return finishCheck(chunk, [...findings, ...findLostEnd(chunk)], marks);
}

/** What lay behind the last byte that can be found. Nobody knows how much of the chunk that was. */
export function findLostEnd(chunk: Chunk): LogFinding[] {
  // The start has seen the end; what is behind it now is being written.
  if (chunk.intactFrom !== undefined) return [];
  const { strayEnd } = chunk.file;
  return strayEnd === 0 ? [] : [damageAt(chunk, chunk.end, strayEnd)];
}

/** Ranges of a chunk that nobody may read from; what is bad at its end has none. */
export function badRanges(chunk: Pick<Chunk, 'end'>, findings: readonly LogFinding[]): Chunk['bad'] {
  const bad = findings.filter(({ kind }) => kind === 'damaged');
  if (bad.length === 0) return undefined;
  return bad.map(({ offset, length }) => ({
    offset,
    length: offset === chunk.end ? Number.POSITIVE_INFINITY : length,
  }));
}

/** Throws where bytes lie in what is known to be bad. */
export function refuseDamaged(chunk: Chunk, offset: number, length: number): void {
  for (const range of chunk.bad ?? []) {
    if (offset < range.offset + range.length && range.offset < offset + length) {
      throw new EngineError(
        'corrupt_index_exception',
        `a stored document is damaged: [${chunk.file.name}], ${length} bytes at ${offset}; write it again, or restore the data directory from a copy`,
      );
    }
  }
}

/** Of a source that lay in a chunk whose file is gone. */
export function refuseMissing(chunk: number): never {
  throw new EngineError(
    'corrupt_index_exception',
    `a stored document is lost: [log/${chunkName(chunk)}] is missing; write it again, or restore the data directory from a copy`,
  );
}

/**
 * A chunk, if it is there, of which these bytes are as they were written; what is found where nobody has looked yet is told. Throws
 * where they are damaged.
 */
export function checkedChunk(
  chunk: Chunk | undefined,
  offset: number,
  length: number,
  onFinding: (finding: LogFinding) => void,
): Chunk | undefined {
  if (chunk === undefined || (chunk.unchecked !== true && chunk.bad === undefined)) return chunk;
  if (isUnchecked(chunk, offset) && !isFrameIntactAt(chunk, offset, length))
    checkChunk(chunk).forEach(onFinding);
  refuseDamaged(chunk, offset, length);
  return chunk;
}

/** A chunk is checked: what was found in it, and the ways into it. */
export function finishCheck(chunk: Chunk, findings: LogFinding[], marks: FrameMarks): LogFinding[] {
  chunk.unchecked = false;
  delete chunk.intactFrames;
  delete chunk.intactFrom;
  chunk.marks = marks;
  const bad = badRanges(chunk, findings);
  if (bad !== undefined) chunk.bad = bad;
  return findings;
}

function damageAt(chunk: Chunk, offset: number, length: number): LogFinding {
  return {
    chunk: chunk.number,
    offset,
    length,
    kind: 'damaged',
    reason: 'what was written here cannot be read',
  };
}
