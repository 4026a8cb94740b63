// Opens the chunks of a log at a start, after whatever happened to it. Only the newest fresh chunk can have a
// torn append, so its frames are read: all of them or, if it is large and its last append is intact, only
// those (last-append.ts). Unacknowledged bytes are cut off; acknowledged ones that cannot be read are
// reported and left alone. Nothing is changed before the start has confirmed that the log is to be used, and no
// file is removed before the first write.
//
//   ■ good   ▒ bad          │ append starts, as the frames state
//   ■│■■│▒▒▒                bad to the end: torn, cut
//   ■│■■│▒▒■                the good one behind was written by the same append: torn, cut both
//   ■│▒▒│■■                 the good ones were written when the bad one was durable already: damage, kept

import type { Disk, DiskFile } from '../../disk/disk.ts';
import { DiskFullError } from '../../disk/failure.ts';
import { Turn } from '../../turn.ts';
import { badRanges, findLostEnd } from '../check/check-chunk.ts';
import type { Chunk, LogFinding } from '../chunk/chunk.ts';
import { FrameMarks } from '../chunk/frame-marks.ts';
import { scanFrames } from '../chunk/scan-frames.ts';
import {
  CHUNK_HEADER,
  type ChunkHeader,
  chunkName,
  decodeChunkHeader,
  type FrameHeader,
} from '../format/format.ts';
import type { ChunkFile } from '../stretch/chunk-file.ts';
import { openChunkFile } from '../stretch/open-chunk-file.ts';
import { PackedFile } from '../stretch/packed-file.ts';
import type { Packer } from '../stretch/packer.ts';
import { firstStretch } from '../stretch/walk-stretches.ts';
import { findLastAppend } from './last-append.ts';

/** The chunks of a log, and how to repair it. */
export interface RecoveredLog {
  /** Ascending by number. */
  readonly chunks: Chunk[];
  /** The lowest unused chunk number. */
  readonly nextNumber: number;
  readonly findings: LogFinding[];
  /** Names of files without contents that a crash has left. They are removed before the first write. */
  readonly leftovers: readonly string[];
  /** Repairs the files. To be called before anything else is done with them. */
  readonly mend: () => Promise<void>;
}

const CHUNK_FILE = /^(\d{8,10})\.log$/;

/**
 * Opens all chunks, and repairs the end of the newest once `confirm` has resolved. Rejects with errors of
 * `confirm` or the disk, and on chunks of a later version: then nothing has been changed.
 */
export async function recoverChunks(
  disk: Disk,
  packer: Packer,
  scanBelow: number,
  confirm: (chunks: readonly Chunk[]) => Promise<void>,
): Promise<Omit<RecoveredLog, 'mend'>> {
  const files: DiskFile[] = [];
  let found: RecoveredLog;
  try {
    found = await examine(disk, packer, scanBelow, files);
    await confirm(found.chunks);
  } catch (error) {
    for (const file of files) await file.close();
    throw error;
  }
  await found.mend();
  return found;
}

