// The catalog of a data directory: small JSON documents by kind and name (indices, mappings, segments,
// settings), all in memory, changed in atomic groups. A change is durable when its commit resolves
// (manifest-format.ts); a mark beside the file tells how far it must reach (manifest-mark.ts). Why it is not a database: docs/decisions/2026-11-21-catalog-as-manifest-log.md.

import type { Disk, DiskFile } from '../disk/disk.ts';
import { codeOf, DiskFailure, DiskFullError, isOutOfRoom } from '../disk/failure.ts';
import type { JsonValue } from '../json/value.ts';
import { type CatalogChange, encodeChanges, encodeHead, ownCopy } from './manifest-format.ts';
import { ManifestMark, readMark } from './manifest-mark.ts';
import { type Manifest, readManifest, refuseLostEnd, repairManifest } from './read-manifest.ts';

/** The file of the catalog. */
export const MANIFEST_NAME = 'catalog/manifest';
const TEMPORARY = 'catalog/manifest.tmp';
const NONE: ReadonlyMap<string, JsonValue> = new Map();

/** Options of the catalog. */
interface CatalogOptions {
  /** The file is rewritten when it is this many times as long as its live documents. @default 4 */
  readonly growth?: number;
  /** ... and at least this long. @default 1 MiB */
  readonly minBytes?: number;
  /**
   * Frees some space of a full disk (`DocumentLog.releaseBallast`); false if there is none to free. Called
   * only for changes that remove something, so that an index can be deleted on a full disk. @default none
   */
  readonly makeRoom?: () => Promise<boolean>;
}

/** The catalog of a data directory. */
export class Catalog {
  readonly #disk: Disk;
  readonly #growth: number;
  readonly #minBytes: number;
  readonly #makeRoom: (() => Promise<boolean>) | undefined;
  readonly #mark: ManifestMark;
  readonly #kinds = new Map<string, Map<string, JsonValue>>();
  /** Undefined until `mend`. */
  #file: DiskFile | undefined;
  /** Number of the last line. */
  #number: number;
  #end: number;
  /** Length of the file when it was last rewritten. */
  #liveBytes: number;
  #failure: DiskFailure | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** The manifest found at the start; undefined if there is none. */
  #found: { readonly bytes: Uint8Array; readonly manifest: Manifest } | undefined;

  /**
   * Opens the catalog, making it where there is none. REQUIRES: the disk is locked. Rejects with
   * CatalogDamaged, on a later format version, and with what the disk rejects with.
   */
  static async open(disk: Disk, options: CatalogOptions = {}): Promise<Catalog> {
    const catalog = await Catalog.look(disk, options);
    await catalog.mend();
    return catalog;
  }

  /** Reads the catalog without changing anything; it can be committed to after `mend`. */
  static async look(disk: Disk, options: CatalogOptions = {}): Promise<Catalog> {
    const bytes = await readIfThere(disk);
    if (bytes === undefined) return new Catalog(disk, 0, 0, options);
    const manifest = readManifest(bytes, MANIFEST_NAME);
    refuseLostEnd(manifest, await readMark(disk), MANIFEST_NAME);
    const catalog = new Catalog(disk, manifest.number, manifest.end, options);
    catalog.#found = { bytes, manifest };
    catalog.#apply(manifest.changes);
    catalog.#liveBytes = catalog.#snapshot().reduce((sum, line) => sum + line.length, 0);
    return catalog;
  }

