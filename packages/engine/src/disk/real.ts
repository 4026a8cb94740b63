// The disk driver on node:fs. Writes and syncs run on the thread pool of Node, reads in place. Short appends
// also run in place while the disk answers faster than a thread wakes up (sync-write-policy.ts) and no
// searches are running.

import { close, constants, fsync, open as openDescriptor, writev, writevSync } from 'node:fs';
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  stat,
  unlink,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isSearching } from '../turn.ts';
import type { Disk, DiskFile } from './disk.ts';
import { codeOf, isOutOfRoom, SystemError, syncOrFail } from './failure.ts';
import { checkName, checkRename, folderOf } from './file-name.ts';
import { lockFolder } from './lock.ts';
import { readDescriptor } from './read-descriptor.ts';
import { SyncWritePolicy } from './sync-write-policy.ts';

/** Linux takes at most 1,024 parts and 2 GiB less a page per call. */
const PARTS_MAX = 1_024;
const BYTES_MAX = 1 << 30;

/** Data is for the user of the server only, whatever its umask is. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Only Linux has a reliable O_DSYNC. macOS needs its own full sync, Windows has no such flag. */
const WRITES_THROUGH = process.platform === 'linux';

const openPromised = promisify(openDescriptor) as (path: string, flags: number) => Promise<number>;
const closePromised = promisify(close);
const fsyncPromised = promisify(fsync);

