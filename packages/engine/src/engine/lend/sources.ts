// How does a reading thread read the document log? From the files that the writing one has open: descriptors belong to the
// process. A chunk that nobody has checked yet, or that is damaged, is the writing thread's to answer for.

import { readShared } from '../../disk/real.ts';
import { LogCache } from '../../log/cache.ts';
import type { Chunk, LentChunk } from '../../log/chunk.ts';
import { FrameMarks } from '../../log/marks.ts';
import { Elsewhere } from './elsewhere.ts';

/** The sources of documents, on a reading thread. */
export class BorrowedLog {
  readonly #cache: LogCache;
  readonly #chunks = new Map<number, Chunk>();

  constructor(cacheBytes: number) {
    this.#cache = new LogCache(cacheBytes, 0);
  }

  put({ number, name, descriptor, end, isSound }: LentChunk): void {
    this.#chunks.set(number, {
      ...{ number, kind: 'fresh', firstCommit: 0, lastCommit: 0, marks: new FrameMarks(), end },
      unchecked: !isSound,
      file: {
        name,
        size: () => end,
        readSync: (into, position) => readShared(descriptor, into, position),
        write: notHere,
        writeThrough: notHere,
        sync: notHere,
        truncate: notHere,
        close: notHere,
      },
    });
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
