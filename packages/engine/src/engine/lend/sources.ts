// How does a reading thread read the document log? From the files that the writing one has open: descriptors belong to the
// process. A chunk that nobody has checked yet, or that is damaged, is the writing thread's to answer for.

import type { DiskFile } from '../../disk/disk.ts';
import { readShared } from '../../disk/real.ts';
import { LogCache } from '../../log/cache.ts';
import { type Chunk, type LentChunk, shareOf } from '../../log/chunk.ts';
import { chunkFile } from '../../log/chunk-file.ts';
import { FrameMarks } from '../../log/marks.ts';
import { Vocabularies } from '../../log/stretch/vocabularies.ts';
import { WORDS } from '../../log/stretch/words.ts';
import { Elsewhere } from './elsewhere.ts';

/** A chunk with what its file is known to have. */
interface Borrowed extends Chunk {
  /** Bytes of the file that may be read; grows as others write. */
  stored: number;
}

/** The sources of documents, on a reading thread. */
export class BorrowedLog {
  readonly #cache: LogCache;
  readonly #chunks = new Map<number, Borrowed>();
  readonly #vocabularies = new Vocabularies(WORDS);

  constructor(cacheBytes: number) {
    this.#cache = new LogCache(cacheBytes, 0);
  }

  put(lent: LentChunk): void {
    const known = this.#chunks.get(lent.number);
    const chunk = known ?? this.#open(lent);
    chunk.end = lent.end;
    chunk.stored = lent.stored;
    chunk.unchecked = !lent.isSound;
    this.#chunks.set(lent.number, chunk);
  }

  #open({ number, name, descriptor, version, end, stored }: LentChunk): Borrowed {
    const bounds = { firstCommit: 0, lastCommit: 0, marks: new FrameMarks() };
    const file: DiskFile = {
      name,
      size: () => chunk.stored,
      readSync: (into, position) => readShared(descriptor, into, position),
      write: notHere,
      writeThrough: notHere,
      sync: notHere,
      truncate: notHere,
      close: notHere,
    };
    const opened = chunkFile(file, number, version, this.#vocabularies);
    const chunk: Borrowed = { number, kind: 'fresh', ...bounds, end, stored, file: opened };
    return chunk;
  }

  /** As that of the log. */
  get storedShare(): number {
    return shareOf(this.#chunks.values(), ({ stored }) => stored);
  }

  /** Views that were handed out stay. */
  drop(number: number): void {
    this.#chunks.delete(number);
    this.#cache.drop(number);
  }

  /** Bytes of the log; they never change. */
  read(chunk: number, offset: number, length: number): Uint8Array {
    const found = this.#cache.find(chunk, offset, length);
    if (found !== undefined) return found;
    const open = this.#chunks.get(chunk);
    if (open === undefined || open.unchecked === true) throw new Elsewhere(`reads chunk ${chunk} of the log`);
    return this.#cache.read(open, offset, length);
  }
}

function notHere(): Promise<never> {
  return Promise.reject(new Elsewhere('writes'));
}
