// Rewrites the live records of mostly dead chunks to a new chunk, under a temporary name that is renamed once
// all are durable. So the chunk is there whole or not at all, and the writer at the end of the log is not
// disturbed.

import type { Disk, DiskFile } from '../../disk/disk.ts';
import { codeOf, DiskFailure, DiskFullError, isOutOfRoom } from '../../disk/failure.ts';
import { Turn } from '../../turn.ts';
import { newSlab, type Slab } from '../cache/slab.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { FrameMarks } from '../chunk/frame-marks.ts';
import { CHUNK_HEADER, chunkName, encodeChunkHeader } from '../format/format.ts';
import type { LogPointer, MovedEntry } from '../format/record.ts';
import type { ChunkFile } from '../stretch/chunk-file.ts';
import { openChunkFile } from '../stretch/open-chunk-file.ts';
import type { Packer } from '../stretch/packer.ts';
import { FrameBuilder } from './frame-builder.ts';

const FRAME_BYTES = 1 << 20;
const MARGIN = 64 << 10;
/** What a refusal names. */
const MOVING = 'rewriting a chunk of the log';

/** A moved chunk, and the new position of the source of each record (length 0 for deletions). */
interface MovedChunk {
  readonly chunk: Chunk;
  readonly pointers: LogPointer[];
}

/**
 * Writes records, ascending by commit, as chunk `number`. Undefined if there are none. Throws DiskFullError
 * with nothing left behind, DiskFailure, and what `records` throws.
 */
export async function writeMovedChunk(
  disk: Disk,
  number: number,
  records: Iterable<MovedEntry> | AsyncIterable<MovedEntry>,
  packer: Packer,
): Promise<MovedChunk | undefined> {
  const temporary = `log/${chunkName(number, 'tmp')}`;
  const name = `log/${chunkName(number)}`;
  const writer = new MovedWriter(disk, number, temporary, packer);
  try {
    const turn = new Turn();
    for await (const record of records) {
      await writer.add(record);
      if (turn.isOver()) await turn.next();
    }
    const done = await writer.finish();
    if (done === undefined) return undefined;
    try {
      await disk.rename(temporary, name);
      await disk.syncFolder('log');
    } catch (error) {
      throw new DiskFailure(`renaming ${temporary}`, error);
    }
    const file = openChunkFile(await reopen(disk, name), number, packer.version, packer.vocabularies, packer);
    return { chunk: { ...done, number, kind: 'moved', file }, pointers: writer.pointers };
  } catch (error) {
    if (!(error instanceof DiskFailure)) await removeIfThere(disk, temporary);
    throw error;
  } finally {
    await writer.close();
  }
}

/** Opens the renamed chunk. Without a descriptor for it, it is removed again: nothing names it yet. */
async function reopen(disk: Disk, name: string): Promise<DiskFile> {
  try {
    return await disk.open(name);
  } catch (error) {
    if (!isOutOfRoom(error)) throw new DiskFailure(`opening ${name}`, error);
    await removeIfThere(disk, name);
    await syncFolder(disk);
    throw new DiskFullError(MOVING, error);
  }
}

async function syncFolder(disk: Disk): Promise<void> {
  try {
    await disk.syncFolder('log');
  } catch (error) {
    throw new DiskFailure('syncing the folder of the log', error);
  }
}

class MovedWriter {
  readonly pointers: LogPointer[] = [];
  readonly #disk: Disk;
  readonly #number: number;
  readonly #name: string;
  readonly #packer: Packer;
  #file: ChunkFile | undefined;
  #frame: FrameBuilder | undefined;
  /** Buffer in which frames are built, one after the other. */
  #room: Uint8Array = new Uint8Array(0);
  #end = CHUNK_HEADER;
  readonly #marks = new FrameMarks();
  #first = 0;
  #last = 0;

  constructor(disk: Disk, number: number, name: string, packer: Packer) {
    this.#disk = disk;
    this.#number = number;
    this.#name = name;
    this.#packer = packer;
  }

  async add(record: MovedEntry): Promise<void> {
    if (record.commit < this.#last) throw new Error('moved records must ascend by commit');
    if (this.pointers.length === 0) this.#first = record.commit;
    this.#last = record.commit;
    this.#frame ??= this.#newFrame(record.commit);
    this.pointers.push(this.#frame.move(record));
    if (this.#frame.length >= FRAME_BYTES) await this.#flush();
  }

  async finish(): Promise<Pick<Chunk, 'firstCommit' | 'lastCommit' | 'marks' | 'end'> | undefined> {
    if (this.pointers.length === 0) return undefined;
    await this.#flush();
    const range = { firstCommit: this.#first, lastCommit: this.#last };
    const about = { version: this.#packer.version, number: this.#number, kind: 'moved', ...range } as const;
    await this.#write(encodeChunkHeader(about), 0);
    try {
      await this.#file!.sync();
    } catch (error) {
      throw new DiskFailure(`syncing ${this.#name}`, error);
    }
    return { ...range, marks: this.#marks, end: this.#end };
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  #newFrame(commit: number): FrameBuilder {
    const slab = (chunk: number, start: number, need: number): Slab => {
      // The last record of a frame may exceed the frame size.
      if (this.#room.length < need) this.#room = newSlab(chunk, start, need + MARGIN, FRAME_BYTES).bytes;
      return {
        chunk,
        start,
        bytes: this.#room,
        end: start,
        isEvictable: false,
        isReferenced: true,
        hasViews: true,
        deadBytes: 0,
      };
    };
    return new FrameBuilder(commit, slab(this.#number, this.#end, FRAME_BYTES), this.#end, 0, slab);
  }

  async #flush(): Promise<void> {
    if (this.#frame === undefined) return;
    this.#frame.seal(this.#frame.offset, this.#last);
    await this.#write(this.#frame.bytes, this.#end);
    this.#marks.add(this.#last, this.#end);
    this.#end = this.#frame.close();
    this.#frame = undefined;
  }

  async #open(): Promise<ChunkFile> {
    const file = await this.#disk.open(this.#name, { create: true });
    return openChunkFile(file, this.#number, this.#packer.version, this.#packer.vocabularies, this.#packer);
  }

  async #write(bytes: Uint8Array, position: number): Promise<void> {
    try {
      this.#file ??= await this.#open();
      if ((await this.#file.write([bytes], position)) === bytes.length) return;
    } catch (error) {
      if (!isOutOfRoom(error)) throw new DiskFailure(`writing ${this.#name}`, error);
      throw new DiskFullError(MOVING, error);
    }
    throw new DiskFullError(MOVING);
  }
}

/** Removes an unfinished chunk; it would be removed before the next write too. */
async function removeIfThere(disk: Disk, name: string): Promise<void> {
  try {
    await disk.remove(name);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw new DiskFailure(`removing ${name}`, error);
  }
}
