// How is a chunk read from and written to a file whose stretches are packed? Reads find the units that they need, and
// unpack no more of them; a write becomes one stretch, with the words that it is packed with where the file has none yet.

import { crc32 } from 'node:zlib';
import type { DiskFile } from '../../disk/disk.ts';
import { DiskFullError, isDiskFull } from '../../disk/failure.ts';
import { CHUNK_HEADER } from '../format/format.ts';
import type { ChunkFile } from './chunk-file.ts';
import type { Packed } from './codec.ts';
import type { Packer, PendingPack } from './packer.ts';
import { findTrailingZeros, Preallocation } from './preallocation.ts';
import { readStretch } from './read-stretch.ts';
import { encodeStretch, type FileStretch, stretchEnd } from './stretch.ts';
import { StretchMap } from './stretch-map.ts';
import type { Vocabularies } from './vocabularies.ts';
import { type StrayBytes, walkStretches } from './walk-stretches.ts';

/** Of the words, in case one is damaged: without them nothing that is packed can be read. */
const COPIES = 2;

/** A stretch to be written. */
interface Laid {
  readonly stretch: FileStretch;
  readonly ends: Uint32Array;
  readonly parts: readonly Uint8Array[];
  /** What of it was packed, until it is written. */
  readonly made?: Packed;
}

const NONE = new Uint32Array(0);
const ONE = new Uint8Array(1);

/** A chunk file of format version 2. */
export class PackedFile implements ChunkFile {
  readonly version = 2;
  readonly #file: DiskFile;
  readonly #chunk: number;
  readonly #vocabularies: Vocabularies;
  readonly #packer: Packer | undefined;
  readonly #ahead: Preallocation;
  #map: StretchMap | undefined;
  /** Bytes of the file whose stretches are known. */
  #seen: number | undefined;
  #strays: StrayBytes[] = [];
  /** Words were learnt from this chunk, or there were none to learn. */
  #isLearnt = false;

