// Verifies the whole log: every checksum, the order of commits, and that the records of each frame add up. Also
// the file of one chunk, for a copy of it.

import type { DiskFile } from '../../disk/disk.ts';
import { Turn } from '../../turn.ts';
import type { Chunk, LogFinding } from '../chunk/chunk.ts';
import { openReadOnlyChunk } from '../chunk/read-only-chunk.ts';
import { scanFrames } from '../chunk/scan-frames.ts';
import { CHUNK_HEADER, decodeChunkHeader, type FrameHeader } from '../format/format.ts';
import { findBadRecord } from '../format/record.ts';
import { WORD_CODEC } from '../stretch/codec.ts';
import { Vocabularies } from '../stretch/vocabularies.ts';
import { unreadableReason } from './check-chunk.ts';

/** Reports every finding, and progress in bytes. Continues past damage. */
export async function verifyChunks(
  chunks: readonly Chunk[],
  onFinding: (finding: LogFinding) => void,
  onProgress?: (done: number, total: number) => void,
): Promise<void> {
  const total = chunks.reduce((sum, chunk) => sum + chunk.end, 0);
  let done = 0;
  for (const chunk of chunks) {
    const report = (offset: number, length: number, reason: string): void =>
      onFinding({ chunk: chunk.number, offset, length, kind: 'damaged', reason });
    try {
      await verifyChunk(chunk, report, (bytes) => onProgress?.(done + bytes, total));
    } catch (error) {
      report(0, chunk.end, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
    done += chunk.end;
    onProgress?.(done, total);
  }
}

async function verifyChunk(
  chunk: Chunk,
  report: (offset: number, length: number, reason: string) => void,
  progress: (bytes: number) => void,
): Promise<void> {
  const head = new Uint8Array(CHUNK_HEADER);
  const length = chunk.file.readSync(head, 0);
  if (decodeChunkHeader(head.subarray(0, length), chunk.file.name)?.number !== chunk.number)
    report(0, CHUNK_HEADER, 'the header of the chunk cannot be read');
  const turn = new Turn();
  let last = 0;
  for (const step of scanFrames(chunk.file, chunk.number, CHUNK_HEADER, chunk.end)) {
    if (step.kind === 'bad') {
      report(step.offset, step.length, unreadableReason(chunk.file, step.offset, step.length));
      continue;
    }
    const { header, bytes } = step;
    if (header.commit < last || (header.commit === last && chunk.kind === 'fresh'))
      report(header.offset, 0, `commit ${header.commit} comes after commit ${last}`);
    last = header.commit;
    const wrong = wrongCommit(header, chunk) ?? findBadRecord(bytes, header);
    if (wrong !== undefined) report(header.offset, header.length, wrong);
    progress(header.offset + header.length);
    if (turn.isOver()) await turn.next();
  }
  for (const { place, length } of chunk.file.allStrays)
    report(chunk.end, 0, `${length} bytes at ${place} of its file are not what was written there`);
}

/** Bytes read and verified in one step. */
const STEP_BYTES = 256 << 10;

/**
 * Verifies the first `bytes` of the file of a chunk, independently of the log that has it open. Yields after
 * every step: what is wrong, or undefined.
 */
export function* verifyChunkFile(
  file: Pick<DiskFile, 'name' | 'readSync'>,
  number: number,
  bytes: number,
): Generator<string | undefined> {
  const head = new Uint8Array(CHUNK_HEADER);
  const header = decodeChunkHeader(head.subarray(0, file.readSync(head, 0)), file.name);
  if (header?.number !== number) {
    yield 'the header of the chunk cannot be read';
    return;
  }
  const { name } = file;
  const readSync: DiskFile['readSync'] = (into, position) =>
    file.readSync(into.subarray(0, Math.max(0, bytes - position)), position);
  const vocabularies = new Vocabularies(WORD_CODEC);
  const chunk = openReadOnlyChunk(
    { name, size: () => bytes, readSync },
    number,
    header.version,
    vocabularies,
  );
  for (const step of scanFrames(chunk, number, CHUNK_HEADER, chunk.size(), STEP_BYTES))
    yield step.kind === 'bad'
      ? `${step.length} bytes at ${step.offset}: ${unreadableReason(chunk, step.offset, step.length)}`
      : undefined;
  for (const { place, length } of chunk.allStrays)
    yield `${length} bytes at ${place} of the file are not what was written there`;
}

function wrongCommit({ commit, moved }: FrameHeader, chunk: Chunk): string | undefined {
  if (moved !== (chunk.kind === 'moved'))
    return `a frame of another kind than its chunk, which is ${chunk.kind}`;
  if (commit >= chunk.firstCommit && commit <= chunk.lastCommit) return undefined;
  return `commit ${commit} is outside of ${chunk.firstCommit} … ${chunk.lastCommit}`;
}