/** Returns the bytes written. A call with a callback costs half as much as one of a FileHandle. */
function writePromised(descriptor: number, parts: readonly Uint8Array[], position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const taken = parts as Uint8Array[];
    writev(descriptor, taken, position, (error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

/** A data directory in the file system. */
export interface RealDisk extends Disk {
  /** Absolute path, links resolved. */
  readonly folder: string;
}

/** Opens a data directory; a missing one is created durably. Does not lock it. */
export async function openDisk(dir: string): Promise<RealDisk> {
  const made = await makeFolders(resolve(dir));
  const folder = await realpath(dir);
  if (made !== undefined) {
    const above = dirname(await realpath(made));
    for (let at = folder; at !== above; ) {
      at = dirname(at);
      await syncPath(at);
    }
  }
  return new FolderDisk(folder);
}

/**
 * Creates a folder and its parents, and returns the topmost one created. One at a time: on file systems that
 * take no folders (/proc), Node's recursive mkdir loops for ever.
 */
async function makeFolders(dir: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (let at = dir; !(await isFolder(at)); at = dirname(at)) missing.push(at);
  for (const folder of missing.toReversed()) {
    await mkdir(folder, FOLDER_MODE).catch((error: unknown) => {
      // Another process may have made it meanwhile.
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  }
  return missing.at(-1);
}

/** Rejects with ENOTDIR if a file has the name. */
async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  if (found !== undefined && !found.isDirectory())
    throw new SystemError('ENOTDIR', 'not a directory', 'mkdir', path);
  return found !== undefined;
}

class FolderDisk implements RealDisk {
  readonly folder: string;
  /** Descriptors of folders, by name: `syncFolder` must not fail for lack of one. */
  readonly #folders = new Map<string, Promise<number>>();
  readonly #writePolicy = new SyncWritePolicy();

  constructor(folder: string) {
    this.folder = folder;
  }

  async open(name: string, options: { create?: boolean } = {}): Promise<DiskFile> {
    const path = this.#path(name);
    let handle: FileHandle;
    try {
      handle = await open(path, 'r+');
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || options.create !== true) throw error;
      await mkdir(this.#path(folderOf(name)), { recursive: true, mode: FOLDER_MODE });
      await this.#openFolders(folderOf(name));
      handle = await open(path, constants.O_RDWR | constants.O_CREAT, FILE_MODE);
    }
    const { size } = await handle.stat();
    return new OpenFile(name, path, handle, size, this.#writePolicy);
  }

  path(name: string): string {
    return this.#path(name);
  }

  async read(name: string): Promise<Uint8Array> {
    return readFile(this.#path(name));
  }

  async rename(from: string, to: string): Promise<void> {
    checkRename(from, to);
    await rename(this.#path(from), this.#path(to));
  }

  async remove(name: string): Promise<void> {
    await unlink(this.#path(name));
  }

  async list(folder: string): Promise<string[]> {
    try {
      const entries = await readdir(this.#path(folder), { withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  /** Syncs the folder and its parents, which may have been created with it. */
  async syncFolder(folder: string): Promise<void> {
    for (const descriptor of await this.#openFolders(folder)) await fsyncPromised(descriptor);
  }

  async lock(): Promise<() => Promise<void>> {
    const release = lockFolder(this.folder);
    return async () => {
      const folders = [...this.#folders.values()];
      this.#folders.clear();
      for (const folder of folders) await closePromised(await folder);
      release();
    };
  }

  /** Descriptors of a folder and its parents, opened once. Windows cannot open a folder; NTFS journals its entries. */
  async #openFolders(folder: string): Promise<number[]> {
    if (process.platform === 'win32') return [];
    const descriptors: number[] = [];
    for (let name = folder; ; name = folderOf(name)) {
      let opening = this.#folders.get(name);
      if (opening === undefined) {
        opening = openPromised(this.#path(name), constants.O_RDONLY);
        this.#folders.set(name, opening);
        opening.catch(() => this.#folders.delete(name));
      }
      descriptors.push(await opening);
      if (name === '') return descriptors;
    }
  }

  #path(name: string): string {
    return name === '' ? this.folder : join(this.folder, checkName(name));
  }
}

async function syncPath(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // cannot open a folder; NTFS journals its entries
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

class OpenFile implements DiskFile {
  readonly name: string;
  readonly #path: string;
  readonly #handle: FileHandle;
  /** Descriptor of the same file opened with O_DSYNC; -1 until first used. */
  #through = -1;
  #size: number;
  readonly #writePolicy: SyncWritePolicy;

  constructor(name: string, path: string, handle: FileHandle, size: number, writePolicy: SyncWritePolicy) {
    this.name = name;
    this.#writePolicy = writePolicy;
    this.#path = path;
    this.#handle = handle;
    this.#size = size;
  }

  size(): number {
    return this.#size;
  }

  write(parts: readonly Uint8Array[], position: number): Promise<number> {
    return this.#write(this.#handle.fd, parts, position);
  }

  async writeThrough(parts: readonly Uint8Array[], position: number): Promise<number> {
    if (WRITES_THROUGH) {
      if (this.#through < 0)
        this.#through = await openPromised(this.#path, constants.O_RDWR | constants.O_DSYNC);
      return this.#appendThrough(this.#through, parts, position);
    }
    const written = await this.write(parts, position);
    if (written === lengthOf(parts)) await syncOrFail(this);
    return written;
  }

  /** Writes in place if that is faster, but never while searches run: they must not wait for the disk. */
  async #appendThrough(descriptor: number, parts: readonly Uint8Array[], position: number): Promise<number> {
    const policy = this.#writePolicy;
    const length = lengthOf(parts);
    const begun = performance.now();
    if (length === 0 || parts.length > PARTS_MAX || !policy.writesInPlace(length) || isSearching()) {
      const written = await this.#write(descriptor, parts, position);
      policy.recordByThread(length, performance.now() - begun);
      return written;
    }
    const count = writevSync(descriptor, parts as Uint8Array[], position);
    policy.recordInPlace(performance.now() - begun);
    this.#size = Math.max(this.#size, position + count);
    return count === length || count === 0 ? count : this.#writeRest(descriptor, parts, position, count);
  }

  /** Fast path: most writes are a few parts, which the system takes in one call. */
  async #write(descriptor: number, parts: readonly Uint8Array[], position: number): Promise<number> {
    const length = lengthOf(parts);
    if (length === 0 || length > BYTES_MAX || parts.length > PARTS_MAX)
      return this.#writeRest(descriptor, parts, position, 0);
    const count = await writePromised(descriptor, parts, position);
    this.#size = Math.max(this.#size, position + count);
    if (count === length || count === 0) return count;
    return this.#writeRest(descriptor, parts, position, count);
  }

  /**
   * The system may take less than offered for harmless reasons (2 GiB per call), so the rest is offered
   * again.
   */
  async #writeRest(
    descriptor: number,
    parts: readonly Uint8Array[],
    position: number,
    from: number,
  ): Promise<number> {
    let written = from;
    let rest = dropBytes(
      parts.filter((part) => part.length > 0),
      from,
    );
    while (rest.length > 0) {
      const now = firstParts(rest);
      let count = 0;
      try {
        count = await writePromised(descriptor, now, position + written);
      } catch (error) {
        if (written > 0 && isOutOfRoom(error)) break;
        throw error;
      }
      if (count === 0) break;
      written += count;
      this.#size = Math.max(this.#size, position + written);
      rest = dropBytes(rest, count);
    }
    return written;
  }

  async sync(): Promise<void> {
    await this.#handle.datasync();
  }

  get descriptor(): number {
    return this.#handle.fd;
  }

  readSync(into: Uint8Array, position: number): number {
    return readDescriptor(this.#handle.fd, into, position);
  }

  async truncate(length: number): Promise<void> {
    await this.#handle.truncate(length);
    this.#size = length;
  }

  async close(): Promise<void> {
    if (this.#through >= 0) await closePromised(this.#through);
    this.#through = -1;
    await this.#handle.close();
  }
}

function lengthOf(parts: readonly Uint8Array[]): number {
  let sum = 0;
  for (const part of parts) sum += part.length;
  return sum;
}

/** As many parts as one call takes. */
function firstParts(parts: readonly Uint8Array[]): Uint8Array[] {
  const taken: Uint8Array[] = [];
  let bytes = 0;
  for (const part of parts) {
    if (taken.length === PARTS_MAX || bytes === BYTES_MAX) break;
    const piece = part.subarray(0, BYTES_MAX - bytes);
    taken.push(piece);
    bytes += piece.length;
  }
  return taken;
}

/** The parts without their first `count` bytes. */
function dropBytes(parts: readonly Uint8Array[], count: number): Uint8Array[] {
  let at = 0;
  let left = count;
  while (at < parts.length && left >= parts[at]!.length) left -= parts[at++]!.length;
  const rest = parts.slice(at);
  if (left > 0) rest[0] = rest[0]!.subarray(left);
  return rest;
}
