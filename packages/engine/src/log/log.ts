// The document log: the record of every commit and the only copy of the sources. Chunk files of frames, one
// frame per commit, appended by one writer and read by everybody (layout: format/format.ts).
//
//   beginFrame, index, delete ─> FrameLayout, FrameBuilder ─> append ─> durable      one writer, in order
//   read, copy                ─> LogCache ─> positional read                        anyone, any time
//   appendMoved, removeChunk                                                        one at a time, while the writer appends

import type { Disk } from '../disk/disk.ts';
import { DiskFailure, DiskFullError } from '../disk/failure.ts';
import {
  appendFrames,
  createFirstChunk,
  followsEnd,
  frameBytes,
  isPacking,
  nextGroupSize,
} from './append/append-frames.ts';
import { Ballast } from './append/ballast.ts';
import type { FrameBuilder } from './append/frame-builder.ts';
import { FrameLayout } from './append/frame-layout.ts';
import { writeMovedChunk } from './append/write-moved-chunk.ts';
import { LogCache } from './cache/log-cache.ts';
import {
  checkedChunk,
  type LostFrame,
  lostFramesIn,
  refuseMissing,
  refuseRange,
} from './check/check-chunk.ts';
import { ChunkChecker } from './check/chunk-checker.ts';
import { verifyChunks } from './check/verify-log.ts';
import {
  type Chunk,
  type ChunkInfo,
  chunkInfo,
  isUnchecked,
  type LogFinding,
  type SharedChunk,
  storedBytes,
  storedShare,
} from './chunk/chunk.ts';
import { type FeedPage, FeedPageBuilder, type FeedPosition } from './feed/feed-page.ts';
import { completeFrom, readHistory } from './feed/read-history.ts';
import { RecentFrames } from './feed/recent-frames.ts';
import { CHUNK_HEADER, decodeFrameHeader } from './format/format.ts';
import { decodeRecords, type LogPointer, type MovedEntry } from './format/record.ts';
import type { LogOptions, LogPlace } from './log-options.ts';
import { type RecoveredLog, recoverChunks } from './recovery/recover-log.ts';
import { type LogVisitor, replayChunks } from './recovery/replay.ts';
import { Packer } from './stretch/packer.ts';

/** The document log of a data directory. */
export class DocumentLog {
  /** Findings of the start: a torn end that was cut, damage, foreign files. */
  readonly findings: readonly LogFinding[];
  readonly #disk: Disk;
  readonly #packer: Packer;
  readonly #chunks: Map<number, Chunk>;
  readonly #cache: LogCache;
  /** Names of files that a crash has left; removed before the first write. */
  #leftovers: readonly string[];
  /** Damaged places that reads have found and reported. */
  readonly #reported = new Set<string>();
  readonly #layout: FrameLayout;
  readonly #recent: RecentFrames;
  readonly #ballast: Ballast;
  #newest: Chunk;
  #newestNumber: number;
  #nextNumber: number;
  #lastCommit: number;
  #failure: DiskFailure | undefined;
  readonly #onFinding: (finding: LogFinding) => void;
  readonly #checker: ChunkChecker;
  /** The append that runs. */
  #append: Promise<void> | undefined;

  /**
   * Opens the log; a missing one is created. A torn append is cut off; damage is in `findings`. REQUIRES: the
   * disk is locked. Rejects with errors of the disk, and on chunks of a later format version.
   */
  static async open(disk: Disk, options: LogOptions = {}): Promise<DocumentLog> {
    const packer = new Packer(options.packing);
    const confirm = async (found: readonly Chunk[]): Promise<void> =>
      options.confirm?.({
        ...{ lastCommit: lastCommitOf(found), newest: newestOf(found)?.number ?? 0 },
        isNewestDamaged: newestOf(found)?.bad !== undefined,
        indexNumbers: (after) => indexNumbersOf(found, after),
      });
    const scanBelow = options.scanBelow ?? 4 << 20;
    const { chunks, nextNumber, findings, leftovers } = await recoverChunks(disk, packer, scanBelow, confirm);
    const fresh = newestOf(chunks);
    const newest = fresh ?? (await createFirstChunk(disk, nextNumber, lastCommitOf(chunks), packer));
    const log = new DocumentLog(
      disk,
      packer,
      fresh === undefined ? [...chunks, newest] : chunks,
      newest,
      fresh === undefined ? nextNumber + 1 : nextNumber,
      { findings, leftovers },
      options,
    );
    await log.#ballast.restore();
    return log;
  }