  /** Without a packer it is only read, and may grow by what others write. */
  constructor(file: DiskFile, chunk: number, vocabularies: Vocabularies, packer?: Packer) {
    this.#file = file;
    this.#chunk = chunk;
    this.#vocabularies = vocabularies;
    this.#packer = packer;
    this.#ahead = new Preallocation(file, packer?.preallocated ?? 0);
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
    return Math.max(0, this.#file.size() - end - this.#ahead.zerosBehind(end));
  }

  get allStrays(): readonly StrayBytes[] {
    this.#loaded();
    return this.#strays;
  }

  storedBytes(end: number): number {
    // Of what is not known yet nothing is being written.
    if (this.#map === undefined) return this.#file.size();
    const last = this.#map.find(end - 1);
    return last < 0 ? Math.min(end, CHUNK_HEADER) : this.#map.fileEnd(last);
  }

  /** The words that the last stretch is packed with. */
  words(): Uint8Array | undefined {
    const map = this.#loaded();
    const crc = map.count === 0 ? 0 : map.vocabularyOf(map.count - 1);
    return crc === 0 ? undefined : this.#read(map, crc);
  }

  readSync(into: Uint8Array, position: number): number {
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
        readStretch(this.#file, map, i, packing, into.subarray(at - position, stop - position), at);
      }
      into.fill(0, stop - position, next - position);
      at = Math.max(at, next);
    }
    return end - position;
  }

  adoptPreallocated(): number {
    const { end } = this.#loaded();
    const size = this.#file.size();
    if (size <= end) return 0;
    const start = findTrailingZeros(this.#file, end, size);
    this.#ahead.adopt(start, size);
    // What the walk found last goes on to the end of the file.
    this.#strays.pop();
    if (start > end) this.#strays.push({ place: end, length: start - end });
    return size - start;
  }

  async cutPreallocated(): Promise<void> {
    await this.#ahead.settle();
    const { end } = this.#loaded();
    if (this.#ahead.zerosBehind(end) === 0) return;
    await this.#file.truncate(end);
    this.#ahead.forget();
    await this.#file.sync();
  }

  write(parts: readonly Uint8Array[], position: number): Promise<number> {
    return this.#write(parts, position, (pieces, place) => this.#file.write(pieces, place));
  }

  writeThrough(
    parts: readonly Uint8Array[],
    position: number,
    packs = true,
    ahead?: PendingPack,
  ): Promise<number> {
    const write = async (pieces: readonly Uint8Array[], place: number): Promise<number> => {
      const bytes = lengthOf(pieces);
      const zeros = this.#ahead.waitBefore(place + bytes);
      if (zeros !== undefined) await zeros;
      const written = await this.#file.writeThrough(pieces, place);
      if (written === bytes) this.#ahead.recordAppend(bytes, place + bytes);
      return written;
    };
    return this.#write(parts, position, write, packs, ahead);
  }

  async rewriteFrom(start: number): Promise<boolean> {
    const map = this.#loaded();
    const last = map.find(start - 1);
    const from = start === 0 ? 0 : last < 0 ? CHUNK_HEADER : map.fileEnd(last);
    // A file that ends inside of a stretch gets the zeros that are read there.
    const end = Math.max(this.#file.size(), map.end);
    const bytes = new Uint8Array(end - from);
    fill(this.#file, bytes, from);
    if ((await this.#file.write([bytes], from)) < bytes.length) return false;
    // One more, and cut again: the length of the file may be what the system shows and will never write by itself.
    const more = await this.#file.write([ONE], end).catch((error: unknown) => {
      // A full disk has all that is needed.
      if (!isDiskFull(error)) throw error;
      return 0;
    });
    if (more > 0) await this.#file.truncate(end);
    return true;
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  /**
   * Cuts the chunk. Inside of an append what is left of that one is written again behind it, and replaces it: at no
   * moment is there less than that. Throws DiskFullError.
   */
  async truncate(length: number): Promise<void> {
    await this.#ahead.settle();
    const map = this.#loaded();
    this.#strays = [];
    this.#ahead.forget();
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
      const laid = this.#raw([left], left.length, start, map.end);
      if ((await this.#file.write(laid.parts, map.end)) < stretchEnd(laid.stretch) - map.end)
        throw new DiskFullError(`writing the end of ${this.name} once more`);
      map.add(laid.stretch, laid.ends);
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
    ahead?: PendingPack,
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
    const laid =
      length === 0
        ? []
        : await this.#lay(packs ? (ahead ?? this.#pack(rest, length)) : undefined, rest, length, start);
    const pieces = [...header];
    for (const { parts } of laid) for (const part of parts) pieces.push(part);
    if ((await write(pieces, position === 0 ? 0 : map.end)) < lengthOf(pieces)) return 0;
    for (const { stretch, ends, made } of laid) {
      map.add(stretch, ends);
      if (made !== undefined) this.#packer!.recycle(made);
    }
    if (packs) this.#learn(length);
    return lengthOf(header) + length;
  }

  #pack(parts: readonly Uint8Array[], length: number): PendingPack | undefined {
    const words = this.#packer?.wordsFor(length);
    return words && { words, result: this.#packer!.pack(words, parts, length) };
  }

  /** What these bytes of the chunk become, behind the last stretch. */
  async #lay(
    packing: PendingPack | undefined,
    parts: readonly Uint8Array[],
    length: number,
    start: number,
  ): Promise<Laid[]> {
    const map = this.#loaded();
    const made = packing && (await packing.result);
    if (made === undefined) return [this.#raw(parts, length, start, map.end)];
    const { words } = packing!;
    const laid: Laid[] = [];
    let place = map.end;
    if (map.vocabularies.filter(({ crc }) => crc === words.crc).length < COPIES) {
      laid.push(this.#words(words, start, place));
      place = stretchEnd(laid[0]!.stretch);
    }
    const { packed, ends } = made;
    const stretch: FileStretch = {
      ...{ kind: 'packed', place, chunk: this.#chunk, start, length, payload: packed.length },
      ...{ vocabulary: words.crc, units: ends.length },
    };
    const head = encodeStretch(stretch, ends);
    laid.push({
      stretch,
      ends: ends.map((end) => place + head.length + end),
      parts: [head, packed],
      made,
    });
    return laid;
  }

  #raw(parts: readonly Uint8Array[], length: number, start: number, place: number): Laid {
    const stretch: FileStretch = {
      ...{ kind: 'raw', place, chunk: this.#chunk, start, length, payload: length, vocabulary: 0, units: 0 },
    };
    return { stretch, ends: NONE, parts: [encodeStretch(stretch, NONE), ...parts] };
  }

  #words({ crc, bytes }: PendingPack['words'], start: number, place: number): Laid {
    const stretch: FileStretch = {
      ...{ kind: 'vocabulary', place, chunk: this.#chunk, start, length: 0, payload: bytes.length },
      ...{ vocabulary: crc, units: 0 },
    };
    return { stretch, ends: NONE, parts: [encodeStretch(stretch, NONE), bytes] };
  }

  /** Once there is enough to learn from, and an append was large enough to be packed. */
  #learn(length: number): void {
    const packer = this.#packer;
    if (packer === undefined || this.#isLearnt || !packer.shouldLearn(length)) return;
    if (this.size() < CHUNK_HEADER + packer.sampleBytes) return;
    this.#isLearnt = true;
    const sample = new Uint8Array(packer.sampleBytes);
    this.readSync(sample, CHUNK_HEADER);
    packer.learn(sample);
  }

  /** The stretches of the file: those that it has when first asked, and those written here. */
  #loaded(): StretchMap {
    const map = (this.#map ??= new StretchMap(CHUNK_HEADER));
    if (this.#seen === undefined || (this.#packer === undefined && this.#file.size() > this.#seen)) {
      this.#seen = this.#file.size();
      this.#strays.push(...walkStretches(this.#file, this.#chunk, map, this.#seen));
    }
    return map;
  }

  /** The words of that sum: the first of the copies that is as it was written. */
  #read(map: StretchMap, wanted: number): Uint8Array | undefined {
    for (const { crc, place, length } of map.vocabularies) {
      if (crc !== wanted) continue;
      const bytes = new Uint8Array(length);
      if (this.#file.readSync(bytes, place) === length && crc32(bytes) === wanted) return bytes;
    }
    return undefined;
  }
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/** Reads; what the file does not have is zeros. */
function fill(file: Pick<DiskFile, 'readSync'>, into: Uint8Array, position: number): void {
  into.fill(0, file.readSync(into, position));
}
