// Makes frames durable, all or none: one gathered write and one sync per chunk. If an append fails for lack of
// space, it undoes what was written, durably, before the caller hears of it.

import type { Disk } from '../../disk/disk.ts';
import { DiskFailure, DiskFullError, isOutOfRoom } from '../../disk/failure.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { FrameMarks } from '../chunk/frame-marks.ts';
import { CHUNK_HEADER, chunkName, encodeFreshHeader } from '../format/format.ts';
import { openChunkFile } from '../stretch/open-chunk-file.ts';
import type { Packer } from '../stretch/packer.ts';
import type { FrameBuilder } from './frame-builder.ts';

/** Consecutive frames of one chunk. */
interface ChunkFrames {
  readonly chunk: number;
  readonly frames: FrameBuilder[];
}

/** Undoes one step, if a later step finds the disk full. */
type Undo = () => Promise<void>;

/**
 * Appends frames to the newest chunk and to new ones behind it. Returns the chunks created, or the
 * refusal if there was no room and everything is as before. Throws DiskFailure if the state of the disk is unknown.
 * REQUIRES: frames in layout order, the first one at `newest.end` or at the start of a new chunk; one that is
 * being packed comes alone.
 */
export async function appendFrames(
  disk: Disk,
  newest: Chunk,
  frames: readonly FrameBuilder[],
  packer: Packer,
): Promise<Chunk[] | DiskFullError> {
  const undos: Undo[] = [];
  const ends: { chunk: Chunk; end: number; group: ChunkFrames }[] = [];
  const made: Chunk[] = [];
  try {
    let before = newest.lastCommit;
    let chunk = newest;
    for (const group of byChunk(frames)) {
      if (group.chunk !== newest.number) {
        // Zeros at the end of a chunk that another one follows would be taken for lost bytes.
        await chunk.file.cutPreallocated();
        chunk = await createChunk(disk, group.chunk, before + 1, packer, undos);
        made.push(chunk);
      }
      const end = await writeFrames(chunk, group, chunk === newest ? newest.end : 0, undos);
      if (chunk !== newest) await disk.syncFolder('log');
      before = group.frames.at(-1)!.commit;
      ends.push({ chunk, end, group });
    }
  } catch (error) {
    if (!(error instanceof NoSpace)) throw new DiskFailure('appending to the document log', error);
    await undoAll(undos);
    return new DiskFullError('a batch of writes', error.cause, frameBytes(frames));
  }
  for (const { chunk, end, group } of ends) {
    chunk.end = end;
    chunk.lastCommit = group.frames.at(-1)!.commit;
    for (const { commit, offset } of group.frames) chunk.marks.add(commit, offset);
  }
  return made;
}

/** A write has found the disk full. Internal. Not thrown for a failed sync: the state of the disk is then unknown. */
class NoSpace extends Error {}

/** Bytes of all frames. */
export function frameBytes(frames: readonly FrameBuilder[]): number {
  return frames.reduce((sum, { length }) => sum + length, 0);
}

function byChunk(frames: readonly FrameBuilder[]): ChunkFrames[] {
  const groups: ChunkFrames[] = [];
  for (const frame of frames) {
    if (groups.at(-1)?.chunk === frame.chunk) groups.at(-1)!.frames.push(frame);
    else groups.push({ chunk: frame.chunk, frames: [frame] });
  }
  return groups;
}

async function createChunk(
  disk: Disk,
  number: number,
  firstCommit: number,
  packer: Packer,
  undos: Undo[],
): Promise<Chunk> {
  const name = `log/${chunkName(number)}`;
  const made = await orNoSpace(disk.open(name, { create: true }));
  packer.startChunk();
  const file = openChunkFile(made, number, packer.version, packer.vocabularies, packer);
  undos.push(async () => {
    await file.close();
    await disk.remove(name);
    await disk.syncFolder('log');
  });
  const marks = new FrameMarks();
  return { number, kind: 'fresh', file, firstCommit, lastCommit: firstCommit - 1, marks, end: 0 };
}

/**
 * Writes and syncs the frames, with the header of the chunk if `start` is 0; returns the offset behind them.
 */
async function writeFrames(
  { file, firstCommit }: Chunk,
  group: ChunkFrames,
  start: number,
  undos: Undo[],
): Promise<number> {
  for (const frame of group.frames) frame.seal(start);
  const parts = joinNeighbours(group.frames.map((frame) => frame.bytes));
  if (start === 0) parts.unshift(encodeFreshHeader(file.version, group.chunk, firstCommit));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (start > 0)
    undos.push(async () => {
      await file.truncate(start);
      await file.sync();
    });
  const packs = group.frames.some(({ isPackable }) => isPackable);
  const written = await orNoSpace(file.writeThrough(parts, start, packs, group.frames[0]!.pendingPack));
  if (written < length) throw new NoSpace(`${written} of ${length} bytes written`);
  return start + length;
}

async function orNoSpace<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isOutOfRoom(error) ? new NoSpace(String(error), { cause: error }) : error;
  }
}

/** Last change first. */
async function undoAll(undos: Undo[]): Promise<void> {
  try {
    for (const undo of undos.reverse()) await undo();
  } catch (error) {
    throw new DiskFailure('taking back an append on a full disk', error);
  }
}

/** Joins frames that lie next to each other in a slab into one part. */
function joinNeighbours(parts: readonly Uint8Array[]): Uint8Array[] {
  const joined: Uint8Array[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (
      last !== undefined &&
      last.buffer === part.buffer &&
      last.byteOffset + last.length === part.byteOffset
    )
      joined[joined.length - 1] = new Uint8Array(last.buffer, last.byteOffset, last.length + part.length);
    else joined.push(part);
  }
  return joined;
}

/** How many waiting items form the next group; one that is `isAlone` forms a group of its own. */
export function nextGroupSize<T>(waiting: readonly T[], isAlone: (one: T) => boolean): number {
  const alone = waiting.findIndex(isAlone);
  return alone < 0 ? waiting.length : Math.max(1, alone);
}

/** Whether a frame is being packed: then it is an append of its own. */
export function isPacking({ pendingPack }: FrameBuilder): boolean {
  return pendingPack !== undefined;
}

/** Whether a frame begins at the end of the log. */
export function followsEnd(newest: Chunk, first: FrameBuilder): boolean {
  return first.chunk === newest.number ? first.offset === newest.end : first.offset === CHUNK_HEADER;
}

/** Creates the first chunk, with a header only. If a power cut tears it, it is removed before the next write. */
export async function createFirstChunk(
  disk: Disk,
  number: number,
  lastCommit: number,
  packer: Packer,
): Promise<Chunk> {
  const made = await disk.open(`log/${chunkName(number)}`, { create: true });
  const file = openChunkFile(made, number, packer.version, packer.vocabularies, packer);
  const firstCommit = lastCommit + 1;
  const header = encodeFreshHeader(file.version, number, firstCommit);
  if ((await file.write([header], 0)) < CHUNK_HEADER) throw new DiskFullError('the first chunk of the log');
  await file.sync();
  await disk.syncFolder('log');
  return { number, kind: 'fresh', file, firstCommit, lastCommit, marks: new FrameMarks(), end: CHUNK_HEADER };
}