/** Examines the log folder; adds the files it opens to `files`. */
async function examine(
  disk: Disk,
  packer: Packer,
  scanBelow: number,
  files: DiskFile[],
): Promise<RecoveredLog> {
  const names = await disk.list('log');
  const leftovers = names.filter((name) => name.endsWith('.tmp')).map((name) => `log/${name}`);
  const mends: (() => Promise<void>)[] = [];

  const numbers = names.flatMap((name) => CHUNK_FILE.exec(name)?.[1] ?? []).map(Number);
  numbers.sort((a, b) => a - b);
  const findings: LogFinding[] = [];
  const opened: { number: number; file: ChunkFile; header: ChunkHeader | undefined; size: number }[] = [];
  for (const number of numbers) {
    const found = await disk.open(`log/${chunkName(number)}`);
    files.push(found);
    const size = found.size();
    const header = readHeader(found);
    const file = openChunkFile(
      found,
      number,
      header?.version ?? versionOf(found, number),
      packer.vocabularies,
      packer,
    );
    if (header === undefined || header.number === number) opened.push({ number, file, header, size });
    else {
      const reason = `is a copy of chunk ${header.number}; it is left alone`;
      findings.push({ chunk: number, offset: 0, length: 0, kind: 'foreign', reason });
      mends.push(() => file.close());
    }
  }

  const newest = opened.findLast(({ header }) => header?.kind === 'fresh')?.number ?? 0;
  const chunks: Chunk[] = [];
  for (const { number, file, header, size } of opened) {
    const { kind = 'fresh', firstCommit = 0, lastCommit = 0 } = header ?? {};
    const bounds = { firstCommit, lastCommit, marks: new FrameMarks() };
    const atEnd = number >= newest && kind === 'fresh';
    if (header !== undefined && !atEnd) chunks.push(unread({ number, kind, file, ...bounds }));
    else {
      const zeros = atEnd ? file.adoptPreallocated() : 0;
      const chunk: Chunk = { number, kind, file, ...bounds, end: file.size() };
      const isLarge = atEnd && header !== undefined && chunk.end >= scanBelow;
      const scanned =
        (isLarge ? endOfChunk(chunk) : undefined) ?? (await scanChunk(chunk, header !== undefined, atEnd));
      findings.push(...scanned.findings);
      if (scanned.end > 0) {
        chunks.push({ ...chunk, ...bounded(scanned) });
        if (atEnd) mends.push(() => repairEnd(scanned, chunk, zeros));
      } else {
        if (size > CHUNK_HEADER) {
          // Most likely an append that was never acknowledged; kept aside, because that is not certain.
          const reason = `nothing in this chunk can be read; it is kept as ${file.name}.unreadable`;
          findings.push({ chunk: number, offset: 0, length: size, kind: 'torn', reason });
          mends.push(async () => {
            await file.close();
            await disk.rename(file.name, `${file.name}.unreadable`);
          });
        } else {
          mends.push(() => file.close());
          leftovers.push(file.name);
        }
      }
    }
  }
  boundByNext(chunks);
  const mend = async (): Promise<void> => {
    for (const each of mends) await each();
    if (names.length > 0) await disk.syncFolder('log');
    adoptWords(chunks, packer);
  };
  return { chunks, nextNumber: (numbers.at(-1) ?? 0) + 1, findings, leftovers, mend };
}

/** A chunk of which only the header is known: its end is computed on first use, by a walk over its file. */
function unread(chunk: Omit<Chunk, 'end'>): Chunk {
  const { file } = chunk;
  return {
    ...chunk,
    unchecked: true,
    get end() {
      return file.size();
    },
  };
}

/** The format version of a chunk whose header cannot be read. */
function versionOf(file: DiskFile, number: number): number {
  const first = firstStretch(file, number, CHUNK_HEADER, file.size());
  return first === undefined ? 1 : first.isSummed ? 3 : 2;
}

function readHeader(file: DiskFile): ChunkHeader | undefined {
  const bytes = new Uint8Array(CHUNK_HEADER);
  return decodeChunkHeader(bytes.subarray(0, file.readSync(bytes, 0)), file.name);
}

/** What the frames of a chunk tell about it. */
interface ScannedChunk {
  readonly kind: 'fresh' | 'moved';
  readonly firstCommit: number;
  readonly lastCommit: number;
  readonly marks: FrameMarks;
  /** Offset behind the last valid frame; 0 if nothing in the chunk was ever acknowledged. */
  readonly end: number;
  /** Start of the last append: bytes behind it may not be durable yet. */
  readonly appendStart: number;
  readonly findings: LogFinding[];
  /** Frames before this offset were not read. */
  readonly intactFrom?: number;
}

/** The same for a chunk whose last append is intact, without reading the rest. */
function endOfChunk(chunk: Chunk): ScannedChunk | undefined {
  const last = findLastAppend(chunk);
  if (last === undefined) return undefined;
  const { firstCommit, end } = chunk;
  return { kind: 'fresh', firstCommit, ...last, end, findings: [], intactFrom: last.appendStart };
}