  /** Cuts a torn last line, or creates a missing manifest. To be called once, before the first commit. */
  async mend(): Promise<void> {
    if (this.#found === undefined) {
      this.#file = await writeFile(this.#disk, TEMPORARY, [encodeHead(0)]);
      await publish(this.#disk);
      this.#end = this.#file.size();
      this.#liveBytes = this.#end;
    } else {
      this.#file = await this.#disk.open(MANIFEST_NAME);
      await repairManifest(this.#file, this.#found.bytes, this.#found.manifest);
      this.#found = undefined;
    }
    await this.#mark.write(this.#number);
    await this.#disk.syncFolder('catalog');
  }

  private constructor(disk: Disk, number: number, end: number, options: CatalogOptions) {
    this.#disk = disk;
    this.#mark = new ManifestMark(disk);
    this.#number = number;
    this.#end = end;
    this.#liveBytes = end;
    this.#growth = options.growth ?? 4;
    this.#minBytes = options.minBytes ?? 1 << 20;
    this.#makeRoom = options.makeRoom;
  }

  /**
   * The document, which must not be changed. Its objects have null prototypes; integers beyond 2^53 are
   * bigints.
   */
  get(kind: string, name: string): JsonValue | undefined {
    return this.#kinds.get(kind)?.get(name);
  }

  /** All documents of a kind by name, in the order in which the names were first put. A live view. */
  list(kind: string): ReadonlyMap<string, JsonValue> {
    return this.#kinds.get(kind) ?? NONE;
  }

  /** All kinds that have or had documents. */
  kinds(): Iterable<string> {
    return this.#kinds.keys();
  }

  /**
   * Makes all changes or none. `get` sees them when they are durable, which is when this resolves. Removing a
   * missing document is no error; a document both put and removed is removed. Values are copied before the
   * call returns. Rejects with DiskFullError (nothing has changed) or DiskFailure (end the process).
   */
  commit(changes: readonly CatalogChange[]): Promise<void> {
    const own = changes.map(
      ({ put, remove }): CatalogChange => ({
        ...(put !== undefined && { put: [put[0], put[1], ownCopy(put[2])] }),
        ...(remove !== undefined && { remove: [remove[0], remove[1]] }),
      }),
    );
    const work = this.#queue.then(() => this.#commit(own));
    this.#queue = work.catch(() => {});
    return work;
  }

  /** The bytes of a manifest with the live documents only. O(live bytes). */
  image(): Uint8Array {
    return Buffer.concat(this.#snapshot());
  }

  /** Waits for commits and closes the file. */
  async close(): Promise<void> {
    await this.#queue;
    await this.#file?.close();
    await this.#mark.close();
  }

  async #commit(changes: readonly CatalogChange[]): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (changes.length === 0) return;
    try {
      const line = encodeChanges(this.#number + 1, changes);
      const mayMakeRoom = changes.some(({ remove }) => remove !== undefined);
      if (!(await this.#append(line)) && !(mayMakeRoom && (await this.#appendWithRoom(line))))
        throw new DiskFullError('a change of the catalog', undefined, line.length);
      this.#number++;
      this.#apply(changes);
      if (this.#end >= this.#minBytes && this.#end > this.#growth * this.#liveBytes) await this.#rewrite();
      await this.#mark.write(this.#number);
    } catch (error) {
      if (error instanceof DiskFullError) throw error;
      this.#failure = error instanceof DiskFailure ? error : new DiskFailure('writing the catalog', error);
      throw this.#failure;
    }
  }

  /** False if the disk is full; then nothing of the line is kept. */
  async #append(line: Uint8Array): Promise<boolean> {
    const file = this.#file;
    if (file === undefined) throw new Error('the catalog has not been mended yet');
    const written = await writeSome(file, line, this.#end);
    if (written < line.length) await file.truncate(this.#end);
    await file.sync();
    if (written < line.length) return false;
    this.#end += line.length;
    return true;
  }

  async #appendWithRoom(line: Uint8Array): Promise<boolean> {
    const made = await this.#makeRoom?.();
    return made === true && this.#append(line);
  }

  /** On a full disk the old file stays in use. */
  async #rewrite(): Promise<void> {
    const lines = this.#snapshot();
    let file: DiskFile;
    try {
      file = await writeFile(this.#disk, TEMPORARY, lines);
    } catch (error) {
      if (!(error instanceof DiskFullError)) throw error;
      this.#liveBytes *= 2; // tries again later
      return;
    }
    await publish(this.#disk);
    await this.#file?.close();
    this.#file = file;
    this.#number += lines.length - 1;
    this.#end = file.size();
    this.#liveBytes = this.#end;
  }

  /**
   * The live documents, one per line. Line numbers continue, so that old lines cannot be mistaken for new
   * ones.
   */
  #snapshot(): Uint8Array[] {
    const lines = [encodeHead(this.#number)];
    for (const [kind, documents] of this.#kinds)
      for (const [name, value] of documents)
        lines.push(encodeChanges(this.#number + lines.length, [{ put: [kind, name, value] }]));
    return lines;
  }

  #apply(changes: readonly CatalogChange[]): void {
    for (const { put } of changes) if (put !== undefined) this.#kind(put[0]).set(put[1], put[2]);
    for (const { remove } of changes) if (remove !== undefined) this.#kinds.get(remove[0])?.delete(remove[1]);
  }

  #kind(kind: string): Map<string, JsonValue> {
    let documents = this.#kinds.get(kind);
    if (documents === undefined) this.#kinds.set(kind, (documents = new Map()));
    return documents;
  }
}

async function readIfThere(disk: Disk): Promise<Uint8Array | undefined> {
  try {
    return await disk.read(MANIFEST_NAME);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes and syncs a new file and leaves it open. On a full disk it is removed and DiskFullError thrown. */
async function writeFile(disk: Disk, name: string, parts: readonly Uint8Array[]): Promise<DiskFile> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  let file: DiskFile;
  try {
    file = await disk.open(name, { create: true });
    // A crash may have left one.
    if (file.size() > 0) await file.truncate(0);
  } catch (error) {
    throw isOutOfRoom(error) ? new DiskFullError('a change of the catalog', error) : error;
  }
  if ((await writeSome(file, parts, 0)) === length) {
    await file.sync();
    return file;
  }
  await file.close();
  await disk.remove(name);
  throw new DiskFullError('a change of the catalog');
}

/** As `DiskFile.write`, but a full disk always shows as a short count. */
async function writeSome(
  file: DiskFile,
  parts: Uint8Array | readonly Uint8Array[],
  position: number,
): Promise<number> {
  try {
    return await file.write(parts instanceof Uint8Array ? [parts] : parts, position);
  } catch (error) {
    if (isOutOfRoom(error)) return 0;
    throw error;
  }
}

async function publish(disk: Disk): Promise<void> {
  await disk.rename(TEMPORARY, MANIFEST_NAME);
  await disk.syncFolder('catalog');
}
