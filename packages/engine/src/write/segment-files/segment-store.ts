// Reads and writes the files of segments. A file gets a temporary name, a sync, a rename and a sync of the
// folder; the catalog commit that names it comes after. Deaths lie beside the segment in a file of their own,
// written anew at each checkpoint.
//
//   segments/<index number>-<segment number>.seg            the segment, packed, never changed
//   segments/<index number>-<segment number>.seq            its sequence numbers: enough to make it again
//   segments/<index number>-<segment number>.<generation>.del   entries of its death log
//   segments/<index number>-<segment number>.<generation>.liv   sequence numbers of living documents: enough without the others

import type { Disk, DiskFile } from '../../disk/disk.ts';
import { DiskFailure, DiskFullError, isDiskFull, syncOrFail } from '../../disk/failure.ts';
import { hasBit, setBit, wordsFor } from '../../kernels/bits.ts';
import type { Block, Memory } from '../../memory/memory.ts';
import { releaseBuffers } from '../../memory/release-buffers.ts';
import { packSegment } from '../../segment/packed/pack.ts';
import { isPackedSegment } from '../../segment/packed/packed-format.ts';
import { readPackedTable, SegmentUnpacker } from '../../segment/packed/unpack.ts';
import { SegmentDamagedError } from '../../segment/section-table.ts';
import { copySegment, type SegmentBytes } from '../../segment/section-writer.ts';
import { openSegment, type SegmentLeaf, type SegmentOptions } from '../../segment/segment-leaf.ts';
import { verifyFile, verifyPieces, verifySegment } from '../../segment/verify-segment.ts';
import { Turn } from '../../turn.ts';
import { checkDeaths, DamagedSegment, decodeDeaths, encodeDeaths, isDeathsFile } from './deaths-file.ts';
import { decodeCount, decodeNumbers, encodeNumbers } from './numbers-file.ts';
import type { SegmentLoader } from './segment-loader.ts';

/** The entry of a segment in the catalog. */
export interface SegmentMeta {
  readonly number: number;
  readonly docCount: number;
  /** Bytes in memory. */
  readonly bytes: number;
  readonly firstCommit: number;
  readonly lastCommit: number;
  /** Generation of the deaths file; 0 if there is none. */
  readonly deaths: number;
  readonly deathCount: number;
}

/** Encoded files of a segment. */
export interface SegmentFiles {
  readonly numbers: Uint8Array;
  /** The parts of the packed segment. */
  readonly packed: readonly Uint8Array[];
}

/** A segment in memory. */
export interface SegmentEntry {
  meta: SegmentMeta;
  readonly leaf: SegmentLeaf;
  readonly block: Block;
}

const FOLDER = 'segments';
/** Documents between two looks at the clock, less one. */
const SLICE = 8191;

/** Reads and writes segment files. */
export class SegmentStore {
  readonly #disk: Disk;
  readonly #memory: Memory;
  readonly #loader: SegmentLoader | undefined;
  /** Files that the catalog does not name. */
  readonly #leftovers = new Set<string>();
  #removing: Promise<void> | undefined;

  /** Large segments are loaded by the loader as long as it is open. */
  constructor(disk: Disk, memory: Memory, loader?: SegmentLoader) {
    this.#disk = disk;
    this.#memory = memory;
    this.#loader = loader;
  }

  /**
   * Makes a new segment durable, with all documents living: its sequence numbers first, then its bytes.
   * `files` are those that the build thread has encoded; their memory is released.
   */
  async write(index: number, entry: SegmentEntry, files?: SegmentFiles): Promise<void> {
    const { meta, leaf } = entry;
    const numbers = files?.numbers ?? encodeNumbers(sequenceNumbers(leaf));
    await this.#writeFile(numbersName(index, meta.number), [numbers]);
    await this.#writeFile(livingName(index, meta), [numbers]);
    await this.#writeFile(segmentName(index, meta.number), files?.packed ?? (await packSegment(leaf.bytes)));
    if (files !== undefined) releaseBuffers([files.numbers, ...files.packed]);
  }

