// Reads sources of the log on a replica, by the descriptors that the writing thread has open. Chunks that are
// unchecked or damaged are left to the writing thread.

import { LogCache } from '../../log/cache/log-cache.ts';
import { type Chunk, type SharedChunk, storedShare } from '../../log/chunk/chunk.ts';
import { FrameMarks } from '../../log/chunk/frame-marks.ts';
import { openDescriptorFile } from '../../log/chunk/read-only-chunk.ts';
import { WORD_CODEC } from '../../log/stretch/codec.ts';
import { Vocabularies } from '../../log/stretch/vocabularies.ts';
import { NeedsWriterThread } from './needs-writer-thread.ts';

/** A chunk, and how much of its file may be read. */
interface ReplicaChunk extends Chunk {
  /** Bytes of the file that may be read; grows with appends. */
  stored: number;
}

/** The sources of documents on a replica. */
export class ReplicaLog {
  readonly #cache: LogCache;
  readonly #chunks = new Map<number, ReplicaChunk>();
  readonly #vocabularies = new Vocabularies(WORD_CODEC);

  constructor(cacheBytes: number) {
    this.#cache = new LogCache(cacheBytes, 0, ({ number }) => {
      throw new NeedsWriterThread(`cannot read chunk ${number} of the log`);
    });
  }

  put(shared: SharedChunk): void {
    const known = this.#chunks.get(shared.number);
    const chunk = known ?? this.#open(shared);
    chunk.end = shared.end;
    chunk.stored = shared.stored;
    chunk.unchecked = !shared.isIntact;
    this.#chunks.set(shared.number, chunk);
  }

  #open(shared: SharedChunk): ReplicaChunk {
    const { number, end, stored } = shared;
    const bounds = { firstCommit: 0, lastCommit: 0, marks: new FrameMarks() };
    const file = openDescriptorFile(shared, () => chunk.stored, this.#vocabularies);
    const chunk: ReplicaChunk = { number, kind: 'fresh', ...bounds, end, stored, file };
    return chunk;
  }

  /** As `DocumentLog.storedShare`. */
  get storedShare(): number {
    return storedShare(this.#chunks.values(), ({ stored }) => stored);
  }

  /** Removes a chunk. Views that were handed out stay valid. */
  drop(number: number): void {
    this.#chunks.delete(number);
    this.#cache.drop(number);
  }

  /** Bytes of the log, which never change. */
  read(chunk: number, offset: number, length: number): Uint8Array {
    const found = this.#cache.find(chunk, offset, length);
    if (found !== undefined) return found;
    return this.#cache.read(this.#intact(chunk), offset, length);
  }

  /** Copies bytes of the log to into[at …). */
  copy(chunk: number, offset: number, length: number, into: Uint8Array, at: number): void {
    if (this.#cache.copy(chunk, offset, length, into, at)) return;
    this.#cache.readInto(this.#intact(chunk), offset, length, into, at);
  }

  #intact(chunk: number): ReplicaChunk {
    const open = this.#chunks.get(chunk);
    if (open === undefined || open.unchecked === true)
      throw new NeedsWriterThread(`reads chunk ${chunk} of the log`);
    return open;
  }
}
