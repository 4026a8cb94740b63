// A disk over another one that is only read: what is written stays in memory. It shows what an operation would
// do to a data directory, and which files it would change.

import type { Disk, DiskFile } from './disk.ts';
import { codeOf, SystemError } from './failure.ts';
import { checkName, checkRename } from './file-name.ts';

/** A file in memory. */
interface MemoryFile {
  bytes: Uint8Array;
  size: number;
}

/** The overlay. The disk below must not change while it is used. */
export class OverlayDisk implements Disk {
  readonly #below: Disk;
  /** Files that were written or created; undefined for removed ones. */
  readonly #files = new Map<string, MemoryFile | undefined>();
  /** Files of the disk below whose bytes differ from here, or which are gone. */
  readonly #changed = new Set<string>();

  constructor(below: Disk) {
    this.#below = below;
  }

  /** Names of the files of the disk below that were changed or removed. */
  get changed(): string[] {
    return [...this.#changed].sort();
  }

  async open(name: string, options: { create?: boolean } = {}): Promise<DiskFile> {
    checkName(name);
    const known = this.#files.get(name);
    if (known !== undefined) return this.#file(name, known);
    if (!this.#files.has(name)) {
      try {
        return this.#file(name, undefined, await this.#below.open(name));
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
      }
    }
    if (options.create !== true) throw missing('open', name);
    const made: MemoryFile = { bytes: new Uint8Array(0), size: 0 };
    this.#files.set(name, made);
    return this.#file(name, made);
  }

  async read(name: string): Promise<Uint8Array> {
    const known = this.#files.get(name);
    if (known !== undefined) return known.bytes.slice(0, known.size);
    if (this.#files.has(name)) throw missing('open', name);
    return this.#below.read(name);
  }

  async rename(from: string, to: string): Promise<void> {
    checkRename(from, to);
    const bytes = await this.read(from);
    if (await this.#isBelow(to)) this.#changed.add(to);
    await this.remove(from);
    this.#files.set(to, { bytes, size: bytes.length });
  }

  async remove(name: string): Promise<void> {
    if (await this.#isBelow(name)) this.#changed.add(name);
    else if (this.#files.get(name) === undefined) throw missing('unlink', name);
    this.#files.set(name, undefined);
  }

  async list(folder: string): Promise<string[]> {
    const prefix = folder === '' ? '' : `${folder}/`;
    const names = new Set(await this.#below.list(folder));
    for (const [path, file] of this.#files) {
      const name = path.slice(prefix.length);
      if (!path.startsWith(prefix) || name.includes('/')) continue;
      if (file === undefined) names.delete(name);
      else names.add(name);
    }
    return [...names];
  }

  async syncFolder(): Promise<void> {}

  async lock(): Promise<() => Promise<void>> {
    return async () => {};
  }

  async #isBelow(name: string): Promise<boolean> {
    if (this.#changed.has(name)) return true;
    const slash = name.lastIndexOf('/');
    return (await this.#below.list(name.slice(0, Math.max(0, slash)))).includes(name.slice(slash + 1));
  }

  /** A file in memory, or one of the disk below, which comes to memory when it is first written to. */
  #file(name: string, known: MemoryFile | undefined, below?: DiskFile): DiskFile {
    let memory = known;
    const owned = (): MemoryFile => {
      memory ??= this.#files.get(name);
      if (memory !== undefined) return memory;
      const bytes = new Uint8Array(below!.size());
      below!.readSync(bytes, 0);
      memory = { bytes, size: bytes.length };
      this.#files.set(name, memory);
      this.#changed.add(name);
      return memory;
    };
    const current = (): MemoryFile | undefined => memory ?? (below && this.#files.get(name));
    const write = async (parts: readonly Uint8Array[], position: number): Promise<number> => {
      const file = owned();
      let at = position;
      for (const part of parts) {
        reserve(file, at + part.length);
        file.bytes.set(part, at);
        at += part.length;
      }
      return at - position;
    };
    return {
      name,
      size: () => current()?.size ?? below!.size(),
      write,
      writeThrough: write,
      sync: async () => {},
      readSync(into, position) {
        const file = current();
        if (file === undefined) return below!.readSync(into, position);
        const found = file.bytes.subarray(position, Math.min(file.size, position + into.length));
        into.set(found);
        return found.length;
      },
      async truncate(length) {
        const file = owned();
        reserve(file, length);
        file.bytes.fill(0, length, file.size);
        file.size = length;
      },
      close: async () => below?.close(),
    };
  }
}

/** Makes a file at least so long; new bytes are zeros. */
function reserve(file: MemoryFile, size: number): void {
  if (size > file.bytes.length) {
    const larger = new Uint8Array(Math.max(size, file.bytes.length * 2));
    larger.set(file.bytes.subarray(0, file.size));
    file.bytes = larger;
  }
  file.size = Math.max(file.size, size);
}

function missing(operation: string, name: string): SystemError {
  return new SystemError('ENOENT', 'no such file or directory', operation, name);
}