  async #writeNumbers(index: number, { meta, leaf }: SegmentEntry): Promise<void> {
    await this.#writeFile(numbersName(index, meta.number), [encodeNumbers(sequenceNumbers(leaf))]);
  }

  /** Writes the documents that the first `count` deaths leave. */
  async #writeLiving(index: number, { leaf }: SegmentEntry, meta: SegmentMeta, count: number): Promise<void> {
    const dead = new Uint32Array(wordsFor(leaf.docCount));
    for (let entry = 0; entry < count; entry++) setBit(dead, leaf.deaths.doc(entry));
    const numbers = new Float64Array(leaf.docCount);
    const turn = new Turn();
    let living = 0;
    for (let doc = 0; doc < leaf.docCount; doc++) {
      if ((doc & SLICE) === SLICE && turn.isOver()) await turn.next();
      if (!hasBit(dead, doc)) numbers[living++] = leaf.docs.seqNo(doc);
    }
    await this.#writeFile(livingName(index, meta), [encodeNumbers(numbers.subarray(0, living))]);
  }

  /**
   * The sequence numbers of living documents, as of the last checkpoint. 'missing' if an older Octavo did not
   * write them.
   */
  async living(index: number, meta: SegmentMeta): Promise<Float64Array | 'missing' | 'damaged'> {
    try {
      const bytes = await this.#readFile(livingName(index, meta));
      return decodeNumbers(bytes) ?? 'damaged';
    } catch (error) {
      return error instanceof DamagedSegment ? 'missing' : 'damaged';
    }
  }

  /** The sequence numbers of a segment; undefined if their file is damaged. */
  async numbers(index: number, meta: SegmentMeta): Promise<Float64Array | undefined> {
    const bytes = await this.#readFile(numbersName(index, meta.number)).catch(() => undefined);
    return bytes && decodeNumbers(bytes);
  }

  /** Copies a segment into an arena block and opens it. */
  adopt(meta: SegmentMeta, segment: SegmentBytes): SegmentEntry {
    const block = this.#memory.alloc(segment.byteLength);
    copySegment(segment, new Uint8Array(block.buffer, block.ptr, segment.byteLength));
    return this.openBlock(meta, block, segment.byteLength);
  }

  /** Opens a segment that lies in a block already. */
  openBlock(meta: SegmentMeta, block: Block, byteLength: number, options: SegmentOptions = {}): SegmentEntry {
    return { meta, leaf: openSegment(new Uint8Array(block.buffer, block.ptr, byteLength), options), block };
  }

  /**
   * Loads a segment with its deaths; its words stay packed (`leaf.words`). Throws `DamagedSegment` if a
   * checksum is wrong.
   */
  async load(index: number, meta: SegmentMeta): Promise<SegmentEntry> {
    const name = segmentName(index, meta.number);
    const entry = (await this.#loadByThread(meta, name)) ?? (await this.#loadHere(meta, name));
    await this.loadDeaths(index, entry);
    return entry;
  }

  /** Loads by a thread; undefined if there is none, or it failed. */
  async #loadByThread(meta: SegmentMeta, name: string): Promise<SegmentEntry | undefined> {
    const path = this.#disk.path?.(name);
    if (path === undefined || this.#loader?.takes(meta.bytes) !== true) return undefined;
    const block = this.#memory.alloc(meta.bytes);
    const into = new Uint8Array(block.buffer, block.ptr, meta.bytes);
    const loaded = await this.#loader.load({ path, into });
    try {
      if (loaded !== undefined) {
        const { file, left } = loaded;
        const packedTerms = new SegmentUnpacker(file, readPackedTable(file), into, left);
        return this.openBlock(meta, block, meta.bytes, { packedTerms });
      }
    } catch (error) {
      if (!(error instanceof SegmentDamagedError)) throw error;
    }
    this.#memory.free(block);
    return undefined;
  }

  async #loadHere(meta: SegmentMeta, name: string): Promise<SegmentEntry> {
    const file = await this.#readFile(name);
    return isPackedSegment(file)
      ? await this.#unpack(meta, file, name)
      : this.#openUnpacked(meta, file, name);
  }

  async #unpack(meta: SegmentMeta, file: Uint8Array, name: string): Promise<SegmentEntry> {
    let block: Block | undefined;
    try {
      const table = readPackedTable(file);
      const { byteLength } = table;
      if (byteLength !== meta.bytes)
        throw new SegmentDamagedError(`has ${byteLength} bytes instead of ${meta.bytes}`);
      block = this.#memory.alloc(byteLength);
      const packedTerms = new SegmentUnpacker(
        file,
        table,
        new Uint8Array(block.buffer, block.ptr, byteLength),
      );
      await packedTerms.unpackRest();
      return this.openBlock(meta, block, byteLength, { packedTerms });
    } catch (error) {
      if (block !== undefined) this.#memory.free(block);
      if (error instanceof SegmentDamagedError) throw new DamagedSegment(`${name}: ${error.message}`);
      throw error;
    }
  }

  /** Takes over an unpacked segment, as an older Octavo wrote it. */
  #openUnpacked(meta: SegmentMeta, bytes: Uint8Array, name: string): SegmentEntry {
    const findings = verifySegment(bytes);
    if (bytes.length !== meta.bytes) findings.push(`has ${bytes.length} bytes instead of ${meta.bytes}`);
    if (findings.length > 0) throw new DamagedSegment(`${name}: ${findings[0]}`);
    return this.adopt(meta, { byteLength: bytes.length, docCount: meta.docCount, parts: [bytes] });
  }

  /** Whether the side files of a sound segment are intact. */
  async areSideFilesIntact(index: number, meta: SegmentMeta): Promise<boolean> {
    const [numbers, living] = await Promise.all(
      [numbersName(index, meta.number), livingName(index, meta)].map((name) =>
        this.#readFile(name).then(decodeCount, () => undefined),
      ),
    );
    return numbers === meta.docCount && living === meta.docCount - meta.deathCount;
  }

  /** Writes damaged side files of a sound segment again. True if any was damaged. */
  async repairSideFiles(index: number, entry: SegmentEntry): Promise<boolean> {
    const { leaf, meta } = entry;
    const isSound = (await this.numbers(index, meta))?.length === leaf.docCount;
    if (!isSound) await this.#writeNumbers(index, entry);
    const living = await this.living(index, meta);
    const isWhole = typeof living !== 'string' && living.length === leaf.docCount - meta.deathCount;
    if (!isWhole) await this.#writeLiving(index, entry, meta, meta.deathCount);
    return !isSound || !(isWhole || living === 'missing');
  }

  /** Fills the death log of a segment from its file. */
  async loadDeaths(index: number, entry: SegmentEntry): Promise<void> {
    if (entry.meta.deaths === 0) return;
    const name = deathsName(index, entry.meta);
    decodeDeaths(await this.#readFile(name), entry.leaf, name);
  }

  /** Writes the deaths up to `commit` if there are new ones; returns the meta that names them. */
  async checkpointDeaths(index: number, entry: SegmentEntry, commit: number): Promise<SegmentMeta> {
    const { leaf, meta } = entry;
    const count = leaf.deaths.countAt(commit);
    if (count === meta.deathCount) return meta;
    const next: SegmentMeta = { ...meta, deaths: meta.deaths + 1, deathCount: count };
    await this.#writeFile(deathsName(index, next), [encodeDeaths(leaf, count)]);
    await this.#writeLiving(index, entry, next, count);
    return next;
  }

  async verify(index: number, meta: SegmentMeta): Promise<string[]> {
    try {
      const name = segmentName(index, meta.number);
      const file = await this.#readFile(name);
      const findings = (await verifyFile(file)).map((finding) => `${name}: ${finding}`);
      const length =
        findings.length === 0 && isPackedSegment(file) ? readPackedTable(file).byteLength : file.length;
      if (findings.length === 0 && length !== meta.bytes)
        findings.push(`${name}: has ${length} bytes instead of ${meta.bytes}`);
      if (meta.deaths > 0)
        checkDeaths(await this.#readFile(deathsName(index, meta)), deathsName(index, meta));
      if ((await this.numbers(index, meta))?.length !== meta.docCount)
        findings.push(`${numbersName(index, meta.number)}: its sequence numbers cannot be read`);
      const living = await this.living(index, meta);
      if (typeof living === 'string' || living.length !== meta.docCount - meta.deathCount)
        findings.push(`${livingName(index, meta)}: which documents live cannot be read`);
      return findings;
    } catch (error) {
      if (error instanceof DamagedSegment) return [error.message];
      throw error;
    }
  }

  /**
   * Finds files that the catalog does not name (a crash may leave them between write and commit). They stay until
   * `removeLeftovers`.
   */
  async findLeftovers(named: ReadonlyMap<number, readonly SegmentMeta[]>): Promise<void> {
    const keep = new Set<string>();
    for (const [index, metas] of named) {
      for (const meta of metas) {
        keep.add(segmentName(index, meta.number));
        keep.add(numbersName(index, meta.number));
        keep.add(livingName(index, meta));
        if (meta.deaths > 0) keep.add(deathsName(index, meta));
      }
    }
    for (const file of await this.#disk.list(FOLDER)) {
      const name = `${FOLDER}/${file}`;
      if (keep.has(name)) this.#leftovers.delete(name);
      else this.#leftovers.add(name);
    }
  }

  /** Removes the files that were found and not written again since. */
  async removeLeftovers(): Promise<void> {
    const names = [...this.#leftovers];
    this.#leftovers.clear();
    if (names.length === 0) return;
    this.#removing = (async () => {
      for (const name of names) await this.#disk.remove(name);
      await this.#disk.syncFolder(FOLDER);
    })();
    await this.#removing;
  }

  /** Removes the files of segments that the catalog does not name any more. */
  async remove(index: number, metas: readonly SegmentMeta[]): Promise<void> {
    for (const meta of metas) {
      await this.#disk.remove(segmentName(index, meta.number));
      await this.#disk.remove(numbersName(index, meta.number));
    }
    await this.removeDeaths(index, metas);
  }

  /** Removes the files of generations that the catalog does not name any more. */
  async removeDeaths(index: number, metas: readonly SegmentMeta[]): Promise<void> {
    for (const meta of metas) {
      if (meta.deaths > 0) await this.#disk.remove(deathsName(index, meta));
      await this.#disk.remove(livingName(index, meta));
    }
  }

  /** Names of the files of a segment: required ones, and side files, which older versions did not write. */
  files(index: number, meta: SegmentMeta): { needed: string[]; helpful: string[] } {
    return {
      needed: [segmentName(index, meta.number), ...(meta.deaths > 0 ? [deathsName(index, meta)] : [])],
      helpful: [numbersName(index, meta.number), livingName(index, meta)],
    };
  }

  /**
   * Compares the checksums of an open file of a segment. Yields after every step: what is wrong, or undefined.
   */
  *verifyOpen(file: DiskFile): Generator<string | undefined> {
    if (file.name.endsWith('.seg')) yield* verifyPieces(file);
    else {
      const bytes = new Uint8Array(file.size());
      file.readSync(bytes, 0);
      const isWhole = file.name.endsWith('.del') ? isDeathsFile(bytes) : decodeCount(bytes) !== undefined;
      yield isWhole ? undefined : 'checksum does not match';
    }
  }

  /** Renames the file: the next start rebuilds the segment from the log. */
  async invalidate(index: number, meta: SegmentMeta): Promise<void> {
    const name = segmentName(index, meta.number);
    await this.#disk.rename(name, `${name}.damaged`);
    await this.#disk.syncFolder(FOLDER);
  }

  release(entry: SegmentEntry): void {
    entry.leaf.packedTerms?.stop();
    this.#memory.free(entry.block);
  }

  async #readFile(name: string): Promise<Uint8Array> {
    try {
      return await this.#disk.read(name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new DamagedSegment(`${name}: the file is missing`);
      throw error;
    }
  }

  async #writeFile(name: string, parts: readonly Uint8Array[]): Promise<void> {
    const temporary = `${name}.tmp`;
    this.#leftovers.delete(name);
    this.#leftovers.delete(temporary);
    // It may be about to remove a file of this name.
    await this.#removing;
    const file = await this.#disk.open(temporary, { create: true }).catch((error: unknown) => {
      throw isDiskFull(error) ? new DiskFullError(temporary) : error;
    });
    try {
      await file.truncate(0);
      await writeWhole(file, parts);
      await syncOrFail(file);
    } catch (error) {
      // Free the space of a full disk at once: nothing names this file yet.
      if (error instanceof DiskFullError) await file.truncate(0);
      throw error;
    } finally {
      await file.close();
    }
    await this.#disk.rename(temporary, name);
    await this.#disk.syncFolder(FOLDER);
  }
}

async function writeWhole(file: DiskFile, parts: readonly Uint8Array[]): Promise<void> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const written = await file.write(parts, 0).catch((error: unknown) => {
    if (isDiskFull(error)) throw new DiskFullError(file.name);
    throw new DiskFailure(`writing ${file.name}`, error);
  });
  if (written !== length) throw new DiskFullError(file.name);
}

function sequenceNumbers({ docCount, docs }: SegmentLeaf): Float64Array {
  const numbers = new Float64Array(docCount);
  for (let doc = 0; doc < docCount; doc++) numbers[doc] = docs.seqNo(doc);
  return numbers;
}

function segmentName(index: number, segment: number): string {
  return `${FOLDER}/${index}-${segment}.seg`;
}

function numbersName(index: number, segment: number): string {
  return `${FOLDER}/${index}-${segment}.seq`;
}

function deathsName(index: number, meta: SegmentMeta): string {
  return `${FOLDER}/${index}-${meta.number}.${meta.deaths}.del`;
}

function livingName(index: number, meta: SegmentMeta): string {
  return `${FOLDER}/${index}-${meta.number}.${meta.deaths}.liv`;
}
