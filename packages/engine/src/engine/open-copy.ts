// Copies a data directory while it is written to. Every file either never changes (segments, full chunks) or
// only grows (the newest chunk, the manifest), so one turn of the event loop settles what belongs to the
// copy:
//
//   catalog.image()   what is committed          log.chunks()   how far each chunk is durable
//
// The named files are opened next. If a merge has removed one in between, the copy starts over; once a file
// is open its bytes stay readable, removed or not.

import type { CopiedFile, DataCopy } from '../api.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { CURE } from '../catalog/read-manifest.ts';
import type { Disk, DiskFile } from '../disk/disk.ts';
import { codeOf } from '../disk/failure.ts';
import { verifyChunkFile } from '../log/check/verify-log.ts';
import { chunkName } from '../log/format/format.ts';
import type { DocumentLog } from '../log/log.ts';
import type { SegmentStore } from '../write/segment-files/segment-store.ts';
import type { SegmentsRecord } from '../write/segment-files/segments-record.ts';
import type { ChunkSweeper } from './retention/chunk-sweeper.ts';

const PIECE_BYTES = 1 << 20;

/** Merges come every few seconds and opening takes milliseconds: so many retries in a row mean a bug. */
const MOST_TRIES = 20;

const LOG_CURE = `stop the server, and ${CURE}`;
const SEGMENT_CURE = 'restart the server: it makes this file again from the log';

/** The parts of an engine that own files. */
interface CopySources {
  readonly catalog: Catalog;
  readonly log: DocumentLog;
  readonly store: SegmentStore;
  readonly sweeper: ChunkSweeper;
}

/** A file to open, and how much of it to copy. */
interface FileToCopy {
  readonly name: string;
  readonly verify: (file: DiskFile, bytes: number) => Iterable<string | undefined>;
  /** Undefined: the whole file. */
  readonly bytes: number | undefined;
  /** False if the copy is complete without it. */
  readonly needed: boolean;
}

/** Opens a copy of what is committed now. Rejects with the errors of the disk. */
export async function openCopy(disk: Disk, rooms: CopySources): Promise<DataCopy> {
  for (let tries = 1; ; tries++) {
    const leave = rooms.sweeper.enter();
    const open: DiskFile[] = [];
    try {
      // No await between these three: they describe the same moment.
      const image = rooms.catalog.image();
      const commit = rooms.log.lastCommit;
      const filesNeeded = filesToCopy(rooms);
      const files: CopiedFile[] = [];
      for (const { name, bytes, needed, verify } of filesNeeded) {
        const file = await openIfThere(disk, name, needed);
        if (file === undefined) continue;
        open.push(file);
        files.push(copiedFile(file, bytes ?? file.size(), verify));
      }
      files.push({ name: 'catalog/manifest', bytes: image.length, read: () => [image], verify: () => [] });
      return { commit, files, close: () => closeAll(open) };
    } catch (error) {
      await closeAll(open);
      if (codeOf(error) !== 'ENOENT' || tries === MOST_TRIES) throw error;
    } finally {
      leave();
    }
  }
}

function filesToCopy({ catalog, log, store }: CopySources): FileToCopy[] {
  const files: FileToCopy[] = log.chunks().map(({ number, stored }) => ({
    ...{ name: `log/${chunkName(number)}`, bytes: stored, needed: true },
    verify: (file, bytes) => verifyChunkFile(file, number, bytes),
  }));
  const verify: FileToCopy['verify'] = (file) => store.verifyOpen(file);
  for (const [index, record] of catalog.list('segments')) {
    for (const meta of (record as unknown as SegmentsRecord).segments) {
      const { needed, helpful } = store.files(Number(index), meta);
      files.push(...needed.map((name) => ({ name, bytes: undefined, needed: true, verify })));
      files.push(...helpful.map((name) => ({ name, bytes: undefined, needed: false, verify })));
    }
  }
  return files;
}

async function openIfThere(disk: Disk, name: string, needed: boolean): Promise<DiskFile | undefined> {
  try {
    return await disk.open(name);
  } catch (error) {
    if (needed || codeOf(error) !== 'ENOENT') throw error;
    return undefined;
  }
}

function copiedFile(file: DiskFile, bytes: number, verify: FileToCopy['verify']): CopiedFile {
  return {
    name: file.name,
    bytes,
    *read() {
      for (let at = 0; at < bytes; at += PIECE_BYTES) {
        const piece = new Uint8Array(Math.min(PIECE_BYTES, bytes - at));
        if (file.readSync(piece, at) < piece.length)
          throw new Error(`${file.name} ends before ${bytes} bytes`);
        yield piece;
      }
    },
    *verify() {
      const cure = file.name.startsWith('log/') ? LOG_CURE : SEGMENT_CURE;
      for (const wrong of verify(file, bytes))
        yield wrong === undefined ? undefined : `${file.name} is damaged: ${wrong}; ${cure}`;
    },
  };
}

async function closeAll(files: readonly DiskFile[]): Promise<void> {
  for (const file of files) await file.close();
}
