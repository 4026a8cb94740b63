// A chunk file in stretches: format version 2 and later. A read finds the units it needs in a map and unpacks no more of them than
// asked; an append becomes one stretch, preceded by its vocabulary if the file does not have it twice.

import { crc32 } from 'node:zlib';
import type { DiskFile } from '../../disk/disk.ts';
import { DiskFullError, isOutOfRoom } from '../../disk/failure.ts';
import { CHUNK_HEADER } from '../format/format.ts';
import { type PackedUnits, UNIT } from '../packed/word-packing.ts';
import type { ChunkFile } from './chunk-file.ts';
import type { Packer, PendingPack } from './packer.ts';
import { findTrailingZeros, Preallocation } from './preallocation.ts';
import { type DamagedRange, readStretch } from './read-stretch.ts';
import { encodeStretch, type FileStretch, stretchEnd, type UnitTable } from './stretch.ts';
import { StretchMap } from './stretch-map.ts';
import type { Vocabularies } from './vocabularies.ts';
import { type FileRange, walkStretches } from './walk-stretches.ts';

/** Copies of the words in a file: without them nothing that is packed can be read. */
const COPIES = 2;

/** A stretch to write. */
interface NewStretch {
  readonly stretch: FileStretch;
  readonly table: UnitTable;
  readonly parts: readonly Uint8Array[];
  /** Its packed units, to be recycled once it is written. */
  readonly units?: PackedUnits;
}

const NONE = new Uint32Array(0);
const NO_UNITS: UnitTable = { ends: NONE, sums: NONE };
const ONE = new Uint8Array(1);

/** A chunk file of format version 2 or later. */
export class PackedFile implements ChunkFile {
  readonly version: number;
  readonly #file: DiskFile;
  readonly #chunk: number;
  readonly #vocabularies: Vocabularies;
  readonly #packer: Packer | undefined;
  readonly #preallocation: Preallocation;
  #map: StretchMap | undefined;
  /** Bytes of the file whose stretches are in the map. */
  #seen: number | undefined;
  #strays: FileRange[] = [];
  /** Whether this chunk was used as a sample. */
  #isSampled = false;

  /** Without a packer the file is only read, and may grow by appends of another thread. */
  constructor(file: DiskFile, chunk: number, version: number, vocabularies: Vocabularies, packer?: Packer) {
    this.#file = file;
    this.#chunk = chunk;
    this.version = version;
    this.#vocabularies = vocabularies;
    this.#packer = packer;
    this.#preallocation = new Preallocation(file, packer?.preallocated ?? 0);
  }

  get isSummed(): boolean {
    return this.version >= 3;
  }

  get name(): string {
    return this.#file.name;
  }

  get descriptor(): number | undefined {
    return this.#file.descriptor;
  }

