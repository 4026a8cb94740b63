// Opens the file of a chunk in its format version: plain (1), or in stretches (from 2 on).

import type { DiskFile } from '../../disk/disk.ts';
import type { ChunkFile } from './chunk-file.ts';
import { PackedFile } from './packed-file.ts';
import type { Packer } from './packer.ts';
import type { Vocabularies } from './vocabularies.ts';
import type { FileRange } from './walk-stretches.ts';

/** The file of a chunk. `packer` packs appends; without one the file is only read. */
export function openChunkFile(
  file: DiskFile,
  number: number,
  version: number,
  vocabularies: Vocabularies,
  packer?: Packer,
): ChunkFile {
  return version === 1 ? new PlainFile(file) : new PackedFile(file, number, version, vocabularies, packer);
}

/** A file of format version 1: the bytes of the chunk as they are. */
class PlainFile implements ChunkFile {
  readonly version = 1;
  readonly isSummed = false;
  readonly strayEnd = 0;
  readonly allStrays: readonly FileRange[] = [];
  readonly #file: DiskFile;

  constructor(file: DiskFile) {
    this.#file = file;
  }

  get name(): string {
    return this.#file.name;
  }

  get descriptor(): number | undefined {
    return this.#file.descriptor;
  }

  size(): number {
    return this.#file.size();
  }

  storedBytes(end: number): number {
    return Math.min(end, this.size());
  }

  adoptPreallocated(): number {
    return 0;
  }

  async cutPreallocated(): Promise<void> {}

  write(parts: readonly Uint8Array[], position: number): Promise<number> {
    return this.#file.write(parts, position);
  }

  writeThrough(parts: readonly Uint8Array[], position: number): Promise<number> {
    return this.#file.writeThrough(parts, position);
  }

  async rewriteFrom(start: number): Promise<boolean> {
    const last = new Uint8Array(this.size() - start);
    this.readSync(last, start);
    return (await this.#file.write([last], start)) === last.length;
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  readSync(into: Uint8Array, position: number): number {
    return this.#file.readSync(into, position);
  }

  truncate(length: number): Promise<void> {
    return this.#file.truncate(length);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