  private constructor(
    disk: Disk,
    packer: Packer,
    chunks: readonly Chunk[],
    newest: Chunk,
    nextNumber: number,
    { findings, leftovers }: Pick<RecoveredLog, 'findings' | 'leftovers'>,
    options: LogOptions,
  ) {
    this.#disk = disk;
    this.#packer = packer;
    this.#chunks = new Map(chunks.map((chunk) => [chunk.number, chunk]));
    this.#newest = newest;
    this.#newestNumber = Math.max(...this.#chunks.keys());
    this.#nextNumber = nextNumber;
    this.findings = findings;
    this.#leftovers = leftovers;
    this.#onFinding = options.onFinding ?? (() => {});
    this.#checker = new ChunkChecker(options.checking);
    this.#lastCommit = lastCommitOf(chunks);
    this.#recent = new RecentFrames(this.#lastCommit);
    this.#ballast = new Ballast(disk, options.ballastBytes ?? 16 << 20, options.retryMs ?? 1_000);
    const cache = new LogCache(
      options.cacheBytes ?? 256 << 20,
      options.slabBytes ?? 1 << 20,
      (chunk, offset, length, why) => this.#refuseUnreadable(chunk, offset, length, why),
    );
    this.#cache = cache;
    this.#layout = new FrameLayout(
      newest.number,
      layoutEnd(newest, packer),
      options.chunkBytes ?? 64 << 20,
      (chunk, start, need) => cache.slab(chunk, start, need),
      () => this.#nextNumber++,
    );
  }

  /** The last durable commit; 0 in an empty log. */
  get lastCommit(): number {
    return this.#lastCommit;
  }

  /** Bytes in files per byte of the log, for chunks that were read. */
  get storedShare(): number {
    return storedShare(this.#chunks.values(), storedBytes);
  }

  /** The highest chunk number so far; changes when a chunk is begun. */
  get newestNumber(): number {
    return this.#newestNumber;
  }

  /** Bytes of the log that are held in memory. */
  get cacheBytes(): number {
    return this.#cache.bytes;
  }

  /**
   * Begins the frame of a commit and closes the one before. Any number of frames may be begun ahead of
   * `append`. `bytes` is the expected size; `isPackable` is false if the writes must not wait for packing.
   * REQUIRES: commits ascend.
   */
  beginFrame(commit: number, bytes = 0, isPackable = true): FrameBuilder {
    return this.#layout.begin(commit, bytes, isPackable);
  }

  /**
   * Starts packing a large, finished frame while the appends before it run. It has to be appended alone then.
   */
  startPacking(frame: FrameBuilder): void {
    if (!frame.isPackable || this.#newest.file.version < 2) return;
    if (this.#packer.vocabularyFor(frame.length) === undefined) return;
    // The header of a new chunk is appended with its first frame.
    frame.seal(frame.offset === CHUNK_HEADER && !this.#chunks.has(frame.chunk) ? 0 : frame.offset);
    frame.pendingPack = this.#packer.start(frame.bytes);
  }

  /**
   * Makes frames durable with one write and one sync (more only if a chunk is full). Frames must come in the
   * order in which they were begun, none left out, and one that is being packed alone. REQUIRES: no other append runs. Rejects with
   * - DiskFullError: nothing of these frames is kept, and all frames begun are void: roll back, then
   *   `reset()`;
   * - DiskFailure: the state of the disk is unknown: end the process.
   */
  async append(frames: readonly FrameBuilder[]): Promise<void> {
    if (this.#append !== undefined) throw new Error('another append runs');
    this.#append = this.#appendFrames(frames);
    try {
      await this.#append;
    } finally {
      this.#append = undefined;
    }
  }

  /** Drops all frames begun and not appended. REQUIRES: no append runs. */
  reset(): void {
    this.#layout.reset(this.#newest.number, layoutEnd(this.#newest, this.#packer));
    this.#cache.reset(this.#newest.number, this.#newest.end);
  }

  /**
   * Bytes of the log, also of frames not appended yet; read-only and valid for ever. With `isBrief`: valid
   * within the current turn, because the end of an append may free them.
   */
  read(chunk: number, offset: number, length: number, isBrief = false): Uint8Array {
    const open = checkedChunk(this.#chunks.get(chunk), offset, length, this.#onFinding);
    const found = isBrief ? this.#cache.peek(chunk, offset, length) : this.#cache.find(chunk, offset, length);
    if (found !== undefined) return found;
    return this.#cache.read(open ?? refuseMissing(chunk), offset, length);
  }

  /** Copies bytes of the log to into[at …). */
  copy(chunk: number, offset: number, length: number, into: Uint8Array, at: number): void {
    const open = checkedChunk(this.#chunks.get(chunk), offset, length, this.#onFinding);
    if (this.#cache.copy(chunk, offset, length, into, at)) return;
    this.#cache.readInto(open ?? refuseMissing(chunk), offset, length, into, at);
  }

  /** Notes that a newer record has replaced a source, which will hardly be read again. */
  markDead(chunk: number, offset: number, length: number): void {
    this.#cache.markDead(chunk, offset, length);
  }

  /** Position of bytes of the log in memory; undefined if they have to be read from the file. */
  find(chunk: number, offset: number, length: number): LogPlace | undefined {
    const open = this.#chunks.get(chunk);
    if (open !== undefined && !open.file.isSummed && (isUnchecked(open, offset) || open.bad !== undefined))
      return undefined;
    return this.#cache.slabOf(chunk, offset, length);
  }

  /**
   * Visits all records with a commit above `after` in commit order, each once (replay.ts). Frames appended
   * meanwhile may be missed.
   */
  replay(after: number, visitor: LogVisitor): Promise<void> {
    return replayChunks(this.#inOrder(), after, visitor);
  }

  /**
   * The feed after a position, up to a commit (feed-page.ts): from memory if the position is recent, else
   * from the chunks. O(records read). REQUIRES: `upTo` is durable.
   */
  async feed(after: FeedPosition, upTo: number, limit: number): Promise<FeedPage> {
    const recent = this.#recentFeed(new FeedPageBuilder(after, limit), upTo);
    if (recent !== undefined) return recent;
    for (;;) {
      const chunks = this.#inOrder();
      try {
        const page = new FeedPageBuilder(after, limit);
        return await readHistory(chunks, page, upTo, (findings) => this.#report(findings));
      } catch (error) {
        // A chunk was removed meanwhile: its live records are in another one.
        if (chunks.every(({ number }) => this.#chunks.has(number))) throw error;
      }
    }
  }

  /** A commit from which on the feed is complete, no further back than `wanted`. O(chunks). */
  completeFrom(wanted: number): Promise<number> {
    return completeFrom(this.#inOrder(), this.#newest, wanted, (findings) => this.#report(findings));
  }

  #recentFeed(page: FeedPageBuilder, upTo: number): FeedPage | undefined {
    if (!this.#recent.covers(page.firstCommit)) return undefined;
    for (const { commit, chunk, offset, length } of this.#recent.from(page.firstCommit)) {
      if (commit > upTo) break;
      const frame = this.#chunks.has(chunk) ? this.#cache.find(chunk, offset, length) : undefined;
      if (frame === undefined) return undefined;
      page.begin(commit);
      for (const record of decodeRecords(frame, decodeFrameHeader(frame, 0)!)) page.add(record);
      if (!page.end()) return page.page();
    }
    return page.page(upTo);
  }

  /**
   * Checks every chunk that no start has scanned, in the background. Findings go to `onFinding` of the
   * options.
   */
  check(): Promise<void> {
    const isOver = ({ number }: Chunk): boolean => !this.#chunks.has(number);
    return this.#checker.checkAll(this.#inOrder(), isOver, (findings) => this.#report(findings));
  }

  #report(findings: readonly LogFinding[]): void {
    for (const finding of findings) this.#onFinding(finding);
  }

  /** Reports damage that a read has met, each place once. */
  #refuseUnreadable({ number, file }: Chunk, offset: number, length: number, why: string): never {
    const place = `${number}: ${why}`;
    if (!this.#reported.has(place)) {
      this.#reported.add(place);
      this.#onFinding({ chunk: number, offset, length, kind: 'damaged', reason: `cannot be read: ${why}` });
    }
    return refuseRange(file.name, why);
  }

  /** Reads everything and reports what differs from what was written. */
  async verify(
    onFinding: (finding: LogFinding) => void,
    onProgress?: (done: number, total: number) => void,
  ): Promise<void> {
    for (const finding of this.findings) if (finding.kind === 'foreign') onFinding(finding);
    await verifyChunks(
      this.#inOrder(),
      (finding) => this.#chunks.has(finding.chunk) && onFinding(finding),
      onProgress,
    );
  }

  /** The frames of a damaged range whose headers can be read. */
  framesAt({ chunk, offset, length }: LogFinding): LostFrame[] {
    const damaged = this.#chunks.get(chunk);
    return damaged === undefined ? [] : lostFramesIn(damaged, offset, length);
  }

  /** The commits that a chunk may have. */
  commitsOf(chunk: number): { readonly first: number; readonly last: number } {
    const { firstCommit = 0, lastCommit = 0 } = this.#chunks.get(chunk) ?? {};
    return { first: firstCommit, last: lastCommit };
  }

  /** All chunks by number. The last fresh one is appended to. */
  chunks(): ChunkInfo[] {
    return this.#inOrder().map(chunkInfo);
  }

  /** What other threads need to read chunks; none if the disk has no descriptors. O(chunks). */
  *sharedChunks(): Generator<SharedChunk> {
    for (const chunk of this.#chunks.values()) {
      const { number, file, unchecked, bad } = chunk;
      const { name, descriptor, version } = file;
      const isIntact = unchecked !== true && bad === undefined;
      // The end of a chunk that was not read yet may be unknown.
      const end = isIntact ? chunk.end : 0;
      const stored = storedBytes(chunk);
      if (descriptor !== undefined) yield { number, name, descriptor, version, end, stored, isIntact };
    }
  }

  /** Removes a chunk that no leaf points into. Durable when it resolves; rejects with DiskFailure. */
  async removeChunk(number: number): Promise<void> {
    const chunk = this.#chunks.get(number);
    if (chunk === undefined) return;
    if (chunk === this.#newest) throw new Error(`chunk ${number} is being appended to`);
    this.#chunks.delete(number);
    this.#cache.drop(number);
    try {
      await chunk.file.close();
      await this.#disk.remove(chunk.file.name);
      await this.#disk.syncFolder('log');
    } catch (error) {
      throw this.#fail(new DiskFailure(`removing ${chunk.file.name}`, error));
    }
  }

  /**
   * Writes records again, ascending by commit, to a chunk of their own; returns the new position of each
   * source, in the order given. Deletions must be moved as long as an older version of their document may be
   * in the log. Rejects with DiskFullError (nothing is kept) or DiskFailure.
   */
  async appendMoved(records: Iterable<MovedEntry> | AsyncIterable<MovedEntry>): Promise<LogPointer[]> {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      await this.#removeLeftovers();
      const moved = await writeMovedChunk(this.#disk, this.#nextNumber++, records, this.#packer);
      if (moved === undefined) return [];
      this.#add(moved.chunk);
      return moved.pointers;
    } catch (error) {
      throw error instanceof DiskFailure ? this.#fail(error) : error;
    }
  }

  /**
   * Frees the space of the ballast; false if there is none (any more). Documents are refused from here on,
   * until the disk has space for the ballast again. Throws DiskFailure.
   */
  async releaseBallast(): Promise<boolean> {
    return this.#ballast.release();
  }

  /** Waits for the append that runs, and closes all files. */
  async close(): Promise<void> {
    await this.#append?.catch(() => {});
    await this.#checker.close();
    await this.#packer.close();
    for (const chunk of this.#chunks.values()) await chunk.file.close();
  }

  async #appendFrames(frames: readonly FrameBuilder[]): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const first = frames[0];
    if (first === undefined) return;
    if (nextGroupSize(frames, isPacking) < frames.length)
      throw new Error('a frame that is being packed has to be appended alone');
    if (first.epoch < this.#layout.epoch || !followsEnd(this.#newest, first))
      throw new Error(`the frame of commit ${first.commit} does not follow the end of the log`);
    frames.at(-1)!.close();
    try {
      if (this.#leftovers.length > 0) await this.#removeLeftovers();
      const made = await this.#write(frames);
      if (made instanceof DiskFullError) throw made;
      for (const chunk of made) this.#add(chunk);
      this.#newest = made.at(-1) ?? this.#newest;
      this.#cache.settle(this.#newest.number, this.#newest.end, this.#layout.slab);
      this.#recent.append(frames);
      this.#lastCommit = this.#newest.lastCommit;
    } catch (error) {
      throw error instanceof DiskFailure ? this.#fail(error) : error;
    }
  }

  /** Deletions may use the space of the ballast; documents wait until it is back. */
  async #write(frames: readonly FrameBuilder[]): Promise<Chunk[] | DiskFullError> {
    const onlyDeletes = frames.every(({ documents }) => documents === 0);
    if (!onlyDeletes && !this.#ballast.isPresent && !(await this.#ballast.restore()))
      return new DiskFullError(
        'a batch of writes',
        this.#ballast.refusal,
        this.#ballast.bytes + frameBytes(frames),
      );
    const made = await appendFrames(this.#disk, this.#newest, frames, this.#packer);
    if (!(made instanceof DiskFullError) || !onlyDeletes || !(await this.#ballast.release())) return made;
    return appendFrames(this.#disk, this.#newest, frames, this.#packer);
  }

  async #removeLeftovers(): Promise<void> {
    const names = this.#leftovers;
    this.#leftovers = [];
    try {
      for (const name of names) await this.#disk.remove(name);
      if (names.length > 0) await this.#disk.syncFolder('log');
    } catch (error) {
      throw new DiskFailure('removing files that a crash has left in log/', error);
    }
  }

  #add(chunk: Chunk): void {
    this.#chunks.set(chunk.number, chunk);
    this.#newestNumber = Math.max(this.#newestNumber, chunk.number);
  }

  #fail(failure: DiskFailure): DiskFailure {
    this.#failure ??= failure;
    return this.#failure;
  }

  #inOrder(): Chunk[] {
    return [...this.#chunks.values()].sort((a, b) => a.number - b.number);
  }
}

/** Where the next frame begins. A chunk of an older format version counts as full. */
function layoutEnd({ file, end }: Chunk, { version }: Packer): number {
  return file.version === version ? end : Number.POSITIVE_INFINITY;
}

/** The chunk that is appended to. */
function newestOf(chunks: readonly Chunk[]): Chunk | undefined {
  return chunks.findLast(({ kind }) => kind === 'fresh');
}

async function indexNumbersOf(chunks: readonly Chunk[], after: number): Promise<ReadonlySet<number>> {
  const numbers = new Set<number>();
  await replayChunks(chunks, after, {
    record({ indexNumber }) {
      numbers.add(indexNumber);
    },
  });
  return numbers;
}

function lastCommitOf(chunks: readonly Chunk[]): number {
  return chunks.reduce((last, chunk) => Math.max(last, chunk.lastCommit), 0);
}