  size(): number {
    const map = this.#loaded();
    return Math.max(map.size, Math.min(this.#file.size(), CHUNK_HEADER));
  }

  get strayEnd(): number {
    const { end } = this.#loaded();
    return Math.max(0, this.#file.size() - end - this.#preallocation.zerosBehind(end));
  }

  get allStrays(): readonly FileRange[] {
    this.#loaded();
    return this.#strays;
  }

  storedBytes(end: number): number {
    // A file whose stretches were not read yet is not written to either.
    if (this.#map === undefined) return this.#file.size();
    const last = this.#map.find(end - 1);
    return last < 0 ? Math.min(end, CHUNK_HEADER) : this.#map.fileEnd(last);
  }

  /** The vocabulary of the last stretch. */
  words(): Uint8Array | undefined {
    const map = this.#loaded();
    const crc = map.count === 0 ? 0 : map.vocabularyOf(map.count - 1);
    return crc === 0 ? undefined : this.#read(map, crc);
  }

  readSync(into: Uint8Array, position: number, damaged: DamagedRange[] = []): number {
    const map = this.#loaded();
    const end = Math.min(position + into.length, this.size());
    if (end <= position) return 0;
    let at = position;
    if (at < CHUNK_HEADER) {
      const stop = Math.min(end, CHUNK_HEADER);
      fill(this.#file, into.subarray(0, stop - at), at);
      at = stop;
    }
    for (let i = map.find(at); at < end; i++) {
      const next = i + 1 < map.count ? Math.min(end, map.startOf(i + 1)) : end;
      const stop = i < 0 ? at : Math.max(at, Math.min(next, map.stopOf(i)));
      if (stop > at) {
        const crc = map.vocabularyOf(i);
        const packing = crc === 0 ? undefined : this.#vocabularies.packing(crc, () => this.#read(map, crc));
        readStretch(this.#file, map, i, packing, into.subarray(at - position, stop - position), at, damaged);
      }
      if (next > stop) {
        // The stretch that was here cannot be found.
        into.fill(0, stop - position, next - position);
        damaged.push({
          ...{ place: i < 0 ? CHUNK_HEADER : map.fileEnd(i), length: next - stop },
          ...{ offset: stop, bytes: next - stop },
        });
      }
      at = Math.max(at, next);
    }
    return end - position;
  }

  adoptPreallocated(): number {
    const { end } = this.#loaded();
    const size = this.#file.size();
    if (size <= end) return 0;
    const start = findTrailingZeros(this.#file, end, size);
    this.#preallocation.adopt(start, size);
    // The last stray range found by the walk reaches to the end of the file.
    this.#strays.pop();
    if (start > end) this.#strays.push({ place: end, length: start - end });
    return size - start;
  }

  async cutPreallocated(): Promise<void> {
    await this.#preallocation.settle();
    const { end } = this.#loaded();
    if (this.#preallocation.zerosBehind(end) === 0) return;
    await this.#file.truncate(end);
    this.#preallocation.forget();
    await this.#file.sync();
  }

  write(parts: readonly Uint8Array[], position: number): Promise<number> {
    return this.#write(parts, position, (pieces, place) => this.#file.write(pieces, place));
  }

  writeThrough(
    parts: readonly Uint8Array[],
    position: number,
    packs = true,
    pending?: PendingPack,
  ): Promise<number> {
    const write = async (pieces: readonly Uint8Array[], place: number): Promise<number> => {
      const bytes = lengthOf(pieces);
      const zeros = this.#preallocation.waitBefore(place + bytes);
      if (zeros !== undefined) await zeros;
      const written = await this.#file.writeThrough(pieces, place);
      if (written === bytes) this.#preallocation.recordAppend(bytes, place + bytes);
      return written;
    };
    return this.#write(parts, position, write, packs, pending);
  }

  async rewriteFrom(start: number): Promise<boolean> {
    const map = this.#loaded();
    const last = map.find(start - 1);
    const from = start === 0 ? 0 : last < 0 ? CHUNK_HEADER : map.fileEnd(last);
    // If the file ends inside a stretch, the missing bytes are written as zeros, as they are read.
    const end = Math.max(this.#file.size(), map.end);
    const bytes = new Uint8Array(end - from);
    fill(this.#file, bytes, from);
    if ((await this.#file.write([bytes], from)) < bytes.length) return false;
    // Write one byte more and cut it: after a failed sync the system may never write the length of the file
    // by itself.
    const more = await this.#file.write([ONE], end).catch((error: unknown) => {
      // On a full disk the file already has its length.
      if (!isOutOfRoom(error)) throw error;
      return 0;
    });
    if (more > 0) await this.#file.truncate(end);
    return true;
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  /**
   * Cuts the chunk. A cut inside an append writes the rest of that append again behind it, as a stretch that
   * replaces it, so the rest is readable at any moment. Throws DiskFullError.
   */
  async truncate(length: number): Promise<void> {
    await this.#preallocation.settle();
    const map = this.#loaded();
    this.#strays = [];
    this.#preallocation.forget();
    const last = map.find(length - 1);
    if (last < 0 || length <= CHUNK_HEADER) {
      await this.#file.truncate(Math.min(length, map.truncate(0)));
    } else if (map.stopOf(last) <= length) {
      await this.#file.truncate(map.truncate(length));
    } else {
      const start = map.startOf(last);
      const left = new Uint8Array(length - start);
      this.readSync(left, start);
      if (this.#file.size() > map.end) await this.#file.truncate(map.end);
      const stretches = this.#raw([left], left.length, start, map.end);
      if ((await this.#file.write(stretches.parts, map.end)) < stretchEnd(stretches.stretch) - map.end)
        throw new DiskFullError(`writing the end of ${this.name} once more`);
      map.add(stretches.stretch, stretches.table);
    }
  }

  async close(): Promise<void> {
    await this.cutPreallocated();
    await this.#file.close();
  }

  async #write(
    parts: readonly Uint8Array[],
    position: number,
    write: (parts: readonly Uint8Array[], place: number) => Promise<number>,
    packs = true,
    pending?: PendingPack,
  ): Promise<number> {
    const map = this.#loaded();
    const header = position === 0 ? parts.slice(0, 1) : [];
    const rest = parts.slice(header.length);
    const start = position + lengthOf(header);
    if (header.length > 0 && start !== CHUNK_HEADER)
      throw new Error('the header of a chunk is written as one part');
    const length = lengthOf(rest);
    if (length > 0 && (start !== Math.max(map.size, CHUNK_HEADER) || this.strayEnd > 0))
      throw new Error(`${this.name} is written to at ${start}, which is not its end`);
    const stretches =
      length === 0
        ? []
        : await this.#encodeStretches(
            packs ? (pending ?? this.#pack(rest, length)) : undefined,
            rest,
            length,
            start,
          );
    const pieces = [...header];
    for (const { parts } of stretches) for (const part of parts) pieces.push(part);
    if ((await write(pieces, position === 0 ? 0 : map.end)) < lengthOf(pieces)) return 0;
    for (const { stretch, table, units } of stretches) {
      map.add(stretch, table);
      if (units !== undefined) this.#packer!.recycle(units);
    }
    if (packs) this.#learn(length);
    return lengthOf(header) + length;
  }

  #pack(parts: readonly Uint8Array[], length: number): PendingPack | undefined {
    const words = this.#packer?.vocabularyFor(length);
    return words && { words, result: this.#packer!.pack(words, parts, length) };
  }

  /** Encodes bytes of the chunk as stretches behind the last one. */
  async #encodeStretches(
    packing: PendingPack | undefined,
    parts: readonly Uint8Array[],
    length: number,
    start: number,
  ): Promise<NewStretch[]> {
    const map = this.#loaded();
    const units = packing && (await packing.result);
    if (units === undefined) return [this.#raw(parts, length, start, map.end)];
    const { words } = packing!;
    const stretches: NewStretch[] = [];
    let place = map.end;
    if (map.vocabularies.filter(({ crc }) => crc === words.crc).length < COPIES) {
      stretches.push(this.#words(words, start, place));
      place = stretchEnd(stretches[0]!.stretch);
    }
    const { packed, ends } = units;
    const stretch: FileStretch = {
      ...{ kind: 'packed', place, chunk: this.#chunk, start, length, payload: packed.length },
      ...{ vocabulary: words.crc, isSummed: this.isSummed },
    };
    const sums = this.isSummed ? sumPacked(packed, ends) : NONE;
    const head = encodeStretch(stretch, { ends, sums });
    stretches.push({
      stretch,
      table: { ends: ends.map((end) => place + head.length + end), sums },
      parts: [head, packed],
      units,
    });
    return stretches;
  }

  #raw(parts: readonly Uint8Array[], length: number, start: number, place: number): NewStretch {
    const stretch: FileStretch = {
      ...{ kind: 'raw', place, chunk: this.#chunk, start, length, payload: length },
      ...{ vocabulary: 0, isSummed: this.isSummed },
    };
    const table = { ends: NONE, sums: this.isSummed ? sumRaw(parts, length) : NONE };
    return { stretch, table, parts: [encodeStretch(stretch, table), ...parts] };
  }

  #words({ crc, bytes }: PendingPack['words'], start: number, place: number): NewStretch {
    const stretch: FileStretch = {
      ...{ kind: 'vocabulary', place, chunk: this.#chunk, start, length: 0, payload: bytes.length },
      ...{ vocabulary: crc, isSummed: this.isSummed },
    };
    return { stretch, table: NO_UNITS, parts: [encodeStretch(stretch, NO_UNITS), bytes] };
  }

  /** Learns words once the chunk is large enough for a sample and an append was large enough to be packed. */
  #learn(length: number): void {
    const packer = this.#packer;
    if (packer === undefined || this.#isSampled || !packer.shouldLearn(length)) return;
    if (this.size() < CHUNK_HEADER + packer.sampleBytes) return;
    this.#isSampled = true;
    const sample = new Uint8Array(packer.sampleBytes);
    this.readSync(sample, CHUNK_HEADER);
    packer.learn(sample);
  }

  /** The map of the file, read on first use. */
  #loaded(): StretchMap {
    const map = (this.#map ??= new StretchMap(CHUNK_HEADER));
    if (this.#seen === undefined || (this.#packer === undefined && this.#file.size() > this.#seen)) {
      this.#seen = this.#file.size();
      this.#strays.push(...walkStretches(this.#file, this.#chunk, map, this.#seen));
    }
    return map;
  }

  /** The vocabulary with this checksum, from the first intact copy. */
  #read(map: StretchMap, wanted: number): Uint8Array | undefined {
    for (const { crc, place, length } of map.vocabularies) {
      if (crc !== wanted) continue;
      const bytes = new Uint8Array(length);
      if (this.#file.readSync(bytes, place) === length && crc32(bytes) === wanted) return bytes;
    }
    return undefined;
  }
}

/** The checksums of packed units. */
function sumPacked(packed: Uint8Array, ends: Uint32Array): Uint32Array {
  return ends.map((end, unit) => crc32(packed.subarray(unit === 0 ? 0 : ends[unit - 1], end)));
}

/** The checksums of units of raw bytes, which may begin in one part and end in another. */
function sumRaw(parts: readonly Uint8Array[], length: number): Uint32Array {
  const sums = new Uint32Array(Math.ceil(length / UNIT));
  let at = 0;
  for (const part of parts) {
    for (let from = 0; from < part.length; ) {
      const unit = Math.floor(at / UNIT);
      const end = Math.min(part.length, from + (unit + 1) * UNIT - at);
      sums[unit] = crc32(part.subarray(from, end), sums[unit]);
      at += end - from;
      from = end;
    }
  }
  return sums;
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/** Reads; bytes behind the end of the file are zeros. */
function fill(file: Pick<DiskFile, 'readSync'>, into: Uint8Array, position: number): void {
  into.fill(0, file.readSync(into, position));
}
