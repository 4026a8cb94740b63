// What does a log folder hold after whatever happened to it? Every chunk is opened; of the newest fresh one the frames
// are read, because only there an append can have been cut short: all of them, or, where it is large, those of the last
// append if they are whole (last-append.ts). What was never acknowledged is cut off; what was acknowledged and cannot be
// read is reported, never touched. To look changes nothing: who finds that the log cannot be used leaves it as it was.
//
//   ■ good   ▒ bad          │ append starts, as the frames say
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
import { holdsStretches } from '../stretch/walk-stretches.ts';
import { findLastAppend } from './last-append.ts';

/** What was found. */
export interface RecoveredLog {
  /** By number. */
  readonly chunks: Chunk[];
  /** No number below this one may be used. */
  readonly nextNumber: number;
  readonly findings: LogFinding[];
  /** Makes the files what the chunks say. To be called before anything else is done with them. */
  readonly mend: () => Promise<void>;
}

const CHUNK_FILE = /^(\d{8,10})\.log$/;

/**
 * Opens all chunks and repairs the end of the newest once `confirm` has said that the log is to be used. Rejects with what that
 * rejects with, or the disk, and on chunks of a later version: then nothing has been changed.
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
    found = await look(disk, packer, scanBelow, files);
    await confirm(found.chunks);
  } catch (error) {
    for (const file of files) await file.close();
    throw error;
  }
  await found.mend();
  return found;
}

/** What there is; `files` are those that it has opened. */
async function look(disk: Disk, packer: Packer, scanBelow: number, files: DiskFile[]): Promise<RecoveredLog> {
  const names = await disk.list('log');
  const unfinished = names.filter((name) => name.endsWith('.tmp'));
  const mends = unfinished.map(
    (name): (() => Promise<void>) =>
      () =>
        disk.remove(`log/${name}`),
  );

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
          // Most likely an append that was never acknowledged; kept aside all the same, because nobody can tell.
          const reason = `nothing in this chunk can be read; it is kept as ${file.name}.unreadable`;
          findings.push({ chunk: number, offset: 0, length: size, kind: 'torn', reason });
          mends.push(async () => {
            await file.close();
            await disk.rename(file.name, `${file.name}.unreadable`);
          });
        } else {
          mends.push(async () => {
            await file.close();
            await disk.remove(file.name);
          });
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
  return { chunks, nextNumber: (numbers.at(-1) ?? 0) + 1, findings, mend };
}

/** A chunk of which nothing but its header is known: where it ends takes a look at all of its file. */
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

/** Of a chunk whose header cannot be read. */
function versionOf(file: DiskFile, number: number): number {
  return holdsStretches(file, number, CHUNK_HEADER, file.size()) ? 2 : 1;
}

function readHeader(file: DiskFile): ChunkHeader | undefined {
  const bytes = new Uint8Array(CHUNK_HEADER);
  return decodeChunkHeader(bytes.subarray(0, file.readSync(bytes, 0)), file.name);
}

/** What the frames of a chunk say of it. */
interface ScannedChunk {
  readonly kind: 'fresh' | 'moved';
  readonly firstCommit: number;
  readonly lastCommit: number;
  readonly marks: FrameMarks;
  /** Behind the last frame that counts; 0 when nothing in the chunk was ever acknowledged. */
  readonly end: number;
  /** Start of the last append: what lies behind it may not be durable yet. */
  readonly appendStart: number;
  readonly findings: LogFinding[];
  /** What is before it has not been read. */
  readonly intactFrom?: number;
}

/** The same of a chunk whose last append is whole: whatever is before that was durable when it was written. */
function endOfChunk(chunk: Chunk): ScannedChunk | undefined {
  const last = findLastAppend(chunk);
  if (last === undefined) return undefined;
  const { firstCommit, end } = chunk;
  return { kind: 'fresh', firstCommit, ...last, end, findings: [], intactFrom: last.appendStart };
}

/** Reads all frames of a chunk. Only `atEnd` of the log can something be torn; anywhere else what is bad is damage. */
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
 * Cuts what is torn, and writes the last append once more: after a sync that failed the system may show bytes that it
 * will never write by itself, and the next append counts on them.
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

/** What the newest chunk is packed with is good enough for more. */
function adoptWords(chunks: readonly Chunk[], packer: Packer): void {
  const file = chunks.findLast(({ kind }) => kind === 'fresh')?.file;
  const words = file instanceof PackedFile ? file.words() : undefined;
  if (words !== undefined) packer.adopt(words);
}

/** The last commit of a fresh chunk is the one before the first of the next. */
function boundByNext(chunks: readonly Chunk[]): void {
  let next: Chunk | undefined;
  for (const chunk of chunks.toReversed()) {
    if (chunk.kind === 'moved') continue;
    if (next !== undefined && chunk.lastCommit <= 0) chunk.lastCommit = next.firstCommit - 1;
    if (chunk.firstCommit > 0) next = chunk;
  }
}
