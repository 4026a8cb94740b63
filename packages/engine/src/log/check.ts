// Is a chunk as it was written? Chunks that no start has scanned are checked before anything is served from them: each
// once, in the background, or at the first read that comes before that. What lies in a bad range is never given out.

import { EngineError } from '../errors.ts';
import type { Chunk, LogFinding } from './chunk.ts';
import { CHUNK_HEADER } from './format.ts';
import { FrameMarks } from './marks.ts';
import { yieldLong } from './pace.ts';
import { scanFrames } from './scan.ts';

/** Reads a whole chunk at once (64 MB: about 30 ms), remembers what is bad in it, and returns that. */
export function checkNow(chunk: Chunk): LogFinding[] {
  const findings: LogFinding[] = [];
  const marks = new FrameMarks();
  for (const step of scanFrames(chunk.file, chunk.number, CHUNK_HEADER, chunk.end))
    if (step.kind === 'bad') findings.push(damaged(chunk, step.offset, step.length));
    else marks.pass(step.header.commit, step.header.offset);
  return settle(chunk, findings, marks);
}

/** The same, giving way to others. Nothing is found where somebody else was faster. */
export async function checkSlowly(chunk: Chunk, isOver: () => boolean): Promise<LogFinding[]> {
  const findings: LogFinding[] = [];
  const marks = new FrameMarks();
  try {
    for (const step of scanFrames(chunk.file, chunk.number, CHUNK_HEADER, chunk.end)) {
      if (step.kind === 'bad') findings.push(damaged(chunk, step.offset, step.length));
      else marks.pass(step.header.commit, step.header.offset);
      await yieldLong();
      if (isOver() || chunk.unchecked !== true) return [];
    }
  } catch {
    // The file may have gone meanwhile; else the first read will tell what is wrong with the disk.
    return [];
  }
  return settle(chunk, findings, marks);
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

function settle(chunk: Chunk, findings: LogFinding[], marks: FrameMarks): LogFinding[] {
  chunk.unchecked = false;
  chunk.marks = marks;
  if (findings.length > 0) chunk.bad = findings;
  return findings;
}

function damaged(chunk: Chunk, offset: number, length: number): LogFinding {
  return {
    chunk: chunk.number,
    offset,
    length,
    kind: 'damaged',
    reason: 'what was written here cannot be read',
  };
}