/**
 * Reads all frames of a chunk. Only `atEnd` of the log can an append be torn; anywhere else bad bytes are
 * damage.
 */
async function scanChunk(chunk: Chunk, hasHeader: boolean, atEnd: boolean): Promise<ScannedChunk> {
  const size = chunk.file.size();
  const bad: { offset: number; length: number }[] = hasHeader ? [] : [{ offset: 0, length: CHUNK_HEADER }];
  const frames: FrameHeader[] = [];
  const turn = new Turn();
  for (const step of scanFrames(chunk.file, chunk.number, CHUNK_HEADER, size)) {
    if (step.kind === 'bad') bad.push(step);
    else frames.push(step.header);
    if (turn.isOver()) await turn.next();
  }
  const moved = frames[0]?.moved ?? false;
  const durable =
    atEnd && !moved ? frames.reduce((most, frame) => Math.max(most, frame.appendStart), 0) : size;
  const end = bad.find(({ offset }) => offset >= durable)?.offset ?? size;
  const kept = frames.filter(({ offset }) => offset < end);
  const marks = new FrameMarks();
  for (const { commit, offset } of kept) marks.add(commit, offset);
  const finding = (kind: 'damaged' | 'torn', offset: number, length: number, reason: string): LogFinding => ({
    chunk: chunk.number,
    offset,
    length,
    kind,
    reason,
  });
  const findings = bad
    .filter(({ offset }) => offset < end)
    .map(({ offset, length }) => finding('damaged', offset, length, 'what was written here cannot be read'));
  const isCut = atEnd && !moved;
  const torn = size - end + (isCut ? chunk.file.strayEnd : 0);
  if (torn > 0 && end > 0)
    findings.push(finding('torn', end, torn, 'the end of an append that was never acknowledged was cut off'));
  if (!isCut) findings.push(...findLostEnd(chunk));
  return {
    kind: moved ? 'moved' : 'fresh',
    firstCommit: hasHeader ? chunk.firstCommit : (kept[0]?.commit ?? 0),
    lastCommit: kept.reduce((last, { commit }) => Math.max(last, commit), chunk.firstCommit - 1),
    marks,
    end,
    appendStart: kept.at(-1)?.appendStart ?? 0,
    findings,
  };
}

/**
 * Cuts a torn end, and writes the last append again: after a failed sync the page cache may show bytes that
 * the system never writes by itself, and the next append relies on them.
 */
async function repairEnd(scanned: ScannedChunk, chunk: Chunk, zeros: number): Promise<void> {
  const { end, appendStart, kind } = scanned;
  const { file } = chunk;
  if (end < file.size() || ((file.strayEnd > 0 || zeros > 0) && kind === 'fresh')) await file.truncate(end);
  if (!(await file.rewriteFrom(appendStart)))
    throw new DiskFullError(`writing the end of ${file.name} once more`);
  await file.sync();
}

function bounded(scanned: ScannedChunk): Omit<Chunk, 'number' | 'file'> {
  const { kind, firstCommit, lastCommit, marks, end, intactFrom } = scanned;
  const bad = badRanges(scanned, scanned.findings);
  return {
    ...{ kind, firstCommit, lastCommit, marks, end },
    ...(bad === undefined ? {} : { bad }),
    ...(intactFrom === undefined ? {} : { unchecked: true, intactFrom }),
  };
}

/** Goes on packing with the words of the newest chunk. */
function adoptWords(chunks: readonly Chunk[], packer: Packer): void {
  const file = chunks.findLast(({ kind }) => kind === 'fresh')?.file;
  const words = file instanceof PackedFile ? file.words() : undefined;
  if (words !== undefined) packer.adopt(words);
}

/** Sets the last commit of each fresh chunk to the one before the first of the next. */
function boundByNext(chunks: readonly Chunk[]): void {
  let next: Chunk | undefined;
  for (const chunk of chunks.toReversed()) {
    if (chunk.kind === 'moved') continue;
    if (next !== undefined && chunk.lastCommit <= 0) chunk.lastCommit = next.firstCommit - 1;
    if (chunk.firstCommit > 0) next = chunk;
  }
}
