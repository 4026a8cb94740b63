// How does a reading thread read the document log? From the files that the writing one has open. A chunk that nobody has checked yet, or that is damaged, is the writing thread's to answer for.

import { LogCache } from '../../log/cache/log-cache.ts';
import { type Chunk, type SharedChunk, storedShare } from '../../log/chunk/chunk.ts';
import { openDescriptorFile } from '../../log/chunk/descriptor-file.ts';
import { FrameMarks } from '../../log/chunk/frame-marks.ts';
import { WORD_CODEC } from '../../log/stretch/codec.ts';
import { Vocabularies } from '../../log/stretch/vocabularies.ts';
import { NeedsWriterThread } from './needs-writer-thread.ts';

/** A chunk with what its file is known to have. */
interface ReplicaChunk extends Chunk {
  /** Bytes of the file that may be read; grows as others write. */
  stored: number;
}

/** The sources of documents, on a reading thread. */
export class ReplicaLog {
  readonly #cache: LogCache;
  readonly #chunks = new Map<number, ReplicaChunk>();
  readonly #vocabularies = new Vocabularies(WORD_CODEC);

  constructor(cacheBytes: number) {
    this.#cache = new LogCache(cacheBytes, 0);
  }

  put(lent: SharedChunk): void {
    const known = this.#chunks.get(lent.number);
    const chunk = known ?? this.#open(lent);
    chunk.end = lent.end;
    chunk.stored = lent.stored;
    chunk.unchecked = !lent.isIntact;
    this.#chunks.set(lent.number, chunk);
  }

  #open(lent: SharedChunk): ReplicaChunk {
    const { number, end, stored } = lent;
    const bounds = { firstCommit: 0, lastCommit: 0, marks: new FrameMarks() };
    const file = openDescriptorFile(lent, () => chunk.stored, this.#vocabularies);
    const chunk: ReplicaChunk = { number, kind: 'fresh', ...bounds, end, stored, file };
    return chunk;
  }

  /** As that of the log. */
  get storedShare(): number {
    return storedShare(this.#chunks.values(), ({ stored }) => stored);
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
    return this.#cache.read(this.#sound(chunk), offset, length);
  }

  /** The same to into[at …). */
  copy(chunk: number, offset: number, length: number, into: Uint8Array, at: number): void {
    if (this.#cache.copy(chunk, offset, length, into, at)) return;
    this.#cache.readInto(this.#sound(chunk), offset, length, into, at);
  }

  #sound(chunk: number): ReplicaChunk {
    const open = this.#chunks.get(chunk);
    if (open === undefined || open.unchecked === true)
      throw new NeedsWriterThread(`reads chunk ${chunk} of the log`);
    return open;
  }
}
